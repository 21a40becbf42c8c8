/** The lock of the derivation when its connection is cut: nothing is left behind that would keep a process from stopping. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Database } from '../infra/database.ts';
import { openTestDatabase } from '../testing/open-test-database.ts';
import { hullRepository } from './derive/hull.repository.ts';

let database: Database;
beforeEach(async () => {
  database = await openTestDatabase();
});
afterEach(() => database.close());

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
  // The server lets go of the lock when it has ended the session it was told to end.
  let again: Awaited<ReturnType<typeof tryLock>> = null;
  await expect.poll(async () => (again = await tryLock())).not.toBeNull();
  await again!();
  expect(database.pool.totalCount).toBe(database.pool.idleCount);
});
