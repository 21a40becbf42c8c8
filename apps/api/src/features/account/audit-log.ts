/** Who did what to an account. Details never hold codes, tokens or whole phone numbers. */
import type { Db } from '../../infra/database.ts';
import { json } from '../../infra/sql.ts';

export type AuditEvent =
  | 'code-requested'
  | 'register'
  | 'login'
  | 'login-failed'
  | 'logout'
  | 'logout-everywhere'
  | 'mobile-changed'
  | 'social-bound'
  | 'social-unbound'
  | 'profile-changed'
  | 'role-changed'
  | 'invited'
  | 'account-blocked'
  | 'account-unblocked'
  | 'account-deleted'
  | 'second-factor-set'
  | 'second-factor-removed'
  | 'key-created'
  | 'key-revoked';

export interface AuditEntry {
  readonly accountId: number | null;
  readonly event: AuditEvent;
  readonly address: string;
  readonly detail?: Readonly<Record<string, string | number | boolean>>;
}

export async function writeAudit(
  db: Db,
  { accountId, event, address, detail = {} }: AuditEntry,
): Promise<void> {
  await db
    .insertInto('audit_log')
    .values({ account_id: accountId, event, address, detail: json(detail) })
    .execute();
}

export type AuditRow = Awaited<ReturnType<typeof readAudit>>[number];

/** The newest `limit` rows that fit, oldest first. */
export async function readAudit(
  db: Db,
  filter: { accountId: number | null; event: string | null; since: Date | null; limit: number },
) {
  const { accountId, event, since, limit } = filter;
  const rows = await db
    .selectFrom('audit_log')
    .select(['id', 'at', 'account_id as accountId', 'event', 'address', 'detail'])
    .$if(accountId !== null, (query) => query.where('account_id', '=', accountId))
    .$if(event !== null, (query) => query.where('event', '=', event!))
    .$if(since !== null, (query) => query.where('at', '>=', since!))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.reverse();
}
