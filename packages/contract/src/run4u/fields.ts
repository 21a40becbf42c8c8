/** Shapes shared by the calls of Run4U (spec §3 "Uploaded structure", "Submission history row"). */
import { z } from 'zod';
import { atomCount, formula, spaceGroup, unit } from '../common.ts';
import { WORKING_IONS } from '../ecwindow/rules.ts';
import {
  cellParameters,
  forceConstantsJson,
  phononsOfCell,
  structureJson,
} from '../material/result-schemas.ts';

// ── Predictions of the built-in potential for a crystal. `unitcell calculate --json` prints the same shapes ──

/** The engine of a site that runs no external program: the interatomic potential included with the software. */
export const BUILT_IN_ENGINE = 'sevennet-0';

/** The included potentials; the first is the default. */
export const POTENTIALS = [BUILT_IN_ENGINE, 'sevennet-l3i5'] as const;
export const potentialName = z.enum(POTENTIALS);
export type PotentialName = z.infer<typeof potentialName>;

/** Properties that can be predicted for a relaxed crystal besides its energy. */
export const PREDICTED_TASKS = ['eos', 'elastic', 'phonons', 'expansion', 'barrier'] as const;
export const predictedTask = z.enum(PREDICTED_TASKS);
export type PredictedTask = z.infer<typeof predictedTask>;

/** The ion whose hops are predicted. */
export const hoppingIon = z.enum(WORKING_IONS);

export const relaxationCourse = z
  .object({
    energies: z.array(z.number()).meta(unit('eV/atom', 'Energy at each step, the start first.')),
    forces: z.array(z.number()).meta(unit('eV/Å', 'Largest force at each step.')),
    frames: z
      .array(
        z.object({
          step: z.int().describe('Index in `energies`.'),
          lattice: z.array(z.number()).meta(unit('Å', 'The three cell vectors, 9 numbers.')),
          positions: z
            .array(z.number())
            .describe('Fractional coordinates, 3 numbers per site, in the order of the submitted structure.'),
        }),
      )
      .optional()
      .describe(
        'The moving crystal: only the last step while it runs; afterwards the first, the last and steps between, at most 60 and at most 12,000 coordinates.',
      ),
  })
  .describe('Energy and largest force at each step of the relaxation.');
export type RelaxationCourse = z.infer<typeof relaxationCourse>;
export type RelaxationFrame = NonNullable<RelaxationCourse['frames']>[number];

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

export const phononsJson = phononsOfCell
  .extend({
    force_constants: forceConstantsJson
      .exactOptional()
      .describe(
        'Force constants, which give the modes of any wave vector; absent in results stored by earlier versions.',
      ),
  })
  .describe('Phonons by finite displacements.');
export type PredictedPhonons = z.infer<typeof phononsJson>;

export const thermalExpansionJson = z
  .object({
    supercell: z.array(z.int()).length(3).describe('Repeats of the primitive cell for the phonons.'),
    volumes: z
      .array(z.number())
      .meta(
        unit('Å³/atom', 'Volumes whose phonons were calculated. Those with imaginary modes are missing.'),
      ),
    rows: z
      .array(
        z.object({
          temperature: z.number().meta(unit('K', 'Temperature.')),
          volume: z.number().meta(unit('Å³/atom', 'Volume without pressure.')),
          expansion: z
            .number()
            .meta(unit('1/K', 'Expansion of the volume; a third of it is the mean linear expansion.')),
          bulk_modulus: z.number().meta(unit('GPa', 'Isothermal bulk modulus.')),
          heat_capacity: z.number().meta(unit('eV/K', 'Heat capacity at constant pressure, per atom.')),
          gruneisen: z.number().nullable().describe('Thermodynamic Grüneisen parameter; null at 0 K.'),
        }),
      )
      .describe(
        'One row for each temperature, until the crystal is larger than the largest of `volumes` or its bulk modulus exceeds 1.5 times that at 0 K, where the potential fails.',
      ),
  })
  .describe(
    'Thermal expansion in the quasi-harmonic approximation; the shape of the cell does not change. The expansion may be wrong by more than a factor of two.',
  );
export type ThermalExpansionJson = z.infer<typeof thermalExpansionJson>;

const fractional = z.array(z.number()).length(3);

