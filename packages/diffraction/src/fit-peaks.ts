/**
 * Integrated intensities of measured peaks, by least squares.
 *
 * Every peak is a pseudo-Voigt (G. K. Wertheim et al., Rev. Sci. Instrum. 45, 1369 (1974), doi:10.1063/1.1686503) with
 * its own position, width and area; the Lorentzian fraction is common to the whole pattern. All peaks are fitted
 * together, so that overlapping neighbours and tails are shared correctly. If the source is the unresolved Kα of an
 * anode, a peak is the pair Kα1 + Kα2 in the ratio 2 : 1, unless single lines describe the pattern better.
 */
import { firstAtOrAbove } from '@unitcell/numerics';
import { groupMeans, movingAverage } from './background.ts';
import { kAlphaPair } from './radiation.ts';

/** A peak found by the search for maxima. */
export interface FoundPeak {
  readonly twoThetaDeg: number;
  /** Intensity at the maximum, above background. */
  readonly height: number;
  /** Observed full width at half maximum, degrees. */
  readonly widthDeg: number;
}

export interface FittedPeak extends FoundPeak {
  /** Integrated intensity, intensity × degrees; for a pair, the sum of both lines. */
  readonly area: number;
}

/** A shape is evaluated up to this many widths on either side; a Lorentzian has 3 % of its area beyond. */
const REACH_WIDTHS = 10;

/** The remaining background is estimated from points farther than this many widths from every peak. */
const FREE_WIDTHS = 5;

/** The remaining background is estimated from points within this many degrees. */
const LEVEL_HALF_WINDOW_DEG = 5;

/**
 * Sweeps over all peaks: first of the areas alone, so that no peak absorbs its neighbours, then of all
 * parameters.
 */
const SWEEPS = { areas: 2, all: 6 } as const;

/**
 * If steps are finer than this share of a typical width, points are averaged: finer steps cost time without adding
 * information.
 */
const STEP_SHARE = 1 / 8;

/** Half widths beyond which a Gaussian is zero. */
const GAUSS_END = 7;
const GAUSS_HEIGHT = Math.sqrt(Math.LN2 / Math.PI);

/** Widths of a powder change slowly with the angle: the typical width is a quantile over this many neighbours. */
const NEIGHBOURS = 9;

/**
 * The quantile is below the median because overlapping peaks are found too broad. `least` and `most` limit
 * the width of a peak, in multiples of the typical width.
 */
const USUAL_WIDTHS = { quantile: 0.4, least: 0.6, most: 1.3 } as const;

/** Share of the variance that is independent of the intensity, so that the weights of empty regions are finite. */
const VARIANCE_FLOOR = 0.01;

/**
 * The second line of a pair is half as high as the first. A maximum at the position of the second line counts as that
 * line if its height relative to the first is at most this.
 */
const SATELLITE_HEIGHT = 0.7;

/**
 * A residual maximum is a shoulder (a line without a separate maximum) if it reaches these shares of the local
 * intensity and of the highest peak, and is at least a typical width away from every peak.
 */
const SHOULDER = { ofPlace: 0.3, ofHighest: 0.02 } as const;

/** Single lines are preferred if their residual is below this share of the residual of pairs. */
const SINGLE_LINES = 0.5;

const RADIANS = Math.PI / 180;

interface Peak {
  readonly found: FoundPeak;
  /** Typical width at the peak, degrees. */
  readonly usual: number;
  /** Position for the mean wavelength, degrees. */
  position: number;
  width: number;
  area: number;
}

const SINGLE = [{ ratio: 1, share: 1 }] as const;

/** The lines of a peak: a single line, or Kα1 and Kα2. */
type Lines = readonly { readonly shift: number; readonly share: number }[];

interface Pattern {
  readonly x: ArrayLike<number>;
  /** Residual of the fit. */
  readonly rest: Float64Array;
  readonly weights: Float64Array;
  /** Ratios of the wavelengths to their mean, and their shares; a single line has one entry. */
  readonly wavelengths: readonly { readonly ratio: number; readonly share: number }[];
  lorentz: number;
}

function linesAt(position: number, wavelengths: Pattern['wavelengths']): Lines {
  const sine = Math.sin((position * RADIANS) / 2);
  return wavelengths.map(({ ratio, share }) => ({
    shift: ratio === 1 ? 0 : (2 / RADIANS) * Math.asin(Math.min(1, sine * ratio)) - position,
    share,
  }));
}

