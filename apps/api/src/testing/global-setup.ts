/**
 * Once per run of the API tests: a PostgreSQL server and the migrated template its test databases are copied from.
 * `npm test` has started the server already; run alone (`npx vitest run --project api`), this starts one.
 */
import type { TestProject } from 'vitest/node';
import { ensureTemplate, startTestPostgres } from '../../../../scripts/lib/test-postgres.mjs';

declare module 'vitest' {
  interface ProvidedContext {
    testServerUrl: string;
    testTemplate: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startTestPostgres();
  project.provide('testServerUrl', server.url);
  project.provide('testTemplate', await ensureTemplate(server.url));
  return async () => {
    await server.stop();
  };
}
