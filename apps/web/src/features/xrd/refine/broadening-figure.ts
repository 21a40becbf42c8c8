/** The Williamson–Hall plot of a refinement: β cos θ of single lines against 4 sin θ, with straight lines. */
import type { LineBroadening, RefinedPhase } from '@unitcell/contract/xrd';
import { axisStyle, type ChartColors } from '../../../viz/plot/chart-theme.ts';
import type { PlotFigure, Series } from '../../../viz/plot/plot-figure.ts';
import type { PlotTable } from '../../../viz/plot/plot-numbers.tsx';
import { nameOf, percentWithEsd, withEsd } from './refine-view-model.ts';

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

export function broadeningFigure(
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

/** The line and its band of one e.s.d.; nothing if there is none. */
function straightLine(
  { intercept, slope, covariance }: LineBroadening,
  most: number,
  color: string,
): Series[] {
  if (!intercept || !slope || covariance === null) return [];
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
export function broadeningTable(phases: readonly RefinedPhase[]): PlotTable {
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
