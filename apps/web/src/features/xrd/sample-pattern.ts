/**
 * A simulated laboratory measurement from calculated reflections: background, an amorphous hump and counting noise. For
 * visitors without a measurement. Deterministic for the same reflections.
 */
import { angleGrid, profile, REFERENCE_WAVELENGTH } from '@unitcell/diffraction';
import { seededRandom } from '@unitcell/numerics';

export interface CalculatedPeak {
  readonly twoThetaDeg: number;
  readonly intensity: number;
}

const RANGE_DEG = [10, 80] as const;
const STEP_DEG = 0.02;
const CRYSTALLITE_SIZE_NM = 60;
/** Counts at the strongest point. */
const COUNTS = 12_000;
const SEED = 20_210_201;

/** Air scatter that decreases with the angle, fluorescence, and the hump of a glass holder. */
const backgroundCounts = (angle: number): number =>
  700 * Math.exp((RANGE_DEG[0] - angle) / 14) + 120 + 300 * Math.exp(-(((angle - 24) / 9) ** 2));

/** Angles in degrees (Cu Kα) and counts. */
export function samplePattern(peaks: readonly CalculatedPeak[]): { x: number[]; y: number[] } {
  const random = seededRandom(SEED);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const grid = angleGrid(RANGE_DEG[0], RANGE_DEG[1], STEP_DEG);
  const shape = profile(peaks, {
    crystalliteSizeNm: CRYSTALLITE_SIZE_NM,
    wavelength: REFERENCE_WAVELENGTH,
    grid,
  });
  const x = Array.from(grid, (angle) => Number(angle.toFixed(3)));
  const y = x.map((angle, index) => {
    const expected = (COUNTS * (shape[index] ?? 0)) / 100 + backgroundCounts(angle);
    return Math.max(0, Math.round(expected + Math.sqrt(expected) * normal()));
  });
  return { x, y };
}

/** The text of a two-column file. */
export const patternText = ({
  x,
  y,
}: {
  readonly x: readonly number[];
  readonly y: readonly number[];
}): string => x.map((angle, index) => `${angle.toFixed(2)} ${y[index]}`).join('\n');
