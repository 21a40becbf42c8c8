import { z } from 'zod';
import { defineJob } from './define-job.ts';

/**
 * Tells a worker that another process shares out an import or a derivation. The rows are the truth: whoever comes late finds
 * none, and what nobody takes the one who handed it out does himself.
 */
export const helpCatalogue = defineJob({
  name: 'catalogue.help',
  payload: z.object({}),
  attempts: 1,
  backoffSeconds: 1,
  timeoutSeconds: 24 * 3600,
});
