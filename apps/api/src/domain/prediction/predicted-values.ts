/** Predictions as they travel and are stored, and what disagrees with them. */
import {
  PREDICTED_PROPERTIES,
  PREDICTED_SCALE,
  type PredictedProperty,
  type PredictedValues,
} from '@unitcell/contract/prediction';
import { roundTo } from '@unitcell/numerics';
import type { Interval, Values } from '@unitcell/prediction';
import { kindsOf } from '../read-statement.ts';

/** Values are told to what they carry: a meV/atom, 0.01 eV, three figures of a modulus, three decimals of a probability. */
export const toThousandth = (x: number): number => roundTo(x, 3);
export const toHundredth = (x: number): number => roundTo(x, 2);
const toThreeFigures = (x: number): number => Number(x.toPrecision(3));

export const rounded = ({ value, low, high }: Interval, round: (x: number) => number): Interval => ({
  value: round(value),
  low: round(low),
  high: round(high),
});

export const predictedValuesOf = (prediction: Values): PredictedValues => ({
  formation_energy_per_atom: rounded(prediction.formationEnergyPerAtom, toThousandth),
  band_gap: rounded(prediction.bandGap, toHundredth),
  insulator_probability: toThousandth(prediction.insulatorProbability),
  bulk_modulus: rounded(prediction.bulkModulus, toThreeFigures),
  shear_modulus: rounded(prediction.shearModulus, toThreeFigures),
  familiarity: prediction.domain.familiarity,
});

/** What was calculated of a material on the scale the model learnt; null where nothing was. */
export type CalculatedValues = Readonly<Record<PredictedProperty, number | null>>;

interface Calculated {
  readonly functional: string | null;
  readonly energies: readonly {
    readonly functional: string;
    readonly formationEnergyPerAtom: number | null;
  }[];
  readonly bandGap: number | null;
  readonly bulkModulus: number | null;
  readonly shearModulus: number | null;
  /** What the material says of its elastic tensor: a sentence, or an object with `source` or `kind`. */
  readonly elasticSource: unknown;
}

/** Elastic constants are measured or calculated as their source says; those that do not say are imports of calculations. */
export function areModuliMeasured(elasticSource: unknown): boolean {
  const { source, kind }: { source?: unknown; kind?: unknown } =
    typeof elasticSource === 'object' && elasticSource !== null ? elasticSource : { source: elasticSource };
  return kind === 'measured' || (typeof source === 'string' && kindsOf(source).includes('measured'));
}

/** Of a material: energies of the model's scale alone, gaps of PBE alone (others are larger), moduli that were not measured. */
export const calculatedValues = ({
  functional,
  energies,
  bandGap,
  bulkModulus,
  shearModulus,
  elasticSource,
}: Calculated): CalculatedValues => ({
  formation_energy_per_atom:
    energies.find((energy) => energy.functional === PREDICTED_SCALE)?.formationEnergyPerAtom ?? null,
  band_gap: functional?.startsWith('PBE') ? bandGap : null,
  bulk_modulus: areModuliMeasured(elasticSource) ? null : bulkModulus,
  shear_modulus: areModuliMeasured(elasticSource) ? null : shearModulus,
});

export interface PredictionDisagreement {
  readonly property: PredictedProperty;
  readonly calculated: number;
  readonly low: number;
  readonly high: number;
  /** How far outside the interval, in widths of the half of it that it lies beyond. */
  readonly excess: number;
}

/** Where what was calculated lies outside the interval. One honest value in ten does. */
export function disagreementsOf(
  values: PredictedValues,
  calculated: CalculatedValues,
): PredictionDisagreement[] {
  return PREDICTED_PROPERTIES.flatMap((property) => {
    const found = calculated[property];
    const { value, low, high } = values[property];
    // Without a width the value is a definition (an element's formation energy), not a prediction.
    if (found === null || low === high || (found >= low && found <= high)) return [];
    const [beyond, half] = found < low ? [low - found, value - low] : [found - high, high - value];
    return [{ property, calculated: found, low, high, excess: beyond / Math.max(half, 1e-9) }];
  });
}
