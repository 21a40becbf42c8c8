/** Statistics of volumetric data, and the levels at which surfaces are drawn. */
import { cellVolume, type Volume } from '@unitcell/crystal';
import { scientificText } from '../../lib/scientific.ts';

/** Number of bins, which cover six decades below the largest magnitude. */
const BINS = 3000;
const DECADES = 6;

export interface VolumeNumbers {
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  /** Largest and smallest magnitude. */
  readonly largest: number;
  readonly smallest: number;
  /**
   * Share of the integral of the magnitude that lies above the lower end of each bin. Bins are ordered from the largest
   * magnitude down.
   */
  readonly shares: readonly number[];
}

const binOf = (magnitude: number, largest: number): number =>
  magnitude <= 0
    ? BINS - 1
    : Math.min(BINS - 1, Math.max(0, Math.floor((-Math.log10(magnitude / largest) / DECADES) * BINS)));

export function volumeNumbers(values: Float32Array): VolumeNumbers {
  let [min, max, sum, smallest] = [Infinity, -Infinity, 0, Infinity];
  for (const value of values) {
    if (value < min) min = value;
    if (value > max) max = value;
    const size = Math.abs(value);
    if (size < smallest) smallest = size;
    sum += value;
  }
  const largest = Math.max(Math.abs(min), Math.abs(max));
  const bins = new Float64Array(BINS);
  let total = 0;
  if (largest > 0)
    for (const value of values) {
      const bin = binOf(Math.abs(value), largest);
      bins[bin] = (bins[bin] ?? 0) + Math.abs(value);
      total += Math.abs(value);
    }
  let above = 0;
  const shares = Array.from(bins, (part) => {
    above += part;
    return total > 0 ? above / total : 0;
  });
  return { min, max, mean: sum / values.length, largest, smallest, shares };
}

/** Share of the integral of the magnitude where the magnitude exceeds the level. */
export const enclosedShare = ({ shares, largest }: VolumeNumbers, level: number): number =>
  level >= largest ? 0 : (shares[binOf(level, largest)] ?? 0);

/** The level whose surface encloses a share of the integral of the magnitude. */
export function enclosingLevel({ shares, largest }: VolumeNumbers, share: number): number {
  const bin = shares.findIndex((enclosed) => enclosed >= share);
  return largest * 10 ** ((-DECADES * (bin + 0.5)) / BINS);
}

/** Share of the integral that the first surface of a density encloses. */
export const FIRST_SHARE = 0.5;
/** Electrons count as localised above this value of the ELF. */
const FIRST_ELF = 0.8;

export function firstLevel(quantity: Volume['quantity'], numbers: VolumeNumbers): number {
  if (quantity === 'elf' && numbers.max > FIRST_ELF) return FIRST_ELF;
  return enclosingLevel(numbers, FIRST_SHARE);
}

/** Values of the other sign are noise up to this share of the largest magnitude; above it, both signs get a surface. */
const NOISE = 1e-3;

export const signsOf = ({ min, max, largest }: VolumeNumbers): readonly (1 | -1)[] => [
  ...(max > NOISE * largest ? [1 as const] : []),
  ...(min < -NOISE * largest ? [-1 as const] : []),
];

export interface LevelScale {
  readonly isLogarithmic: boolean;
  readonly from: number;
  readonly to: number;
}

/** Densities fall by orders of magnitude away from the nuclei; the ELF and potentials do not. */
export function levelScale(quantity: Volume['quantity'], { largest, smallest }: VolumeNumbers): LevelScale {
  const isLogarithmic = quantity === 'charge-density' || quantity === 'unknown';
  return { isLogarithmic, from: isLogarithmic ? Math.max(smallest, largest * 1e-5) : smallest, to: largest };
}

/** Number of steps of the level slider. */
export const LEVEL_STEPS = 200;

export function levelAt({ isLogarithmic, from, to }: LevelScale, step: number): number {
  const part = step / LEVEL_STEPS;
  return isLogarithmic ? from * (to / from) ** part : from + (to - from) * part;
}

export function stepOf({ isLogarithmic, from, to }: LevelScale, level: number): number {
  if (!(to > from)) return 0;
  const part = isLogarithmic ? Math.log(level / from) / Math.log(to / from) : (level - from) / (to - from);
  return Math.round(LEVEL_STEPS * Math.min(1, Math.max(0, part)));
}

/** Electrons, magnetic moment or plain integral in the cell. */
export const integralOf = ({ structure }: Pick<Volume, 'structure'>, { mean }: VolumeNumbers): number =>
  mean * cellVolume(structure.latticeVectors);

/** Four significant digits with a true minus sign; powers of ten instead of many zeros. */
export function shortValue(value: number): string {
  const size = Math.abs(value);
  const rounded = Number(value.toPrecision(4));
  const text = size === 0 || (size >= 1e-3 && size < 1e5) ? String(rounded) : scientificText(rounded);
  return text.replaceAll('-', '\u2212');
}
