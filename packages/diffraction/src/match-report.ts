/**
 * What a hit explains of a measured pattern, said plainly: matched share, unexplained peaks, whether to believe it;
 * and the pattern that is left when the hit's share is taken away.
 */
import type { PatternLines } from './packed-pattern.ts';
import { INSTRUMENT_WIDTH_DEG, type MeasuredPeak, scherrerWidthDeg } from './peaks.ts';
import { profile } from './profile.ts';
import { lorentzPolarisation, REFERENCE_WAVELENGTH, twoThetaDegOf } from './radiation.ts';

/**
 * A measured peak is explained when a line of the reference with at least LINE_SHARE of the peak's relative
 * intensity lies within this many widths (FWHM) of it, and never less than MIN_PEAK_TOLERANCE_DEG.
 */
export const PEAK_TOLERANCE_WIDTHS = 1;

/** Smallest tolerance of a position, degrees: sample displacement and the anisotropic error of computed cells. */
export const MIN_PEAK_TOLERANCE_DEG = 0.25;

/** Texture changes intensities by factors of several, so a line may be this much weaker than the peak it explains. */
export const LINE_SHARE = 0.1;

/** Matched share of the measured peaks (by area) from which a match is called confident. */
export const CONFIDENT_SHARE = 0.85;

/** Distance (see searchPatterns) above which no match is called confident, whatever the peaks say. */
export const CONFIDENT_DISTANCE = 0.6;

/** Matched share from which a match is called possible; below it there is no confident match at all. */
export const POSSIBLE_SHARE = 0.6;

export type Confidence = 'confident' | 'possible' | 'none';

export interface MatchReport {
  /** Share of the measured peak area that lines of the reference explain, 0 to 1. */
  readonly matchedShare: number;
  /** Measured peaks without a line, strongest first. */
  readonly unexplainedPeaks: readonly MeasuredPeak[];
  readonly confidence: Confidence;
  /** Lines of the reference as they should appear in the measurement, in order of angle. */
  readonly lines: readonly { readonly twoThetaDeg: number; readonly intensity: number }[];
}

export interface ReportOptions {
  /** Å; of the measurement. */
  readonly wavelength: number;
  /** Strain of the hit. */
  readonly strain: number;
  /** Distance of the hit, when there is one to judge. */
  readonly distance?: number;
}

/** Lines of a reference at the measuring wavelength with its cell scaled by 1 + strain; the strongest is 100. */
export function strainedLines(
  reference: PatternLines,
  wavelength: number,
  strain: number,
): { twoThetaDeg: number; intensity: number }[] {
  const lines: { twoThetaDeg: number; intensity: number }[] = [];
  for (let i = 0; i < reference.dSpacings.length; i++) {
    const d = reference.dSpacings[i] * (1 + strain);
    const twoThetaDeg = twoThetaDegOf(d, wavelength);
    const atReference = twoThetaDegOf(d, REFERENCE_WAVELENGTH);
    if (!(twoThetaDeg < 179) || !(atReference < 179)) continue;
    const correction = lorentzPolarisation(twoThetaDeg) / lorentzPolarisation(atReference);
    lines.push({ twoThetaDeg, intensity: reference.intensities[i] * correction });
  }
  const highest = lines.reduce((best, line) => Math.max(best, line.intensity), 0);
  return lines
    .map((line) => ({ ...line, intensity: (100 * line.intensity) / highest }))
    .sort((a, b) => a.twoThetaDeg - b.twoThetaDeg);
}

function confidenceOf(matchedShare: number, distance: number): Confidence {
  if (matchedShare >= CONFIDENT_SHARE && distance <= CONFIDENT_DISTANCE) return 'confident';
  return matchedShare >= POSSIBLE_SHARE ? 'possible' : 'none';
}

/**
 * Compares the peaks found in a measurement with the lines of a reference.
 * @example matchReport(query.peaks, unpackPattern(bytes), { wavelength, strain: hit.strain, distance: hit.distance })
 */
export function matchReport(
  peaks: readonly MeasuredPeak[],
  reference: PatternLines,
  options: ReportOptions,
): MatchReport {
  const lines = strainedLines(reference, options.wavelength, options.strain);
  const largestArea = peaks.reduce((best, peak) => Math.max(best, peak.area), 0);
  const total = peaks.reduce((sum, peak) => sum + peak.area, 0);
  const unexplained: MeasuredPeak[] = [];
  let matched = 0;
  for (const peak of peaks) {
    const tolerance = Math.max(MIN_PEAK_TOLERANCE_DEG, PEAK_TOLERANCE_WIDTHS * peak.widthDeg);
    const needed = (LINE_SHARE * 100 * peak.area) / largestArea;
    let near = 0;
    for (const line of lines)
      if (Math.abs(line.twoThetaDeg - peak.twoThetaDeg) <= tolerance) near += line.intensity;
    if (near >= needed && near > 0) matched += peak.area;
    else unexplained.push(peak);
  }
  const matchedShare = total > 0 ? matched / total : 0;
  return {
    matchedShare,
    unexplainedPeaks: unexplained.sort((a, b) => b.area - a.area),
    confidence: confidenceOf(matchedShare, options.distance ?? 0),
    lines,
  };
}

/** Percentile of the ratios measured / calculated that sets the scale of a subtracted phase: other phases only add. */
const SUBTRACTION_QUANTILE = 0.4;

/** Half width, in FWHM, of the zone cleared around a line that carried most of what is there. */
const CLEARED_WIDTHS = 2;

/**
 * What is left of a measurement (background removed) when a phase is taken away, for the next search.
 *
 * The calculated profile is scaled to the lower part of the ratios measured / calculated at its own lines, because
 * overlapping phases only raise them. Around each of its lines the measurement is then lowered by the scaled profile,
 * and set to zero where the line carried most of what is there: wrong intensities must not leave ghosts.
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
  const lines = strainedLines(reference, wavelength, options.strain).filter(
    (line) => line.twoThetaDeg >= first && line.twoThetaDeg <= last,
  );
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
