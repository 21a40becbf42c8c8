/** Shapes shared by the calls of Run4U (spec §3 "Uploaded structure", "Submission history row"). */
import { z } from 'zod';
import { atomCount, formula, spaceGroup } from '../common.ts';
import { unit } from '../field-meta.ts';
import { cellParameters, structureJson } from '../material/result-schemas.ts';
import { type PredictedTask, predictedResult, relaxationCourse } from './predicted.ts';

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

/** The built-in potential takes seconds; the alternative is a program from first principles. */
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
export type ProgramStep = (typeof PIPELINE_STEPS)[number];
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
  method: runMethod.optional().describe('What was asked for; absent: with what the site has.'),
  course: relaxationCourse.optional().describe('While the built-in potential relaxes it: the steps so far.'),
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
