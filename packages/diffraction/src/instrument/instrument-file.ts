/** What the readers of instruments' files give, and what they share. */
import { damaged } from '../unreadable.ts';

/** One scan, as the file holds it. */
export interface InstrumentScan {
  /** The scanned axis in the words of the file. */
  readonly axis: string;
  readonly isTwoTheta: boolean;
  /** Degrees when it is a scan over 2θ. */
  readonly x: ArrayLike<number>;
  /** As stored, with attenuators taken into account where the file leaves that to the reader. */
  readonly y: ArrayLike<number>;
  /** Counting time of a step in seconds. */
  readonly stepSeconds?: number | undefined;
}

export interface InstrumentFile {
  /** The name of the format as shown: `Rigaku RAS`. */
  readonly format: string;
  /** In the order of the file. */
  readonly scans: readonly InstrumentScan[];
  readonly anode?: string | undefined;
  /** Å */
  readonly kAlpha1?: number | undefined;
  /** Å */
  readonly kAlpha2?: number | undefined;
  /** Intensity of Kα2 relative to Kα1. */
  readonly kAlphaRatio?: number | undefined;
  /** Å, where the file names only one: a synchrotron, neutrons. */
  readonly wavelength?: number | undefined;
  /** The measurement was made with Kα1 alone, in the words of the file. */
  readonly isKAlpha1?: boolean;
  readonly monochromator?: string | undefined;
  /** The slit before the sample in the words of the file: `Fixed slit 1/2°`, `1.250deg`. */
  readonly divergenceSlit?: string | undefined;
  /** That slit opens with the angle, so that the illuminated length stays the same. */
  readonly isSlitVariable?: boolean;
}

/** `count` angles with an even step. */
export const evenAngles = (first: number, step: number, count: number): Float64Array =>
  Float64Array.from({ length: count }, (_, i) => first + step * i);

/** A positive number in a text, or undefined. */
export function positive(text: string | number | null | undefined): number | undefined {
  const value = Number(text ?? Number.NaN);
  return value > 0 && Number.isFinite(value) ? value : undefined;
}

/**
 * The numbers of a text, separated by blanks.
 * @throws DiffractionError `unreadable-pattern` for a word that is no number.
 */
export function numbersOf(text: string, format: string): number[] {
  const words = text.trim().split(/\s+/);
  const numbers = words[0] === '' ? [] : words.map(Number);
  if (numbers.some((value) => !Number.isFinite(value))) throw damaged(format);
  return numbers;
}

/** Words of a file for people: short, on one line; undefined when nothing is left. */
export const words = (text: string | null | undefined): string | undefined =>
  text
    ?.slice(0, 80)
    .replaceAll(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, ' ')
    .trim() || undefined;
