import { z } from 'zod';
import { defineJob } from './define-job.ts';

/** Brings what an older version stored of materials to the form of today, once after an upgrade; goes on where it was stopped. */
export const renewMaterials = defineJob({
  name: 'catalogue.renew',
  payload: z.object({}),
  attempts: 3,
  backoffSeconds: 10,
  timeoutSeconds: 24 * 3600,
});
