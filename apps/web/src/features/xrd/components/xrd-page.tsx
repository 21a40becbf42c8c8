/** The XRD matcher (spec §2.14). */
import { Button, Switch } from '@mantine/core';
import { IconArrowBackUp } from '@tabler/icons-react';
import type { MeasurementRecord } from '@unitcell/contract/xrd';
import { lazy, Suspense, useCallback, useMemo, useState } from 'react';
import { PanelBoundary } from '../../../components/failure.tsx';
import { FileDrop } from '../../../components/file-drop.tsx';
import { WithFormulas } from '../../../components/formula.tsx';
import { Notice, Warnings } from '../../../components/notice.tsx';
import { Panel } from '../../../components/section.tsx';
import { ToolExample, useExample } from '../../../components/tool-page/tool-example.tsx';
import { ToolHeader } from '../../../components/tool-page/tool-page.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { useIsCompact } from '../../../lib/breakpoints.ts';
import { formatCount } from '../../../lib/format.ts';
import type { ChartColors } from '../../../viz/plot/chart-theme.ts';
import { Plot } from '../../../viz/plot/plot.tsx';
import {
  matchFigure,
  matchPlotTexts,
  matchSummary,
  matchTable,
} from '../../../viz/xrd-match-plot/match-figure.ts';
import { AngleRange } from '../../../viz/xrd-plot/xrd-plot.tsx';
import { CHART_ID, phaseName, type PictureContent, RESULTS_ID } from '../matching.ts';
import { xrdTexts } from '../texts.ts';
import {
  useExamplePattern,
  useMatcher,
  currentStep,
  type Measurement,
  type Matcher,
  patternBefore,
  type PatternState,
} from '../use-matcher.ts';
import { LineForm, MatchForm, MatchProgress } from './match-form.tsx';
import classes from './xrd.module.css';

/** Loaded on demand, because it is below the first screen or collapsed and must not delay the page. */
const RefineSection = lazy(async () => ({
  default: (await import('../refine/refine-section.tsx')).RefineSection,
}));

const Results = lazy(async () => ({ default: (await import('./results.tsx')).Results }));

const ComparePart = lazy(async () => ({
  default: (await import('../compare/compare-part.tsx')).ComparePart,
}));

/** Normalize, Remove background and Undo; the steps so far; and a before/after comparison. */
function PrepareBar({
  matcher: { state, isAwaited, isBeforeShown, setIsBeforeShown },
}: {
  readonly matcher: Matcher;
}) {
  const { t } = useTexts(xrdTexts);
  const { measurement, busy } = state;
  const data = measurement && currentStep(measurement).data;
  const isIdle = measurement !== null && busy === null;
  return (
    <div className={classes.prepare}>
      <div className={`uc-row ${classes.prepareButtons}`}>
        <Button
          variant="default"
          size="xs"
          disabled={!isIdle || data?.name === 'normlized'}
          loading={busy === 'normalise'}
          onClick={state.normalise}
        >
          {t('normalise')}
        </Button>
        <Button
          variant="default"
          size="xs"
          disabled={!isIdle || data?.background_removed === true}
          loading={busy === 'background'}
          onClick={state.removeBackground}
        >
          {t('removeBackground')}
        </Button>
        <Button
          variant="subtle"
          size="xs"
          disabled={!isIdle || measurement.steps.length < 2}
          leftSection={<IconArrowBackUp size={15} aria-hidden="true" />}
          onClick={state.undo}
        >
          {t('undo')}
        </Button>
        {measurement && patternBefore(measurement) && (
          <Switch
            size="xs"
            label={t('showBefore')}
            checked={isBeforeShown}
            onChange={(event) => setIsBeforeShown(event.currentTarget.checked)}
          />
        )}
      </div>
      {measurement && <Steps measurement={measurement} />}
      {isAwaited && <span className={`uc-note ${classes.steps}`}>…</span>}
    </div>
  );
}

/** The last change of the pattern as a sentence, announced to screen readers. */
function Steps({ measurement }: { readonly measurement: Measurement }) {
  const { t } = useTexts(xrdTexts);
  const words = ({ step, data }: PatternState): string => {
    if (step === 'normalise') return t('stepNormalise');
    if (step === 'background') return t('stepBackground');
    const [from = 0] = data.x;
    return t('stepUpload', {
      n: formatCount(data.x.length),
      from: from.toFixed(2),
      to: (data.x.at(-1) ?? from).toFixed(2),
    });
  };
  return <output className={`uc-note ${classes.steps}`}>{measurement.steps.map(words).join(' → ')}</output>;
}

