/** The prediction page: takes a file, a formula or a material and shows values with intervals. */
import { Button, Switch, TextInput } from '@mantine/core';
import type { PredictionResult } from '@unitcell/contract/prediction';
import { MAX_PREDICT_FORMULA, MAX_PREDICT_TEXT } from '@unitcell/contract/prediction/rules';
import { type ComponentType, useState } from 'react';
import { Link } from 'react-router-dom';
import { Examples } from '../../../components/examples.tsx';
import { ErrorPanel, PanelBoundary } from '../../../components/failure.tsx';
import { WithFormulas } from '../../../components/formula.tsx';
import { FileDrop } from '../../../components/file-drop.tsx';
import { Notice } from '../../../components/notice.tsx';
import { ownCrystalTexts } from '../../../components/own-crystal.tsx';
import page from '../../../components/panel.module.css';
import { ToolExample, useExample } from '../../../components/tool-page/tool-example.tsx';
import { ToolHeader, Waiting } from '../../../components/tool-page/tool-page.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { idOf } from '../../../lib/format.ts';
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

const writtenAs = (named: Named): string =>
  named === null ? '' : named.kind === 'formula' ? named.formula : String(named.structId);

/** A text of digits is the id of a material, any other text a formula. */
function namedBy(text: string): Named {
  const id = idOf(text);
  return id === null ? { kind: 'formula', formula: text } : { kind: 'material', structId: id };
}

interface PredictPageProps {
  /** The crystal on the phase diagram of its elements; rendered by another feature. */
  readonly Diagram: ComponentType<{ readonly result: PredictionResult }>;
}

export function PredictPage({ Diagram }: PredictPageProps) {
  const { t } = useTexts(predictionTexts);
  const { state, change } = useAddressState({ read: readAddress, write: writeAddress });
  const { named, relax } = state;
  const { t: ofCrystal } = useTexts(ownCrystalTexts);
  const [file, setFile] = useState<Asked | null>(null);
  const [tooLarge, setTooLarge] = useState<string | null>(null);
  // A crystal named in the address comes first. The file is kept, so that Back can show it again.
  const asked: Asked | null = named ?? file;
  const prediction = usePrediction(asked, relax);

  const askFile = (chosen: Asked): void => {
    setTooLarge(null);
    setFile(chosen);
    change((now) => ({ ...now, named: null }));
  };
  const takeFile = async ([chosen]: readonly File[]): Promise<void> => {
    if (!chosen) return;
    if (chosen.size > MAX_PREDICT_TEXT) setTooLarge(chosen.name);
    else askFile({ kind: 'file', name: chosen.name, text: await chosen.text() });
  };
  return (
    <div className="uc-page">
      <ToolHeader title={t('title')} lead={t('lead')} guide="predict" />
      <div className={`uc-panel ${classes.inputs}`}>
        <section className={classes.input} aria-labelledby="predict-crystal">
          <h2 id="predict-crystal">{t('crystal')}</h2>
          <p className={classes.note}>{t('crystalHint')}</p>
          <FileDrop
            name="structure-file"
            label={asked?.kind === 'file' ? t('another') : t('upload')}
            hint={t('drop')}
            accept=".cif,.vasp,.poscar,.txt,*"
            isDisabled={false}
            fileName={asked?.kind === 'file' && asked !== SAMPLE ? asked.name : undefined}
            onFiles={(files) => void takeFile(files)}
          >
            <p className={classes.note}>{t('limits')}</p>
          </FileDrop>
          {tooLarge !== null && <Notice kind="problem">{ofCrystal('tooLarge', { name: tooLarge })}</Notice>}
          <Button type="button" variant="default" size="xs" onClick={() => askFile(SAMPLE)}>
            {t('sample')}
          </Button>
        </section>
        <section className={classes.input} aria-labelledby="predict-named">
          <h2 id="predict-named">{t('named')}</h2>
          <p className={classes.note}>{t('namedHint')}</p>
          <NamedForm
            key={writtenAs(named)}
            named={named}
            isBusy={prediction.isFetching}
            onAsk={(chosen) => change((now) => ({ ...now, named: chosen }))}
          />
          <Examples examples={EXAMPLES} />
          <Switch
            className={classes.relax}
            label={t('relax')}
            description={t('relaxHint')}
            checked={relax}
            onChange={(event) => {
              const isOn = event.currentTarget.checked;
              change((now) => ({ ...now, relax: isOn }));
            }}
          />
        </section>
      </div>
      <section className={page.results} aria-label={t('results')} aria-live="polite">
        {!asked && (relax ? <Answered /> : <PredictionExample Diagram={Diagram} />)}
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

/** An example prediction, shown before the first input. It does not change the address. */
function PredictionExample({ Diagram }: PredictPageProps) {
  const { t } = useTexts(predictionTexts);
  const example = useExample('predict');
  const { data, isFetching } = usePrediction(example.isHidden ? null : SAMPLE, false);
  return (
    <ToolExample
      example={example}
      title={<WithFormulas text={t('example')} formulas={['SrTiO3']} />}
      idle={<Answered />}
      waiting={t('loading')}
      isLoading={isFetching}
    >
      {data && (
        <PredictionView
          result={data}
          // The example is not offered to Run4U.
          asked={null}
          sent={predictionRequest(SAMPLE, false)}
          Diagram={Diagram}
        />
      )}
    </ToolExample>
  );
}

interface NamedFormProps {
  readonly named: Named;
  readonly isBusy: boolean;
  readonly onAsk: (named: Named) => void;
}

function NamedForm({ named, isBusy, onAsk }: NamedFormProps) {
  const { t } = useTexts(predictionTexts);
  const [typed, setTyped] = useState(writtenAs(named));
  const text = typed.trim();
  return (
    <form
      className={classes.material}
      aria-label={t('named')}
      onSubmit={(event) => {
        event.preventDefault();
        onAsk(namedBy(text));
      }}
    >
      <TextInput
        label={t('formulaOrId')}
        placeholder={t('placeholder')}
        value={typed}
        maxLength={MAX_PREDICT_FORMULA}
        translate="no"
        spellCheck={false}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <Button type="submit" disabled={text === ''} loading={isBusy}>
        {t('predict')}
      </Button>
    </form>
  );
}

/** Describes the content of a prediction as long as there is none. */
function Answered() {
  const { t } = useTexts(predictionTexts);
  const answers = [
    ['energy', 'energyAnswer'],
    ['stability', 'stabilityAnswer'],
    ['gapName', 'gapAnswer'],
    ['moduli', 'moduliAnswer'],
  ] as const;
  return (
    <>
      <dl className={classes.answers}>
        {answers.map(([name, answer]) => (
          <div key={name}>
            <dt>{t(name)}</dt>
            <dd>{t(answer)}</dd>
          </div>
        ))}
      </dl>
      <p className={classes.note}>
        {t('howGood')} <Link to="/predict/model">{t('card')}</Link>
      </p>
    </>
  );
}
