/** The audit log, page by page, with the names of those it speaks of. */
import type { Database } from '../../infra/database.ts';
import { type AuditFilter, readAudit } from '../account/audit-log.ts';
import { eventsOfLog, namesOf } from './audit.repository.ts';

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
