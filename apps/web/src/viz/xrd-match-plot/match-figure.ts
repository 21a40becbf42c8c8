/**
 * The drawing of a match in the usual form of powder diffraction: the measurement, the calculated pattern over it, rows
 * of ticks where reflections are, and the difference below on the same scale.
 */
import type { Data } from 'plotly.js';
import { type ChartColors, axisStyle } from '../plot/chart-theme.ts';
import type { PlotFigure } from '../plot/plot-figure.ts';
import type { PlotTable } from '../plot/plot-numbers.tsx';
import { namedReflections, type Reflection, strongestReflections } from '../xrd-plot/reflections.ts';
import { defineTexts, type Translate } from '../../i18n/texts.ts';

export const matchPlotTexts = defineTexts('xrd-match-plot', {
  x: ['2θ (°)', '2θ (°)'],
  y: ['Intensity (a. u.)', '强度（任意单位）'],
  measured: ['Measured', '实测'],
  before: ['Before', '处理前'],
  rest: ['Remaining', '剩余部分'],
  difference: ['Difference', '差值'],
  unexplained: ['Unexplained', '未归属'],
  summaryMeasured: [
    'Measured powder pattern with {{n}} points from {{from}}° to {{to}}° 2θ. Highest point at {{highest}}°.',
    '实测粉末衍射图谱，共 {{n}} 个点，2θ 从 {{from}}° 到 {{to}}°。最高点位于 {{highest}}°。',
  ],
  summaryReference: [
    'Overlaid: the calculated pattern of {{name}}; strongest reflections {{strongest}}. The curve below is the difference.',
    '叠加了 {{name}} 的计算图谱，最强衍射峰：{{strongest}}。下方曲线为差值。',
  ],
  summaryUnexplained_one: '{{n}} measured peak is unexplained: {{peaks}}.',
  summaryUnexplained_other: [
    '{{n}} measured peaks are unexplained: {{peaks}}.',
    '有 {{n}} 个实测峰未得到归属：{{peaks}}。',
  ],
});

// Calculations for a reference pattern drawn over a measurement. All arrays refer to the measured angles.

export interface Curve {
  /** 2θ in degrees, increasing. */
  readonly x: readonly number[];
  readonly y: readonly number[];
}

/** Intensities of a curve at other angles: linear interpolation between its points, zero beyond its ends. */
export function resample({ x, y }: Curve, angles: readonly number[]): number[] {
  let at = 0;
  return angles.map((angle) => {
    while (at + 1 < x.length && (x[at + 1] ?? 0) < angle) at += 1;
    const [x0, x1, y0, y1] = [x[at], x[at + 1], y[at], y[at + 1]];
    if (x0 === undefined || y0 === undefined || angle < x0) return 0;
    if (x1 === undefined || y1 === undefined) return angle === x0 ? y0 : 0;
    return y0 + ((y1 - y0) * (angle - x0)) / (x1 - x0);
  });
}

/** The factor that brings `calculated` nearest to `measured` (least squares); zero if the curves do not overlap. */
export function bestScale(measured: readonly number[], calculated: readonly number[]): number {
  let product = 0;
  let square = 0;
  for (const [index, value] of calculated.entries()) {
    product += value * (measured[index] ?? 0);
    square += value * value;
  }
  return square > 0 ? Math.max(0, product / square) : 0;
}

interface Overlay {
  /** Factor that scales the reference's intensities to the measured ones. */
  readonly scale: number;
  /** The scaled reference at the measured angles. */
  readonly calculated: readonly number[];
  /** Measured minus calculated. */
  readonly difference: readonly number[];
}

/**
 * The reference scaled to the measurement, and the difference. `baseline` is the background that the measurement still
 * contains, at the measured angles; it is added to the reference.
 */
