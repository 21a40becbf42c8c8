/** Audit log of account changes. Details never contain codes, tokens or whole phone numbers. */
import type { FastifyRequest } from 'fastify';
import type { Db } from '../../infra/database.ts';
import { json } from '../../infra/sql.ts';
import type { Identity } from '../../http/auth.ts';
import { originOf } from '../../http/client-network.ts';

/** Who made a change as operator: an administrator on the operator's page, or a person on the command line. */
export interface By {
  /** The administrator; null: the command line. */
  readonly actorId: number | null;
  readonly address: string;
}

export const BY_COMMAND: By = { actorId: null, address: 'command line' };

/** The administrator who sent a request. */
export const askedBy = ({
  identity,
  request,
}: {
  readonly identity: Identity;
  readonly request: FastifyRequest;
}): By => ({ actorId: identity.accountId, address: originOf(request).address });

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
  | 'quota-changed'
  | 'invited'
  | 'account-blocked'
  | 'account-unblocked'
  | 'account-deleted'
  | 'second-factor-set'
  | 'second-factor-removed'
  | 'key-created'
  | 'key-revoked'
  | 'session-ended'
  | 'submission-cancelled'
  | 'submission-retried'
  | 'run4u-drained'
  | 'run4u-resumed'
  | 'job-retried'
  | 'job-removed'
  | 'content-changed'
  | 'report-answered'
  | 'backup-asked'
  | 'backup-schedule-changed';

export interface AuditEntry {
  /** The account concerned. */
  readonly accountId: number | null;
  /** The administrator who made the change; absent for the account itself or the command line. */
  readonly actorId?: number | null;
  readonly event: AuditEvent;
  readonly address: string;
  readonly detail?: Readonly<Record<string, string | number | boolean>>;
}

const auditRow = ({ accountId, actorId = null, event, address, detail = {} }: AuditEntry) => ({
  account_id: accountId,
  actor_id: actorId,
  event,
  address,
  detail: json(detail),
});

export async function writeAudit(db: Db, entry: AuditEntry): Promise<void> {
  await db.insertInto('audit_log').values(auditRow(entry)).execute();
}

export type AuditRow = Awaited<ReturnType<typeof readAudit>>[number];

interface AuditFilter {
  readonly accountId: number | null;
  readonly actorId?: number | null;
  readonly event: string | null;
  readonly since: Date | null;
  /** Only rows before this one, for paging. */
  readonly before?: string | null;
  readonly limit: number;
}

/** The newest `limit` rows that match, oldest first. */
export async function readAudit(
  db: Db,
  { accountId, actorId = null, event, since, before = null, limit }: AuditFilter,
) {
  const rows = await db
    .selectFrom('audit_log')
    .select(['id', 'at', 'account_id as accountId', 'actor_id as actorId', 'event', 'address', 'detail'])
    .$if(accountId !== null, (query) => query.where('account_id', '=', accountId))
    .$if(actorId !== null, (query) => query.where('actor_id', '=', actorId))
    .$if(event !== null, (query) => query.where('event', '=', event!))
    .$if(since !== null, (query) => query.where('at', '>=', since!))
    .$if(before !== null, (query) => query.where('id', '<', before!))
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return rows.reverse();
}
