import { inject } from 'vitest';
import { createDatabaseCopy } from '../../../../scripts/lib/test-postgres.mjs';

export interface TestDatabase {
  readonly url: string;
  /** Removes the database, closing whatever is still connected. */
  drop(): Promise<void>;
}

/** A migrated, empty database for one test file. Call it in `beforeAll`, and `drop()` in `afterAll`. */
export const createTestDatabase = (): Promise<TestDatabase> =>
  createDatabaseCopy(inject('testServerUrl'), inject('testTemplate'));
