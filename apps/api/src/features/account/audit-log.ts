/** Who did what to an account. Details never hold codes, tokens or whole phone numbers. */
import type { Queryable } from '../../plugins/database.ts';

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
  | 'account-deleted'
  | 'key-created'
  | 'key-revoked';

export interface AuditEntry {
  readonly accountId: number | null;
  readonly event: AuditEvent;
  readonly address: string;
  readonly detail?: Readonly<Record<string, string | number | boolean>>;
}

export async function writeAudit(
  db: Queryable,
  { accountId, event, address, detail = {} }: AuditEntry,
): Promise<void> {
  await db.query('INSERT INTO audit_log (account_id, event, address, detail) VALUES ($1, $2, $3, $4)', [
    accountId,
    event,
    address,
    JSON.stringify(detail),
  ]);
}
