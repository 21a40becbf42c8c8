/** What the network says of a crystal, wherever it is shown. */
import { z } from 'zod';
import { unit } from '../field-meta.ts';

/** A predicted value and the interval that holds the true one in nine of ten unseen chemical systems. */
export const predictedInterval = (symbol: string | null, meaning: string) =>
  z
    .object({
      value: z.number().meta(unit(symbol, 'The predicted value.')),
      low: z.number().meta(unit(symbol, 'Lower end of the 90 % interval.')),
      high: z.number().meta(unit(symbol, 'Upper end of the 90 % interval.')),
    })
    .meta(unit(symbol, meaning));
export type PredictedInterval = z.infer<ReturnType<typeof predictedInterval>>;

export const predictedValues = z.object({
  formation_energy_per_atom: predictedInterval(
    'eV/atom',
    'Predicted formation energy from the elements, PBE and PBE+U in the scheme of the Materials Project of 2018. Of an element it is not predicted: 0 by definition, with both ends of the interval at 0.',
  ),
  band_gap: predictedInterval('eV', 'Predicted band gap of PBE, which is smaller than a measured one.'),
  insulator_probability: z
    .number()
    .describe(
      'Probability that PBE gives a gap at all, 0 to 1. Below 0.5 beside a band gap of 0.1 eV or more the network contradicts itself, and the gap is hardly known.',
    ),
  bulk_modulus: predictedInterval('GPa', 'Predicted bulk modulus, Voigt-Reuss-Hill mean.'),
  shear_modulus: predictedInterval('GPa', 'Predicted shear modulus, Voigt-Reuss-Hill mean.'),
  familiarity: z
    .enum(['near', 'edge', 'outside'])
    .describe(
      'Where the crystal lies among those of the training: near them, at their edge, or outside, where values are not to be trusted.',
    ),
});
export type PredictedValues = z.infer<typeof predictedValues>;
