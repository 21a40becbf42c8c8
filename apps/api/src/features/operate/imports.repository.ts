/** Files that were read and what waits to be derived: only SQL. */
import { sql } from 'kysely';
import type { Db } from '../../infra/database.ts';

const FILES = 30;
const count = sql<number>`count(*)::int`;

/** Chemical systems whose hulls, and whose windows, must be made again. */
export async function systemsWaiting(db: Db): Promise<{ systems: number; windows: number }> {
  return db
    .selectNoFrom(({ selectFrom }) => [
      selectFrom('dirty_system').select(count.as('n')).$asScalar().$notNull().as('systems'),
      selectFrom('dirty_window').select(count.as('n')).$asScalar().$notNull().as('windows'),
    ])
    .executeTakeFirstOrThrow();
}

/** The files read last, newest first. */
export const filesRead = (db: Db) =>
  db
    .selectFrom('import_run')
    .select(['path', 'accepted', 'refused', 'duplicates', 'started_at as startedAt'])
    .select('finished_at as finishedAt')
    .orderBy('id', 'desc')
    .limit(FILES)
    .execute();
