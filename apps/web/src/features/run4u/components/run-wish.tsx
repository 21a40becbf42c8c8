/** Options of a submission: the method if there are several, and the properties to predict besides the energy. */
import { Checkbox, NativeSelect } from '@mantine/core';
import type { CalculationService, PredictedTask, RunMethod } from '@unitcell/contract/run4u';
import { useTexts } from '../../../i18n/texts.ts';
import { predictedTexts } from '../predicted-texts.ts';
import { isPredicting } from '../view-model.ts';
import classes from './run4u.module.css';

export interface RunWish {
  readonly method: RunMethod;
  readonly tasks: readonly PredictedTask[];
}

const TASKS: readonly PredictedTask[] = ['phonons', 'elastic', 'eos'];

/** True if the site can both predict and calculate. */
export const hasChoice = (service: CalculationService): boolean =>
  service.engine !== null && service.predicts === true && !isPredicting(service);

/** Fields of the submission that differ from the defaults. */
export function fieldsOf(
  { method, tasks }: RunWish,
  service: CalculationService | undefined,
): { readonly method?: RunMethod; readonly tasks?: PredictedTask[] } {
  if (!service?.predicts) return {};
  if (!hasChoice(service)) return tasks.length > 0 ? { tasks: [...tasks] } : {};
  return method === 'prediction' ? { method, tasks: [...tasks] } : {};
}

interface RunWishFormProps {
  readonly service: CalculationService;
  readonly wish: RunWish;
  readonly onWish: (wish: RunWish) => void;
}

export function RunWishForm({ service, wish, onWish }: RunWishFormProps) {
  const { t } = useTexts(predictedTexts);
  const isChoice = hasChoice(service);
  return (
    <>
      {isChoice && (
        <NativeSelect
          label={t('method')}
          value={wish.method}
          data={[
            { value: 'first-principles', label: t('method_firstPrinciples') },
            { value: 'prediction', label: t('method_prediction') },
          ]}
          onChange={(event) => onWish({ ...wish, method: event.currentTarget.value as RunMethod })}
        />
      )}
      {service.predicts && (!isChoice || wish.method === 'prediction') && (
        <Checkbox.Group
          label={t('alsoPredict')}
          description={t('taskHint')}
          value={[...wish.tasks]}
          onChange={(values) => onWish({ ...wish, tasks: TASKS.filter((task) => values.includes(task)) })}
        >
          <div className={classes.choices}>
            {TASKS.map((task) => (
              <Checkbox key={task} value={task} label={t(`task_${task}`)} />
            ))}
          </div>
        </Checkbox.Group>
      )}
    </>
  );
}
