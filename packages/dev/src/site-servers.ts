/** Once per run of the journeys (vitest's globalSetup): the built site, and one PostgreSQL server for all of them. */
import { buildApi, buildWeb } from './bundle.ts';
import { startTestPostgres } from './test-postgres.ts';

export async function setup(): Promise<() => Promise<void>> {
  await buildApi();
  await buildWeb();
  const server = await startTestPostgres();
  process.env.TEST_DATABASE_URL = server.url;
  return async () => {
    await server.stop();
  };
}
