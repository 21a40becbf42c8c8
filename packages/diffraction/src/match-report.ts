/**
 * Computes how well a candidate explains a measured pattern, how well the measurement confirms the candidate, and the
 * pattern that remains after the candidate is subtracted.
 *
 * "Explained" has one meaning everywhere: the share of the measured intensity (sum of the integrated
 * intensities of the peaks) in peaks that have a line of the candidate within the tolerance.
 */
import type { PatternLines } from './packed-pattern.ts';
import { INSTRUMENT_WIDTH_DEG, type MeasuredPeak, scherrerWidthDeg } from './peaks.ts';
import { profile } from './profile.ts';
import { lorentzPolarisation, REFERENCE_WAVELENGTH, twoThetaDegOf } from './radiation.ts';

/**
 * A measured peak is explained if lines of the reference with at least LINE_SHARE of the peak's relative intensity are
 * within this many widths (FWHM) of it, or within MIN_PEAK_TOLERANCE_DEG.
 */
export const PEAK_TOLERANCE_WIDTHS = 1;

/** Smallest position tolerance, degrees; allows for sample displacement and the anisotropic error of computed cells. */
export const MIN_PEAK_TOLERANCE_DEG = 0.25;

/**
 * Texture changes intensities by factors of several, so a line may be weaker by this factor than the peak it
 * explains.
 */
export const LINE_SHARE = 0.1;

/** A line of a reference at its expected position and intensity in a measurement; the strongest line is 100. */
export interface ReferenceLine {
  readonly twoThetaDeg: number;
  readonly intensity: number;
}

export interface MatchReport {
  /** Share of the measured intensity that lines of the reference explain, 0 to 1. */
  readonly explained: number;
  /**
   * Share of the reference's intensity within the measured range that measured peaks confirm, 0 to 1. Lines
   * weaker than the weakest peak are not expected.
   */
  readonly confirmed: number;
  /** Measured peaks without a line, strongest first. */
  readonly unexplainedPeaks: readonly MeasuredPeak[];
}

export interface ReportOptions {
  /** Wavelength of the measurement, Å. */
  readonly wavelength: number;
  /** Strain of the hit. */
  readonly strain: number;
  /** Measured angles, degrees; lines outside are not expected. Default: all angles. */
  readonly range?: readonly [number, number];
}

/**
 * Lines of a reference at the wavelength of the measurement, with its cell scaled by 1 + strain, within the range of
 * angles (degrees; default all). The strongest of them is 100.
 */
export function strainedLines(
  reference: PatternLines,
  wavelength: number,
  strain: number,
  [from, to]: readonly [number, number] = [0, 179],
): ReferenceLine[] {
  const lines: ReferenceLine[] = [];
  for (let i = 0; i < reference.dSpacings.length; i++) {
    const d = reference.dSpacings[i] * (1 + strain);
    const twoThetaDeg = twoThetaDegOf(d, wavelength);
    const atReference = twoThetaDegOf(d, REFERENCE_WAVELENGTH);
    if (!(twoThetaDeg < 179) || !(atReference < 179) || twoThetaDeg < from || twoThetaDeg > to) continue;
    const correction = lorentzPolarisation(twoThetaDeg) / lorentzPolarisation(atReference);
    lines.push({ twoThetaDeg, intensity: reference.intensities[i] * correction });
  }
  const highest = lines.reduce((best, line) => Math.max(best, line.intensity), 0);
  return lines
    .map((line) => ({ ...line, intensity: (100 * line.intensity) / highest }))
    .sort((a, b) => a.twoThetaDeg - b.twoThetaDeg);
}

/** Distance within which a line and a measured peak coincide, degrees. */
const toleranceOf = ({ widthDeg }: MeasuredPeak): number =>
  Math.max(MIN_PEAK_TOLERANCE_DEG, PEAK_TOLERANCE_WIDTHS * widthDeg);

const largestArea = (peaks: readonly MeasuredPeak[]): number =>
  peaks.reduce((best, peak) => Math.max(best, peak.area), 0);

/**
 * Share of the measured intensity that the lines of one or more phases explain (0 without peaks), and the
 * unexplained peaks, strongest first. The strongest line of each phase is 100.
 */
export function explainedBy(
  peaks: readonly MeasuredPeak[],
  phases: readonly (readonly ReferenceLine[])[],
): { readonly share: number; readonly unexplained: MeasuredPeak[] } {
  const strongest = largestArea(peaks);
  let total = 0;
  let explained = 0;
  const unexplained: MeasuredPeak[] = [];
  for (const peak of peaks) {
    const tolerance = toleranceOf(peak);
    const needed = (LINE_SHARE * 100 * peak.area) / strongest;
    total += peak.area;
    const isExplained = phases.some((lines) => {
      let near = 0;
      for (const line of lines)
        if (Math.abs(line.twoThetaDeg - peak.twoThetaDeg) <= tolerance) near += line.intensity;
      return near > 0 && near >= needed;
    });
    if (isExplained) explained += peak.area;
    else unexplained.push(peak);
  }
  return {
    share: total > 0 ? explained / total : 0,
    unexplained: unexplained.sort((a, b) => b.area - a.area),
  };
}