export function overlayOf(measured: Curve, reference: Curve, baseline: ArrayLike<number> = []): Overlay {
  const unscaled = resample(reference, measured.x);
  const above = measured.y.map((value, index) => value - (baseline[index] ?? 0));
  const scale = bestScale(above, unscaled);
  const calculated = unscaled.map((value, index) => (baseline[index] ?? 0) + scale * value);
  return {
    scale,
    calculated,
    difference: calculated.map((value, index) => (measured.y[index] ?? 0) - value),
  };
}

/** Maximum number of points drawn: more than any screen has columns of pixels. */
const DRAWN_POINTS = 6000;

/**
 * The curve reduced to the lowest and highest point of every short interval, so that no peak is lost in the drawing.
 */
export function thinned(curve: Curve): Curve {
  const { x, y } = curve;
  if (x.length <= DRAWN_POINTS) return curve;
  const stretch = Math.ceil((2 * x.length) / DRAWN_POINTS);
  const kept: number[] = [];
  for (let from = 0; from < x.length; from += stretch) {
    let low = from;
    let high = from;
    for (let i = from; i < Math.min(x.length, from + stretch); i++) {
      if ((y[i] ?? 0) < (y[low] ?? 0)) low = i;
      if ((y[i] ?? 0) > (y[high] ?? 0)) high = i;
    }
    kept.push(...new Set([Math.min(low, high), Math.max(low, high)]));
  }
  const pick = (values: readonly number[]): number[] => kept.map((index) => values[index] ?? 0);
  return { x: pick(x), y: pick(y) };
}

type T = Translate<(typeof matchPlotTexts)['en']>;

/** Positions of the reflections of a phase: a row of ticks. */
export interface PhaseTicks {
  readonly name: string;
  readonly reflections: readonly Reflection[];
}

export interface MatchFigure {
  readonly measured: Curve;
  /** The measurement before the last step, for comparison. */
  readonly before: Curve | null;
  /** The phase drawn over the measurement, with its scaled profile. */
  readonly reference: (PhaseTicks & { readonly overlay: Overlay }) | null;
  /** Phases removed before, oldest first. */
  readonly explained: readonly PhaseTicks[];
  /** Angles (2θ, degrees) of measured peaks without a line of the reference. */
  readonly unexplained: readonly number[];
  /** True if the measurement is the rest of another one, from which earlier phases were removed. */
  readonly isRest: boolean;
  /** Degrees of 2θ shown. */
  readonly range: readonly [number, number];
  /** True on narrow screens, where fewer names fit. */
  readonly isNarrow: boolean;
}

/** Space as a share of the highest intensity: above the curve, below the curve, and between rows of ticks. */
export const HEADROOM = 0.12;
export const FLOOR = 0.03;
export const TICK_ROW = 0.055;
/** Minimum and maximum height of the difference panel, relative to the main one. */
const DIFFERENCE_SPAN = [0.14, 0.6] as const;
/** Gap between the two panels, as a share of the drawing. */
const GAP = 0.02;
const NARROW_NAME_WIDTH = 0.09;
/** Distance of a mark above its peak, as a share of the highest intensity. */
const MARK_ABOVE = 0.04;

export const largest = (values: readonly number[], floor = 0): number =>
  values.reduce((best, value) => Math.max(best, value), floor);

export const line = (curve: Curve, name: string, color: string, width: number, more: object = {}): Data => {
  const { x, y } = thinned(curve);
  return {
    type: 'scatter',
    mode: 'lines',
    name,
    x,
    y,
    line: { color, width },
    hoverinfo: 'skip',
    ...more,
  } as Data;
};

const hoverOf = ({ forms, dSpacing }: Reflection): string =>
  `${forms.replaceAll(', (', '<br>(')}<br>d = ${dSpacing?.toFixed(4) ?? '-'} Å`;

/** The values of the curve at angles in any order. */
function heightsAt(curve: Curve, angles: readonly number[]): number[] {
  const rising = angles.toSorted((a, b) => a - b);
  const found = new Map(resample(curve, rising).map((value, index) => [rising[index], value]));
  return angles.map((angle) => found.get(angle) ?? 0);
}

