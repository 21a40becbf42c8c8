import { z } from 'zod';
import { defineJob } from './define-job.ts';

/** Predicts every material the chosen model has said nothing of yet. Idempotent: a second run finds none. */
export const predictMaterials = defineJob({
  name: 'catalogue.predict',
  payload: z.object({}),
  attempts: 3,
  backoffSeconds: 60,
  timeoutSeconds: 24 * 3600,
});
