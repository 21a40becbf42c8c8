/**
 * Stored values of the interatomic potential. This module does not import the calculation, which is loaded
 * only in a thread.
 */
import type { PotentialDetails, PotentialValues } from '@unitcell/contract/prediction';

/** The stored values of a crystal. Without `model` the crystal was refused before the potential ran. */
export type DerivedValues = Omit<PotentialValues, 'model' | 'max_force' | keyof PotentialDetails> & {
  readonly model: string | null;
  readonly max_force: number | null;
  readonly details: PotentialDetails | null;
};

export const NO_VALUES: DerivedValues = {
  model: null,
  max_force: null,
  volume_change: null,
  bulk_modulus: null,
  shear_modulus: null,
  debye_temperature: null,
  lowest_frequency: null,
  heat_capacity: null,
  details: null,
  refusal: '',
};
