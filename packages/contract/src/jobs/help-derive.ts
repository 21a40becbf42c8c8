import { z } from 'zod';
import { defineJob } from './define-job.ts';

/**
 * Tells a worker that another process shares out a derivation. The rows are the truth: whoever comes late finds none, and what
 * nobody takes the one who handed it out does himself.
 */
export const helpDerive = defineJob({
  name: 'catalogue.help-derive',
  payload: z.object({}),
  attempts: 1,
  backoffSeconds: 1,
  timeoutSeconds: 24 * 3600,
});
