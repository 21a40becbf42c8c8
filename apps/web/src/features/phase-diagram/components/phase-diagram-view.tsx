/** A phase diagram with its tables. Hovering highlights a phase in both; a click opens its material. */
import { Slider } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import type { PhaseDiagramData, PlacedCompound } from '@unitcell/contract/phase-diagram';
import { memo, useCallback, useMemo, useState } from 'react';
import { CompletenessNote } from '../../../components/completeness/completeness-note.tsx';
import { CopyAsCode } from '../../../components/copy-as-code/copy-as-code.tsx';
import { valueOf } from '../../../components/data-table/columns.tsx';
import { ShareMenu } from '../../../components/embed/share-menu.tsx';
import { withScale } from '../../../components/energy-scale/energy-scale.tsx';
import { useDownload } from '../../../components/file-origin.tsx';
import { formulaText } from '../../../components/formula.tsx';
import { useGibbsNote } from '../../../components/open-gas/phase-temperature.tsx';
import { openGasTexts } from '../../../components/open-gas/texts.ts';
import { DiagramAccuracy } from '../../../components/scale-accuracy/scale-accuracy.tsx';
import { ToolbarButtons } from '../../../components/toolbar-buttons.tsx';
import { usePointedPhase } from '../../../components/pointed-phase.ts';
import { useTexts } from '../../../i18n/texts.ts';
import type { SentRequest } from '../../../lib/api-client.ts';
import { useIsCompact } from '../../../lib/breakpoints.ts';
import { formatNumber } from '../../../lib/format.ts';
import type { ChartColors } from '../../../viz/plot/chart-theme.ts';
import type { PaperSize } from '../../../viz/plot/drawing.tsx';
import { Plot } from '../../../viz/plot/plot.tsx';
import { bestAngle } from '../figure/eye.ts';
import { phaseFigure } from '../figure/traces.ts';
import { phaseTexts } from '../texts.ts';
import {
  type Diagram,
  diagramOf,
  highestAboveHull,
  NO_UNSTABLE_CHOICE,
  type Phase,
  placedPhase,
  type UnstableChoice,
  withinLimit,
} from '../view-model.ts';
import classes from '../phase-diagram.module.css';
import {
  diagramName,
  PhaseTables,
  useDiagramProvenance,
  usePhaseColumns,
  useRested,
} from './phase-tables.tsx';

interface PhaseDiagramViewProps {
  readonly answer: PhaseDiagramData;
  /** The request that this result answers. */
  readonly sent: SentRequest;
  /** The scale from the address, passed on to links. */
  readonly scale: string | null;
  /** The visitor's own compound, drawn on the diagram. */
  readonly placed?: PlacedCompound | null;
  /** The material of the page, or the material from whose page the visitor came. */
  readonly ownId?: number | null;
  /** The choice of unstable phases, if the page keeps it; `onUnstable` then changes it. */
  readonly unstableChoice?: UnstableChoice;
  readonly onUnstable?: (choice: UnstableChoice) => void;
  /** Called with a phase that is clicked in the drawing; by default its material opens. */
  readonly onPhase?: (id: number) => void;
  /** In a frame of another site: the drawing without tools and tables. */
  readonly isEmbedded?: boolean;
}

/** Slider step in eV/atom. */
const LIMIT_STEP = 0.005;

/**
 * The camera of a tetrahedron. It stays while the temperature of a system changes, because a figure that turns at
 * every change cannot be followed.
 */
function useCameraAngle(diagram: Diagram): number {
  const of = `${diagram.title} ${diagram.functional}`;
  const [camera, setCamera] = useState({ of: '', angle: 0 });
  if (camera.of === of || diagram.components.length < 4) return camera.angle;
  const angle = bestAngle(diagram);
  setCamera({ of, angle });
  return angle;
}

