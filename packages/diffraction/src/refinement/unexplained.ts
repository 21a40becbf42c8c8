/** Peaks of the pattern that are in none of the phases. */
import { movingAverage } from '../background.ts';
import type { FitState } from './fit-state.ts';
import type { MeasuredPoints } from './measured-points.ts';
import type { Evaluation } from './pattern-model.ts';
import { combineWidths, MIN_WIDTH_DEG, newLineWidth } from './peak-shape.ts';
import type { RefinementNotice } from './types.ts';

/** Half width of the moving average, degrees. */
const MEAN_DEG = 0.06;

/** A mean below this many standard deviations of its noise counts as zero. */
export const NOISE = 3;

/** Moving averages of the measured minus the calculated pattern and of the lines, and the deviation of the noise of an average. */
export function meansOf(
  { x, y, weights }: MeasuredPoints,
  { calculated, background }: Pick<Evaluation, 'calculated' | 'background'>,
) {
  const half = Math.round((MEAN_DEG * (x.length - 1)) / (x[x.length - 1] - x[0]));
  const mean = (valueAt: (i: number) => number): Float64Array =>
    movingAverage(
      x.map((_, i) => (weights[i] > 0 ? valueAt(i) : 0)),
      half,
    );
  return {
    difference: mean((i) => y[i] - calculated[i]),
    lines: mean((i) => calculated[i] - background[i]),
    noise: weights.map((weight) => 1 / Math.sqrt(weight * (2 * half + 1))),
  };
}

/**
 * Height of a peak that counts, in units of the noise and of √χ², because a misfit leaves peaks, too. Widest peak, in full
 * widths of the sharpest phase: humps of glass and of the background are broader.
 */
const PEAK = { height: 10, widths: 10 } as const;

/**
 * Share of the intensity, in one peak and in several, that gives a notice. Measured mixtures refined with all phases leave
 * at most one peak with 0.6 %, and 38 of 40 simulated ones without a phase of 5 % by weight at least 0.2 % in several peaks.
 */
const LEAST_SHARE = { one: 0.008, several: 0.0015 } as const;

const NAMED_PEAKS = 3;

/** Full width (degrees) of the lines of the sharpest phase at an angle. */
function sharpestWidth({ model: { layout }, values }: FitState, twoThetaDeg: number): number {
  const theta = (twoThetaDeg * Math.PI) / 360;
  const [cos, tan] = [Math.cos(theta), Math.tan(theta)];
  const [u, v, w] = [layout.common.u, layout.common.v, layout.common.w].map((place) => values[place]);
  const gauss = Math.sqrt(Math.max(MIN_WIDTH_DEG ** 2, u * tan * tan + v * tan + w));
  const width = newLineWidth();
  return layout.phases.reduce((least, { x, y }) => {
    combineWidths(gauss, values[x] / cos + values[y] * tan, width);
    return Math.min(least, width.h);
  }, Number.POSITIVE_INFINITY);
}

/** A notice if peaks are left where the difference is larger than all lines of the phases. */
export function unexplainedIntensity(
  state: FitState,
  evaluation: Pick<Evaluation, 'calculated' | 'background'>,
  chiSquared: number,
): RefinementNotice[] {
  const { points } = state;
  const { x } = points;
  const { difference, lines, noise } = meansOf(points, evaluation);
  const excess = difference.map((value, i) => (value - NOISE * noise[i] > lines[i] ? value : 0));
  const least = PEAK.height * Math.sqrt(Math.max(1, chiSquared));
  const peaks: { area: number; twoThetaDeg: number }[] = [];
  for (let to = 0; to < x.length; to++) {
    let [area, top] = [0, to];
    for (; excess[to] > 0; to++) {
      area += excess[to];
      if (excess[to] > excess[top]) top = to;
    }
    if (area === 0 || excess[top] < least * noise[top]) continue;
    let [left, right] = [top, top];
    while (2 * excess[left - 1] > excess[top]) left -= 1;
    while (2 * excess[right + 1] > excess[top]) right += 1;
    if (x[right] - x[left] <= PEAK.widths * sharpestWidth(state, x[top]))
      peaks.push({ area, twoThetaDeg: x[top] });
  }
  const sum = peaks.reduce((total, peak) => total + peak.area, 0);
  const share = sum / (sum + lines.reduce((total, value) => total + value, 0));
  return share >= (peaks.length > 1 ? LEAST_SHARE.several : LEAST_SHARE.one)
    ? [
        {
          code: 'unexplained-intensity',
          share,
          twoThetaDeg: peaks
            .sort((a, b) => b.area - a.area)
            .slice(0, NAMED_PEAKS)
            .map((peak) => peak.twoThetaDeg),
        },
      ]
    : [];
}
