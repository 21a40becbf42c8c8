/** A list of spacings and intensities, as tables of reference cards give it, and the pattern drawn from it. */
import { angleGrid, profile } from '@unitcell/diffraction';

export interface ListedLine {
  /** Å */
  readonly d: number;
  /** Of any scale. */
  readonly intensity: number;
}

export type LineList =
  | { readonly kind: 'empty' }
  | { readonly kind: 'lines'; readonly lines: readonly ListedLine[] }
  /** `line` counts from 1. */
  | { readonly kind: 'wrong'; readonly line: number; readonly text: string };

/** Å; a reference card has lines between these spacings. */
const SPACINGS = { min: 0.4, max: 100 } as const;

/** One line each: spacing and intensity, separated by spaces, tabs, commas or semicolons. More columns are ignored. */
export function readLineList(text: string): LineList {
  const lines: ListedLine[] = [];
  for (const [index, row] of text.split('\n').entries()) {
    const trimmed = row.trim();
    if (trimmed === '' || trimmed.startsWith('#')) continue;
    const [d = Number.NaN, intensity = Number.NaN] = trimmed.split(/[\s,;]+/).map(Number);
    if (!(d >= SPACINGS.min && d <= SPACINGS.max && intensity >= 0 && intensity < Infinity))
      return { kind: 'wrong', line: index + 1, text: trimmed.slice(0, 40) };
    lines.push({ d, intensity });
  }
  return lines.some(({ intensity }) => intensity > 0) ? { kind: 'lines', lines } : { kind: 'empty' };
}

const STEP_DEG = 0.02;
const CRYSTALLITE_SIZE_NM = 60;
const MARGIN_DEG = 3;
/** Widest range of a pattern, degrees. */
const RANGE_DEG = [2, 165] as const;

/**
 * Angles in degrees, and intensities with the strongest point at 100; null if no line is visible at the wavelength.
 * @param wavelength Å
 */
export function patternOfLines(
  lines: readonly ListedLine[],
  wavelength: number,
): { x: number[]; y: number[] } | null {
  const peaks = lines.flatMap(({ d, intensity }) => {
    const sine = wavelength / (2 * d);
    const twoThetaDeg = (360 / Math.PI) * Math.asin(Math.min(1, sine));
    return intensity > 0 && twoThetaDeg > RANGE_DEG[0] && twoThetaDeg < RANGE_DEG[1]
      ? [{ twoThetaDeg, intensity }]
      : [];
  });
  if (peaks.length === 0) return null;
  const angles = peaks.map(({ twoThetaDeg }) => twoThetaDeg);
  const from = Math.max(RANGE_DEG[0], Math.floor(Math.min(...angles) - MARGIN_DEG));
  const to = Math.min(RANGE_DEG[1], Math.ceil(Math.max(...angles) + MARGIN_DEG));
  const grid = angleGrid(from, to, STEP_DEG);
  const shape = profile(peaks, { crystalliteSizeNm: CRYSTALLITE_SIZE_NM, wavelength, grid });
  return {
    x: Array.from(grid, (angle) => Number(angle.toFixed(3))),
    y: Array.from(shape, (value) => Number(value.toFixed(4))),
  };
}