/** Memoised: the page renders for every position of a moving slider, this view only for a new answer. */
export const PhaseDiagramView = memo(function PhaseDiagramView({
  answer,
  sent,
  scale,
  placed = null,
  ownId = null,
  unstableChoice,
  onUnstable,
  onPhase,
  isEmbedded = false,
}: PhaseDiagramViewProps) {
  const { t } = useTexts(phaseTexts);
  const { t: tGas } = useTexts(openGasTexts);
  const gibbsNote = useGibbsNote();
  const download = useDownload();
  const { gibbs } = answer;
  const provenance = useDiagramProvenance(answer);
  const rested = useRested(answer);
  const hrefOf = useCallback(
    ({ id }: Phase): string | null => (id === null ? null : withScale(`/matdatades/${id}`, scale)),
    [scale],
  );
  const diagram = useMemo(() => diagramOf(answer), [answer]);
  const isCompact = useIsCompact();
  const highest = highestAboveHull(diagram);
  const [ownChoice, setOwnChoice] = useState(NO_UNSTABLE_CHOICE);
  const choice = unstableChoice ?? ownChoice;
  const setChoice = onUnstable ?? setOwnChoice;
  const { limit } = choice;
  const [highlightedKey, setHighlightedKey] = useState<string | null>(null);
  const { ref: stage, width } = useElementSize<HTMLDivElement>();
  const drawnLimit = Math.min(limit ?? highest, highest);
  const hasUnstable = diagram.unstable.length > 0;
  const unstable = useMemo(() => withinLimit(diagram.unstable, drawnLimit), [diagram, drawnLimit]);
  const byKey = useMemo(
    () => new Map([...diagram.stable, ...diagram.unstable].map((phase) => [phase.key, phase])),
    [diagram],
  );
  const { formula: pointed, point: pointAt } = usePointedPhase();
  const highlighted =
    byKey.get(highlightedKey ?? '') ?? diagram.stable.find(({ formula }) => formula === pointed) ?? null;
  const highlight = useCallback(
    (phase: Phase | null) => {
      setHighlightedKey(phase?.key ?? null);
      pointAt(phase?.formula ?? null);
    },
    [pointAt],
  );
  const own = useMemo(
    () => [...diagram.stable, ...diagram.unstable].find(({ id }) => id !== null && id === ownId) ?? null,
    [diagram, ownId],
  );
  const isOwnAbove = own !== null && !own.isStable;
  const isUnstableShown = choice.isShown ?? isOwnAbove;
  const switchUnstable = useCallback(
    () => setChoice({ ...choice, isShown: !isUnstableShown }),
    [setChoice, choice, isUnstableShown],
  );
  const name = diagramName(answer);
  const angle = useCameraAngle(diagram);
  const isBinary = diagram.components.length === 2;
  const sides = SIDES[isBinary ? 'axis' : isUnstableShown && !isCompact ? 'scale' : 'none'];
  const height = (isCompact ? COMPACT_HEIGHTS : PLOT_HEIGHTS)[diagram.components.length] ?? 440;

  const figure = useCallback(
    (colors: ChartColors, paper?: PaperSize) =>
      phaseFigure(
        {
          diagram,
          unstable,
          isUnstableShown,
          isCompact: isCompact && paper === undefined,
          highlighted,
          own,
          angle,
          frame: {
            width: Math.max(COMPACT_WIDTH, (paper?.width ?? width) - sides),
            height: (paper?.height ?? height) - (MARGINS[diagram.components.length] ?? 0),
          },
          placed: placed && {
            x: placed.x,
            y: placed.y,
            z: placed.z ?? 0,
            label: formulaText(placed.formula),
          },
          texts: {
            stable: t('stable'),
            unstable: t('unstable'),
            placed: t('mine'),
            own: t('own'),
            fractionAxis: t('fractionAxis'),
            shareAxis: t('shareAxis'),
            energyAxis: answer.reservoir
              ? t('grandAxis', { element: Object.keys(answer.reservoir.potentials).join(', ') })
              : t(answer.gibbs ? 'gibbsAxis' : 'energyAxis'),
            aboveHull: t('aboveHull'),
            formation: t(answer.reservoir ? 'grand' : answer.gibbs ? 'gibbs' : 'formation'),
            undecided: t('undecided'),
            more: t('moreHere'),
            provenance,
          },
        },
        colors,
      ),
    [
      answer,
      diagram,
      unstable,
      isUnstableShown,
      highlighted,
      own,
      angle,
      isCompact,
      sides,
      placed,
      provenance,
      width,
      height,
      t,
    ],
  );
  const phaseAt = useCallback(
    ({ customdata }: { readonly customdata?: unknown }) =>
      typeof customdata === 'string' ? byKey.get(customdata) : undefined,
    [byKey],
  );
  const onPoint = useCallback(
    (point: { readonly customdata?: unknown }) => {
      const phase = phaseAt(point);
      if (onPhase && phase && phase.id !== null) {
        onPhase(phase.id);
        return;
      }
      const href = phase ? hrefOf(phase) : null;
      if (href !== null) window.open(href, '_blank', 'noopener');
    },
    [phaseAt, hrefOf, onPhase],
  );
  const onHover = useCallback(
    (point: { readonly customdata?: unknown } | null) => highlight(point ? (phaseAt(point) ?? null) : null),
    [phaseAt, highlight],
  );
  const onLegend = useCallback(
    (series?: string) => {
      if (series === t('unstable')) switchUnstable();
    },
    [switchUnstable, t],
  );
  const { columns, remarks } = usePhaseColumns(answer);
  const table = () => ({
    remarks: placed ? [...remarks, `${t('mine')}: ${placed.formula}`] : remarks,
    header: ['stable', ...columns.unstable.map(({ header }) => header)],
    rows: [...diagram.stable, ...diagram.unstable, ...(placed ? [placedPhase(placed)] : [])].map((phase) => [
      phase.isStable,
      ...columns.unstable.map((column) => valueOf(column, phase)),
    ]),
  });

  return (
    <div className={classes.view}>
      {!isEmbedded && (
        <div className={`uc-row ${classes.controls}`}>
          <div className="uc-row">
            <ToolbarButtons
              label={t('showUnstable')}
              buttons={[
                ...(hasUnstable
                  ? [
                      {
                        id: 'unstable',
                        label: t('showUnstable'),
                        isOn: isUnstableShown,
                        onClick: switchUnstable,
                      },
                    ]
                  : []),
                {
                  id: 'json',
                  label: t('json'),
                  onClick: () => download.json(`${name}.json`, answer),
                },
              ]}
            />
            <CopyAsCode sent={sent} />
            {!answer.reservoir && !gibbs && (
              <ShareMenu
                kind="phase"
                of={diagram.components.join('-')}
                scale={answer.functional}
                title={diagram.title}
              />
            )}
          </div>
          {hasUnstable && isUnstableShown && (
            <div className={classes.limit}>
              <span className={`uc-note ${classes.limitText}`} id={`${name}-limit`}>
                {t('limit')} <strong>{t('limitUnit', { value: drawnLimit.toFixed(3) })}</strong>
              </span>
              <Slider
                aria-labelledby={`${name}-limit`}
                thumbLabel={t('limit')}
                min={0}
                max={highest}
                step={LIMIT_STEP}
                value={drawnLimit}
                label={(value) => value.toFixed(3)}
                onChange={(next) => setChoice({ ...choice, limit: next })}
              />
            </div>
          )}
        </div>
      )}
      <CompletenessNote completeness={answer.completeness} of="diagram" />
      {gibbs && (
        <p className={classes.note}>
          {gibbsNote(gibbs)} {t('undecidedNote')}
        </p>
      )}
      {answer.reservoir && (
        <p className={classes.note}>
          {t(gibbs ? 'openNoteAt' : 'openNote', {
            gases: [answer.reservoir, answer.reservoir.second]
              .flatMap((part) =>
                part ? tGas('gasAt', { gas: formulaText(part.gas), pressure: part.pressure }) : [],
              )
              .join(' + '),
            elements: Object.keys(answer.reservoir.potentials).join(', '),
            temperature: answer.reservoir.temperature,
            zero: answer.reservoir.counted_from,
            potentials: Object.entries(answer.reservoir.potentials)
              .map(([element, value]) => `Δμ(${element}) = ${formatNumber(value, { decimals: 2 })} eV`)
              .join(', '),
          })}
        </p>
      )}
      <div className={classes.beside}>
        <div ref={stage} className={classes.stage}>
          <Plot
            figure={figure}
            name={name}
            dimensions={diagram.components.length === 4 ? 3 : 2}
            height={height}
            summary={t('summary', {
              title: diagram.title,
              stable: diagram.stable.length,
              unstable: diagram.unstable.length,
              scale: provenance,
            })}
            table={table}
            onPoint={onPoint}
            onHover={onHover}
            onLegend={onLegend}
          />
          {diagram.components.length === 4 && (
            <p className={`${classes.note} ${classes.pointHint}`}>{t('pointHint')}</p>
          )}
        </div>
        {!isEmbedded && (
          <PhaseTables
            answer={rested}
            limit={limit}
            ownKey={own?.key ?? null}
            highlightedKey={highlighted?.key ?? null}
            isOwnAbove={isOwnAbove}
            hrefOf={hrefOf}
            onHighlight={highlight}
          />
        )}
      </div>
      {!isEmbedded && <DiagramAccuracy answer={rested} />}
    </div>
  );
});

const PLOT_HEIGHTS: Readonly<Record<number, number>> = { 2: 440, 3: 620, 4: 640 };
/** Side margins and minimum width of the drawing in px, used to place labels. */
const SIDES = { axis: 88, scale: 92, none: 16 } as const;
const COMPACT_WIDTH = 270;
/** Margins above and below, px. */
const MARGINS: Readonly<Record<number, number>> = { 2: 80, 3: 80, 4: 68 };
const COMPACT_HEIGHTS: Readonly<Record<number, number>> = { 2: 380, 3: 400, 4: 420 };
