/** Who the audit log speaks of, and of what: only SQL. */
import { sql } from 'kysely';
import type { Db } from '../../infra/database.ts';
import { anyOf } from '../../infra/sql.ts';

/** What accounts are called; those that are deleted have the name that was left. */
export async function namesOf(db: Db, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom('account')
    .select(['id', sql<string>`coalesce(nullif(name, ''), username)`.as('name')])
    .where('id', '=', anyOf([...new Set(ids)], 'int'))
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/**
 * The events there are, in alphabetical order. One step down the index for each: DISTINCT would read every row of a log that grows
 * for 400 days.
 */
export async function eventsOfLog(db: Db): Promise<string[]> {
  const { rows } = await sql<{ event: string }>`
    WITH RECURSIVE known(event) AS (
      SELECT min(event) FROM audit_log
      UNION ALL
      SELECT (SELECT min(later.event) FROM audit_log AS later WHERE later.event > known.event)
      FROM known WHERE known.event IS NOT NULL
    )
    SELECT event FROM known WHERE event IS NOT NULL`.execute(db);
  return rows.map(({ event }) => event);
}
