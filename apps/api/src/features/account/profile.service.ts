/** What people do with their own account: profile, mobile number, sessions, deletion (spec §2.5, §4.4). */
import type { changeInfor } from '@unitcell/contract/account';
import type { CallRequest } from '@unitcell/contract/define-call';
import type { Identity } from '../../http/auth.ts';
import type { Database, Db } from '../../infra/database.ts';
import { maskMobile } from '../../infra/sms.ts';
import { AppError } from '../../messages/app-error.ts';
import type { AccountProfile, AccountRepository } from './account.repository.ts';
import { type AuditEntry, writeAudit } from './audit-log.ts';
import type { Avatars } from './avatars.service.ts';
import type { RequestOrigin } from './request-origin.ts';
import type { Sessions } from './sessions.ts';
import type { SmsCodes } from './sms-codes.ts';

interface ProfileOptions {
  readonly database: Database;
  readonly accounts: AccountRepository;
  readonly avatars: Avatars;
  readonly codes: SmsCodes;
  readonly sessions: Sessions;
}

type ProfileChange = CallRequest<typeof changeInfor>;
export type Profile = ReturnType<typeof profile>;

export function profile({ database, accounts, avatars, codes, sessions }: ProfileOptions) {
  const { db } = database;

  async function current(accountId: number): Promise<AccountProfile> {
    const found = await accounts.profile(accountId);
    if (!found) throw new AppError('auth.invalid');
    return found;
  }

  return {
    current,

    /** @throws AppError account.avatar-foreign */
    async change(
      { accountId }: Identity,
      change: ProfileChange,
      origin: RequestOrigin,
    ): Promise<AccountProfile> {
      const before = await current(accountId);
      const { avatar } = change;
      const isNewPicture = avatar !== undefined && avatar !== before.avatar;
      if (isNewPicture && avatar !== '' && !avatars.isOwn(accountId, avatar))
        throw new AppError('account.avatar-foreign');
      await accounts.update(accountId, change);
      if (isNewPicture) await avatars.remove(before.avatar);
      await writeAudit(db, { accountId, event: 'profile-changed', address: origin.address });
      return current(accountId);
    },

    /**
     * Moves the account to another number, or adds one to an account without (`old` is then ignored). This
     * account must
     * have made the confirmations, the one of the old number first. All other sessions end.
     * @throws AppError account.mobile-failed, account.mobile-same, account.mobile-taken
     */
    async changeMobile(
      { accountId, sessionId }: Identity,
      tokens: { readonly old?: string | undefined; readonly new: string },
      origin: RequestOrigin,
    ): Promise<string> {
      const mobile = await db.transaction().execute(async (tx) => {
        const held = await accounts.lockMobile(tx, accountId);
        const refuse = (error: unknown): never => {
          throw error instanceof AppError ? new AppError('account.mobile-failed') : error;
        };
        const old =
          held === null
            ? null
            : await codes.redeem({ token: tokens.old ?? '', purpose: 'login', accountId }, tx).catch(refuse);
        const next = await codes.redeem({ token: tokens.new, purpose: 'bind', accountId }, tx).catch(refuse);
        if (old && (old.mobile !== held || old.confirmedAt > next.confirmedAt))
          throw new AppError('account.mobile-failed');
        if (next.mobile === held) throw new AppError('account.mobile-same');
        if (!(await accounts.moveToMobile(tx, accountId, next.mobile)))
          throw new AppError('account.mobile-taken');
        await sessions.revokeAll(accountId, sessionId, tx);
        await writeAudit(tx, {
          accountId,
          event: 'mobile-changed',
          address: origin.address,
          detail: { from: old === null ? '' : maskMobile(old.mobile), to: maskMobile(next.mobile) },
        });
        return next.mobile;
      });
      sessions.forget(accountId);
      return mobile;
    },

    /** @throws AppError account.no-such-session */
    async revokeSession({ accountId }: Identity, id: string, origin: RequestOrigin): Promise<void> {
      if (!(await sessions.revoke(accountId, id))) throw new AppError('account.no-such-session');
      await writeAudit(db, {
        accountId,
        event: 'logout',
        address: origin.address,
        detail: { other: true },
      });
    },

    /** Deletes the caller's account, confirmed by a code to its number. */
    async remove({ accountId }: Identity, smsToken: string, origin: RequestOrigin): Promise<void> {
      const options = { database, accounts, avatars, sessions };
      await deleteAccount(options, accountId, { address: origin.address }, async (tx, held) => {
        const { mobile } = await codes.redeem({ token: smsToken, purpose: 'bind', accountId }, tx);
        if (mobile !== held) throw new AppError('login.other-number');
        await accounts.keepAnAdministrator(tx, accountId);
      });
    },
  };
}

/**
 * Deletes an account with its personal data, avatars, bindings, second factor, sessions and keys, and frees
 * its number.
 * Waiting submissions are cancelled. Materials from finished ones stay, without a name.
 */
interface DeleteAccountOptions {
  readonly database: Database;
  readonly accounts: AccountRepository;
  readonly avatars: Avatars;
  readonly sessions: Sessions;
}

/**
 * `confirm` throws when the caller may not delete it. It runs inside the transaction and receives the
 * account's number.
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
    return accounts.erase(tx, accountId);
  });
  sessions.forget(accountId);
  await avatars.remove(avatar);
}
