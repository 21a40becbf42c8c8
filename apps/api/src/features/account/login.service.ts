/** Sign-in and registration by phone (spec §4.1). */
import type { Language } from '../../messages/messages.ts';
import { AppError } from '../../plugins/app-error.ts';
import type { Identity } from '../../plugins/auth.ts';
import { type Database, inTransaction, type Queryable } from '../../plugins/database.ts';
import { type Budget, spendToken } from '../../plugins/token-bucket.ts';
import type { AccountRepository } from './account.repository.ts';
import { writeAudit } from './audit-log.ts';
import type { Sessions } from './sessions.service.ts';
import { maskMobile, type SmsPurpose } from './sms/sms-provider.ts';
import type { SmsCodes } from './sms-codes.service.ts';

export interface Caller {
  readonly address: string;
  readonly userAgent: string;
  readonly language: Language;
}

export interface LoginOptions {
  readonly database: Database;
  readonly accounts: AccountRepository;
  readonly codes: SmsCodes;
  readonly sessions: Sessions;
}

/** The contract tells whether a number has an account; nobody gets to ask for a whole phone book. */
const ASKING_BUDGET: Budget = { capacity: 60, refillSeconds: 3600 };

export type Login = ReturnType<typeof login>;

export function login({ database, accounts, codes, sessions }: LoginOptions) {
  const audit = (entry: Parameters<typeof writeAudit>[1]) => writeAudit(database.pool, entry);

  return {
    /**
     * Sends a code unless the number cannot be used: `login` needs an account, `register` needs that there is none,
     * `bind` takes both.
     */
    async requestCode(mobile: string, purpose: SmsPurpose, caller: Caller) {
      const asked = await spendToken(database.pool, `sms:asked:${caller.address}`, ASKING_BUDGET);
      if (!asked.allowed) throw new AppError('request.too-many', { seconds: asked.retryAfterSeconds });
      const accountId = await accounts.idByMobile(mobile);
      const isregister: 0 | 1 = accountId === null ? 0 : 1;
      const isUsable = purpose === 'bind' || (purpose === 'login') === (accountId !== null);
      if (!isUsable) return { result: 'invalid' as const, isregister };
      await codes.request({ mobile, purpose, address: caller.address, language: caller.language });
      await audit({
        accountId,
        event: 'code-requested',
        address: caller.address,
        detail: { purpose, mobile: maskMobile(mobile) },
      });
      return { result: 'ok' as const, isregister };
    },

    /** @throws AppError login.wrong-code, login.too-many-codes */
    async exchangeCode(
      request: { mobile: string; code: string; purpose: SmsPurpose; accountId: number | null },
      caller: Caller,
    ): Promise<string> {
      try {
        return await codes.exchange({ ...request, address: caller.address });
      } catch (error) {
        await audit({
          accountId: request.accountId,
          event: 'login-failed',
          address: caller.address,
          detail: { purpose: request.purpose, mobile: maskMobile(request.mobile) },
        });
        throw error;
      }
    },

    /**
     * The confirmation is used up only if there is a session in the end: who is refused by a server out of breath tries
     * again with the same one.
     * @throws AppError login.wrong-token, login.not-registered
     */
    async logIn(mobile: string, token: string, caller: Caller): Promise<string> {
      return inTransaction(database.pool, async (client) => {
        await codes.redeem({ token, mobile, purpose: 'login' }, client);
        const accountId = await accounts.idByMobile(mobile, client);
        if (accountId === null) throw new AppError('login.not-registered');
        return this.openSession(accountId, caller, 'sms', client);
      });
    },

    /** All of it or nothing, as {@link logIn}. @throws AppError login.wrong-token */
    async register(mobile: string, token: string, caller: Caller): Promise<string> {
      return inTransaction(database.pool, async (client) => {
        await codes.redeem({ token, mobile, purpose: 'register' }, client);
        const { id, isNew } = await accounts.createForMobile(mobile, client);
        if (isNew)
          await writeAudit(client, {
            accountId: id,
            event: 'register',
            address: caller.address,
            detail: { mobile: maskMobile(mobile) },
          });
        return this.openSession(id, caller, 'sms', client);
      });
    },

    /** `via`: what vouched for the person. */
    async openSession(
      accountId: number,
      caller: Caller,
      via: string,
      db: Queryable = database.pool,
    ): Promise<string> {
      const { address, userAgent } = caller;
      const token = await sessions.open({ accountId, userAgent, address }, db);
      await writeAudit(db, { accountId, event: 'login', address, detail: { via } });
      return token;
    },

    async logOut(identity: Identity, everywhere: boolean, caller: Caller) {
      if (everywhere) await sessions.revokeAll(identity.accountId);
      else if (identity.sessionId !== null) await sessions.revoke(identity.accountId, identity.sessionId);
      await audit({
        accountId: identity.accountId,
        event: everywhere ? 'logout-everywhere' : 'logout',
        address: caller.address,
      });
    },
  };
}