/** One row of ticks; hovering shows indices and spacing. */
export const tickRow = (phase: PhaseTicks, at: number, color: string, isNamed: boolean): Data => ({
  type: 'scatter',
  mode: 'markers',
  name: phase.name,
  showlegend: isNamed,
  x: phase.reflections.map(({ twoThetaDeg }) => twoThetaDeg),
  y: phase.reflections.map(() => at),
  text: phase.reflections.map(hoverOf),
  hovertemplate: `<b>${phase.name}</b> 2θ = %{x:.3f}°<br>%{text}<extra></extra>`,
  marker: { symbol: 'line-ns-open', size: 9, color, line: { width: 1.2, color } },
});

/** Heights of the two panels as shares of the drawing, and the range of the lower one. */
export function panels(difference: readonly number[] | undefined, mainSpan: number) {
  if (!difference) return { split: 0, range: [-1, 1] as const };
  const low = difference.reduce((best, value) => Math.min(best, value), 0);
  const high = largest(difference);
  const [least, most] = DIFFERENCE_SPAN;
  // The difference has the scale of the main panel. If that would take too much of the drawing, it has a separate scale
  // on which all of it is visible.
  const span = Math.max(least * mainSpan, 1.15 * (high - low));
  const middle = (high + low) / 2;
  const share = Math.min(most, span / mainSpan);
  return {
    split: ((1 - GAP) * share) / (1 + share),
    range: [middle - span / 2, middle + span / 2] as const,
  };
}

interface Axis {
  readonly title: string;
  readonly range: readonly [from: number, to: number];
}

/** Legend, axes and hovering of a pattern, with the panel of its difference below if there is one. */
export function patternLayout(
  x: Axis,
  y: Axis,
  { split, range }: ReturnType<typeof panels>,
  colors: ChartColors,
): PlotFigure['layout'] {
  return {
    hovermode: 'closest',
    hoverdistance: 14,
    // Keeps the zoom while results are compared; another range resets it.
    uirevision: x.range.join(' '),
    legend: { orientation: 'h', x: 0, y: 1.02, yanchor: 'bottom', font: { size: 12 } },
    margin: { l: 62, r: 14, t: 18, b: 50 },
    xaxis: { title: { text: x.title }, range: [...x.range], anchor: split > 0 ? 'y2' : 'y', mirror: 'all' },
    yaxis: {
      title: { text: y.title },
      range: [...y.range],
      domain: [split > 0 ? split + GAP : 0, 1],
      nticks: 6,
      tickformat: '~s',
    },
    ...(split > 0
      ? {
          yaxis2: {
            ...axisStyle(colors),
            range: [...range],
            domain: [0, split],
            zeroline: true,
            zerolinecolor: colors.rule,
            nticks: 3,
            tickformat: '~s',
          },
        }
      : {}),
  };
}

