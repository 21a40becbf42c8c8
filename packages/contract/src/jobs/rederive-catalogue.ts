import { z } from 'zod';
import { defineJob } from './define-job.ts';

/** Derives hulls, windows and patterns of every chemical system marked dirty. Idempotent: a second run finds none. */
export const rederiveCatalogue = defineJob({
  name: 'catalogue.rederive',
  payload: z.object({}),
  attempts: 3,
  backoffSeconds: 10,
  timeoutSeconds: 3600,
});
