/**
 * Size and strain of crystallites from the breadths of lines: G. K. Williamson and W. H. Hall, Acta Metall. 1, 22
 * (1953), doi:10.1016/0001-6160(53)90006-6.
 *
 * β cos θ = K λ / L + 4 ε sin θ, with the integral breadth β (area over height, radians of 2θ) that the sample adds to
 * the instrument's. With K = 1, L is the volume-weighted mean length of the columns of cells along the normals of the
 * planes, for crystallites of any shape: A. R. Stokes and A. J. C. Wilson, Proc. Camb. Philos. Soc. 38, 313 (1942).
 * ε is their apparent strain Δd/d (Proc. Phys. Soc. 56, 174 (1944)): 1.25 times the root mean square of strains that
 * are distributed normally.
 */
import type { Broadening, LineBreadth } from './types.ts';

/** Scherrer constant for integral breadths; `SCHERRER_K` (0.9) is for full widths at half maximum. */
export const INTEGRAL_BREADTH_K = 1;

/** A size or strain is reported if it is this many e.s.d. above zero; otherwise a limit is reported. */
const SIGNIFICANT_ESDS = 3;

/** Relative error assumed for the breadth of a calibrated instrument. */
const CALIBRATION_ERROR = 0.1;

/** Minimum number of points for a straight line with a meaningful scatter. */
const LEAST_LINES = 4;

const RADIANS = Math.PI / 180;

/** Integral breadth of a pseudo-Voigt of full width `h` with the Lorentzian share `eta`. */
export const integralBreadth = (h: number, eta: number): number =>
  h / ((2 * eta) / Math.PI + 2 * (1 - eta) * Math.sqrt(Math.LN2 / Math.PI));

/** Integral breadth of a Lorentzian of full width `h`. */
export const lorentzBreadth = (h: number): number => (Math.PI / 2) * h;

interface Certain {
  readonly value: number;
  readonly esd: number;
}

interface Point {
  /** 4 sin θ */
  readonly s: number;
  /** β cos θ, radians */
  readonly y: number;
  readonly esd: number;
  /** β cos θ of the instrument, radians; undefined if it is unknown. */
  readonly instrument: number | undefined;
}

/** The point of a line in the Williamson–Hall plot; without a calibrated instrument β is the total breadth. */
export function williamsonHallPoint({
  twoThetaDeg,
  breadthDeg,
  instrumentDeg,
  sampleDeg,
}: LineBreadth): Point {
  const theta = (twoThetaDeg * RADIANS) / 2;
  const { value, esd = 0 } = sampleDeg ?? breadthDeg;
  const unit = RADIANS * Math.cos(theta);
  return {
    s: 4 * Math.sin(theta),
    y: unit * value,
    esd: unit * esd,
    instrument: instrumentDeg === undefined ? undefined : unit * instrumentDeg,
  };
}

/**
 * Size (nm) and strain of a phase from the breadths of its lines. If the points scatter about the straight line
 * by more than their own e.s.d., the e.s.d. of the results are increased accordingly. A size or strain less
 * than three e.s.d. above zero is given as a limit.
 * @param wavelength Å
 */
export function broadeningOf(lines: readonly LineBreadth[], wavelength: number): Broadening {
  const points = lines.map(williamsonHallPoint);
  const sizeOf = (intercept: number): number => (INTEGRAL_BREADTH_K * wavelength) / (10 * intercept);
  if (lines.length < LEAST_LINES) return { status: 'few-lines', lines };
  if (points.some(({ instrument }) => instrument === undefined)) {
    // The broadening by the sample is at most the total breadth of a line.
    const most = points.map(({ s, y, esd }) => ({ s, y: y + SIGNIFICANT_ESDS * esd }));
    return {
      status: 'uncalibrated',
      lines,
      sizeAtLeastNm: sizeOf(Math.min(...most.map(({ y }) => y))),
      strainAtMost: Math.min(...most.map(({ s, y }) => y / s)),
    };
  }
  const { intercept, slope, covariance, scatter } = straightLine(points);
  const common = { lines, intercept, slope, covariance, scatter };
  const mean = weightedMean(points, ({ y }) => y);
  const floor = CALIBRATION_ERROR * weightedMean(points, ({ instrument = 0 }) => instrument).value;
  if (mean.value < Math.max(floor, SIGNIFICANT_ESDS * mean.esd)) {
    const most = Math.max(floor, Math.max(0, mean.value) + SIGNIFICANT_ESDS * mean.esd);
    return {
      status: 'instrument-only',
      ...common,
      sizeAtLeastNm: sizeOf(most),
      strainAtMost: most / weightedMean(points, ({ s }) => s).value,
    };
  }
  const limit = ({ value, esd }: Certain): number => Math.max(0, value) + SIGNIFICANT_ESDS * esd;
  const isSeen = ({ value, esd }: Certain): boolean => value > SIGNIFICANT_ESDS * esd;
  const size = sizeOf(intercept.value);
  return {
    status: 'broadened',
    ...common,
    ...(isSeen(intercept)
      ? { sizeNm: { value: size, esd: (size * intercept.esd) / intercept.value } }
      : { sizeAtLeastNm: sizeOf(limit(intercept)) }),
    ...(isSeen(slope) ? { strain: slope } : { strainAtMost: limit(slope) }),
  };
}

function weightedMean(points: readonly Point[], of: (point: Point) => number): Certain {
  const weights = points.map(({ esd }) => 1 / esd ** 2);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const value = points.reduce((total, point, i) => total + weights[i] * of(point), 0) / sum;
  return { value, esd: 1 / Math.sqrt(sum) };
}

/**
 * Weighted least squares of y = intercept + slope · s. `scatter` is the root mean square distance of the points
 * in units of their e.s.d.
 */
function straightLine(points: readonly Point[]) {
  let [w, ws, wss, wy, wsy] = [0, 0, 0, 0, 0];
  for (const { s, y, esd } of points) {
    const weight = 1 / esd ** 2;
    w += weight;
    ws += weight * s;
    wss += weight * s * s;
    wy += weight * y;
    wsy += weight * s * y;
  }
  const determinant = w * wss - ws * ws;
  const slope = (w * wsy - ws * wy) / determinant;
  const intercept = (wss * wy - ws * wsy) / determinant;
  const squares = points.reduce((sum, { s, y, esd }) => sum + ((y - intercept - slope * s) / esd) ** 2, 0);
  const chiSquared = squares / (points.length - 2);
  const inflation = Math.max(1, chiSquared) / determinant;
  return {
    intercept: { value: intercept, esd: Math.sqrt(inflation * wss) },
    slope: { value: slope, esd: Math.sqrt(inflation * w) },
    covariance: -inflation * ws,
    scatter: Math.sqrt(chiSquared),
  };
}
