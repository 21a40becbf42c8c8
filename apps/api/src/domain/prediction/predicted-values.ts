/** Predicted values as they are sent and stored, and the differences between predicted and calculated values. */
import {
  PREDICTED_PROPERTIES,
  PREDICTED_SCALE,
  type PredictedProperty,
  type PredictedValues,
} from '@unitcell/contract/prediction';
import { isRecord } from '@unitcell/material';
import { roundTo } from '@unitcell/numerics';
import type { Interval, Values } from '@unitcell/prediction';
import { isQuoted, kindsOf, sourceOf } from '../read-statement.ts';

/**
 * Rounding to the significant digits: 1 meV/atom, 0.01 eV, three digits of a modulus, three decimals of a
 * probability.
 */
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

/** Calculated values of a material on the model's energy scale; null where there are none. */
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
  /**
   * What the material's provenance states about its elastic tensor: a sentence, or an object with `source` or
   * `kind`.
   */
  readonly elasticSource: unknown;
}

/**
 * Whether elastic constants are calculated: true unless the source says otherwise, because imports without a
 * source are calculated.
 */
export function areModuliCalculated(elasticSource: unknown): boolean {
  const source = sourceOf(elasticSource);
  const isMeasured = isRecord(elasticSource) && elasticSource.kind === 'measured';
  return !isMeasured && !isQuoted(source) && !kindsOf(source).includes('measured');
}

/**
 * Values comparable with predictions: energies on the model's scale, PBE gaps (gaps of other functionals are
 * larger), and calculated moduli.
 */
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
  bulk_modulus: areModuliCalculated(elasticSource) ? bulkModulus : null,
  shear_modulus: areModuliCalculated(elasticSource) ? shearModulus : null,
});

export interface PredictionDisagreement {
  readonly property: PredictedProperty;
  readonly calculated: number;
  readonly low: number;
  readonly high: number;
  /**
   * Distance of the calculated value from the interval, divided by the half-width of the interval on that
   * side.
   */
  readonly excess: number;
}

/** Calculated values outside the predicted interval. One in ten correct values is expected outside. */
export function disagreementsOf(
  values: PredictedValues,
  calculated: CalculatedValues,
): PredictionDisagreement[] {
  return PREDICTED_PROPERTIES.flatMap((property) => {
    const found = calculated[property];
    const { value, low, high } = values[property];
    // A zero width means a definition (an element's formation energy), not a prediction.
    if (found === null || low === high || (found >= low && found <= high)) return [];
    const [beyond, half] = found < low ? [low - found, value - low] : [found - high, high - value];
    return [{ property, calculated: found, low, high, excess: beyond / Math.max(half, 1e-9) }];
  });
}
