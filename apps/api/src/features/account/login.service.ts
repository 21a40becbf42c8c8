/** Sign-in and registration by phone (spec §4.1). */
import type { SecondFactorPending } from '@unitcell/contract/account';
import { AppError } from '../../messages/app-error.ts';
import type { Identity } from '../../http/auth.ts';
import type { Database, Db } from '../../infra/database.ts';
import type { AccountRepository } from './account.repository.ts';
import { writeAudit } from './audit-log.ts';
import type { RequestOrigin } from './request-origin.ts';
import type { SecondFactors } from './second-factor/second-factor.service.ts';
import type { Sessions } from './sessions.ts';
import { maskMobile, type SmsPurpose } from '../../infra/sms.ts';
import { spendTry } from './sign-in-budgets.ts';
import { type SmsCodes, tooMany } from './sms-codes.ts';

export interface LoginOptions {
  readonly database: Database;
  readonly accounts: AccountRepository;
  readonly codes: SmsCodes;
  readonly sessions: Sessions;
  readonly factors: SecondFactors;
}

/** The answer to a sign-in: a token, or a request for a second factor. */
export type Entered = { readonly token: string } | { readonly second_factor: SecondFactorPending };

export type Login = ReturnType<typeof login>;

export function login({ database, accounts, codes, sessions, factors }: LoginOptions) {
  const audit = (entry: Parameters<typeof writeAudit>[1]) => writeAudit(database.db, entry);

  return {
    /**
     * Sends a code unless the number cannot be used: `login` requires an account, `register` requires that
     * there is none,
     * `bind` accepts both.
     */
    async requestCode(mobile: string, purpose: SmsPurpose, origin: RequestOrigin, proof?: string) {
      if (!codes.canSend) throw new AppError('login.no-phone');
      const refused = await spendTry(database.db, 'asked', origin.address);
      if (refused) throw tooMany(refused);
      const accountId = await accounts.idByMobile(mobile);
      const isregister: 0 | 1 = accountId === null ? 0 : 1;
      const isUsable = purpose === 'bind' || (purpose === 'login') === (accountId !== null);
      if (!isUsable) return { result: 'invalid' as const, isregister };
      const isMember = accountId !== null;
      // No text message for a sign-in that would be rejected.
      if (isMember) await accounts.userTypeToEnter(database.db, accountId);
      const { address, language } = origin;
      await codes.request({ mobile, purpose, address, language, isMember, proof });
      await audit({
        accountId,
        event: 'code-requested',
        address,
        detail: { purpose, mobile: maskMobile(mobile) },
      });
      return { result: 'ok' as const, isregister };
    },

    /** @throws AppError login.wrong-code, login.too-many-codes */
    async exchangeCode(
      request: { mobile: string; code: string; purpose: SmsPurpose; accountId: number | null },
      origin: RequestOrigin,
    ): Promise<string> {
      try {
        return await codes.exchange({ ...request, address: origin.address });
      } catch (error) {
        await audit({
          accountId: request.accountId,
          event: 'login-failed',
          address: origin.address,
          detail: { purpose: request.purpose, mobile: maskMobile(request.mobile) },
        });
        throw error;
      }
    },

    /**
     * The confirmation is used up only if a session is created: after a temporary server failure the same one
     * works again.
     */
    async logIn(mobile: string, token: string, origin: RequestOrigin): Promise<Entered> {
      return database.db.transaction().execute(async (tx) => {
        await codes.redeem({ token, mobile, purpose: 'login' }, tx);
        const accountId = await accounts.idByMobile(mobile, tx);
        if (accountId === null) throw new AppError('login.not-registered');
        return this.enter(accountId, origin, 'sms', tx);
      });
    },

    /** Atomic, like {@link logIn}. @throws AppError login.wrong-token */
    async register(mobile: string, token: string, origin: RequestOrigin): Promise<Entered> {
      return database.db.transaction().execute(async (tx) => {
        await codes.redeem({ token, mobile, purpose: 'register' }, tx);
        const { id, isNew } = await accounts.createForMobile(mobile, tx);
        if (isNew)
          await writeAudit(tx, {
            accountId: id,
            event: 'register',
            address: origin.address,
            detail: { mobile: maskMobile(mobile) },
          });
        return this.enter(id, origin, 'sms', tx);
      });
    },

    /** The only way to create a session: every sign-in ends here. `via`: the sign-in method. */
    async enter(
      accountId: number,
      origin: RequestOrigin,
      via: string,
      on: Db = database.db,
    ): Promise<Entered> {
      const pending = await factors.pending(accountId, via, on);
      if (pending) return { second_factor: pending };
      const { address, userAgent } = origin;
      const token = await sessions.open({ accountId, userAgent, address }, on);
      await writeAudit(on, { accountId, event: 'login', address, detail: { via } });
      return { token };
    },

    async logOut(identity: Identity, everywhere: boolean, origin: RequestOrigin) {
      if (everywhere) await sessions.revokeAll(identity.accountId);
      else if (identity.sessionId !== null) await sessions.revoke(identity.accountId, identity.sessionId);
      await audit({
        accountId: identity.accountId,
        event: everywhere ? 'logout-everywhere' : 'logout',
        address: origin.address,
      });
    },
  };
}
