/** Shared by the diagrams of this feature: interpolation and error bands of curves, marks of phase changes. */
import { formatNumber } from '../../lib/format.ts';
import type { Series } from '../../viz/plot/plot-figure.ts';

/** Interpolates linearly between the points of a curve; null beyond the ends of the curve. */
export function valueAt(x: readonly number[], y: readonly number[], at: number): number | null {
  const upper = x.findIndex((value) => value >= at);
  if (upper < 0 || at < (x[0] ?? 0)) return null;
  const [x1 = 0, y1 = 0] = [x[upper], y[upper]];
  if (x1 === at || upper === 0) return y1;
  const [x0 = 0, y0 = 0] = [x[upper - 1], y[upper - 1]];
  return y0 + ((y1 - y0) * (at - x0)) / (x1 - x0);
}

export const PHASE_CHANGE_SYMBOLS = {
  transition: 'circle-open',
  melting: 'triangle-down-open',
  boiling: 'diamond-open',
} as const;

/** A closed outline of the band from `error` below to `error` above a curve. */
export const bandOf = (x: readonly number[], y: readonly number[], error: number, color: string): Series => ({
  type: 'scatter',
  mode: 'lines',
  x: [...x, ...[...x].reverse()],
  y: [...y.map((value) => value + error), ...[...y].reverse().map((value) => value - error)],
  fill: 'toself',
  fillcolor: color,
  opacity: 0.14,
  line: { width: 0 },
  hoverinfo: 'skip',
  showlegend: false,
});

/** `727`, with a true minus sign. */
export const celsiusOf = (temperature: number): string =>
  formatNumber(Math.round(temperature - 273.15), { decimals: 0 });
