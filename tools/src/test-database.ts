import { inject } from 'vitest';
import { type DatabaseCopy, createDatabaseCopy } from './test-postgres.ts';

export type TestDatabase = DatabaseCopy;

/** A migrated, empty database for one test file. Call it in `beforeAll`, and `drop()` in `afterAll`. */
export const createTestDatabase = (): Promise<TestDatabase> =>
  createDatabaseCopy(inject('testServerUrl'), inject('testTemplate'));

/** A database without any table, for tests of how they come about. */
export const createEmptyDatabase = (): Promise<TestDatabase> =>
  createDatabaseCopy(inject('testServerUrl'), 'template1');
