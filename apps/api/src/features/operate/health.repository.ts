/** Figures of the database for the operator: what the server says of itself, and the counts of the site. */
import { sql } from 'kysely';
import type pg from 'pg';
import { z } from 'zod';
import type { Db } from '../../infra/database.ts';
import { checkedRows, now, secondsBetween } from '../../infra/sql.ts';

const server = z.object({
  version: z.string(),
  connections: z.coerce.number(),
  most: z.coerce.number(),
  is_replica: z.boolean(),
  /** Since the last replayed transaction; null on a primary, or while nothing was written. */
  behind: z.coerce.number().nullable(),
});
export type ServerState = z.output<typeof server> & { readonly milliseconds: number };

const SERVER = `
  SELECT current_setting('server_version') AS version, current_setting('max_connections') AS most,
         (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend') AS connections,
         pg_is_in_recovery() AS is_replica,
         CASE WHEN pg_is_in_recovery() AND pg_last_wal_receive_lsn() IS DISTINCT FROM pg_last_wal_replay_lsn()
              THEN extract(epoch FROM now() - pg_last_xact_replay_timestamp()) ELSE 0 END AS behind`;

/** What a server says, and how long it took to. */
export async function serverState(pool: pg.Pool): Promise<ServerState> {
  const began = performance.now();
  const client = await pool.connect();
  try {
    const [state] = await checkedRows(client, SERVER, server);
    if (!state) throw new Error('the server said nothing of itself');
    return { ...state, milliseconds: Math.round(performance.now() - began) };
  } finally {
    client.release();
  }
}

const count = sql<number>`count(*)::int`;

/** The catalogue, its last derivation, and what waits. */
export async function catalogueState(db: Db) {
  const counts = await db
    .selectNoFrom(({ selectFrom }) => [
      selectFrom('material').select(count.as('n')).$asScalar().$notNull().as('materials'),
      selectFrom('dirty_system').select(count.as('n')).$asScalar().$notNull().as('systems'),
      selectFrom('dirty_window').select(count.as('n')).$asScalar().$notNull().as('windows'),
    ])
    .executeTakeFirstOrThrow();
  const last = await db
    .selectFrom('release')
    .select(['id', 'finished_at as finishedAt'])
    .where('finished_at', 'is not', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return { ...counts, release: last?.id ?? null, finishedAt: last?.finishedAt ?? null };
}

/** Every worker that was ever heard of within a day, and since when it is silent. */
export async function workersSeen(db: Db) {
  return db
    .selectFrom('run4u_worker')
    .select(['id', 'host', 'engine', 'slots'])
    .select(({ ref }) => secondsBetween(ref('seen_at'), now).as('secondsAgo'))
    .orderBy('seen_at', 'desc')
    .limit(100)
    .execute();
}
