/** What the network says of a crystal, wherever it is shown. */
import { z } from 'zod';

/** A predicted value and the interval that holds the true one in nine of ten unseen chemical systems. */
export const predictedInterval = z.object({ value: z.number(), low: z.number(), high: z.number() });
export type PredictedInterval = z.infer<typeof predictedInterval>;

export const predictedValues = z.object({
  /** eV/atom, PBE and PBE+U in the scheme of the Materials Project of 2018. */
  formation_energy_per_atom: predictedInterval,
  /** eV, PBE: smaller than a measured gap. */
  band_gap: predictedInterval,
  /** That PBE gives a gap at all, 0 to 1. */
  insulator_probability: z.number(),
  /** GPa, Voigt-Reuss-Hill. */
  bulk_modulus: predictedInterval,
  shear_modulus: predictedInterval,
  /** Where the crystal lies among those of the training: near them, at their edge, or outside, where values are not to be trusted. */
  familiarity: z.enum(['near', 'edge', 'outside']),
});
export type PredictedValues = z.infer<typeof predictedValues>;

/** The predicted properties that have an interval. */
export const PREDICTED_PROPERTIES = [
  'formation_energy_per_atom',
  'band_gap',
  'bulk_modulus',
  'shear_modulus',
] as const;
export type PredictedProperty = (typeof PREDICTED_PROPERTIES)[number];

/** The energy scale that the network learnt: its energies are compared with those of this scale. */
export const PREDICTED_SCALE = 'PBE (MP 2018)';
