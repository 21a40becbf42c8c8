/** Shapes the calls of Run4U share (spec §3 "Uploaded structure", "Submission history row"). */
import { z } from 'zod';
import { structureJson } from '../material/result-schemas.ts';

/** Bytes a structure file may have. */
export const MAX_UPLOAD_BYTES = 10 * 1024;
/** Atoms in the cell of the file. */
export const MAX_RUN_ATOMS = 100;

/** Å, degrees, Å³ */
export const uploadedLattice = z.object({
  a: z.number(),
  b: z.number(),
  c: z.number(),
  alpha: z.number(),
  beta: z.number(),
  gamma: z.number(),
  volume: z.number(),
});

export const uploadedSymmetry = z.object({
  hall: z.string(),
  spacegroup: z.string(),
  pointgroup: z.string(),
  crystal_system: z.string(),
});

/** A structure with what the page shows of it. */
export const shownStructure = z.object({
  formula: z.string(),
  nsites: z.int(),
  /** CIF text in P1 of the atoms to draw. */
  script: z.string(),
  lattice: uploadedLattice,
  symmetry: uploadedSymmetry,
  /** To be sent back with the submission. */
  structure: structureJson,
});
export type ShownStructure = z.infer<typeof shownStructure>;

export const submissionStatus = z.enum(['queued', 'running', 'finished', 'existed', 'failed', 'cancelled']);
export type SubmissionStatus = z.infer<typeof submissionStatus>;

/** In the order they are done. */
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
  /** Counts the rows of the account, newest first, from 1. */
  index: z.int(),
  id: z.int(),
  formula: z.string(),
  spacegroup: z.string(),
  /** Atoms of the primitive cell. */
  nsites: z.int(),
  status: submissionStatus,
  /** The material it became, or was found to be. */
  struct_id: z.int().nullable(),
  /** ISO 8601 */
  submit_time: z.string(),
  start_time: z.string().nullable(),
  finish_time: z.string().nullable(),
  /** Why it failed, or what it waits for; empty when there is nothing to say. */
  reason: z.string(),
  reason_code: z.string(),
  /** Step under way; empty when none is. */
  step: z.string(),
  /** 0 to 1: finished steps of all. */
  progress: z.number(),
  /** Submissions that start before this one; null when it is not waiting. */
  queue_position: z.int().nullable(),
  /** Seconds until it is finished, as far as earlier runs tell; null when nothing is known. */
  estimate_seconds: z.number().nullable(),
  can_cancel: z.boolean(),
  can_resubmit: z.boolean(),
});
export type SubmissionRow = z.infer<typeof submissionRow>;

export const submissionQuota = z.object({
  limit: z.int(),
  left: z.int(),
  /** ISO 8601: when the day of the quota ends. */
  resets_at: z.string(),
});
export type SubmissionQuota = z.infer<typeof submissionQuota>;

/** What a submission sent now would be calculated with, and how long that takes. */
export const calculationService = z.object({
  /** As the workers tell, e.g. `abinit`; null when none of them has an engine. */
  engine: z.string().nullable(),
  engine_version: z.string(),
  /** eV, of the plane waves */
  cutoff: z.number(),
  /** The operator lets nothing new start. */
  is_paused: z.boolean(),
  /** Submissions of everybody that wait or run. */
  waiting: z.int(),
  /** Seconds until a new submission would start; null when nothing can be said. */
  wait_seconds: z.number().nullable(),
  /** Seconds a calculation takes, for cells of a few sizes, as far as earlier runs tell. */
  run_seconds: z.array(z.object({ atoms: z.int(), seconds: z.number() })),
});
export type CalculationService = z.infer<typeof calculationService>;
