import { z } from 'zod';
import { defineJob } from './define-job.ts';

/** Makes a backup that somebody asked for, and verifies it. What became of it stands in the row of the backup. */
export const makeBackup = defineJob({
  name: 'backup.make',
  payload: z.object({}),
  attempts: 1,
  backoffSeconds: 1,
  timeoutSeconds: 24 * 3600,
});
