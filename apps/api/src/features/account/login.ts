/** Sign-in and registration by phone (spec §4.1), and the last step of every sign-in. */
import {
  bindGetSmsToken,
  bindRequestSm,
  loginCheckSm,
  loginGetSmsToken,
  loginRequestSm,
  logout,
  registerCheckSm,
  registerGetSmsToken,
  registerRequestSm,
  type SecondFactorPending,
} from '@unitcell/contract/account';
import type { FastifyInstance } from 'fastify';
import { originOf, type RequestOrigin } from '../../http/client-network.ts';
import { done, serveCall } from '../../http/serve-call.ts';
import type { Database, Db } from '../../infra/database.ts';
import { maskMobile, type SmsPurpose } from '../../infra/sms.ts';
import { AppError } from '../../messages/app-error.ts';
import type { AccountRepository } from './account.repository.ts';
import { type AuditEntry, writeAudit } from './audit-log.ts';
import type { Challenges } from './second-factor/challenges.ts';
import type { Sessions } from './sessions.ts';
import { spendTry } from './sign-in-budgets.ts';
import { hashToken, type SmsCodes, tooMany } from './sms-codes.ts';

/** The response to a sign-in: a token, or a request for a second factor. */
export type Entered = { readonly token: string } | { readonly second_factor: SecondFactorPending };

/**
 * Signs an account in; `via` names the sign-in method.
 * @param made audit entry of an account that was created in this transaction; such an account cannot be
 *   blocked or have a second factor
 * @throws AppError account.blocked
 */
export type Enter = (
  accountId: number,
  origin: RequestOrigin,
  via: string,
  on?: Db,
  made?: AuditEntry,
) => Promise<Entered>;

/** Every sign-in ends here, except one by text message without a second factor (`openConfirmed`). */
export const signIn =
  ({ db }: Database, sessions: Sessions, challenges: Challenges): Enter =>
  async (accountId, origin, via, on = db, made) => {
    const pending = made ? null : await challenges.pending(accountId, via, on);
    if (pending) return { second_factor: pending };
    if (made) await writeAudit(on, made);
    return { token: await sessions.open({ accountId, origin, audit: { detail: { via } } }, on) };
  };

interface LoginOptions {
  readonly database: Database;
  readonly accounts: AccountRepository;
  readonly codes: SmsCodes;
  readonly sessions: Sessions;
  readonly enter: Enter;
}

export function loginRoutes(
  app: FastifyInstance,
  { database: { db }, accounts, codes, sessions, enter }: LoginOptions,
): void {
  /**
   * Sends a code unless the number cannot be used: `login` requires an account, `register` requires that
   * there is none, `bind` accepts both.
   */
  async function requestCode(mobile: string, purpose: SmsPurpose, origin: RequestOrigin, proof?: string) {
    if (!codes.canSend) throw new AppError('login.no-phone');
    const refused = await spendTry(db, 'asked', origin.address);
    if (refused) throw tooMany(refused);
    const account = await accounts.byMobile(mobile);
    const isregister: 0 | 1 = account ? 1 : 0;
    const isUsable = purpose === 'bind' || (purpose === 'login') === (account !== null);
    if (!isUsable) return { result: 'invalid' as const, isregister };
    // No text message is sent for a sign-in that would be rejected.
    if (account && account.blockedAt !== null) throw new AppError('account.blocked');
    const { address, language } = origin;
    await codes.request({ mobile, purpose, address, language, accountId: account?.id ?? null, proof });
    return { result: 'ok' as const, isregister };
  }

  for (const [call, purpose, refusal] of [
    [loginRequestSm, 'login', 'login.not-registered'],
    [registerRequestSm, 'register', 'login.already-registered'],
    [bindRequestSm, 'bind', 'login.code-sent'],
  ] as const)
    serveCall(app, call, async ({ body, request, t }) => {
      const answer = await requestCode(body.mobile, purpose, originOf(request), body.proof);
      return { ...answer, message: t(answer.result === 'ok' ? 'login.code-sent' : refusal) };
    });

  for (const [call, purpose] of [
    [loginGetSmsToken, 'login'],
    [registerGetSmsToken, 'register'],
    [bindGetSmsToken, 'bind'],
  ] as const)
    serveCall(app, call, async ({ body, request }) => {
      const accountId = (await app.optionalIdentity(request))?.accountId ?? null;
      const { address } = originOf(request);
      try {
        return { ...done, sms_token: await codes.exchange({ ...body, purpose, accountId, address }) };
      } catch (error) {
        const detail = { purpose, mobile: maskMobile(body.mobile) };
        await writeAudit(db, { accountId, event: 'login-failed', address, detail });
        throw error;
      }
    });

  // The confirmation is used up only if a session is created. After a temporary server failure the same
  // confirmation can be used again.
  serveCall(app, loginCheckSm, async ({ body: { mobile, sms_token: token }, request }) => {
    const origin = originOf(request);
    const opened = await sessions.openConfirmed(hashToken(token), mobile, origin, { via: 'sms' });
    if (opened !== null) return { ...done, token: opened };
    const entered = await db.transaction().execute(async (tx) => {
      const { accountId } = await codes.redeem({ token, mobile, purpose: 'login' }, tx);
      if (accountId === null) throw new AppError('login.not-registered');
      return enter(accountId, origin, 'sms', tx);
    });
    return { ...done, ...entered };
  });

  serveCall(app, registerCheckSm, async ({ body: { mobile, sms_token: token }, request }) => {
    const origin = originOf(request);
    const entered = await db.transaction().execute(async (tx) => {
      await codes.redeem({ token, mobile, purpose: 'register' }, tx);
      const { id: accountId, isNew } = await accounts.createForMobile(mobile, tx);
      const detail = { mobile: maskMobile(mobile) };
      const made = { accountId, event: 'register', address: origin.address, detail } as const;
      return enter(accountId, origin, 'sms', tx, isNew ? made : undefined);
    });
    return { ...done, ...entered };
  });

  serveCall(app, logout, async ({ body: { everywhere }, identity: { accountId, sessionId }, request }) => {
    if (everywhere) await sessions.revokeAll(accountId);
    else if (sessionId !== null) await sessions.revoke(accountId, sessionId);
    const event = everywhere ? 'logout-everywhere' : 'logout';
    await writeAudit(db, { accountId, event, address: originOf(request).address });
    return done;
  });
}
