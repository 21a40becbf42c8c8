/**
 * Once per run of the journeys (vitest's globalSetup): the built site, one PostgreSQL server for all of them, and one site for those
 * that only look at it.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startTestPostgres } from './test-postgres.ts';
import { startTestSite } from './test-site.ts';

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startTestPostgres();
  process.env.TEST_DATABASE_URL = server.url;
  const folder = mkdtempSync(join(tmpdir(), 'unitcell-shared-site-'));
  const printedFile = join(folder, 'printed');
  writeFileSync(printedFile, '');
  const { url, databaseUrl, stop } = await startTestSite({ printedFile });
  project.provide('sharedSite', { url, databaseUrl, printedFile });
  return async () => {
    await stop();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
}