/**
 * Shape of a peak at points `from` to `to` − 1: the weighted sum of a Lorentzian and a Gaussian of unit area,
 * summed over the lines of the peak.
 */
function shapeAt(
  { x, wavelengths, lorentz }: Pattern,
  { position, width }: Pick<Peak, 'position' | 'width'>,
  [from, to]: readonly [number, number],
  [ofLorentz, ofGauss]: readonly [number, number] = [lorentz, 1 - lorentz],
): Float64Array {
  const lines = linesAt(position, wavelengths);
  const scale = Math.PI * width;
  const values = new Float64Array(to - from);
  for (let i = from; i < to; i++) {
    let lorentzian = 0;
    let gaussian = 0;
    for (const { shift, share } of lines) {
      const u = (2 * (x[i] - position - shift)) / width;
      lorentzian += (share * 2) / (scale * (1 + u * u));
      if (Math.abs(u) < GAUSS_END)
        gaussian += ((share * 2) / width) * GAUSS_HEIGHT * Math.exp(-Math.LN2 * u * u);
    }
    values[i - from] = ofLorentz * lorentzian + ofGauss * gaussian;
  }
  return values;
}

/** Solves a symmetric positive definite 3 × 3 system by elimination. */
function solve3(matrix: number[][], right: number[]): number[] {
  const m = matrix.map((row, i) => [...row, right[i]]);
  for (let k = 0; k < 3; k++)
    for (let i = k + 1; i < 3; i++) {
      const factor = m[i][k] / m[k][k];
      for (let j = k; j < 4; j++) m[i][j] -= factor * m[k][j];
    }
  const result = [0, 0, 0];
  for (let i = 2; i >= 0; i--) {
    let sum = m[i][3];
    for (let j = i + 1; j < 3; j++) sum -= m[i][j] * result[j];
    result[i] = sum / m[i][i];
  }
  return result;
}

const within = (value: number, low: number, high: number): number => Math.min(high, Math.max(low, value));

/**
 * One damped Gauss–Newton step of a peak's area; with `isWhole` also of its position and width. Other peaks stay fixed.
 */
function improve(pattern: Pattern, peak: Peak, isWhole: boolean): void {
  const { x, rest, weights } = pattern;
  const reach = REACH_WIDTHS * peak.width;
  const from = firstAtOrAbove(x, peak.position - reach);
  const to = firstAtOrAbove(x, peak.position + reach);
  if (to - from < 4) return;
  const shapeOf = (position: number, width: number): Float64Array =>
    shapeAt(pattern, { position, width }, [from, to]);
  const before = shapeOf(peak.position, peak.width);
  const step = peak.width / 100;
  const moved = isWhole ? shapeOf(peak.position + step, peak.width) : before;
  const wider = isWhole ? shapeOf(peak.position, peak.width + step) : before;
  const matrix = [
    [0, 0, 0],
    [0, 0, 0],
    [0, 0, 0],
  ];
  const right = [0, 0, 0];
  const row = [0, 0, 0];
  const slope = peak.area / step;
  const changing = isWhole ? 3 : 1;
  for (let i = from; i < to; i++) {
    const shape = before[i - from];
    row[0] = shape;
    row[1] = slope * (moved[i - from] - shape);
    row[2] = slope * (wider[i - from] - shape);
    for (let p = 0; p < changing; p++) {
      const weighted = weights[i] * row[p];
      right[p] += weighted * rest[i];
      for (let q = 0; q < changing; q++) matrix[p][q] += weighted * row[q];
    }
  }
  for (let p = 0; p < 3; p++) matrix[p][p] = matrix[p][p] * 1.001 + (matrix[p][p] === 0 ? 1 : 0);
  const [byArea, byPosition, byWidth] = solve3(matrix, right);
  if (![byArea, byPosition, byWidth].every(Number.isFinite)) return;
  const { found, usual } = peak;
  const area = Math.max(0, peak.area + byArea);
  const position = within(
    peak.position + within(byPosition, -peak.width / 4, peak.width / 4),
    found.twoThetaDeg - found.widthDeg / 2,
    found.twoThetaDeg + found.widthDeg / 2,
  );
  const width = within(
    peak.width * within(1 + byWidth / peak.width, 0.8, 1.25),
    USUAL_WIDTHS.least * usual,
    USUAL_WIDTHS.most * usual,
  );
  const isSame = position === peak.position && width === peak.width;
  const after = isSame ? before : shapeOf(position, width);
  for (let i = from; i < to; i++) rest[i] += peak.area * before[i - from] - area * after[i - from];
  Object.assign(peak, { area, position, width });
}

