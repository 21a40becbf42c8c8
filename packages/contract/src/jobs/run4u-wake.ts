import { z } from 'zod';
import { defineJob } from './define-job.ts';

/**
 * Tells a worker that submissions wait. The rows are the truth: the worker takes whatever is due, and finds it by
 * itself within seconds when this message is lost.
 */
export const run4uWake = defineJob({
  name: 'run4u.wake',
  payload: z.object({}),
  attempts: 1,
  backoffSeconds: 1,
  timeoutSeconds: 30,
});
