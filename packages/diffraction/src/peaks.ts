/**
 * Peaks of a measured pattern (background removed) and the crystallite size from their widths.
 *
 * Scherrer: size = K λ / (β cos θ), P. Scherrer, Nachr. Ges. Wiss. Göttingen 26, 98 (1918); K = 0.9 for the
 * full width at half maximum, J. I. Langford and A. J. C. Wilson, J. Appl. Cryst. 11, 102 (1978),
 * doi:10.1107/S0021889878012844. The instrumental width is subtracted in quadrature.
 */
import { movingAverage, noiseLevel } from './background.ts';
import { type FittedPeak, fitPeaks, type FoundPeak } from './fit-peaks.ts';

/** Scherrer constant for the full width at half maximum. */
export const SCHERRER_K = 0.9;

/**
 * Typical instrumental width (FWHM, degrees of 2θ) of a laboratory diffractometer for a perfect powder, from LaB₆
 * scans.
 */
export const INSTRUMENT_WIDTH_DEG = 0.08;

/**
 * A peak must rise this many noise levels above both of its valleys. Among N points pure noise fluctuates by about 2
 * √(2 ln N), which is 8 for a few thousand.
 */
export const PEAK_SIGNIFICANCE = 8;

/** A peak must also have this share of the highest intensity; weaker peaks cannot identify a phase. */
export const MIN_PEAK_SHARE = 0.01;

/**
 * Crystallite sizes (nm) that Scherrer's formula can distinguish from the instrumental width of a laboratory
 * diffractometer.
 */
export const CRYSTALLITE_SIZE_LIMITS_NM = { min: 1, max: 200 } as const;

/**
 * A peak of a measurement: 2θ of the mean wavelength and the observed full width at half maximum (degrees),
 * the height of its maximum above the background, and its integrated intensity (`area`, intensity × degrees).
 */
export type MeasuredPeak = FittedPeak;

/** Angle at which the flank from `top` towards `end` crosses `level`, linear between points; NaN if it never does. */
function crossing(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  top: number,
  end: number,
  level: number,
): number {
  const direction = Math.sign(end - top);
  for (let i = top; i !== end; i += direction) {
    const next = y[i + direction];
    if (next <= level) return x[i] + ((y[i] - level) / (y[i] - next)) * (x[i + direction] - x[i]);
  }
  return Number.NaN;
}

/** Limit on the number of peaks. Crystals have a few hundred; more only make fits and comparisons slower. */
const MAX_PEAKS = 500;

function strongest(peaks: FoundPeak[]): FoundPeak[] {
  if (peaks.length <= MAX_PEAKS) return peaks;
  const chosen = new Set([...peaks].sort((a, b) => b.height - a.height).slice(0, MAX_PEAKS));
  return peaks.filter((peak) => chosen.has(peak));
}

/**
 * At most the 500 strongest peaks, in order of angle, with integrated intensities (fit-peaks.ts). A peak is a
 * maximum of the lightly smoothed pattern whose prominence (height over the higher of the two adjacent valleys)
 * exceeds PEAK_SIGNIFICANCE and MIN_PEAK_SHARE.
 * @param wavelength Å, of the measurement; for an unresolved Kα the second line of a pair is not a separate
 * peak.
 */
export const findPeaks = (x: ArrayLike<number>, y: ArrayLike<number>, wavelength?: number): MeasuredPeak[] =>
  fitPeaks(x, y, strongest(findTops(x, y)), wavelength);

/** Whether `findPeaks` would find a peak; nothing is fitted. */
export const hasPeaks = (x: ArrayLike<number>, y: ArrayLike<number>): boolean => findTops(x, y).length > 0;

function findTops(x: ArrayLike<number>, y: ArrayLike<number>): FoundPeak[] {
  const n = y.length;
  const step = (x[n - 1] - x[0]) / Math.max(1, n - 1);
  const half = Math.min(3, Math.max(1, Math.round(0.02 / step)));
  const smooth = movingAverage(y, half);
  const highest = smooth.reduce((best, value) => Math.max(best, value), 0);
  const threshold = Math.max(
    (PEAK_SIGNIFICANCE * noiseLevel(y)) / Math.sqrt(2 * half + 1),
    MIN_PEAK_SHARE * highest,
  );
  // One sweep finds all maxima that exceed the valleys on both sides by more than the threshold.
  const tops: number[] = [];
  const valleys: number[] = [];
  let top = 0;
  let valley = 0;
  let rising = true;
  for (let i = 0; i < n; i++) {
    if (rising) {
      if (smooth[i] > smooth[top]) top = i;
      else if (smooth[top] - smooth[i] > threshold && smooth[top] - smooth[valley] > threshold) {
        tops.push(top);
        valleys.push(valley);
        rising = false;
        valley = i;
      } else if (smooth[i] < smooth[valley]) {
        valley = i;
        top = i;
      }
    } else if (smooth[i] < smooth[valley]) valley = i;
    else if (smooth[i] - smooth[valley] > threshold) {
      rising = true;
      top = i;
    }
  }
  valleys.push(rising ? n - 1 : valley);
  return tops.map((at, p) => {
    const [from, to] = [valleys[p], valleys[p + 1]];
    const height = smooth[at];
    const left = crossing(x, smooth, at, from, height / 2);
    const right = crossing(x, smooth, at, to, height / 2);
    // If a shoulder does not fall to half its height on one side, its width is measured on the other side.
    const flanks = [x[at] - left, right - x[at]].filter((flank) => !Number.isNaN(flank));
    const widthDeg =
      flanks.length === 0 ? x[to] - x[from] : (2 * flanks.reduce((sum, one) => sum + one, 0)) / flanks.length;
    return { twoThetaDeg: x[at], height, widthDeg };
  });
}

/**
 * FWHM (degrees of 2θ) of a crystallite of the given size (nm) at an angle, without the instrumental width.
 */
export function scherrerWidthDeg(sizeNm: number, twoThetaDeg: number, wavelength: number): number {
  const theta = (twoThetaDeg * Math.PI) / 360;
  return ((180 / Math.PI) * SCHERRER_K * wavelength) / (10 * sizeNm * Math.cos(theta));
}

/**
 * Crystallite size in nm from the widths of the stronger peaks (median of their Scherrer sizes), or undefined when no
 * width can be measured. If the instrumental width hides the broadening, the size is the upper limit.
 */
export function crystalliteSizeNm(peaks: readonly MeasuredPeak[], wavelength: number): number | undefined {
  const highest = peaks.reduce((best, peak) => Math.max(best, peak.height), 0);
  const widths = peaks.filter((peak) => peak.height >= 0.1 * highest && peak.widthDeg > 0);
  if (widths.length === 0) return undefined;
  const { min, max } = CRYSTALLITE_SIZE_LIMITS_NM;
  const sizes = widths.map(({ widthDeg, twoThetaDeg }) => {
    const own = Math.sqrt(Math.max(0, widthDeg ** 2 - INSTRUMENT_WIDTH_DEG ** 2));
    const unitWidth = scherrerWidthDeg(1, twoThetaDeg, wavelength);
    return Math.min(max, Math.max(min, own > 0 ? unitWidth / own : max));
  });
  sizes.sort((a, b) => a - b);
  return sizes[Math.floor(sizes.length / 2)];
}
