/** Global set-up of the API tests: the programs that they run, and PostgreSQL with the migrated template. */
import type { TestProject } from 'vitest/node';
import { apiDist } from '../lib/paths.mjs';
import { buildApi } from './bundle.ts';
import { shownSetup } from './shown-setup.ts';
import { ensureTemplate, startTestPostgres } from './test-postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    testServerUrl: string;
    testTemplate: string;
  }
}

export const setup = shownSetup(async (project: TestProject): Promise<() => Promise<void>> => {
  const [server] = await Promise.all([startTestPostgres(), buildApi()]);
  process.env.TEST_API_BUILD = apiDist;
  project.provide('testServerUrl', server.url);
  project.provide('testTemplate', await ensureTemplate(server.url));
  return async () => {
    await server.stop();
  };
});
