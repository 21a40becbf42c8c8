/** Shapes the calls of Run4U share (spec §3 "Uploaded structure", "Submission history row"). */
import { z } from 'zod';
import { atomCount, formula, spaceGroup } from '../common.ts';
import { unit } from '../field-meta.ts';
import { cellParameters, structureJson } from '../material/result-schemas.ts';

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

/** A structure with the data that the page shows. */
export const shownStructure = z.object({
  formula,
  nsites: atomCount,
  script: z.string().describe('CIF text in P 1 of the atoms to draw.'),
  lattice: cellParameters,
  symmetry: uploadedSymmetry.describe('The symmetry found.'),
  structure: structureJson.describe('The crystal as JSON, to be sent back with the submission.'),
});
export type ShownStructure = z.infer<typeof shownStructure>;

export const submissionStatus = z.enum(['queued', 'running', 'finished', 'existed', 'failed', 'cancelled']);
export type SubmissionStatus = z.infer<typeof submissionStatus>;

/** In the order of execution. */
export const PIPELINE_STEPS = [
  'validate',
  'deduplicate',
  'relax',
  'static',
  'bands',
  'dos',
  'ingest',
] as const;
export const pipelineStep = z.enum(PIPELINE_STEPS);
export type PipelineStep = z.infer<typeof pipelineStep>;

export const submissionRow = z.object({
  index: z.int().describe('Counts the rows of the account, newest first, from 1.'),
  id: z.int().describe('Number of the submission.'),
  formula,
  spacegroup: spaceGroup,
  nsites: atomCount,
  status: submissionStatus.describe('queued, running, finished, existed, failed or cancelled.'),
  struct_id: z.int().nullable().describe('The material it became, or was found to be; null before that.'),
  submit_time: z.string().describe('When it was submitted, ISO 8601.'),
  start_time: z.string().nullable().describe('When it started, ISO 8601; null before.'),
  finish_time: z.string().nullable().describe('When it ended, ISO 8601; null before.'),
  reason: z.string().describe('Why it failed, or what it waits for; empty when there is nothing to say.'),
  reason_code: z.string().describe('The reason, for programs.'),
  step: z.string().describe('Step under way; empty when none is.'),
  progress: z.number().describe('Finished steps of all, 0 to 1.'),
  queue_position: z
    .int()
    .nullable()
    .describe('Submissions that start before this one; null when it is not waiting.'),
  estimate_seconds: z
    .number()
    .nullable()
    .meta(unit('s', 'Until it is finished, as far as earlier runs tell; null when nothing is known.')),
  can_cancel: z.boolean().describe('It can be cancelled now.'),
  can_resubmit: z.boolean().describe('It can be submitted again.'),
});
export type SubmissionRow = z.infer<typeof submissionRow>;

export const submissionQuota = z.object({
  limit: z.int().describe('Submissions a day.'),
  left: z.int().describe('Submissions left today.'),
  resets_at: z.string().describe('When the day of the quota ends, ISO 8601.'),
});
export type SubmissionQuota = z.infer<typeof submissionQuota>;

/** The method and expected duration of a calculation submitted now. */
export const calculationService = z.object({
  engine: z
    .string()
    .nullable()
    .describe(
      'The program that calculates, as the workers report: `abinit`; null when none of them has one.',
    ),
  engine_version: z.string().describe('Version of the engine.'),
  cutoff: z.number().meta(unit('eV', 'Cutoff of the plane waves.')),
  is_paused: z.boolean().describe('True while the operator lets nothing new start.'),
  waiting: z.int().describe('Submissions of everybody that wait or run.'),
  wait_seconds: z
    .number()
    .nullable()
    .meta(unit('s', 'Until a new submission would start; null when nothing can be said.')),
  run_seconds: z
    .array(
      z.object({
        atoms: z.int().describe('Atoms of the primitive cell.'),
        seconds: z.number().meta(unit('s', 'Time the calculation takes.')),
      }),
    )
    .describe('How long a calculation takes for cells of a few sizes, as far as earlier runs tell.'),
});
export type CalculationService = z.infer<typeof calculationService>;
