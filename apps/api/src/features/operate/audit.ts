/** The audit log, page by page, with the names of the accounts concerned. */
import { operateAudit } from '@unitcell/contract/operate';
import type { FastifyInstance } from 'fastify';
import type { NotNull } from 'kysely';
import { serveCall } from '../../http/serve-call.ts';
import type { Database, Db } from '../../infra/database.ts';
import { anyOf, shownName } from '../../infra/sql.ts';
import { readAudit } from '../account/audit-log.ts';

const PAGE = 100;

/** Names of accounts; for deleted accounts the name that was kept. */
async function namesOf(db: Db, ids: readonly number[]): Promise<Map<number, string>> {
  const rows = await db
    .selectFrom('account')
    .select(({ ref }) => ['id', shownName(ref('name'), ref('username')).as('name')])
    .where('id', '=', anyOf([...new Set(ids)], 'int'))
    .execute();
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/**
 * All event names in alphabetical order. One index lookup each: DISTINCT would read every row of a log that
 * grows for 400 days.
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

export function auditRoute(app: FastifyInstance, { db }: Pick<Database, 'db'>): void {
  serveCall(app, operateAudit, async ({ body }) => {
    const filter = {
      accountId: body.account,
      actorId: body.actor,
      event: body.event,
      since: body.since === null ? null : new Date(body.since),
      before: body.before,
    };
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
  });
}
