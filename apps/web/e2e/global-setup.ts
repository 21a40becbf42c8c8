/** The journeys need a PostgreSQL server; `npm test` has started one, run alone this starts one for all of them. */
import { startTestPostgres } from '../../../scripts/lib/test-postgres.mjs';

export async function setup(): Promise<() => Promise<void>> {
  const server = await startTestPostgres();
  process.env.TEST_DATABASE_URL = server.url;
  return async () => {
    await server.stop();
  };
}
