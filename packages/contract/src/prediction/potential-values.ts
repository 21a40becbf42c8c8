import { z } from 'zod';
import { unit } from '../common.ts';

const tensor = z.array(z.array(z.number()));
const orNull = (symbol: string, meaning: string) => z.number().nullable().meta(unit(symbol, meaning));

/** Results of the potential that are not columns for screening. */
export const potentialDetails = z.object({
  elastic_tensor: tensor
    .nullable()
    .meta(
      unit(
        'GPa',
        'Elastic tensor of the relaxed crystal, 6×6, order xx yy zz yz xz xy, in the axes of the primitive cell; null without one.',
      ),
    ),
  phonons: z
    .object({
      supercell: z
        .array(z.int())
        .describe('Repeats of the primitive cell in the supercell of the displacements.'),
      frequencies: z
        .array(z.number())
        .meta(unit('THz', 'Frequencies of the density of states; negative: imaginary.')),
      density: z.array(z.number()).describe('States per THz and primitive cell at each frequency.'),
      thermal: z
        .array(
          z.object({
            temperature: z.number().meta(unit('K', 'Temperature.')),
            free_energy: z.number().meta(unit('eV/atom', 'Of the vibrations, with zero-point energy.')),
            entropy: z.number().meta(unit('eV/K/atom', 'Entropy of the vibrations.')),
            heat_capacity: z.number().meta(unit('eV/K/atom', 'Heat capacity at constant volume.')),
          }),
        )
        .describe('Harmonic thermodynamics; empty for a crystal with imaginary modes.'),
    })
    .nullable()
    .describe('Phonons of the relaxed crystal; null without them.'),
});
export type PotentialDetails = z.infer<typeof potentialDetails>;

/** Values of the interatomic potential for a material, as part of the detail answer. */
export const potentialValues = z
  .object({
    model: z.string().describe('Name and version of the potential.'),
    max_force: z
      .number()
      .meta(
        unit(
          'eV/Å',
          'Largest force on an atom of the structure as given: zero where the potential agrees with it.',
        ),
      ),
    volume_change: orNull('%', 'Volume of the relaxed cell relative to the stored one; null: not relaxed.'),
    bulk_modulus: orNull('GPa', 'Bulk modulus, Voigt-Reuss-Hill mean; null without a tensor.'),
    shear_modulus: orNull('GPa', 'Shear modulus, Voigt-Reuss-Hill mean; null without a tensor.'),
    debye_temperature: orNull('K', 'Debye temperature from the speeds of sound; null if not stable.'),
    lowest_frequency: orNull(
      'THz',
      'Lowest frequency at the wave vectors that fit the supercell, without the sound waves at Γ; negative: imaginary, a distortion lowers the energy.',
    ),
    heat_capacity: orNull(
      'J/(mol·K)',
      'Heat capacity for each mole of atoms at 300 K and constant volume; null for crystals with imaginary modes.',
    ),
    refusal: z
      .string()
      .describe(
        'Code of the reason why values are missing: `volume-change`, `not-converged`, …; empty if none is.',
      ),
    ...potentialDetails.shape,
  })
  .describe('Predicted by the interatomic potential, neither measured nor calculated from first principles.');
export type PotentialValues = z.infer<typeof potentialValues>;