export function matchFigure(picture: MatchFigure, colors: ChartColors, t: T): PlotFigure {
  const { measured, before, reference, explained, unexplained, range } = picture;
  const [prussian = colors.ink, cinnabar = colors.ink, malachite = colors.ink] = colors.series;
  const overlay = reference?.overlay;
  const isShown = (_: number, index: number): boolean => {
    const angle = measured.x[index] ?? 0;
    return angle >= range[0] && angle <= range[1];
  };
  // All curves have the measured angles; the part in range fills the height.
  const height = largest(
    [measured.y, overlay?.calculated ?? [], before?.y ?? []].map((values) => largest(values.filter(isShown))),
    Number.MIN_VALUE,
  );
  const rows: readonly (PhaseTicks & { readonly color: string; readonly isNamed: boolean })[] = [
    // The ticks of the reference have no name, because its curve is already in the legend.
    ...(reference ? [{ ...reference, color: cinnabar, isNamed: false }] : []),
    ...explained.map((phase) => ({ ...phase, color: colors.faint, isNamed: true })),
  ];
  const floor = -height * (FLOOR + TICK_ROW * rows.length);
  const top = height * (1 + HEADROOM);
  const stacked = panels(overlay?.difference.filter(isShown), top - floor);
  const calculated = overlay ? { x: measured.x, y: overlay.calculated } : null;
  const named = namedReflections(
    reference?.reflections ?? [],
    range,
    picture.isNarrow ? NARROW_NAME_WIDTH : undefined,
  );
  const namedHeights = calculated
    ? heightsAt(
        calculated,
        named.map(({ twoThetaDeg }) => twoThetaDeg),
      )
    : [];
  return {
    data: [
      ...(before ? [line(before, t(picture.isRest ? 'measured' : 'before'), colors.faint, 1)] : []),
      line(measured, t(picture.isRest ? 'rest' : 'measured'), prussian, 1.3, {
        hoverinfo: 'x+y',
        hovertemplate: `2θ = %{x:.3f}°, %{y:.4~g}<extra></extra>`,
      }),
      ...(calculated && reference ? [line(calculated, reference.name, cinnabar, 1.2)] : []),
      ...rows.map((phase, row) =>
        tickRow(phase, -height * (FLOOR + TICK_ROW * (row + 0.4)), phase.color, phase.isNamed),
      ),
      ...(unexplained.length > 0
        ? [
            {
              type: 'scatter',
              mode: 'markers',
              name: t('unexplained'),
              x: unexplained,
              y: heightsAt(measured, unexplained).map((value) => value + MARK_ABOVE * height),
              hovertemplate: `${t('unexplained')}: 2θ = %{x:.2f}°<extra></extra>`,
              marker: {
                symbol: 'triangle-down',
                size: 10,
                color: colors.highlight,
                line: { width: 1, color: colors.ink },
              },
            } as Data,
          ]
        : []),
      ...(overlay
        ? [
            line({ x: measured.x, y: overlay.difference }, t('difference'), malachite, 1.1, {
              yaxis: 'y2',
              hoverinfo: 'y',
              hovertemplate: `${t('difference')} %{y:.4~g}<extra></extra>`,
            }),
          ]
        : []),
    ],
    layout: {
      showlegend: reference !== null || before !== null || explained.length > 0,
      ...patternLayout({ title: t('x'), range }, { title: t('y'), range: [floor, top] }, stacked, colors),
      annotations: named.map(({ twoThetaDeg, name }, index) => ({
        x: twoThetaDeg,
        y: namedHeights[index] ?? 0,
        text: name,
        showarrow: false,
        yshift: 10,
        font: { size: 11, color: colors.ink },
      })),
    },
  };
}

/** The drawing as text, for those who cannot see it. */
export function matchSummary({ measured: { x, y }, reference, unexplained }: MatchFigure, t: T): string {
  const highest = y.reduce((best, value, at) => (value > (y[best] ?? 0) ? at : best), 0);
  return [
    t('summaryMeasured', {
      n: x.length,
      from: (x[0] ?? 0).toFixed(2),
      to: (x.at(-1) ?? 0).toFixed(2),
      highest: (x[highest] ?? 0).toFixed(2),
    }),
    reference &&
      t('summaryReference', {
        name: reference.name,
        strongest: strongestReflections(reference.reflections) || '-',
      }),
    unexplained.length > 0 &&
      t('summaryUnexplained', {
        count: unexplained.length,
        n: unexplained.length,
        peaks: unexplained.map((angle) => `${angle.toFixed(2)}°`).join(', '),
      }),
  ]
    .filter(Boolean)
    .join(' ');
}

/** The curves as columns of a file. */
export const matchTable = ({ measured, before, reference }: MatchFigure): PlotTable => ({
  header: [
    '2theta (deg)',
    'measured',
    ...(before ? ['before'] : []),
    ...(reference ? ['calculated', 'difference'] : []),
  ],
  rows: measured.x.map((angle, index) => [
    angle,
    measured.y[index],
    ...(before ? [before.y[index]] : []),
    ...(reference ? [reference.overlay.calculated[index], reference.overlay.difference[index]] : []),
  ]),
});
