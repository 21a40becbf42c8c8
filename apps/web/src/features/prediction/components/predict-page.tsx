/** The prediction page: takes a file, a formula or a material and shows values with intervals. */
import { Button, NumberInput, Switch, TextInput } from '@mantine/core';
import type { PredictionResult } from '@unitcell/contract/prediction';
import { MAX_PREDICT_FORMULA } from '@unitcell/contract/prediction/rules';
import { type FormEvent, type ComponentType, useState } from 'react';
import { Link } from 'react-router-dom';
import { Examples } from '../../../components/examples.tsx';
import { ErrorPanel, PanelBoundary } from '../../../components/failure.tsx';
import { FileDrop } from '../../../components/file-drop.tsx';
import page from '../../../components/panel.module.css';
import { Idle, ToolHeader, Waiting } from '../../../components/tool-page/tool-page.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { useAddressState } from '../../../lib/use-address-state.ts';
import { type Asked, predictionRequest, usePrediction } from '../api/use-prediction.ts';
import { predictionTexts } from '../texts.ts';
import classes from './prediction.module.css';
import { PredictionView } from './prediction-view.tsx';

/** Cubic SrTiO3, a = 3.905 Å (measured): within the domain of the model. */
const SAMPLE = {
  kind: 'file',
  name: 'POSCAR',
  text: 'SrTiO3\n3.905\n1 0 0\n0 1 0\n0 0 1\nSr Ti O\n1 1 3\nDirect\n0 0 0\n.5 .5 .5\n.5 .5 0\n.5 0 .5\n0 .5 .5\n',
} as const;

/** Formulas of typical battery and solar cell materials. */
const EXAMPLES = ['LiFePO4', 'Na3PS4', 'CsPbI3', 'Li6PS5F'].map((name) => ({
  name,
  to: `/predict?formula=${name}`,
}));

/** The input from the address; an uploaded file exists only in this page. */
type Named = Exclude<Asked, { readonly kind: 'file' }> | null;
interface Address {
  readonly named: Named;
  readonly relax: boolean;
}

const readNamed = (parameters: URLSearchParams): Named => {
  const formula = parameters.get('formula')?.slice(0, MAX_PREDICT_FORMULA);
  if (formula) return { kind: 'formula', formula };
  const id = Number(parameters.get('id'));
  return Number.isSafeInteger(id) && id > 0 ? { kind: 'material', structId: id } : null;
};
const readAddress = (parameters: URLSearchParams): Address => ({
  named: readNamed(parameters),
  relax: parameters.get('relax') === '1',
});
const writeAddress = ({ named, relax }: Address): URLSearchParams =>
  new URLSearchParams({
    ...(named?.kind === 'formula' && { formula: named.formula }),
    ...(named?.kind === 'material' && { id: String(named.structId) }),
    ...(relax && { relax: '1' }),
  });

interface PredictPageProps {
  /** The crystal on the phase diagram of its elements; rendered by another feature. */
  readonly Diagram: ComponentType<{ readonly result: PredictionResult }>;
}

export function PredictPage({ Diagram }: PredictPageProps) {
  const { t } = useTexts(predictionTexts);
  const { state, change } = useAddressState({ read: readAddress, write: writeAddress });
  const { named, relax } = state;
  const [file, setFile] = useState<Asked | null>(null);
  const [typedId, setTypedId] = useState<number | string>(named?.kind === 'material' ? named.structId : '');
  const [typedFormula, setTypedFormula] = useState(named?.kind === 'formula' ? named.formula : '');
  const asked: Asked | null = file ?? named;
  const prediction = usePrediction(asked, relax);

  const askFile = (chosen: Asked): void => {
    setFile(chosen);
    change((now) => ({ ...now, named: null }));
  };
  const takeFile = async ([chosen]: readonly File[]): Promise<void> => {
    if (chosen) askFile({ kind: 'file', name: chosen.name, text: await chosen.text() });
  };
  const askNamed = (event: FormEvent, chosen: Named): void => {
    event.preventDefault();
    setFile(null);
    change((now) => ({ ...now, named: chosen }));
  };
  return (
    <div className="uc-page">
      <ToolHeader title={t('title')} lead={t('lead')} guide="predict" />
      <div className={classes.inputs}>
        <FileDrop
          name="structure-file"
          label={file ? t('another') : t('upload')}
          hint={t('drop')}
          accept=".cif,.vasp,.poscar,.txt,*"
          isDisabled={false}
          fileName={file?.kind === 'file' && file !== SAMPLE ? file.name : undefined}
          onFiles={(files) => void takeFile(files)}
        >
          <p className={classes.hint}>{t('limits')}</p>
        </FileDrop>
        <div className="uc-stack">
          <form
            className={`uc-wrap ${classes.material}`}
            aria-label={t('formula')}
            onSubmit={(event) => askNamed(event, { kind: 'formula', formula: typedFormula.trim() })}
          >
            <TextInput
              label={t('formula')}
              placeholder="LiFePO4"
              value={typedFormula}
              maxLength={MAX_PREDICT_FORMULA}
              translate="no"
              spellCheck={false}
              onChange={(event) => setTypedFormula(event.currentTarget.value)}
            />
            <Button type="submit" disabled={typedFormula.trim() === ''} loading={prediction.isFetching}>
              {t('predict')}
            </Button>
          </form>
          <form
            className={`uc-wrap ${classes.material}`}
            aria-label={t('id')}
            onSubmit={(event) => askNamed(event, { kind: 'material', structId: Number(typedId) })}
          >
            <NumberInput
              label={t('id')}
              placeholder={t('idPlaceholder')}
              value={typedId}
              min={1}
              allowDecimal={false}
              onChange={setTypedId}
            />
            <Button type="submit" disabled={typedId === ''} loading={prediction.isFetching}>
              {t('predict')}
            </Button>
          </form>
          <Switch
            label={t('relax')}
            description={t('relaxHint')}
            checked={relax}
            onChange={(event) => {
              const isOn = event.currentTarget.checked;
              change((now) => ({ ...now, relax: isOn }));
            }}
          />
          <p className={classes.hint}>
            <Button type="button" variant="default" onClick={() => askFile(SAMPLE)}>
              {t('sample')}
            </Button>{' '}
            <Link to="/predict/model">{t('card')}</Link>
          </p>
        </div>
      </div>
      <section className={page.results} aria-label={t('results')} aria-live="polite">
        {!asked && (
          <>
            <Idle>{t('idle')}</Idle>
            <Examples examples={EXAMPLES} />
          </>
        )}
        {asked && prediction.isPending && <Waiting>{t('loading')}</Waiting>}
        {prediction.isError && !prediction.isFetching && (
          <ErrorPanel error={prediction.error} onRetry={() => void prediction.refetch()} />
        )}
        {asked && prediction.data && !prediction.isError && (
          <PanelBoundary key={prediction.dataUpdatedAt}>
            <PredictionView
              result={prediction.data}
              asked={asked}
              sent={predictionRequest(asked, relax)}
              Diagram={Diagram}
            />
          </PanelBoundary>
        )}
      </section>
    </div>
  );
}
