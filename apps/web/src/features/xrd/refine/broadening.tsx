/** Size and strain of the refined phases: the Williamson–Hall plot and its straight lines as numbers. */
import type { RefinedPhase, LineBroadening } from '@unitcell/contract/xrd';
import { useCallback } from 'react';
import type { DataColumn } from '../../../components/data-table/columns.tsx';
import { DataTable } from '../../../components/data-table/data-table.tsx';
import { PanelBoundary } from '../../../components/failure.tsx';
import { Formula } from '../../../components/formula.tsx';
import { Panel } from '../../../components/section.tsx';
import { joined, useTexts } from '../../../i18n/texts.ts';
import { useIsCompact } from '../../../lib/breakpoints.ts';
import { type ChartColors, axisStyle } from '../../../viz/plot/chart-theme.ts';
import { Plot } from '../../../viz/plot/plot.tsx';
import xrd from '../components/xrd.module.css';
import { nameOf, percentWithEsd, withEsd } from './refine-view-model.ts';
import classes from './refine.module.css';
import { refineTexts } from './texts.ts';
import type { PlotFigure, Series } from '../../../viz/plot/plot-figure.ts';
import type { PlotTable } from '../../../viz/plot/plot-numbers.tsx';

interface BroadeningPartProps {
  readonly phases: readonly RefinedPhase[];
  /** Name of exported files, without extension. */
  readonly name: string;
}

const [HEIGHT, NARROW_HEIGHT] = [380, 320];
const CONFIG = { showTips: false };

export function BroadeningPart({ phases, name }: BroadeningPartProps) {
  const { t } = useTexts(refineTexts);
  const isNarrow = useIsCompact();
  const figure = useCallback(
    (colors: ChartColors) => broadeningFigure(phases, { x: t('breadthX'), y: t('breadthY') }, colors),
    [phases, t],
  );
  if (phases.every(({ broadening }) => broadening.lines.length === 0)) return null;
  const columns: readonly DataColumn<RefinedPhase>[] = [
    {
      id: 'phase',
      header: t('phase'),
      value: (phase) => phase.name,
      render: (phase) => (phase.struct_id === null ? phase.name : <Formula text={phase.formula} />),
    },
    {
      id: 'size',
      header: t('size'),
      isNumeric: true,
      method: 'refinement',
      value: ({ broadening }) => broadening.size?.value ?? null,
      render: ({ broadening }) => sizeText(broadening),
    },
    {
      id: 'size_at_least',
      header: t('sizeAtLeast'),
      isNumeric: true,
      isHiddenByDefault: true,
      value: ({ broadening }) => broadening.size_at_least,
    },
    {
      id: 'strain',
      header: t('strain'),
      isNumeric: true,
      method: 'refinement',
      value: ({ broadening }) => broadening.strain && 100 * broadening.strain.value,
      render: ({ broadening }) => strainText(broadening),
    },
    {
      id: 'strain_at_most',
      header: t('strainAtMost'),
      isNumeric: true,
      isHiddenByDefault: true,
      value: ({ broadening }) => broadening.strain_at_most && 100 * broadening.strain_at_most,
    },
    {
      id: 'lines',
      header: t('breadthLines'),
      isNumeric: true,
      value: ({ broadening }) => broadening.lines.length,
    },
    { id: 'statement', header: t('breadthMeaning'), value: ({ broadening }) => broadening.statement },
  ];
  return (
    <div className={classes.result}>
      <DataTable
        label={t('broadening')}
        rows={phases}
        columns={columns}
        rowKey={(phase) => phases.indexOf(phase)}
        csvName={`${name}-size-strain`}
        caption={<span className={xrd.count}>{t('broadening')}</span>}
      />
      <p className="uc-hint">
        {joined(
          t('broadeningHint'),
          phases.some(({ broadening }) => hasLine(broadening)) && t('breadthBand'),
        )}
      </p>
      <Panel>
        <PanelBoundary>
          <Plot
            figure={figure}
            height={isNarrow ? NARROW_HEIGHT : HEIGHT}
            name={`${name}-williamson-hall`}
            summary={t('breadthSummary', {
              phases: phases.map((phase) => `${nameOf(phase)}: ${phase.broadening.lines.length}`).join(', '),
            })}
            config={CONFIG}
            table={() => broadeningTable(phases)}
          />
        </PanelBoundary>
      </Panel>
    </div>
  );
}

/* The Williamson–Hall plot of a refinement: β cos θ of single lines against 4 sin θ, with straight lines. */

/** Radians are shown in thousandths. */
const MILLI = 1000;

/** Steps of the band of one e.s.d. around a line. */
const BAND_STEPS = 24;

/** `25.3(4)`, or `> 180`. */
export const sizeText = ({ size, size_at_least }: Pick<LineBroadening, 'size' | 'size_at_least'>): string =>
  size ? withEsd(size.value, size.esd) : size_at_least ? `> ${digits(size_at_least)}` : '-';