/** Finds the Lorentzian fraction with the smallest residual; every shape is linear in it. */
function improveShare(pattern: Pattern, peaks: readonly Peak[]): void {
  const { x, rest, weights } = pattern;
  const slope = new Float64Array(x.length);
  for (const peak of peaks) {
    const from = firstAtOrAbove(x, peak.position - REACH_WIDTHS * peak.width);
    const to = firstAtOrAbove(x, peak.position + REACH_WIDTHS * peak.width);
    const difference = shapeAt(pattern, peak, [from, to], [1, -1]);
    for (let i = from; i < to; i++) slope[i] += peak.area * difference[i - from];
  }
  let product = 0;
  let square = 0;
  for (let i = 0; i < x.length; i++) {
    product += weights[i] * slope[i] * rest[i];
    square += weights[i] * slope[i] ** 2;
  }
  if (!(square > 0)) return;
  const share = within(pattern.lorentz + product / square, 0, 1);
  for (let i = 0; i < x.length; i++) rest[i] -= (share - pattern.lorentz) * slope[i];
  pattern.lorentz = share;
}

/** The remaining background near each angle: the mean of the points far from all peaks, or zero if there are none. */
function levelBetween(x: ArrayLike<number>, y: ArrayLike<number>, peaks: readonly FoundPeak[]): Float64Array {
  const n = x.length;
  const isFree = new Uint8Array(n).fill(1);
  for (const { twoThetaDeg, widthDeg } of peaks)
    isFree.fill(
      0,
      firstAtOrAbove(x, twoThetaDeg - FREE_WIDTHS * widthDeg),
      firstAtOrAbove(x, twoThetaDeg + FREE_WIDTHS * widthDeg),
    );
  const sums = new Float64Array(n + 1);
  const counts = new Uint32Array(n + 1);
  for (let i = 0; i < n; i++) {
    sums[i + 1] = sums[i] + isFree[i] * y[i];
    counts[i + 1] = counts[i] + isFree[i];
  }
  return Float64Array.from({ length: n }, (_, i) => {
    const from = firstAtOrAbove(x, x[i] - LEVEL_HALF_WINDOW_DEG);
    const to = firstAtOrAbove(x, x[i] + LEVEL_HALF_WINDOW_DEG);
    const count = counts[to] - counts[from];
    return count > 0 ? (sums[to] - sums[from]) / count : 0;
  });
}

function usualWidths(found: readonly FoundPeak[]): number[] {
  return found.map((_, i) => {
    const from = Math.max(0, Math.min(i - (NEIGHBOURS >> 1), found.length - NEIGHBOURS));
    const near = found
      .slice(from, from + NEIGHBOURS)
      .map(({ widthDeg }) => widthDeg)
      .sort((a, b) => a - b);
    return near[Math.floor(USUAL_WIDTHS.quantile * (near.length - 1))];
  });
}

/** The maxima without those that are the Kα2 of a stronger maximum. */
function withoutSatellites(found: readonly FoundPeak[], wavelengths: Pattern['wavelengths']): FoundPeak[] {
  const [first, second] = wavelengths;
  if (!first || !second) return [...found];
  const apart = (position: number): number => {
    const [one, other] = linesAt(position, wavelengths);
    return (other?.shift ?? 0) - (one?.shift ?? 0);
  };
  return found.filter(
    (peak) =>
      !found.some(
        (main) =>
          main.twoThetaDeg < peak.twoThetaDeg &&
          peak.height <= SATELLITE_HEIGHT * main.height &&
          Math.abs(main.twoThetaDeg + apart(main.twoThetaDeg) - peak.twoThetaDeg) <=
            Math.max(0.02, main.widthDeg / 4),
      ),
  );
}

interface Fit {
  readonly peaks: readonly Peak[];
  readonly rest: Float64Array;
  /** Weighted sum of the squared residuals. */
  readonly left: number;
}

