/** Deletion of an account, by its owner or an operator (spec §4.4). */
import { deleteAccount as deleteAccountCall } from '@unitcell/contract/account';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { originOf } from '../../http/client-network.ts';
import { done, serveCall } from '../../http/serve-call.ts';
import type { Database, Db } from '../../infra/database.ts';
import { maskMobile } from '../../infra/sms.ts';
import { columnsOf, now } from '../../infra/sql.ts';
import type { AccountRepository } from './account.repository.ts';
import { type AuditEntry, writeAudit } from './audit-log.ts';
import type { Avatars } from './avatars.service.ts';
import { removeFactor } from './second-factor/challenges.ts';
import type { Sessions } from './sessions.ts';
import type { SmsCodes } from './sms-codes.ts';

/** The owner confirms the deletion by a code sent to their number. */
export function deleteAccountRoute(
  app: FastifyInstance,
  { codes, ...options }: DeleteAccountOptions & { readonly codes: SmsCodes },
): void {
  serveCall(app, deleteAccountCall, async ({ body, identity: { accountId }, request }) => {
    const { address } = originOf(request);
    await deleteAccount(options, accountId, { address }, async (tx, held) => {
      await codes.redeemForHeld(body.sms_token, accountId, held, tx);
      await options.accounts.keepAnAdministrator(tx, accountId);
    });
    return done;
  });
}

interface DeleteAccountOptions {
  readonly database: Database;
  readonly accounts: AccountRepository;
  readonly avatars: Avatars;
  readonly sessions: Sessions;
}

/**
 * Deletes an account with its personal data, avatars, bindings, second factor, sessions and keys, and frees
 * its number. Waiting submissions and searches for new compounds are cancelled. Materials from finished
 * submissions stay, without the name of the account.
 *
 * `confirm` throws when the caller may not delete the account. It runs inside the transaction and receives
 * the account's number.
 */
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
    return eraseAccount(tx, accountId);
  });
  sessions.forget(accountId);
  await avatars.remove(avatar);
}

/** Erases all personal data and returns the address of the avatar; the caller deletes that file. */
export async function eraseAccount(on: Db, id: number): Promise<string> {
  const before = await on.selectFrom('account').select('avatar').where('id', '=', id).executeTakeFirst();
  await on.deleteFrom('social_account').where('account_id', '=', id).execute();
  await on.deleteFrom('sign_in_handle').where('account_id', '=', id).execute();
  await on.deleteFrom('collection').where('account_id', '=', id).execute();
  await on.deleteFrom('saved_search').where('account_id', '=', id).execute();
  await removeFactor(on, id);
  await on
    .updateTable('entry_report')
    .set({ account_id: null, email: '' })
    .where('account_id', '=', id)
    .execute();
  await on
    .updateTable('api_key')
    .set({ label: '', revoked_at: sql`coalesce(revoked_at, ${now})` })
    .where('account_id', '=', id)
    .execute();
  await on.updateTable('session').set({ user_agent: '', address: '' }).where('account_id', '=', id).execute();
  await on
    .updateTable('submission')
    .set({ status: 'cancelled', finished_at: now })
    .where('account_id', '=', id)
    .where('status', '=', 'queued')
    .execute();
  await on
    .updateTable('design_run')
    .set({ status: 'cancelled', finished_at: now })
    .where('account_id', '=', id)
    .where('status', 'in', ['queued', 'running'])
    .execute();
  await on
    .updateTable('account')
    .set({
      username: sql`'deleted_' || ${columnsOf('account')('id')}`,
      name: '',
      mobile: null,
      avatar: '',
      des: '',
      url: '',
      occ: '',
    })
    .set({ deleted_at: now, is_administrator: false })
    .where('id', '=', id)
    .execute();
  return before?.avatar ?? '';
}
