/**
 * Prepares the measured pattern for a refinement: checks it, averages it if it is too long, and weights the
 * points.
 */
import { firstAtOrAbove } from '@unitcell/numerics';
import { groupMeans, isCount, movingAverage } from '../background.ts';
import { DiffractionError } from '../diffraction-error.ts';
import {
  MAX_REFINED_POINTS,
  MIN_REFINED_POINTS,
  type RefinementNotice,
  type RefinementRequest,
} from './types.ts';

/** Reasons to refuse a refinement: `parameters.reason` of the error `bad-refinement`. */
export type RefinementRefusal =
  | 'lengths'
  | 'not-numbers'
  | 'angles'
  | 'few-points'
  | 'sigmas'
  | 'flat'
  | 'radiation'
  | 'no-phases'
  | 'too-many-phases'
  | 'phase-without-atoms'
  | 'phase-without-lines'
  | 'options';

export const refusal = (
  reason: RefinementRefusal,
  message: string,
  parameters: Readonly<Record<string, string | number>> = {},
): DiffractionError => new DiffractionError('bad-refinement', message, { reason, ...parameters });

export interface MeasuredPoints {
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** 1/σ², 0 for excluded points. */
  readonly weights: Float64Array;
  readonly used: number;
  readonly notices: readonly RefinementNotice[];
}

/** This many equal points in a row at the maximum indicate a saturated detector. */
const SATURATED_RUN = 4;

/** @throws DiffractionError `bad-refinement` */
export function measuredPoints({ pattern, excluded = [] }: RefinementRequest): MeasuredPoints {
  const { twoThetaDeg, intensities, sigmas } = pattern;
  const given = twoThetaDeg.length;
  if (given !== intensities.length || (sigmas && sigmas.length !== given))
    throw refusal(
      'lengths',
      `${given} angles, ${intensities.length} intensities${sigmas ? ` and ${sigmas.length} standard deviations` : ''}: expected as many of each`,
    );
  if (given < MIN_REFINED_POINTS) throw fewPoints(given);
  for (let i = 0; i < given; i++) {
    if (!Number.isFinite(twoThetaDeg[i]) || !Number.isFinite(intensities[i]))
      throw refusal(
        'not-numbers',
        `point ${i + 1} is ${twoThetaDeg[i]}, ${intensities[i]}: expected numbers`,
        {
          point: i + 1,
        },
      );
    if (twoThetaDeg[i] < 0 || twoThetaDeg[i] > 180 || (i > 0 && twoThetaDeg[i] <= twoThetaDeg[i - 1]))
      throw refusal(
        'angles',
        `point ${i + 1} is at ${twoThetaDeg[i]}°: expected angles from 0 to 180 that rise from point to point`,
        { point: i + 1 },
      );
    if (sigmas && !(sigmas[i] > 0 && Number.isFinite(sigmas[i])))
      throw refusal(
        'sigmas',
        `point ${i + 1} has the standard deviation ${sigmas[i]}: expected a positive number`,
        {
          point: i + 1,
        },
      );
  }
  const notices: RefinementNotice[] = [];
  const group = Math.ceil(given / MAX_REFINED_POINTS);
  if (group > 1) notices.push({ code: 'points-averaged', group });
  const x = groupMeans(twoThetaDeg, group);
  const y = groupMeans(intensities, group);
  const variances = sigmas
    ? groupMeans(
        Float64Array.from(sigmas, (sigma) => sigma * sigma),
        group,
      ).map((variance) => variance / group)
    : countingVariances(intensities, y, group, notices);
  const weights = variances.map((variance, i) => (isExcluded(x[i], excluded) ? 0 : 1 / variance));
  const used = weights.reduce((count, weight) => count + (weight > 0 ? 1 : 0), 0);
  if (used < MIN_REFINED_POINTS) throw fewPoints(used);
  describe(intensities, notices);
  if (y.every((value) => value === y[0]))
    throw refusal('flat', `all intensities are ${y[0]}: there is nothing to refine`);
  return { x, y, weights, used, notices };
}

/** Whether an angle lies in one of the regions, ends included. */
export const isExcluded = (angle: number, regions: readonly (readonly [number, number])[]): boolean =>
  regions.some(([from, to]) => angle >= from && angle <= to);

/** Neighbouring points farther apart than this many steps are the ends of two ranges. */
const GAP_STEPS = 10;

/** For the rising angles of a scan: whether an angle lies between two neighbouring points, and in no gap between two ranges. */
export function coverageOf(x: ArrayLike<number>): (angle: number) => boolean {
  const steps = Float64Array.from({ length: x.length - 1 }, (_, i) => x[i + 1] - x[i]).sort();
  const widest = GAP_STEPS * steps[Math.floor(steps.length / 2)];
  return (angle) => {
    const after = firstAtOrAbove(x, angle);
    return angle >= x[0] && after < x.length && x[after] - x[Math.max(0, after - 1)] <= widest;
  };
}

const fewPoints = (points: number): DiffractionError =>
  refusal('few-points', `${points} points to refine: expected at least ${MIN_REFINED_POINTS}`, {
    points,
    least: MIN_REFINED_POINTS,
  });

/**
 * Variances of the intensities: y for counts. Otherwise the intensities are counts times an unknown factor k (counts per
 * second, or scaled), and a background may have been subtracted, whose noise stayed: the variance is k·y plus a constant.
 */
