/** Before a submission: the file, the method, the properties to predict, and the quota. */
import { Button, Checkbox, NativeSelect } from '@mantine/core';
import { type WorkingIon, WORKING_IONS } from '@unitcell/contract/ecwindow/rules';
import type {
  CalculationService,
  PotentialName,
  PredictedTask,
  RunMethod,
  RunPhysics,
  SubmissionQuota,
} from '@unitcell/contract/run4u';
import type { ReactNode } from 'react';
import { FileDrop } from '../../../components/file-drop.tsx';
import { Notice, Warnings } from '../../../components/notice.tsx';
import { timeText } from '../../../i18n/dates.ts';
import { useTexts } from '../../../i18n/texts.ts';
import type { Submitting } from '../api/use-submissions.ts';
import { predictedTexts } from '../predicted-texts.ts';
import { sampleFile, isPredicting } from '../view-model.ts';
import { run4uTexts } from '../texts.ts';
import classes from './run4u.module.css';
import { run4uServiceTexts } from './run4u-facts.tsx';

interface UploadPanelProps {
  readonly fileName: string | null;
  readonly quota: SubmissionQuota | undefined;
  /** Controls for the options of a submission, and whether the submission is a prediction. */
  readonly wish?: ReactNode;
  readonly isPrediction?: boolean;
  /** True if it is known that no engine is installed. */
  readonly hasNoEngine?: boolean;
  /** True if only the built-in potential is available. */
  readonly isPredicting?: boolean;
  /** True until the available engines are known. */
  readonly isPending?: boolean;
  readonly isUploading: boolean;
  readonly isSubmitting: boolean;
  /** Error for the last file, or an empty string. */
  readonly problem: string;
  readonly warnings: readonly string[];
  readonly onFiles: (files: readonly File[]) => void;
  /** Absent while the available engines are unknown: without a choice of method a calculation would start. */
  readonly onSubmit: (() => void) | undefined;
}

/** Submissions left today. */
function QuotaLine({
  quota,
  isPrediction = false,
}: {
  readonly quota: SubmissionQuota | undefined;
  readonly isPrediction: boolean | undefined;
}) {
  const { t, language } = useTexts(run4uTexts);
  const { t: tp } = useTexts(predictedTexts);
  // Reserve the line.
  if (!quota) return <p className={`uc-note ${classes.quota}`}>&nbsp;</p>;
  const time = timeText(quota.resets_at, language);
  const { left, limit } = (isPrediction ? quota.predicted : undefined) ?? quota;
  return (
    <p className={`uc-note ${classes.quota}`} data-empty={left === 0 || undefined}>
      {left === 0
        ? t('quotaUsedUp', { limit, time })
        : isPrediction
          ? tp('predictionQuota', { left, limit })
          : t('quota', { left, limit })}
    </p>
  );
}

/** Chooses or drops a file and submits it. */
export function UploadPanel(props: UploadPanelProps) {
  const { t } = useTexts(run4uTexts);
  const { t: ts } = useTexts(run4uServiceTexts);
  const { fileName, isUploading, isSubmitting, problem } = props;
  const label = isUploading ? t('uploading') : fileName === null ? t('upload') : t('reupload');
  return (
    <div className="uc-stack">
      <FileDrop
        name="cif-file"
        label={label}
        hint={t('drop')}
        accept=".cif,.vasp,.poscar,.txt,*"
        isDisabled={isUploading}
        fileName={fileName ?? undefined}
        onFiles={props.onFiles}
      >
        <p className="uc-hint">
          {t('hint')}
          <br />
          {t('limits')}
        </p>
      </FileDrop>
      <Button
        variant="default"
        size="xs"
        disabled={isUploading}
        onClick={() => props.onFiles([sampleFile()])}
      >
        {ts('trySample')}
      </Button>
      {problem !== '' && <Notice kind="problem">{problem}</Notice>}
      <Warnings warnings={props.warnings} />
      <div className={`uc-stack ${classes.send}`} data-pending={props.isPending || undefined}>
        {props.hasNoEngine && (
          <Notice kind="warning">
            {ts('noEngineNotice')} {ts('installEngine')} <code translate="no">{INSTALL}</code>
          </Notice>
        )}
        {props.isPredicting && (
          <Notice kind="note">
            {ts('predictedNotice')} {ts('installProgram')} <code translate="no">{INSTALL}</code>
          </Notice>
        )}
        {props.wish}
        <Button
          size="md"
          onClick={props.onSubmit}
          disabled={isSubmitting || isUploading || !props.onSubmit}
          fullWidth
        >
          {isSubmitting ? t('submitting') : t('submit')}
        </Button>
        <QuotaLine quota={props.quota} isPrediction={props.isPrediction} />
      </div>
    </div>
  );
}

/** Debian packages of ABINIT and its PAW data, under the names the worker requires. */
const INSTALL = 'sudo apt install abinit gpaw-data libopenblas0-pthread';

