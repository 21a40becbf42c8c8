/**
 * Global set-up of the API tests (vitest's globalSetup): builds the programs that tests run as processes, and
 * starts a PostgreSQL server with the migrated template for test databases.
 */
import type { TestProject } from 'vitest/node';
import { buildApi } from './bundle.ts';
import { ensureTemplate, startTestPostgres } from './test-postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    testServerUrl: string;
    testTemplate: string;
  }
}

export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const [server] = await Promise.all([startTestPostgres(), buildApi()]);
  project.provide('testServerUrl', server.url);
  project.provide('testTemplate', await ensureTemplate(server.url));
  return async () => {
    await server.stop();
  };
}
