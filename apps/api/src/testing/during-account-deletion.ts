import { expect } from 'vitest';
import type { TestApp } from './build-test-app.ts';

/** Runs `work` while its account is being deleted. The work waits for the deletion and continues afterwards. */
export async function duringAccountDeletion<T>(
  { database }: Pick<TestApp, 'database'>,
  accountId: number,
  work: () => Promise<T>,
): Promise<PromiseSettledResult<T>> {
  const client = await database.pool.connect();
  try {
    await client.query('BEGIN');
    await client.query('UPDATE account SET deleted_at = now() WHERE id = $1', [accountId]);
    const outcome = Promise.allSettled([work()]);
    const waiting = () =>
      database.pool.query(
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
    await expect.poll(async () => (await waiting()).rowCount).toBe(1);
    await client.query('COMMIT');
    return (await outcome)[0];
  } finally {
    client.release();
  }
}
