/** A list of spacings and intensities, as tables of reference cards give it, and the pattern drawn from it. */
import { angleGrid, profile } from './profile.ts';

export interface ListedLine {
  /** Å */
  readonly d: number;
  /** Intensity, in any unit. */
  readonly intensity: number;
}

const STEP_DEG = 0.02;
const CRYSTALLITE_SIZE_NM = 60;
const MARGIN_DEG = 3;
/** Widest range of a pattern, degrees. */
const RANGE_DEG = [2, 165] as const;

/**
 * The pattern of a list of spacings: lines with the width of 60 nm crystallites at their Bragg angles, in steps of
 * 0.02° from 3° below the first line to 3° above the last one.
 * @param wavelength Å
 * @returns angles in degrees, and intensities with the strongest point at 100; null if no line is visible at the wavelength
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
