/** Predictions of the built-in potential for a crystal. `unitcell calculate --json` prints the same shapes. */
import { z } from 'zod';
import { formula } from '../common.ts';
import { unit } from '../field-meta.ts';
import { phononsOfCell } from '../material/result-schemas.ts';

export type { PhononsJson } from '../material/result-schemas.ts';

/** The engine of a site that runs no external program: the interatomic potential included with the software. */
export const BUILT_IN_ENGINE = 'sevennet-0';

/** Properties that can be predicted for a relaxed crystal besides its energy. */
export const PREDICTED_TASKS = ['eos', 'elastic', 'phonons'] as const;
export const predictedTask = z.enum(PREDICTED_TASKS);
export type PredictedTask = z.infer<typeof predictedTask>;

export const relaxationCourse = z
  .object({
    energies: z.array(z.number()).meta(unit('eV/atom', 'Energy at each step, the start first.')),
    forces: z.array(z.number()).meta(unit('eV/Å', 'Largest force at each step.')),
  })
  .describe('Energy and largest force at each step of the relaxation.');
export type RelaxationCourse = z.infer<typeof relaxationCourse>;

export const potentialHull = z
  .object({
    scale: z
      .string()
      .describe(
        'Name of the energy scale: energies of the potential with the corrections of the Materials Project (MP2020). It is not comparable with scales of calculated energies.',
      ),
    formation_energy_per_atom: z
      .number()
      .meta(unit('eV/atom', 'Predicted formation energy from tabulated energies of the elements.')),
    energy_above_hull: z
      .number()
      .meta(
        unit(
          'eV/atom',
          'Predicted energy above the known phases, all relaxed by the same potential; negative: below them.',
        ),
      ),
    error: z.number().meta(unit('eV/atom', 'Typical error of both energies. They prove no stability.')),
    competing_phases: z
      .array(
        z.object({
          formula: z.string().describe('Formula of the phase.'),
          struct_id: z.int().nullable().describe('The material; null for a tabulated element.'),
          atomic_fraction: z.number().describe('Share of the atoms in this phase, 0 to 1.'),
        }),
      )
      .describe('Equilibrium phases of the composition without it: what it would decompose into.'),
    known_phases: z.int().describe('Number of known compounds that were relaxed and compared.'),
    missing: z
      .array(formula)
      .optional()
      .describe(
        'Stable compounds of the system that the database lacks, simplest first: the energy above the hull is then a lower limit. Absent: not known.',
      ),
    left_out: z
      .array(formula)
      .describe(
        'Known compounds without an energy of the potential: refused by it, too large or too many. Energies above the hull may then be too low.',
      ),
  })
  .describe('Place on the convex hull, on the scale of the potential.');
export type PotentialHull = z.infer<typeof potentialHull>;

export const equationOfState = z
  .object({
    volumes: z.array(z.number()).meta(unit('Å³/atom', 'Volumes.')),
    energies: z.array(z.number()).meta(unit('eV/atom', 'Energies at the volumes.')),
    volume_per_atom: z.number().meta(unit('Å³/atom', 'Volume of the minimum.')),
    energy_per_atom: z.number().meta(unit('eV/atom', 'Energy of the minimum.')),
    bulk_modulus: z.number().meta(unit('GPa', 'Bulk modulus at the minimum.')),
    bulk_modulus_derivative: z.number().describe('Derivative of the bulk modulus with respect to pressure.'),
  })
  .describe('Energy and volume with the equation of Birch and Murnaghan through them.');
export type EquationOfStateJson = z.infer<typeof equationOfState>;

const elasticTensor = z
  .array(z.array(z.number()))
  .meta(unit('GPa', 'Elastic tensor, 6×6, order xx yy zz yz xz xy, in the axes of the relaxed cell.'));

export const elasticModuliJson = z
  .object({
    bulk_modulus: z.number().meta(unit('GPa', 'Bulk modulus, Voigt-Reuss-Hill mean.')),
    shear_modulus: z.number().meta(unit('GPa', 'Shear modulus, Voigt-Reuss-Hill mean.')),
    young_modulus: z.number().meta(unit('GPa', 'Young’s modulus.')),
    poisson_ratio: z.number().describe('Poisson’s ratio.'),
    is_mechanically_stable: z.boolean().describe('Whether all strains cost energy.'),
  })
  .describe('Moduli of a polycrystal.');
export type ElasticModuliJson = z.infer<typeof elasticModuliJson>;

export const phononsJson = phononsOfCell.describe('Phonons by finite displacements.');

export const predictedResult = z.object({
  model: z.string().describe('Name and version of the potential.'),
  energy_per_atom: z
    .number()
    .meta(unit('eV', 'Energy per atom on the scale of the potential: not comparable with stored energies.')),
  max_force: z.number().meta(unit('eV/Å', 'Largest force on an atom of the relaxed structure.')),
  pressure: z.number().meta(unit('GPa', 'Pressure of the relaxed structure.')),
  warnings: z.array(z.string()).describe('What to know about these results.'),
  course: relaxationCourse.optional(),
  hull: potentialHull.optional(),
  hull_message: z
    .string()
    .optional()
    .describe('Why there is no place on the hull; absent when there is one.'),
  eos: equationOfState.optional(),
  elastic: elasticTensor.optional(),
  elastic_moduli: elasticModuliJson.optional(),
  phonons: phononsJson.optional(),
  failed_tasks: z
    .array(
      z.object({
        task: predictedTask.describe('The task.'),
        reason: z.string().describe('Why there is no result.'),
      }),
    )
    .optional()
    .describe('Tasks that gave no result.'),
});
