import { z } from 'zod';
import { defineJob } from './define-job.ts';

/** Brings cells that an older version stored to the settings of today, once after an upgrade; goes on where it was stopped. */
export const renewCells = defineJob({
  name: 'catalogue.renew-cells',
  payload: z.object({}),
  attempts: 3,
  backoffSeconds: 10,
  timeoutSeconds: 24 * 3600,
});