/** In percent: `0.210(6)`, or `< 0.03`. */
export const strainText = ({
  strain,
  strain_at_most,
}: Pick<LineBroadening, 'strain' | 'strain_at_most'>): string =>
  strain ? percentWithEsd(strain) : strain_at_most ? `< ${digits(100 * strain_at_most)}` : '-';

const digits = (value: number): string => String(Number(value.toPrecision(2)));

function broadeningFigure(
  phases: readonly RefinedPhase[],
  titles: { readonly x: string; readonly y: string },
  colors: ChartColors,
): PlotFigure {
  const axis = axisStyle(colors);
  const most = Math.max(
    ...phases.flatMap(({ broadening }) => broadening.lines.map((line) => line.four_sin_theta)),
  );
  const heights = phases.flatMap(({ broadening: { lines, intercept } }) => [
    ...lines.map(({ beta_cos_theta: { value, esd } }) => MILLI * (value + (esd ?? 0))),
    MILLI * (intercept?.value ?? 0),
  ]);
  const [lowest, highest] = [Math.min(...heights), Math.max(...heights)];
  return {
    data: phases.flatMap((phase, index): Series[] => {
      const color = colors.series[index % colors.series.length] ?? colors.ink;
      const { lines } = phase.broadening;
      return [
        ...straightLine(phase.broadening, most, color),
        {
          type: 'scatter',
          mode: 'markers',
          name: nameOf(phase),
          x: lines.map((line) => line.four_sin_theta),
          y: lines.map((line) => MILLI * line.beta_cos_theta.value),
          text: lines.map(({ hkl, two_theta }) => `(${hkl}) 2θ = ${two_theta.toFixed(2)}°`),
          hovertemplate: `%{text}<br>β cos θ = %{y:.3f} mrad<extra></extra>`,
          error_y: {
            type: 'data',
            array: lines.map((line) => MILLI * (line.beta_cos_theta.esd ?? 0)),
            visible: true,
            color,
            thickness: 1,
          },
          marker: { color, size: 6 },
        },
      ];
    }),
    layout: {
      xaxis: { ...axis, title: { text: titles.x }, range: [0, 1.04 * most] },
      yaxis: { ...axis, title: { text: titles.y }, range: [Math.min(0, 1.1 * lowest), 1.06 * highest] },
      hovermode: 'closest',
      showlegend: phases.length > 1,
      legend: { orientation: 'h', x: 0, y: 1.02, yanchor: 'bottom', font: { size: 12 } },
    },
  };
}

type StraightLine = { [K in 'intercept' | 'slope' | 'covariance']: NonNullable<LineBroadening[K]> };
const hasLine = (broadening: LineBroadening): broadening is LineBroadening & StraightLine =>
  broadening.intercept !== null && broadening.slope !== null && broadening.covariance !== null;

/** The line and its band of one e.s.d.; nothing if there is none. */
function straightLine(broadening: LineBroadening, most: number, color: string): Series[] {
  if (!hasLine(broadening)) return [];
  const { intercept, slope, covariance } = broadening;
  const x = Array.from({ length: BAND_STEPS + 1 }, (_, i) => (i * most) / BAND_STEPS);
  const y = x.map((s) => MILLI * (intercept.value + slope.value * s));
  const [a, b] = [intercept.esd ?? 0, slope.esd ?? 0];
  const error = x.map((s) => MILLI * Math.sqrt(Math.max(0, a * a + 2 * s * covariance + s * s * b * b)));
  const still = { type: 'scatter', mode: 'lines', hoverinfo: 'skip', showlegend: false } as const;
  return [
    {
      ...still,
      x: [...x, ...x.toReversed()],
      y: [
        ...y.map((value, i) => value + (error[i] ?? 0)),
        ...y.map((value, i) => value - (error[i] ?? 0)).toReversed(),
      ],
      fill: 'toself',
      fillcolor: color,
      opacity: 0.14,
      line: { width: 0 },
    },
    { ...still, x, y, line: { color, width: 1.2 } },
  ];
}

/** All lines as rows, and the results as remarks before them. */
function broadeningTable(phases: readonly RefinedPhase[]): PlotTable {
  return {
    header: [
      'phase',
      'hkl',
      '2theta (deg)',
      'integral breadth (deg)',
      'esd',
      'instrument (deg)',
      '4 sin(theta)',
      'beta cos(theta) (rad)',
      'esd',
    ],
    rows: phases.flatMap((phase) =>
      phase.broadening.lines.map((line) => [
        nameOf(phase),
        line.hkl,
        line.two_theta,
        line.breadth.value,
        line.breadth.esd,
        line.instrument,
        line.four_sin_theta,
        line.beta_cos_theta.value,
        line.beta_cos_theta.esd,
      ]),
    ),
    remarks: phases.map(
      (phase) =>
        `${nameOf(phase)}: size ${sizeText(phase.broadening)} nm (integral breadths, K = ${phase.broadening.scherrer_constant}), strain ${strainText(phase.broadening)} %. ${phase.broadening.statement}`,
    ),
  };
}