/** Measurement settings stored in the file, to compare with the form. */
function Record({ record }: { readonly record: MeasurementRecord }) {
  const { t } = useTexts(xrdTexts);
  const rows = [
    [t('fileFormat'), record.format],
    [t('anode'), record.anode],
    ['Kα1', record.k_alpha1 && `${record.k_alpha1} Å`],
    ['Kα2', record.k_alpha2 && `${record.k_alpha2} Å`],
    ['Kα2 / Kα1', record.k_alpha_ratio],
    [t('monochromator'), record.monochromator],
    [
      t('slit'),
      record.divergence_slit &&
        `${record.divergence_slit}${record.is_slit_variable ? ` (${t('slitVariable')})` : ''}`,
    ],
    [t('axis'), record.axis],
    [t('step'), record.step && `${record.step}°`],
    [t('stepTime'), record.step_seconds && `${record.step_seconds} s`],
  ] as const;
  return (
    <dl className={`uc-wrap ${classes.record}`} aria-label={t('fromFile')}>
      {rows.map(
        ([name, value]) =>
          value !== undefined && (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

interface UploadPanelProps {
  readonly matcher: Pick<Matcher, 'state' | 'isAwaited' | 'loadSample' | 'drawLines'>;
}

/** Chooses or drops a pattern, or loads the sample; shows errors. */
export function UploadPanel({ matcher: { state, isAwaited, loadSample, drawLines } }: UploadPanelProps) {
  const { t } = useTexts(xrdTexts);
  const { measurement, busy, problem } = state;
  const [isListing, setIsListing] = useState(false);
  const label = busy === 'upload' ? t('uploading') : measurement ? t('reupload') : t('upload');
  return (
    <div className={classes.upload}>
      <h2 className={classes.stepTitle}>{t('stepFile')}</h2>
      <FileDrop
        name="xrd-file"
        label={label}
        hint={t('drop')}
        accept=".txt,.xy,.xye,.csv,.dat,.xrdml,.udf,.ras,.rasx,.asc,.raw,.brml,.uxd,.gsas,.gda,.gsa,.fxye,.cif,.json"
        isDisabled={busy !== null}
        fileName={measurement?.fileName ?? (isAwaited ? '…' : undefined)}
        onFiles={state.upload}
      >
        <p className="uc-hint">{t('uploadHint')}</p>
      </FileDrop>
      <Button
        variant="subtle"
        size="sm"
        onClick={loadSample}
        loading={busy === 'sample'}
        disabled={busy !== null && busy !== 'sample'}
      >
        {t('sample')}
      </Button>
      <details
        className={`uc-fold ${classes.peaks}`}
        onToggle={({ currentTarget }) => setIsListing(currentTarget.open)}
      >
        <summary>{t('lineList')}</summary>
        {isListing && <LineForm isDisabled={busy !== null} onLines={drawLines} />}
      </details>
      {problem !== '' && <Notice kind="problem">{problem}</Notice>}
      {measurement?.record && <Record record={measurement.record} />}
      {measurement && <Warnings warnings={measurement.warnings} />}
    </div>
  );
}

/** Closed at first: most visitors have one pattern. */
function Compare({ measurement }: { readonly measurement: Measurement }) {
  const { t } = useTexts(xrdTexts);
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details
      className={`uc-fold ${classes.peaks}`}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      <summary>{t('compare')}</summary>
      {isOpen && (
        <Suspense>
          <ComparePart
            data={currentStep(measurement).data}
            name={measurement.fileName}
            radiation={measurement.record?.radiation}
          />
        </Suspense>
      )}
    </details>
  );
}

// The chart with its range; a placeholder frame without a pattern.

interface ChartPanelProps {
  /** Everything except the view; null without a pattern. */
  readonly content: PictureContent | null;
  /** True while a pattern is loading: the frame already has its final size. */
  readonly isAwaited: boolean;
  /** True without results below: in wide windows the chart is then about as high as the form beside it. */
  readonly isAlone: boolean;
  /** Name of exported files. */
  readonly name: string;
}

/** The library's tips are only in English, so the page explains zooming. */
const CONFIG = { showTips: false };
const HEIGHT = 430;
const HEIGHT_ALONE = 640;
const NARROW_HEIGHT = 380;

function ChartPanel({ content, isAwaited, isAlone, name }: ChartPanelProps) {
  const { t } = useTexts(xrdTexts);
  if (!content)
    return (
      <Panel>
        <p className={classes.empty} data-awaited={isAwaited || undefined} data-alone={isAlone || undefined}>
          {t('idle')}
        </p>
      </Panel>
    );
  const { x } = content.measured;
  const whole = [Math.floor(x[0] ?? 0), Math.ceil(x.at(-1) ?? 180)] as const;
  return (
    <Panel>
      <div className={classes.filled} data-alone={isAlone || undefined}>
        <PanelBoundary>
          <RangedPlot
            key={whole.join(' ')}
            content={content}
            whole={whole}
            name={name}
            height={isAlone ? HEIGHT_ALONE : HEIGHT}
          />
        </PanelBoundary>
      </div>
    </Panel>
  );
}

interface RangedPlotProps {
  readonly content: PictureContent;
  readonly whole: readonly [number, number];
  readonly name: string;
  /** px, in wide windows. */
  readonly height: number;
}

function RangedPlot({ content, whole, name, height }: RangedPlotProps) {
  const { t } = useTexts(xrdTexts);
  const { t: tp } = useTexts(matchPlotTexts);
  const isNarrow = useIsCompact();
  const [range, setRange] = useState<readonly [number, number]>(whole);
  const picture = useMemo(() => ({ ...content, range, isNarrow }), [content, range, isNarrow]);
  const figure = useCallback((colors: ChartColors) => matchFigure(picture, colors, tp), [picture, tp]);
  return (
    <>
      <Plot
        figure={figure}
        height={isNarrow ? NARROW_HEIGHT : height}
        name={name}
        summary={matchSummary(picture, tp)}
        config={CONFIG}
        table={() => matchTable(picture)}
      />
      <AngleRange whole={whole} range={range} onRange={setRange}>
        {' '}
        <span className={classes.zoomHint}>{t('zoomHint')}</span>
      </AngleRange>
    </>
  );
}

/** The place of the chart before the first pattern: an example, unless the visitor has hidden it. */
function ExampleChart() {
  const { t } = useTexts(xrdTexts);
  const example = useExample('xrd');
  const { data, isPending } = useExamplePattern(!example.isHidden);
  return (
    <ToolExample
      example={example}
      title={
        data && <WithFormulas text={t('example', { formula: data.formula })} formulas={[data.formula]} />
      }
      idle={<ChartPanel content={null} isAwaited={false} isAlone name="" />}
      waiting=""
      // The empty chart has the final size, so that nothing moves.
      isLoading={false}
    >
      {(isPending || data) && (
        <ChartPanel content={data?.content ?? null} isAwaited={isPending} isAlone name="xrd-example" />
      )}
    </ToolExample>
  );
}

export function Page() {
  const { t } = useTexts(xrdTexts);
  const matcher = useMatcher();
  const { state, round, chosen, runningId, refiner } = matcher;
  const fileName = state.measurement?.fileName.replace(/\.[^.]*$/, '') ?? 'xrd';
  return (
    <div className="uc-page">
      <ToolHeader title={t('title')} lead={t('lead')} guide="xrd" />
      <div className={classes.workspace}>
        <UploadPanel matcher={matcher} />
        <div className={`uc-stack ${classes.formPlace}`}>
          <h2 className={classes.stepTitle}>{t('stepPhases')}</h2>
          <MatchForm matcher={matcher} />
          {runningId !== null && (
            <MatchProgress matchId={runningId} label={t('matching')} onCancel={matcher.cancel} />
          )}
          {refiner.identifyingId !== null && (
            <MatchProgress
              matchId={refiner.identifyingId}
              label={t('identifying')}
              onCancel={refiner.cancel}
            />
          )}
          {refiner.identifyProblem !== '' && <Notice kind="problem">{refiner.identifyProblem}</Notice>}
          {matcher.problem !== '' && <Notice kind="problem">{matcher.problem}</Notice>}
        </div>
        <div className={classes.main}>
          <section className={classes.chart} aria-label={t('chart')}>
            <PrepareBar matcher={matcher} />
            <div id={CHART_ID} className={classes.stage} data-alone={!round || undefined}>
              {matcher.isUnused ? (
                <ExampleChart />
              ) : (
                <ChartPanel
                  content={matcher.content}
                  isAwaited={matcher.isAwaited}
                  isAlone={!round}
                  name={chosen ? `${fileName}-${chosen.structId}` : fileName}
                />
              )}
              {matcher.referenceProblem !== '' && (
                <Notice kind="problem">
                  {chosen && phaseName(chosen.formula, chosen.structId)}: {matcher.referenceProblem}
                </Notice>
              )}
            </div>
          </section>
          {/* Above the results: below them the sticky chart would cover it. */}
          {state.measurement && <Compare measurement={state.measurement} />}
          <div id={RESULTS_ID} className={classes.results} aria-live="polite">
            {round && (
              <Suspense>
                <Results
                  round={round}
                  chosen={chosen}
                  canExplainRest={matcher.canExplainRest}
                  isBusy={runningId !== null}
                  isFiltered={matcher.settings.elements.trim() !== ''}
                  refiner={refiner}
                  onChoose={matcher.choose}
                  onExplainRest={matcher.explainRest}
                  onBack={matcher.back}
                />
              </Suspense>
            )}
          </div>
        </div>
      </div>
      {state.measurement && (
        <Suspense>
          <RefineSection
            refiner={refiner}
            measurement={state.measurement}
            radiation={matcher.settings.radiation}
            fileName={fileName}
          />
        </Suspense>
      )}
    </div>
  );
}
