import { inject } from 'vitest';
import { type DatabaseCopy, createDatabaseCopy, ensureSeededTemplate } from './test-postgres.ts';

export type TestDatabase = DatabaseCopy;

/** A migrated, empty database for one test file. Call it in `beforeAll`, and `drop()` in `afterAll`. */
export const createTestDatabase = (): Promise<TestDatabase> =>
  createDatabaseCopy(inject('testServerUrl'), inject('testTemplate'));

/** A database without tables, for tests of their creation. */
export const createEmptyDatabase = (): Promise<TestDatabase> =>
  createDatabaseCopy(inject('testServerUrl'), 'template1');

/** The database of a fresh installation with the seed data, copied from the template for browser journeys. */
export async function createSeededDatabase(): Promise<TestDatabase> {
  const serverUrl = inject('testServerUrl');
  const env = { ...process.env, JWT_SECRET: 'a-secret-of-the-tests-that-is-long-enough' };
  return createDatabaseCopy(serverUrl, await ensureSeededTemplate(serverUrl, env));
}
