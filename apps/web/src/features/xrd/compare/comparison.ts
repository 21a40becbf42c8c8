/** Comparison of two measured patterns: scales the second to the first where they overlap, and subtracts it. */
import type { ChartColors } from '../../../viz/plot/chart-theme.ts';
import type { PlotFigure } from '../../../viz/plot/plot-figure.ts';
import {
  bestScale,
  type Curve,
  HEADROOM,
  line,
  panels,
  patternLayout,
  resample,
} from '../../../viz/xrd-match-plot/match-figure.ts';

export interface Comparison {
  /** 2θ in degrees: angles of the first pattern that the second one covers. */
  readonly x: readonly number[];
  readonly first: readonly number[];
  /** Intensities of the second pattern at the same angles, multiplied by the scale. */
  readonly second: readonly number[];
  /** First minus second. */
  readonly difference: readonly number[];
  readonly scale: number;
  /** √(Σ difference² / Σ first²): 0 for patterns that differ only by a factor. */
  readonly residual: number;
}

const LEAST_POINTS = 10;

/**
 * @param scale factor for the second pattern; null: determined by least squares
 * @returns null if fewer than ten angles of the first pattern lie in the range of the second
 */
export function compare(first: Curve, second: Curve, scale: number | null): Comparison | null {
  const [from = 0, to = 0] = [second.x[0], second.x.at(-1)];
  const shared = first.x.flatMap((angle, i) => (angle >= from && angle <= to ? [i] : []));
  if (shared.length < LEAST_POINTS) return null;
  const x = shared.map((i) => first.x[i] ?? 0);
  const own = shared.map((i) => first.y[i] ?? 0);
  const raw = resample(second, x);
  const factor = scale ?? bestScale(own, raw);
  const scaled = raw.map((value) => factor * value);
  const difference = own.map((value, i) => value - (scaled[i] ?? 0));
  const squares = (values: readonly number[]): number =>
    values.reduce((sum, value) => sum + value * value, 0);
  return {
    x,
    first: own,
    second: scaled,
    difference,
    scale: factor,
    residual: Math.sqrt(squares(difference) / (squares(own) || 1)),
  };
}

export function comparisonFigure(
  { x, first, second, difference }: Comparison,
  names: Readonly<Record<'first' | 'second' | 'difference' | 'x' | 'y', string>>,
  colors: ChartColors,
): PlotFigure {
  const [, cinnabar = colors.ink, malachite = colors.ink] = colors.series;
  const top = [...first, ...second].reduce((best, value) => Math.max(best, value), Number.MIN_VALUE);
  const bottom = [...first, ...second].reduce((least, value) => Math.min(least, value), 0);
  return {
    data: [
      line({ x, y: first }, names.first, colors.ink, 1.2),
      line({ x, y: second }, names.second, cinnabar, 1.2),
      line({ x, y: difference }, names.difference, malachite, 1, { yaxis: 'y2' }),
    ],
    layout: {
      showlegend: true,
      ...patternLayout(
        { title: names.x, range: [x[0] ?? 0, x.at(-1) ?? 0] },
        { title: names.y, range: [bottom, top * (1 + HEADROOM)] },
        panels(difference, top - bottom),
        colors,
      ),
    },
  };
}
