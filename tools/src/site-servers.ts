/** Set-up of all journeys: PostgreSQL, and one site for the journeys that change only their own accounts. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { shownSetup } from './shown-setup.ts';
import { startTestPostgres } from './test-postgres.ts';
import { startTestSite } from './test-site.ts';

/** Members may create keys, so that the page shows this part. Engines installed on the machine are not used. */
const SHARED_SETTINGS = { API_KEYS: 'members', RUN4U_ENGINE: 'none' };

export const setup = shownSetup(async (project: TestProject): Promise<() => Promise<void>> => {
  const server = await startTestPostgres();
  process.env.TEST_DATABASE_URL = server.url;
  const folder = mkdtempSync(join(tmpdir(), 'unitcell-shared-site-'));
  const printedFile = join(folder, 'printed');
  writeFileSync(printedFile, '');
  const { url, databaseUrl, stop } = await startTestSite({ printedFile, env: SHARED_SETTINGS });
  project.provide('sharedSite', { url, databaseUrl, printedFile });
  return async () => {
    await stop();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
});
