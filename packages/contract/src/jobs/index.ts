/** Every job there is. The worker holds this list against its handlers at boot. */
import { z } from 'zod';

// What a background job is: its name, what it is given and how it may fail. Handlers live in the API's features.

export interface Job<Payload extends z.ZodType = z.ZodType> {
  /** `<group>.<verb-object>`; exactly one handler is registered for it, or the worker refuses to start. */
  readonly name: string;
  /** Ids and options, never structures. */
  readonly payload: Payload;
  /** Tries in all, counting the first. */
  readonly attempts: number;
  /** Wait before the second try; doubles each time. */
  readonly backoffSeconds: number;
  /** A handler that runs longer is told to stop by its signal and counted as failed. */
  readonly timeoutSeconds: number;
}

export type JobPayload<J extends Job> = z.output<J['payload']>;

/** Keeps the literal types of a job. */
export const defineJob = <Payload extends z.ZodType>(job: Job<Payload>): Job<Payload> => job;

/** Derives hulls, windows and patterns of every chemical system marked dirty. Idempotent: a second run finds none. */
export const rederiveCatalogue = defineJob({
  name: 'catalogue.rederive',
  payload: z.object({}),
  attempts: 3,
  backoffSeconds: 10,
  timeoutSeconds: 3600,
});

/**
 * Helps a process that shares out pieces of one kind, until none is left. The rows are the truth: a helper that comes late finds
 * none, and what nobody takes is done by the process that shares out.
 */
export const helpCatalogue = defineJob({
  name: 'catalogue.help',
  payload: z.object({ kind: z.enum(['hulls', 'windows', 'standardise']) }),
  attempts: 1,
  backoffSeconds: 1,
  timeoutSeconds: 24 * 3600,
});

/** Brings what an older version stored of materials to the form of today, once after an upgrade; goes on where it was stopped. */
export const renewMaterials = defineJob({
  name: 'catalogue.renew',
  payload: z.object({}),
  attempts: 3,
  backoffSeconds: 10,
  timeoutSeconds: 24 * 3600,
});

/**
 * Tells a worker that submissions wait. It names none: which one starts next depends on what other accounts have under way, on
 * free slots and on draining, all of it known when a slot is free and not when this is sent (docs/contributing/adr/0009). The rows are the
 * truth; a worker finds them by itself within seconds when this message is lost.
 */
export const run4uWake = defineJob({
  name: 'run4u.wake',
  payload: z.object({}),
  attempts: 1,
  backoffSeconds: 1,
  timeoutSeconds: 30,
});

/** Predicts every material the chosen model has said nothing of yet. Idempotent: a second run finds none. */
export const predictMaterials = defineJob({
  name: 'catalogue.predict',
  payload: z.object({}),
  attempts: 3,
  backoffSeconds: 60,
  timeoutSeconds: 24 * 3600,
});

/** Searches for new compounds. The row is the truth: a run that was cancelled or is over is left alone. */
export const runDesign = defineJob({
  name: 'design.run',
  payload: z.object({ runId: z.int().positive() }),
  attempts: 2,
  backoffSeconds: 10,
  timeoutSeconds: 900,
});

/** Makes a backup that somebody asked for, and verifies it. What became of it stands in the row of the backup. */
export const makeBackup = defineJob({
  name: 'backup.make',
  payload: z.object({}),
  attempts: 1,
  backoffSeconds: 1,
  timeoutSeconds: 24 * 3600,
});

export const jobs: readonly Job[] = [
  rederiveCatalogue,
  helpCatalogue,
  renewMaterials,
  run4uWake,
  predictMaterials,
  runDesign,
  makeBackup,
];
