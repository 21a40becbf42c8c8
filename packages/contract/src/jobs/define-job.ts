/** What a background job is: its name, what it is given and how it may fail. Handlers live in the API's features. */
import type { z } from 'zod';

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
