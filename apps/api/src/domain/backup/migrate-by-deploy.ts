/** Migrates a scratch database with the deployment's migration program beside the running program. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export const migrateByDeploy = (url: string): Promise<unknown> =>
  promisify(execFile)(process.execPath, [fileURLToPath(new URL('./deploy.js', import.meta.url))], {
    env: { DATABASE_URL: url },
  });
