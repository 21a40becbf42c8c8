/** The pattern as an instrument of low resolution would measure it; a fit to it converges from a wrong cell. */
import { firstAtOrAbove } from '../background.ts';
import type { MeasuredPoints } from './measured-points.ts';

/** Number of points per full width of the smoothing. */
const POINTS_PER_WIDTH = 6;

/** The Gaussian of the smoothing is cut off this many full widths from its centre. */
const WINDOW = 1.5;

/** Convolves with a Gaussian of full width `widthDeg`; a line of Gaussian width H then has √(H² + width²). */
export function smoothedPoints(
  { x, y, weights }: MeasuredPoints,
  widthDeg: number,
): Pick<MeasuredPoints, 'x' | 'y' | 'weights'> {
  const first = x[0];
  const count = Math.max(2, Math.floor(((x[x.length - 1] - first) / widthDeg) * POINTS_PER_WIDTH));
  const grid: number[] = [];
  const values: number[] = [];
  const importance: number[] = [];
  for (let i = 0; i <= count; i++) {
    const at = first + ((x[x.length - 1] - first) * i) / count;
    const from = firstAtOrAbove(x, at - WINDOW * widthDeg);
    const to = firstAtOrAbove(x, at + WINDOW * widthDeg);
    let sum = 0;
    let total = 0;
    let variance = 0;
    for (let j = from; j < to; j++) {
      if (weights[j] === 0) continue;
      const u = (x[j] - at) / widthDeg;
      const kernel = Math.exp(-4 * Math.LN2 * u * u);
      sum += kernel * y[j];
      total += kernel;
      variance += kernel / weights[j];
    }
    if (total === 0) continue;
    grid.push(at);
    values.push(sum / total);
    importance.push(total / variance);
  }
  return { x: Float64Array.from(grid), y: Float64Array.from(values), weights: Float64Array.from(importance) };
}
