/** Figure of a refinement as in journals: points, model, background, ticks of each phase, difference below. */
import { defineTexts, type Translate } from '../../i18n/texts.ts';
import type { ChartColors } from '../plot/chart-theme.ts';
import type { PlotFigure } from '../plot/plot-figure.ts';
import type { PlotTable } from '../plot/plot-numbers.tsx';
import {
  FLOOR,
  HEADROOM,
  largest,
  line,
  panels,
  patternLayout,
  thinned,
  TICK_ROW,
  tickRow,
} from '../xrd-match-plot/match-figure.ts';
import type { Reflection } from '../xrd-plot/reflections.ts';

export const refinePlotTexts = defineTexts('xrd-refine-plot', {
  x: ['2θ (°)', '2θ (°)'],
  y: ['Intensity', '强度'],
  measured: ['Measured', '实测'],
  calculated: ['Calculated', '计算'],
  background: ['Background', '背底'],
  difference: ['Difference', '差值'],
  summary: [
    'Refined powder pattern with {{n}} points from {{from}}° to {{to}}° 2θ and {{phases}}. Rwp is {{rwp}} %. The curve below is measured minus calculated.',
    '精修后的粉末衍射图谱，共 {{n}} 个点，2θ 从 {{from}}° 到 {{to}}°，物相：{{phases}}。Rwp 为 {{rwp}} %。下方曲线为实测减计算。',
  ],
  summaryExcluded: ['Not counted: {{regions}}.', '未计入：{{regions}}。'],
});

type T = Translate<(typeof refinePlotTexts)['en']>;

export interface RefineFigure {
  /** 2θ in degrees, increasing. */
  readonly x: readonly number[];
  readonly measured: readonly number[];
  readonly calculated: readonly number[];
  readonly background: readonly number[];
  readonly phases: readonly { readonly name: string; readonly reflections: readonly Reflection[] }[];
  /** Regions of 2θ that are excluded from the refinement. */
  readonly excluded: readonly (readonly [number, number])[];
  /** Degrees of 2θ shown. */
  readonly range: readonly [number, number];
}

const POINT_SIZE = 2.5;
const SHADE = 0.12;

/** Whether a point at an angle takes part in the refinement. */
const countsIn =
  ({ excluded }: RefineFigure) =>
  (angle: number): boolean =>
    excluded.every(([from, to]) => angle < from || angle > to);

/** The curves as columns of a file, without calculated values in excluded regions, as in the figure. */
export function refineTable(picture: RefineFigure): PlotTable {
  const { x, measured, calculated, background } = picture;
  const counts = countsIn(picture);
  return {
    header: ['2theta (deg)', 'measured', 'calculated', 'background', 'difference'],
    rows: x.map((angle, i) => [
      angle,
      measured[i],
      ...(counts(angle)
        ? [calculated[i], background[i], (measured[i] ?? 0) - (calculated[i] ?? 0)]
        : [null, background[i], null]),
    ]),
  };
}

export function refineFigure(picture: RefineFigure, colors: ChartColors, t: T): PlotFigure {
  const { x, measured, calculated, background, phases, excluded, range } = picture;
  const [prussian = colors.ink, cinnabar = colors.ink, malachite = colors.ink, ...others] = colors.series;
  // The colours that the curves use come last.
  const tickColors = [prussian, ...others, malachite, cinnabar];
  const isShown = (_: unknown, index: number): boolean => {
    const angle = x[index] ?? 0;
    return angle >= range[0] && angle <= range[1];
  };
  const counts = countsIn(picture);
  /** The values at angles that take part in the refinement. In excluded regions nothing is calculated. */
  const counted = (values: readonly number[]) => {
    const kept = x.flatMap((angle, i) => (counts(angle) ? [i] : []));
    return { x: kept.map((i) => x[i] ?? 0), y: kept.map((i) => values[i] ?? 0) };
  };
  const difference = counted(measured.map((value, i) => value - (calculated[i] ?? 0)));
  const height = largest([...measured.filter(isShown), ...calculated.filter(isShown)], Number.MIN_VALUE);
  const floor = -height * (FLOOR + TICK_ROW * phases.length);
  const top = height * (1 + HEADROOM);
  const stacked = panels(
    difference.y.filter((_, i) => (difference.x[i] ?? 0) >= range[0] && (difference.x[i] ?? 0) <= range[1]),
    top - floor,
  );
  const points = thinned({ x, y: measured });
  return {
    data: [
      {
        type: 'scatter',
        mode: 'markers',
        name: t('measured'),
        x: [...points.x],
        y: [...points.y],
        marker: { size: POINT_SIZE, color: colors.ink },
        hovertemplate: `2θ = %{x:.3f}°, %{y:.4~g}<extra></extra>`,
      },
      line({ x, y: background }, t('background'), colors.faint, 1),
      line(counted(calculated), t('calculated'), cinnabar, 1.2),
      ...phases.map((phase, row) =>
        tickRow(
          phase,
          -height * (FLOOR + TICK_ROW * (row + 0.4)),
          tickColors[row % tickColors.length] ?? prussian,
          true,
        ),
      ),
      line(difference, t('difference'), malachite, 1, {
        yaxis: 'y2',
        hoverinfo: 'y',
        hovertemplate: `${t('difference')} %{y:.4~g}<extra></extra>`,
      }),
    ],
    layout: {
      showlegend: true,
      ...patternLayout({ title: t('x'), range }, { title: t('y'), range: [floor, top] }, stacked, colors),
      shapes: excluded.map(([from, to]) => ({
        type: 'rect',
        layer: 'below',
        xref: 'x',
        yref: 'paper',
        x0: Math.max(from, range[0]),
        x1: Math.min(to, range[1]),
        y0: 0,
        y1: 1,
        fillcolor: colors.faint,
        opacity: SHADE,
        line: { width: 0 },
      })),
    },
  };
}
