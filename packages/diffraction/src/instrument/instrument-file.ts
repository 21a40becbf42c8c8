/** The result of the readers of instrument files, and functions that they share. */
import { damaged } from '../diffraction-error.ts';
import type { Probe } from '../radiation.ts';
import type { RadiationLine } from '../refinement/types.ts';

/** One scan as it is stored in the file. */
export interface InstrumentScan {
  /** The scanned axis as named in the file. */
  readonly axis: string;
  readonly isTwoTheta: boolean;
  /** Angles in degrees, if the scan is over 2θ. */
  readonly x: ArrayLike<number>;
  /** Intensities as stored. If the file does not apply the attenuators, the parser does. */
  readonly y: ArrayLike<number>;
  /** Standard deviations of the intensities, if the file states them. */
  readonly sigmas?: ArrayLike<number> | undefined;
  /** Intensity of one measured count at each point, if the counts were scaled (attenuator, counting time). */
  readonly perCount?: ArrayLike<number> | undefined;
  /** Counting time per step in seconds. */
  readonly stepSeconds?: number | undefined;
}

export interface InstrumentFile {
  /** The displayed name of the format: `Rigaku RAS`. */
  readonly format: string;
  /** Scans in the order of the file. */
  readonly scans: readonly InstrumentScan[];
  readonly anode?: string | undefined;
  /** Å */
  readonly kAlpha1?: number | undefined;
  /** Å */
  readonly kAlpha2?: number | undefined;
  /** Intensity of Kα2 relative to Kα1; 0 if Kα1 reached the sample alone. */
  readonly kAlphaRatio?: number | undefined;
  /** Undefined if the file does not state the radiation. */
  readonly probe?: Probe | undefined;
  /** Å, if the file states a single wavelength (a synchrotron, neutrons). */
  readonly wavelength?: number | undefined;
  /** Several wavelengths with their relative weights, strongest first, if the file states them. */
  readonly lines?: readonly RadiationLine[] | undefined;
  /** Several wavelengths (Å) whose relative weights are not known. */
  readonly unclearWavelengths?: readonly number[] | undefined;
  /** Whether the file states that the measurement was made with Kα1 alone. */
  readonly isKAlpha1?: boolean;
  /** Whether the file states that the measurement was made with Kβ; its wavelength may be missing. */
  readonly isKBeta?: boolean;
  /** Whether the file names Kα1 alone, but lists no optics in the incident beam that would remove Kα2. */
  readonly isKAlpha2Kept?: boolean;
  readonly monochromator?: string | undefined;
  /** The slit before the sample as named in the file: `Fixed slit 1/2°`, `1.250deg`. */
  readonly divergenceSlit?: string | undefined;
  /** Whether the divergence slit opens with the angle, so that the illuminated length is constant. */
  readonly isSlitVariable?: boolean;
}

/** The axis of neutrons that are sorted by their time of flight. */
export const TIME_OF_FLIGHT = 'time of flight';

/** Returns `count` angles with an even step. */
export const evenAngles = (first: number, step: number, count: number): Float64Array =>
  Float64Array.from({ length: count }, (_, i) => first + step * i);

/**
 * Factors that convert the counts of each point to the mean counting time; 1 if all times are equal or one is
 * unknown.
 */
export function perMeanTime(seconds: readonly number[]): number[] {
  const mean = seconds.reduce((sum, time) => sum + time, 0) / seconds.length;
  const isVaried = seconds.every((time) => time > 0) && seconds.some((time) => time !== seconds[0]);
  return seconds.map((time) => (isVaried ? mean / time : 1));
}

/** The positive number in a text, or undefined. */
export function positive(text: string | number | null | undefined): number | undefined {
  const value = Number(text ?? Number.NaN);
  return value > 0 && Number.isFinite(value) ? value : undefined;
}

/** The number in a text if it is a ratio, which may be 0; undefined for other texts. */
export function ratio(text: string | number | null | undefined): number | undefined {
  const value = Number.parseFloat(String(text));
  return value >= 0 && Number.isFinite(value) ? value : undefined;
}

/**
 * The numbers of a text, separated by blanks.
 * @throws DiffractionError `unreadable-pattern` for a word that is not a number.
 */
export function numbersOf(text: string, format: string): number[] {
  const words = text.trim().split(/\s+/);
  const numbers = words[0] === '' ? [] : words.map(Number);
  if (numbers.some((value) => !Number.isFinite(value))) throw damaged(format);
  return numbers;
}

/** Text of a file for display: short, on one line; undefined if nothing remains. */
export const words = (text: string | null | undefined): string | undefined =>
  text
    ?.slice(0, 80)
    .replaceAll(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, ' ')
    .trim() || undefined;
