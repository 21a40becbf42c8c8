/** The lock of the derivation when its connection is cut: nothing is left behind that would keep a process from stopping. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type Database, openDatabase } from '../../plugins/database.ts';
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts';
import { hullRepository } from './hull.repository.ts';

let testDatabase: TestDatabase;
let database: Database;
beforeEach(async () => {
  testDatabase = await createTestDatabase();
  database = openDatabase(
    { databaseUrl: testDatabase.url, databaseReadUrl: testDatabase.url },
    () => undefined,
  );
});
afterEach(async () => {
  await database.close();
  await testDatabase.drop();
});

const cutOthers = () =>
  database.pool.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  );

it('gives its connection back although it was cut, and the next derivation gets the lock', async () => {
  const { tryLock } = hullRepository(database);
  const unlock = await tryLock();
  expect(await tryLock()).toBeNull();
  await cutOthers();
  await unlock!();
  const again = await tryLock();
  expect(again).not.toBeNull();
  await again!();
  expect(database.pool.totalCount).toBe(database.pool.idleCount);
});
