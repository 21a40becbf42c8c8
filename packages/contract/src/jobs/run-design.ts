import { z } from 'zod';
import { defineJob } from './define-job.ts';

/** Searches for new compounds. The row is the truth: a run that was cancelled or is over is left alone. */
export const runDesign = defineJob({
  name: 'design.run',
  payload: z.object({ runId: z.int().positive() }),
  attempts: 2,
  backoffSeconds: 10,
  timeoutSeconds: 900,
});
