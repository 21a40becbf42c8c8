import { createTestDatabase } from '@unitcell/tools/test-database';
import { type Database, openDatabase } from '../infra/database.ts';

/** A migrated database for tests without an api; closing it drops it. */
export async function openTestDatabase(): Promise<Database> {
  const made = await createTestDatabase();
  const database = openDatabase({ databaseUrl: made.url, databaseReadUrl: made.url }, () => undefined);
  return {
    ...database,
    async close() {
      await database.close();
      await made.drop();
    },
  };
}
