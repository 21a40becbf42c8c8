/** The audit log, page by page, with the names of those it speaks of. */
import type { NotNull } from 'kysely';
import type { Database, Db } from '../../infra/database.ts';
import { anyOf, shownName } from '../../infra/sql.ts';
import { type AuditFilter, readAudit } from '../account/audit-log.ts';

/** What accounts are called; those that are deleted have the name that was left. */
async function namesOf(db: Db, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom('account')
    .select(({ ref }) => ['id', shownName(ref('name'), ref('username')).as('name')])
    .where('id', '=', anyOf([...new Set(ids)], 'int'))
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/**
 * The events there are, in alphabetical order. One step down the index for each: DISTINCT would read every row of a log that grows
 * for 400 days.
 */
async function eventsOfLog(db: Db): Promise<string[]> {
  const rows = await db
    .withRecursive('known', (of) =>
      of
        .selectFrom('audit_log')
        .select(({ fn }) => fn.min('event').$castTo<string | null>().as('event'))
        .unionAll((union) =>
          union
            .selectFrom('known')
            .select(({ selectFrom }) =>
              selectFrom('audit_log as later')
                .select(({ fn }) => fn.min('later.event').as('event'))
                .whereRef('later.event', '>', 'known.event')
                .as('event'),
            )
            .where('known.event', 'is not', null),
        ),
    )
    .selectFrom('known')
    .select('event')
    .where('event', 'is not', null)
    .$narrowType<{ event: NotNull }>()
    .execute();
  return rows.map(({ event }) => event);
}

// ── The page ──

const PAGE = 100;

export const operatedAudit =
  ({ db }: Pick<Database, 'db'>) =>
  async (filter: Omit<AuditFilter, 'limit'>) => {
    const [found, events] = await Promise.all([
      readAudit(db, { ...filter, limit: PAGE + 1 }),
      eventsOfLog(db),
    ]);
    const rows = found.reverse().slice(0, PAGE);
    const names = await namesOf(
      db,
      rows.flatMap(({ accountId, actorId }) => [accountId, actorId]).filter((id) => id !== null),
    );
    const nameOf = (id: number | null): string | null => (id === null ? null : (names.get(id) ?? null));
    return {
      rows: rows.map((row) => ({
        id: row.id,
        at: row.at.toISOString(),
        event: row.event,
        account_id: row.accountId,
        account: nameOf(row.accountId),
        actor_id: row.actorId,
        actor: nameOf(row.actorId),
        address: row.address,
        detail: row.detail as Record<string, unknown>,
      })),
      has_more: found.length > PAGE,
      events,
    };
  };