export const ionHop = z.object({
  distance: z.number().meta(unit('Å', 'Distance of the two sites.')),
  multiplicity: z.int().describe('Number of symmetrically equal hops from the first site.'),
  from: fractional.describe('Site of the ion, fractional coordinates in the relaxed cell.'),
  to: fractional.describe('Site of the vacancy, the same.'),
  band: z
    .object({
      barrier_forward: z.number().meta(unit('eV', 'Highest energy of the path above its start.')),
      barrier_backward: z.number().meta(unit('eV', 'Highest energy of the path above its end.')),
      path: z
        .array(
          z.object({
            distance: z
              .number()
              .meta(unit('Å', 'Length of the path of all atoms from the start to this image.')),
            energy: z.number().meta(unit('eV', 'Energy above the start.')),
          }),
        )
        .describe('The energy along the path, both ends included.'),
      is_converged: z.boolean().describe('Whether the forces reached their limit, 0.05 eV/Å.'),
      has_stable_ends: z
        .boolean()
        .describe(
          'False: the ion or the vacancy leaves its site without a barrier, so the path is not that hop.',
        ),
    })
    .optional()
    .describe(
      'The path of lowest energy. Absent: not calculated, because three hops are shorter, or refused.',
    ),
  refusal: z.string().optional().describe('Why the potential refused the hop.'),
});
export type IonHopJson = z.infer<typeof ionHop>;

export const ionBarriers = z
  .object({
    ion: hoppingIon.describe('The ion that hops.'),
    supercell_atoms: z.int().describe('Atoms of the supercell without the one that is missing.'),
    separation: z.number().meta(unit('Å', 'Distance of the vacancy from its nearest image.')),
    hops: z.array(ionHop).describe('All hops up to 5.5 Å, one of each kind, shortest first.'),
  })
  .describe('Hops of an ion into a vacancy on a neighbouring site (climbing-image nudged elastic band).');
export type IonBarriersJson = z.infer<typeof ionBarriers>;

