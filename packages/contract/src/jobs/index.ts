/** All jobs. At boot the worker compares this list with its handlers. */
import { z } from 'zod';

// A background job: its name, its payload and its retry policy. Handlers are in the API's features.

export interface Job<Payload extends z.ZodType = z.ZodType> {
  /** `<group>.<verb-object>`; the worker refuses to start unless exactly one handler is registered. */
  readonly name: string;
  /** Ids and options, never structures. */
  readonly payload: Payload;
  /** Total number of attempts, including the first. */
  readonly attempts: number;
  /** Delay before the second attempt; doubles each time. */
  readonly backoffSeconds: number;
  /** A handler that runs longer is aborted by its signal and counted as failed. */
  readonly timeoutSeconds: number;
}

export type JobPayload<J extends Job> = z.output<J['payload']>;

/** Preserves the literal types of a job. */
export const defineJob = <Payload extends z.ZodType>(job: Job<Payload>): Job<Payload> => job;

/**
 * Derives hulls, windows and patterns of every chemical system marked dirty. Idempotent: a second run finds nothing to
 * do.
 */
export const rederiveCatalogue = defineJob({
  name: 'catalogue.rederive',
  payload: z.object({}),
  attempts: 3,
  backoffSeconds: 10,
  timeoutSeconds: 3600,
});

/**
 * Works on pieces of a task that another process has split, until none is left. The database rows are
 * authoritative: a job that starts late finds no piece, and the process that split the task does the remaining
 * pieces itself.
 */
export const shareCatalogueWork = defineJob({
  name: 'catalogue.help',
  payload: z.object({ kind: z.enum(['hulls', 'windows', 'electrodes', 'standardise']) }),
  attempts: 1,
  backoffSeconds: 1,
  timeoutSeconds: 24 * 3600,
});

/**
 * Migrates material data stored by an older version, once after an upgrade; resumes after an interruption.
 */
export const migrateMaterials = defineJob({
  name: 'catalogue.renew',
  payload: z.object({}),
  attempts: 3,
  backoffSeconds: 10,
  timeoutSeconds: 24 * 3600,
});

/**
 * Wakes a worker because submissions are waiting. It names no submission: the next one depends on the account's
 * other submissions, on free slots and on draining, and is known only when a slot becomes free
 * (docs/contributing/adr/0009). The database rows are authoritative; if this message is lost, workers find the
 * submissions within seconds.
 */
export const run4uWake = defineJob({
  name: 'run4u.wake',
  payload: z.object({}),
  attempts: 1,
  backoffSeconds: 1,
  timeoutSeconds: 30,
});

/** Predicts every material that has no prediction by the chosen model. Idempotent: a second run finds nothing to do. */
export const predictMaterials = defineJob({
  name: 'catalogue.predict',
  payload: z.object({}),
  attempts: 3,
  backoffSeconds: 60,
  timeoutSeconds: 24 * 3600,
});

/**
 * Calculates the values of the interatomic potential for materials that have a task. The database rows are
 * authoritative: without tasks the job ends at once.
 */
export const derivePotential = defineJob({
  name: 'catalogue.derive-potential',
  payload: z.object({}),
  attempts: 10,
  backoffSeconds: 60,
  timeoutSeconds: 7 * 24 * 3600,
});

/** Searches for new compounds. The database row is authoritative: the job skips a cancelled or finished run. */
export const runDesign = defineJob({
  name: 'design.run',
  payload: z.object({ runId: z.int().positive() }),
  attempts: 2,
  backoffSeconds: 10,
  timeoutSeconds: 900,
});

/** Makes and verifies a requested backup. The result is in the row of the backup. */
export const makeBackup = defineJob({
  name: 'backup.make',
  payload: z.object({}),
  attempts: 1,
  backoffSeconds: 1,
  timeoutSeconds: 24 * 3600,
});

export const jobs: readonly Job[] = [
  rederiveCatalogue,
  shareCatalogueWork,
  migrateMaterials,
  run4uWake,
  predictMaterials,
  derivePotential,
  runDesign,
  makeBackup,
];