/** Options of a submission: the method if there are several, properties besides the energy, and the physics of a calculation. */
export interface RunWish {
  readonly method: RunMethod;
  readonly tasks: readonly PredictedTask[];
  /** For ion hops; absent: the first that the crystal contains. */
  readonly ion?: WorkingIon | undefined;
  /** Absent: the default. */
  readonly potential?: PotentialName | undefined;
  readonly physics: readonly RunPhysics[];
}

const TASKS: readonly PredictedTask[] = ['phonons', 'elastic', 'eos', 'expansion', 'barrier'];
const POTENTIALS: readonly PotentialName[] = ['sevennet-0', 'sevennet-l3i5'];
/** Options of a first-principles calculation, with ABINIT only. */
const RESPONSES: readonly PredictedTask[] = ['elastic', 'phonons'];
const PHYSICS: readonly RunPhysics[] = ['hubbard-u', 'dispersion', 'antiferromagnetic'];

/** True if the site can both predict and calculate. */
export const hasChoice = (service: CalculationService): boolean =>
  service.engine !== null && service.predicts === true && !isPredicting(service);

/** True if the submission is a prediction: the visitor chose one, or nothing else is installed. */
export const isPrediction = (service: CalculationService, { method }: RunWish): boolean =>
  service.predicts === true && (!hasChoice(service) || method === 'prediction');

/** The request fields of a submission whose values differ from the defaults of the call. */
export function fieldsOf(wish: RunWish, service: CalculationService): Omit<Submitting, 'structure'> {
  const { tasks, ion, potential, physics } = wish;
  if (isPrediction(service, wish)) {
    const predicted = {
      tasks: [...tasks],
      ...(ion && tasks.includes('barrier') ? { ion } : {}),
      ...(potential ? { potential } : {}),
    };
    if (hasChoice(service)) return { method: 'prediction', ...predicted };
    return tasks.length > 0 || potential ? predicted : {};
  }
  if (service.engine !== 'abinit') return {};
  const responses = RESPONSES.filter((task) => tasks.includes(task));
  return {
    ...(responses.length > 0 ? { method: 'first-principles', tasks: responses } : {}),
    ...(physics.length > 0 ? { physics: [...physics] } : {}),
  };
}

interface PhysicsFormProps {
  readonly wish: RunWish;
  readonly onWish: (wish: RunWish) => void;
}

/** Options of a calculation with ABINIT. */
export function PhysicsForm({ wish, onWish }: PhysicsFormProps) {
  const { t } = useTexts(predictedTexts);
  return (
    <>
      <Checkbox.Group
        label={t('physics')}
        description={t('physicsHint')}
        value={[...wish.physics]}
        onChange={(values) => onWish({ ...wish, physics: PHYSICS.filter((one) => values.includes(one)) })}
      >
        <div className={classes.choices}>
          {PHYSICS.map((one) => (
            <Checkbox key={one} value={one} label={t(`physics_${one}`)} />
          ))}
        </div>
      </Checkbox.Group>
      <Checkbox.Group
        label={t('alsoCalculate')}
        description={t('responseHint')}
        value={RESPONSES.filter((task) => wish.tasks.includes(task))}
        onChange={(values) => onWish({ ...wish, tasks: RESPONSES.filter((task) => values.includes(task)) })}
      >
        <div className={classes.choices}>
          <Checkbox value="elastic" label={t('task_elastic')} />
          <Checkbox value="phonons" label={t('task_gammaPhonons')} />
        </div>
      </Checkbox.Group>
    </>
  );
}

interface RunWishFormProps extends PhysicsFormProps {
  readonly service: CalculationService;
}

export function RunWishForm({ service, wish, onWish }: RunWishFormProps) {
  const { t } = useTexts(predictedTexts);
  const isPredicted = isPrediction(service, wish);
  return (
    <>
      {hasChoice(service) && (
        <NativeSelect
          label={t('method')}
          value={wish.method}
          data={[
            { value: 'prediction', label: t('method_prediction') },
            { value: 'first-principles', label: t('method_firstPrinciples') },
          ]}
          onChange={(event) => onWish({ ...wish, method: event.currentTarget.value as RunMethod })}
        />
      )}
      {isPredicted && (
        <NativeSelect
          label={t('potential')}
          value={wish.potential ?? POTENTIALS[0]}
          data={POTENTIALS.map((value) => ({ value, label: t(`potential_${value}`) }))}
          onChange={(event) => onWish({ ...wish, potential: event.currentTarget.value as PotentialName })}
        />
      )}
      {isPredicted && (
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
      {isPredicted && wish.tasks.includes('barrier') && (
        <NativeSelect
          label={t('ion')}
          value={wish.ion ?? ''}
          data={[{ value: '', label: t('ion_first') }, ...WORKING_IONS]}
          onChange={(event) =>
            onWish({ ...wish, ion: WORKING_IONS.find((ion) => ion === event.currentTarget.value) })
          }
        />
      )}
      {service.engine === 'abinit' && !isPredicted && <PhysicsForm wish={wish} onWish={onWish} />}
    </>
  );
}
