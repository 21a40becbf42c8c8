/**
 * Tests the derivation lock after its connection was cut: no open handle may keep the process from stopping.
 */
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

it('after its connection was cut, the derivation lock is released and the next derivation gets it', async () => {
  const { tryLock } = hullRepository(database);
  const unlock = await tryLock();
  expect(await tryLock()).toBeNull();
  await cutOthers();
  await unlock!();
  // PostgreSQL releases the lock only when it has ended the terminated session.
  let again: Awaited<ReturnType<typeof tryLock>> = null;
  await expect.poll(async () => (again = await tryLock())).not.toBeNull();
  await again!();
  expect(database.pool.totalCount).toBe(database.pool.idleCount);
});
