/**
 * Deletes an account: personal data, pictures, bindings, second factor, sessions and keys are gone, its number is free again.
 * Waiting submissions are cancelled; materials that came of finished ones stay, without a name.
 */
import type { Database, Db } from '../../infra/database.ts';
import { maskMobile } from '../../infra/sms/sms-provider.ts';
import type { AccountRepository } from './account.repository.ts';
import { type AuditEntry, writeAudit } from './audit-log.ts';
import type { Avatars } from './avatars.service.ts';
import type { Sessions } from './sessions.ts';

export interface DeleteAccountOptions {
  readonly database: Database;
  readonly accounts: AccountRepository;
  readonly avatars: Avatars;
  readonly sessions: Sessions;
}

/** `confirm` throws when who asks may not: it is given the number of the account, inside the transaction. */
export async function deleteAccount(
  { database, accounts, avatars, sessions }: DeleteAccountOptions,
  accountId: number,
  by: Pick<AuditEntry, 'actorId' | 'address'>,
  confirm: (tx: Db, mobile: string | null) => Promise<void> = async () => undefined,
): Promise<void> {
  const avatar = await database.db.transaction().execute(async (tx) => {
    const mobile = await accounts.lockMobile(tx, accountId);
    await confirm(tx, mobile);
    await sessions.revokeAll(accountId, null, tx);
    await writeAudit(tx, {
      accountId,
      event: 'account-deleted',
      ...by,
      detail: mobile === null ? {} : { mobile: maskMobile(mobile) },
    });
    return accounts.erase(tx, accountId);
  });
  sessions.forget(accountId);
  await avatars.remove(avatar);
}