export const predictedResult = z.object({
  model: z.string().describe('Name and version of the potential.'),
  energy_per_atom: z
    .number()
    .meta(unit('eV', 'Energy per atom on the scale of the potential: not comparable with stored energies.')),
  max_force: z.number().meta(unit('eV/Å', 'Largest force on an atom of the relaxed structure.')),
  pressure: z.number().meta(unit('GPa', 'Pressure of the relaxed structure.')),
  warnings: z.array(z.string()).describe('Warnings about the use of these results.'),
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
  expansion: thermalExpansionJson.optional(),
  barrier: ionBarriers.optional(),
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

/** Limit of a structure file in bytes. */
export const MAX_UPLOAD_BYTES = 10 * 1024;
/** Limit of atoms in the cell of the file. */
export const MAX_RUN_ATOMS = 100;

export const uploadedSymmetry = z.object({
  hall: z.string().describe('Hall symbol.'),
  spacegroup: spaceGroup,
  pointgroup: z.string().describe('Point group.'),
  crystal_system: z.string().describe('Crystal system.'),
});

/** A structure with the data shown on the page. */
export const shownStructure = z.object({
  formula,
  nsites: atomCount,
  script: z.string().describe('CIF text in P 1 with the atoms to draw.'),
  lattice: cellParameters,
  symmetry: uploadedSymmetry.describe('The symmetry.'),
  structure: structureJson.describe('The crystal as JSON, to be sent back with the submission.'),
});
export type ShownStructure = z.infer<typeof shownStructure>;

export const submissionStatus = z.enum(['queued', 'running', 'finished', 'existed', 'failed', 'cancelled']);
export type SubmissionStatus = z.infer<typeof submissionStatus>;

/** Kind of calculation: the built-in potential, which takes seconds, or a first-principles program. */
export const runMethod = z.enum(['prediction', 'first-principles']);
export type RunMethod = z.infer<typeof runMethod>;

/** Steps of a calculation from first principles, in the order of execution. */
export const PIPELINE_STEPS = [
  'validate',
  'deduplicate',
  'relax',
  'static',
  'bands',
  'dos',
  'ingest',
] as const;
/** Tasks that a calculation from first principles can have besides its steps. */
export const RESPONSE_TASKS = ['elastic', 'phonons'] as const;
export type ResponseTask = (typeof RESPONSE_TASKS)[number];
export type ProgramStep = (typeof PIPELINE_STEPS)[number] | ResponseTask;

/** Options of the physics of a calculation from first principles. Energies with U or D3 are on separate scales. */
export const RUN_PHYSICS = ['hubbard-u', 'dispersion', 'antiferromagnetic'] as const;
export const runPhysics = z.enum(RUN_PHYSICS);
export type RunPhysics = z.infer<typeof runPhysics>;
/** Steps of a submission, including those of predictions. */
export type PipelineStep = ProgramStep | 'hull' | PredictedTask;

export const submissionRow = z.object({
  index: z.int().describe('Number of the row within the account, newest first, from 1.'),
  id: z.int().describe('Id of the submission.'),
  formula,
  spacegroup: spaceGroup,
  nsites: atomCount,
  status: submissionStatus.describe('queued, running, finished, existed, failed or cancelled.'),
  struct_id: z
    .int()
    .nullable()
    .describe('The material created from it or found to be identical; null before that.'),
  submit_time: z.string().describe('Time of submission, ISO 8601.'),
  start_time: z.string().nullable().describe('Time of the start, ISO 8601; null before.'),
  finish_time: z.string().nullable().describe('Time of the end, ISO 8601; null before.'),
  reason: z.string().describe('Why it failed, or what it waits for; otherwise empty.'),
  reason_code: z.string().describe('Code of the reason, for programs.'),
  step: z.string().describe('The current step; empty if none.'),
  progress: z.number().describe('Share of finished steps, 0 to 1.'),
  queue_position: z
    .int()
    .nullable()
    .describe('Number of submissions that start before this one; null if it is not waiting.'),
  estimate_seconds: z
    .number()
    .nullable()
    .meta(unit('s', 'Estimated time until it is finished, from earlier runs; null if unknown.')),
  can_cancel: z.boolean().describe('Whether it can be cancelled.'),
  can_resubmit: z.boolean().describe('Whether it can be submitted again.'),
  method: runMethod.optional().describe('Requested method; absent: the default of the site.'),
  course: relaxationCourse
    .optional()
    .describe('While the built-in potential relaxes it or if that failed: the steps so far.'),
  predicted: predictedResult
    .extend({ relaxed: shownStructure.describe('The submitted cell, relaxed.') })
    .optional()
    .describe('Only in `run4u_detail`: the result of the built-in potential, where that was the engine.'),
});
export type SubmissionRow = z.infer<typeof submissionRow>;

export const submissionQuota = z.object({
  limit: z.int().describe('Submissions per day.'),
  left: z.int().describe('Submissions left today.'),
  resets_at: z.string().describe('End of the quota’s day, ISO 8601.'),
  predicted: z
    .object({
      limit: z.int().describe('Predictions by the built-in potential per day.'),
      left: z.int().describe('Predictions left today.'),
    })
    .optional()
    .describe('The quota of predictions, which is separate; `limit` and `left` count everything else.'),
});
export type SubmissionQuota = z.infer<typeof submissionQuota>;

/** Method and expected duration of a calculation that is submitted now. */
export const calculationService = z.object({
  engine: z
    .string()
    .nullable()
    .describe(
      'What calculates, as reported by the workers: `abinit`, or `sevennet-0` for the built-in potential, which predicts; null if none of them has an engine.',
    ),
  predicts: z
    .boolean()
    .optional()
    .describe('Whether the built-in potential predicts submissions that ask for it.'),
  engine_version: z.string().describe('Version of the engine.'),
  cutoff: z.number().meta(unit('eV', 'Cutoff of the plane waves; 0 for the built-in potential.')),
  is_paused: z.boolean().describe('True while the operator has paused new submissions.'),
  waiting: z.int().describe('Number of waiting and running submissions of all accounts.'),
  wait_seconds: z
    .number()
    .nullable()
    .meta(unit('s', 'Time until a new submission would start; null if unknown.')),
  run_seconds: z
    .array(
      z.object({
        atoms: z.int().describe('Atoms of the primitive cell.'),
        seconds: z.number().meta(unit('s', 'Duration of the calculation.')),
      }),
    )
    .describe('Duration of a calculation for a few cell sizes, estimated from earlier runs.'),
});
export type CalculationService = z.infer<typeof calculationService>;