/** Share of the intensity of the lines that coincide with a peak of at least LINE_SHARE of their intensity. */
function confirmedShare(lines: readonly ReferenceLine[], peaks: readonly MeasuredPeak[]): number {
  const strongest = largestArea(peaks);
  const weakest = peaks.reduce((least, peak) => Math.min(least, (100 * peak.area) / strongest), 100);
  let expected = 0;
  let confirmed = 0;
  for (const { twoThetaDeg, intensity } of lines) {
    if (intensity < weakest) continue;
    expected += intensity;
    const isSeen = peaks.some(
      (peak) =>
        Math.abs(peak.twoThetaDeg - twoThetaDeg) <= toleranceOf(peak) &&
        (100 * peak.area) / strongest >= LINE_SHARE * intensity,
    );
    if (isSeen) confirmed += intensity;
  }
  return expected > 0 ? confirmed / expected : 0;
}

/**
 * Compares the peaks found in a measurement with the lines of a reference.
 * @example matchReport(query.peaks, unpackPattern(bytes), { wavelength, strain: hit.strain, range: [5, 65] })
 */
export function matchReport(
  peaks: readonly MeasuredPeak[],
  reference: PatternLines,
  { wavelength, strain, range }: ReportOptions,
): MatchReport {
  const lines = strainedLines(reference, wavelength, strain, range);
  const { share, unexplained } = explainedBy(peaks, [lines]);
  return { explained: share, confirmed: confirmedShare(lines, peaks), unexplainedPeaks: unexplained };
}

/**
 * Quantile of the ratios measured / calculated that sets the scale of a subtracted phase; it is low because other
 * phases only increase the ratio.
 */
const SUBTRACTION_QUANTILE = 0.4;

/** Half width, in FWHM, of the zone cleared around a line that dominates the intensity there. */
const CLEARED_WIDTHS = 2;

/**
 * The remainder of a measurement (background removed) after subtracting a phase, for the next search.
 *
 * The calculated profile is scaled to the lower part of the ratios measured / calculated at its own lines, because
 * overlapping phases only raise them. The scaled profile is then subtracted around each line. The result is set to zero
 * where the line dominates, because wrong intensities must not leave residual peaks.
 */
export function explainTheRest(
  x: ArrayLike<number>,
  y: ArrayLike<number>,
  reference: PatternLines,
  options: ReportOptions & { readonly crystalliteSizeNm: number },
): Float64Array {
  const { wavelength, crystalliteSizeNm } = options;
  const first = x[0];
  const last = x[x.length - 1];
  const lines = strainedLines(reference, wavelength, options.strain, [first, last]);
  const calculated = profile(lines, { crystalliteSizeNm, wavelength, grid: x });
  const widthAt = (angle: number): number =>
    Math.hypot(scherrerWidthDeg(crystalliteSizeNm, angle, wavelength), INSTRUMENT_WIDTH_DEG);
  const windowSums = (angle: number, half: number): [number, number] => {
    const sums: [number, number] = [0, 0];
    for (let i = lowerBound(x, angle - half); i < x.length && x[i] <= angle + half; i++) {
      sums[0] += y[i];
      sums[1] += calculated[i];
    }
    return sums;
  };
  const ratios = lines
    .filter((line) => line.intensity >= 5)
    .map((line) => {
      const [observed, expected] = windowSums(
        line.twoThetaDeg,
        Math.max(MIN_PEAK_TOLERANCE_DEG, widthAt(line.twoThetaDeg)),
      );
      return { ratio: expected > 0 ? observed / expected : 0, weight: line.intensity };
    })
    .sort((a, b) => a.ratio - b.ratio);
  const half = ratios.reduce((sum, one) => sum + one.weight, 0) * SUBTRACTION_QUANTILE;
  let carried = 0;
  const scale = ratios.find((one) => (carried += one.weight) >= half)?.ratio ?? 0;
  const rest = Float64Array.from(y, (value, i) => Math.max(0, value - scale * calculated[i]));
  for (const line of lines) {
    const reach = CLEARED_WIDTHS * widthAt(line.twoThetaDeg);
    const [observed, expected] = windowSums(line.twoThetaDeg, reach);
    if (scale * expected < observed / 2) continue;
    for (
      let i = lowerBound(x, line.twoThetaDeg - reach);
      i < x.length && x[i] <= line.twoThetaDeg + reach;
      i++
    )
      rest[i] = 0;
  }
  return rest;
}

function lowerBound(x: ArrayLike<number>, value: number): number {
  let low = 0;
  let high = x.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (x[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
