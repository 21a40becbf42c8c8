/** The page that predicts: a file or a material in, values with intervals out. */
import { Button, NumberInput } from '@mantine/core';
import type { PredictionResult } from '@unitcell/contract';
import { type FormEvent, type ComponentType, useState } from 'react';
import { ErrorPanel } from '../../../components/error-panel.tsx';
import { FileDrop } from '../../../components/file-drop.tsx';
import { PanelBoundary } from '../../../components/panel-boundary.tsx';
import page from '../../../components/tool-page/tool-page.module.css';
import { Idle, ToolHeader, Waiting } from '../../../components/tool-page/tool-page.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { useAddressState } from '../../../lib/use-address-state.ts';
import { type Asked, predictionRequest, usePrediction } from '../api/use-prediction.ts';
import { predictionTexts } from '../texts.ts';
import classes from './prediction.module.css';
import { PredictionView } from './prediction-view.tsx';

/** Silicon, a = 5.469 Å (PBE). */
const SILICON = {
  kind: 'file',
  name: 'POSCAR',
  text: 'Si\n1.0\n0.0 2.7345 2.7345\n2.7345 0.0 2.7345\n2.7345 2.7345 0.0\nSi\n2\nDirect\n0 0 0\n0.25 0.25 0.25\n',
} as const;

const readId = (parameters: URLSearchParams): number | null => {
  const id = Number(parameters.get('id'));
  return Number.isSafeInteger(id) && id > 0 ? id : null;
};
const writeId = (id: number | null): URLSearchParams =>
  new URLSearchParams(id === null ? {} : { id: String(id) });

interface PredictPageProps {
  /** The crystal on the phase diagram of its elements; drawn by another feature. */
  readonly Diagram: ComponentType<{ readonly result: PredictionResult }>;
}

export function PredictPage({ Diagram }: PredictPageProps) {
  const { t } = useTexts(predictionTexts);
  const { state: id, change } = useAddressState({ read: readId, write: writeId });
  const [file, setFile] = useState<Asked | null>(null);
  const [typed, setTyped] = useState<number | string>(id ?? '');
  const asked: Asked | null = file ?? (id === null ? null : { kind: 'material', structId: id });
  const prediction = usePrediction(asked);

  const askFile = (chosen: Asked): void => {
    setFile(chosen);
    change(() => null);
  };
  const takeFile = async ([chosen]: readonly File[]): Promise<void> => {
    if (chosen) askFile({ kind: 'file', name: chosen.name, text: await chosen.text() });
  };
  const askMaterial = (event: FormEvent): void => {
    event.preventDefault();
    if (typed === '') return;
    setFile(null);
    change(() => Number(typed));
  };
  return (
    <div className="uc-page">
      <ToolHeader title={t('title')} lead={t('lead')} />
      <div className={classes.inputs}>
        <FileDrop
          name="structure-file"
          label={file ? t('another') : t('upload')}
          hint={t('drop')}
          accept=".cif,.vasp,.poscar,.txt,*"
          isDisabled={false}
          fileName={file?.kind === 'file' && file !== SILICON ? file.name : undefined}
          onFiles={(files) => void takeFile(files)}
        >
          <p className={classes.hint}>{t('limits')}</p>
        </FileDrop>
        <form className={classes.material} onSubmit={askMaterial}>
          <NumberInput
            label={t('id')}
            placeholder={t('idPlaceholder')}
            value={typed}
            min={1}
            allowDecimal={false}
            onChange={setTyped}
          />
          <Button type="submit" disabled={typed === ''} loading={prediction.isFetching}>
            {t('predict')}
          </Button>
          <Button type="button" variant="default" onClick={() => askFile(SILICON)}>
            {t('sample')}
          </Button>
        </form>
      </div>
      <section className={page.results} aria-label={t('results')} aria-live="polite">
        {!asked && <Idle>{t('idle')}</Idle>}
        {asked && prediction.isPending && <Waiting>{t('loading')}</Waiting>}
        {prediction.isError && !prediction.isFetching && (
          <ErrorPanel error={prediction.error} onRetry={() => void prediction.refetch()} />
        )}
        {asked && prediction.data && !prediction.isError && (
          <PanelBoundary key={prediction.dataUpdatedAt}>
            <PredictionView
              result={prediction.data}
              asked={asked}
              sent={predictionRequest(asked)}
              Diagram={Diagram}
            />
          </PanelBoundary>
        )}
      </section>
    </div>
  );
}