function countingVariances(
  given: ArrayLike<number>,
  y: Float64Array,
  group: number,
  notices: RefinementNotice[],
): Float64Array {
  const level = movingAverage(given, 2);
  const middle = level.toSorted()[Math.floor(level.length / 2)];
  const lower = level.filter((value) => value <= middle);
  const lowerMean = Math.max(0, lower.reduce((sum, value) => sum + value, 0) / lower.length);
  const lowerVariance = noiseWhere(given, (i) => level[i] <= middle) ** 2;
  const areWhole = Array.prototype.every.call(given, isCount);
  if (areWhole && lowerVariance < TOO_NOISY * Math.max(1, lowerMean))
    return y.map((value) => Math.max(value, 1) / group);
  notices.push({ code: 'not-counts' });
  const highest = y.reduce((best, value) => Math.max(best, value), 0);
  const roots = Float64Array.from({ length: given.length }, (_, i) => Math.sqrt(Math.max(0, given[i])));
  // For Poisson-distributed n, √(k n) has the variance k / 4, independent of n.
  const scatter = 4 * noiseWhere(roots, (i) => level[i] > CLEAR * Math.sqrt(lowerVariance)) ** 2;
  const factor = Math.max(scatter, 1e-9 * highest, Number.MIN_VALUE);
  const constant = Math.max(0, lowerVariance - factor * lowerMean);
  return y.map((value) => Math.max(factor * factor, constant + factor * Math.max(value, 0)) / group);
}

/**
 * Whole numbers whose variance per count is larger are not counts. In 80 measured patterns it is at most 1.8.
 */
const TOO_NOISY = 3;

/** Points higher than this, in units of the noise of the background, determine the factor of the counts. */
const CLEAR = 5;

/** Median of |x| of normally distributed noise, and variance of its fourth differences. */
const [MEDIAN_OF_NORMAL, FOURTH_VARIANCE] = [0.6745, 70];

/**
 * Standard deviation of the noise at some points, by the median of fourth differences, which hardly depend on
 * the shape of peaks.
 */
function noiseWhere(y: ArrayLike<number>, isWanted: (point: number) => boolean): number {
  const differences: number[] = [];
  for (let i = 2; i + 2 < y.length; i++)
    if (isWanted(i)) differences.push(Math.abs(y[i - 2] - 4 * y[i - 1] + 6 * y[i] - 4 * y[i + 1] + y[i + 2]));
  differences.sort((a, b) => a - b);
  const median = differences[Math.floor(differences.length / 2)] ?? 0;
  return median / MEDIAN_OF_NORMAL / Math.sqrt(FOURTH_VARIANCE);
}

function describe(y: ArrayLike<number>, notices: RefinementNotice[]): void {
  let negative = 0;
  let highest = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < y.length; i++) {
    if (y[i] < 0) negative += 1;
    highest = Math.max(highest, y[i]);
  }
  if (negative > 0) notices.push({ code: 'negative-intensities', points: negative });
  else if (isCutAtZero(y)) notices.push({ code: 'cut-at-zero' });
  let saturated = 0;
  for (let i = 0, run = 0; i < y.length; i++) {
    run = y[i] === highest ? run + 1 : 0;
    if (run === SATURATED_RUN) saturated += SATURATED_RUN;
    else if (run > SATURATED_RUN) saturated += 1;
  }
  // At low counts, equal values are common without saturation.
  if (saturated > 0 && highest > 100) notices.push({ code: 'saturated', points: saturated, level: highest });
}

/**
 * Zeros whose neighbours add up to at least `beside` counts are suspicious if their share of the points
 * exceeds `share`. In uncut counts their share is at most 3.2 %, whatever the mean.
 */
const CUT = { beside: 6, share: 0.06 } as const;

/** Whether negative values became zero after a background was subtracted: then zeros stand between points far above zero. */
function isCutAtZero(y: ArrayLike<number>): boolean {
  let count = Number.POSITIVE_INFINITY;
  for (let i = 0; i < y.length; i++) if (y[i] > 0) count = Math.min(count, y[i]);
  let zeros = 0;
  for (let i = 1; i + 1 < y.length; i++)
    if (y[i] === 0 && y[i - 1] + y[i + 1] >= CUT.beside * count) zeros += 1;
  return zeros > CUT.share * y.length;
}

// ── The pattern as an instrument of low resolution would measure it; a fit to it converges from a wrong cell ──

/** Number of points per full width of the smoothing. */
const POINTS_PER_WIDTH = 6;

/** The Gaussian of the smoothing is cut off this many full widths from its centre. */
const WINDOW = 1.5;

const smoothedByPoints = new WeakMap<MeasuredPoints, Map<number, SmoothedPoints>>();

type SmoothedPoints = Pick<MeasuredPoints, 'x' | 'y' | 'weights'>;

/** Convolves with a Gaussian of full width `widthDeg`; a line of Gaussian width H then has √(H² + width²). */
export function smoothedPoints(points: MeasuredPoints, widthDeg: number): SmoothedPoints {
  const byWidth = smoothedByPoints.get(points) ?? new Map<number, SmoothedPoints>();
  smoothedByPoints.set(points, byWidth);
  const smooth = byWidth.get(widthDeg) ?? smoothed(points, widthDeg);
  byWidth.set(widthDeg, smooth);
  return smooth;
}

function smoothed({ x, y, weights }: MeasuredPoints, widthDeg: number): SmoothedPoints {
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
