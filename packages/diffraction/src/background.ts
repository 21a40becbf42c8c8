/**
 * Background of a measured pattern by SNIP, and its noise and normalisation.
 *
 * SNIP (statistics-sensitive non-linear iterative peak clipping): C. G. Ryan et al., Nucl. Instrum. Methods B 34, 396
 * (1988), doi:10.1016/0168-583X(88)90063-8, with the decreasing window of M. Morháč and V. Matoušek, Appl. Spectrosc.
 * 62, 91 (2008), doi:10.1366/000370208783412762. The window shrinks by a ratio (see CLIPPING_RATIO) instead of by one
 * point, so that the time is proportional to points × log(window).
 */
import { DiffractionError } from './diffraction-error.ts';

/**
 * Largest half window in degrees of 2θ: wider than the foot of any laboratory peak (about ten widths of 0.2°),
 * narrower than an amorphous hump (5° and more).
 */
export const SNIP_HALF_WINDOW_DEG = 2;

/**
 * Ratio of one clipping window to the next. With 0.85 the result equals that of the classical step of one point, within
 * the noise.
 */
export const CLIPPING_RATIO = 0.85;

/** Median of |x| of normally distributed noise in units of its standard deviation. */
const MEDIAN_ABSOLUTE_OF_NORMAL = 0.6745;

function checkPattern(x: ArrayLike<number>, y: ArrayLike<number>): void {
  if (x.length !== y.length || x.length < 3)
    throw new DiffractionError(
      'bad-pattern',
      `${x.length} angles and ${y.length} intensities: expected as many of one as of the other, at least 3`,
      { reason: 'lengths' },
    );
}

/** LLS operator: compresses the range of counts so that strong and weak peaks are clipped alike. */
const compress = (value: number): number => Math.log(Math.log(Math.sqrt(Math.max(0, value) + 1) + 1) + 1);
const expand = (value: number): number => (Math.exp(Math.exp(value) - 1) - 1) ** 2 - 1;

/** Means of groups of `group` neighbouring values; an incomplete last group is dropped. */
export const groupMeans = (values: ArrayLike<number>, group: number): Float64Array =>
  Float64Array.from({ length: Math.floor(values.length / group) }, (_, i) => {
    let sum = 0;
    for (let k = 0; k < group; k++) sum += values[i * group + k];
    return sum / group;
  });

/** Mean over i − half … i + half in linear time; the window is cut off at the ends. */
export function movingAverage(values: ArrayLike<number>, half: number): Float64Array {
  const n = values.length;
  const sums = new Float64Array(n + 1);
  for (let i = 0; i < n; i++) sums[i + 1] = sums[i] + values[i];
  return Float64Array.from({ length: n }, (_, i) => {
    const from = Math.max(0, i - half);
    const to = Math.min(n, i + half + 1);
    return (sums[to] - sums[from]) / (to - from);
  });
}

/**
 * Background intensities at the measured angles (degrees, rising).
 *
 * Each pass replaces a point by the mean of its neighbours at ± the window if that is lower. The data are
 * first smoothed over a few points so that noise does not pull the background below the mean level.
 * @throws DiffractionError `bad-pattern` for unequal or tiny arrays.
 */
export function background(x: ArrayLike<number>, y: ArrayLike<number>): Float64Array {
  checkPattern(x, y);
  const n = x.length;
  const step = (x[n - 1] - x[0]) / (n - 1);
  // Starts from a mean over 0.1°, which follows the mean of the noise instead of its lower edge.
  let current = movingAverage(y, Math.min(20, Math.max(1, Math.round(0.05 / step)))).map(compress);
  const largest = Math.min(Math.floor((n - 1) / 2), Math.max(2, Math.round(SNIP_HALF_WINDOW_DEG / step)));
  for (let exact = largest; exact >= 1; exact *= CLIPPING_RATIO) {
    const window = Math.max(1, Math.round(exact));
    const next = Float64Array.from(current);
    for (let i = 0; i < n; i++) {
      // At the ends the window is cut off.
      const reach = Math.min(window, i, n - 1 - i);
      const mean = (current[i - reach] + current[i + reach]) / 2;
      if (mean < next[i]) next[i] = mean;
    }
    current = next;
  }
  return current.map(expand);
}

/**
 * Standard deviation of the point-to-point noise: the scaled median of |second differences|, which is
 * insensitive to the smooth background and to the few points on peaks. Second differences of white noise have
 * the variance 6σ².
 */
export function noiseLevel(y: ArrayLike<number>): number {
  const differences: number[] = [];
  for (let i = 1; i + 1 < y.length; i++) differences.push(Math.abs(y[i - 1] - 2 * y[i] + y[i + 1]));
  differences.sort((a, b) => a - b);
  const median = differences[Math.floor(differences.length / 2)] ?? 0;
  return median / MEDIAN_ABSOLUTE_OF_NORMAL / Math.sqrt(6);
}

/** Whether an intensity can be a number of counts. */
export const isCount = (intensity: number): boolean => Number.isInteger(intensity) && intensity >= 0;

/** The pattern without its background; negative values are set to zero. */
export const removeBackground = (x: ArrayLike<number>, y: ArrayLike<number>): Float64Array =>
  background(x, y).map((level, i) => Math.max(0, y[i] - level));