function fit(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  tops: readonly FoundPeak[],
  wavelengths: Pattern['wavelengths'],
): Fit {
  const level = levelBetween(x, y, tops);
  const highest = tops.reduce((best, { height }) => Math.max(best, height), 0);
  const pattern: Pattern = {
    x,
    rest: Float64Array.from(level, (value, i) => y[i] - value),
    // The variance of counts equals their mean.
    weights: Float64Array.from(
      level,
      (value, i) => 1 / (Math.max(0, y[i] - value) + VARIANCE_FLOOR * highest),
    ),
    wavelengths,
    lorentz: 0.5,
  };
  const usual = usualWidths(tops);
  const peaks = tops.map((found, i): Peak => {
    const width = Math.min(found.widthDeg, usual[i]);
    return { found, usual: usual[i], position: found.twoThetaDeg, width, area: 0 };
  });
  const strongestFirst = peaks.toSorted((a, b) => b.found.height - a.found.height);
  for (let sweep = 0; sweep < SWEEPS.areas + SWEEPS.all; sweep++) {
    for (const peak of strongestFirst) improve(pattern, peak, sweep >= SWEEPS.areas);
    improveShare(pattern, peaks);
  }
  const { rest, weights } = pattern;
  return { peaks, rest, left: rest.reduce((sum, value, i) => sum + weights[i] * value * value, 0) };
}

/** Residual maxima that no valley separates from their neighbours. */
function shoulders(x: ArrayLike<number>, y: ArrayLike<number>, { peaks, rest }: Fit): FoundPeak[] {
  const smooth = movingAverage(rest, 2);
  const highest = peaks.reduce((best, { found }) => Math.max(best, found.height), 0);
  const added: FoundPeak[] = [];
  for (const [p, peak] of peaks.entries()) {
    const next = peaks[p + 1];
    // Shoulders are sought above this peak, up to four typical widths away and not beyond the next peak.
    const from = firstAtOrAbove(x, peak.position + peak.usual);
    const to = firstAtOrAbove(
      x,
      Math.min(peak.position + 4 * peak.usual, next ? next.position - next.usual : Infinity),
    );
    let top = from;
    for (let i = from; i < to; i++) if (smooth[i] > smooth[top]) top = i;
    const height = smooth[top];
    if (
      top > from &&
      top < to - 1 &&
      height > SHOULDER.ofPlace * y[top] &&
      height > SHOULDER.ofHighest * highest
    )
      added.push({ twoThetaDeg: x[top], height: y[top], widthDeg: peak.usual });
  }
  return added;
}

/** Means of groups of neighbouring points, so that a step is no finer than the widths need. */
function averaged(x: ArrayLike<number>, y: ArrayLike<number>, width: number): [Float64Array, Float64Array] {
  const step = (x[x.length - 1] - x[0]) / (x.length - 1);
  const group = Math.max(1, Math.floor((STEP_SHARE * width) / step));
  return [groupMeans(x, group), groupMeans(y, group)];
}

/**
 * The peaks with their integrated intensities, in order of angle. Maxima that are the Kα2 of another peak are left out;
 * positions are those for the mean wavelength.
 *
 * @param x 2θ in degrees, rising. @param y intensities above background. @param wavelength Å, of the
 * measurement.
 */
export function fitPeaks(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  found: readonly FoundPeak[],
  wavelength?: number,
): FittedPeak[] {
  if (found.length === 0) return [];
  const [angles, values] = averaged(x, y, Math.min(...usualWidths(found)));
  const fitted = (tops: readonly FoundPeak[], wavelengths: Pattern['wavelengths']): Fit =>
    fit(angles, values, withoutSatellites(tops, wavelengths), wavelengths);
  const pair = wavelength === undefined ? undefined : kAlphaPair(wavelength);
  const singles = fitted(found, SINGLE);
  const pairs = pair && fitted(found, pair);
  // Two single lines can also describe a resolved pair, so single lines are chosen only if they are much better.
  const [first, wavelengths] =
    pair && pairs && singles.left >= SINGLE_LINES * pairs.left ? [pairs, pair] : [singles, SINGLE];
  const more = shoulders(angles, values, first);
  const all = [...first.peaks.map(({ found: top }) => top), ...more];
  all.sort((a, b) => a.twoThetaDeg - b.twoThetaDeg);
  const { peaks } = more.length > 0 ? fitted(all, wavelengths) : first;
  return peaks.map(({ found: { height, widthDeg }, position, area }) => ({
    twoThetaDeg: position,
    height,
    widthDeg,
    area,
  }));
}
