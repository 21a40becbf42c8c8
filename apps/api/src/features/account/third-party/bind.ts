/** Binding a third-party identity to the account of a verified phone, and unbinding it (spec §4.2). */
import {
  githubBind,
  githubRegister,
  githubUnbind,
  type ThirdPartyName,
  wechatBind,
  wechatRegister,
  wechatUnbind,
} from '@unitcell/contract/account';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Identity } from '../../../http/auth.ts';
import { originOf } from '../../../http/client-network.ts';
import { done, serveCall } from '../../../http/serve-call.ts';
import type { Database } from '../../../infra/database.ts';
import { AppError } from '../../../messages/app-error.ts';
import type { AccountRepository } from '../account.repository.ts';
import { writeAudit } from '../audit-log.ts';
import type { Enter } from '../login.ts';
import type { Sessions } from '../sessions.ts';
import type { SmsCodes } from '../sms-codes.ts';
import type { BrowserCookie, SignInHandles } from './sign-in-handles.ts';
import { bindIdentity } from './social-accounts.ts';

interface BindOptions {
  readonly database: Database;
  readonly handles: SignInHandles;
  readonly cookie: BrowserCookie;
  readonly accounts: AccountRepository;
  readonly codes: SmsCodes;
  readonly sessions: Sessions;
  readonly enter: Enter;
}

interface BindRequest {
  readonly smsToken: string;
  readonly thirdPartyId: string;
  /**
   * Creates an account for this number if it has none. If this field is absent, the phone to which the code
   * was sent must already have an account.
   */
  readonly mobile?: string;
}

export function bindRoutes(
  app: FastifyInstance,
  { database: { db }, handles, cookie, accounts, codes, sessions, enter }: BindOptions,
): void {
  /**
   * Binds a third_party_id to the account of the confirmed phone, and continues the sign-in unless the caller
   * is signed in.
   * @throws AppError third-party.expired, login.wrong-token, login.not-registered, login.other-number,
   *   account.already-bound
   */
  async function bind(
    name: ThirdPartyName,
    { smsToken, thirdPartyId, mobile: typed }: BindRequest,
    request: FastifyRequest,
    identity: Identity | null,
  ) {
    const origin = originOf(request);
    const accountId = await db.transaction().execute(async (tx) => {
      const handle = await handles.redeem('third-party', thirdPartyId, cookie.read(request), tx);
      const begunBy = handle?.accountId ?? null;
      if (handle?.data.provider !== name || (begunBy !== null && begunBy !== identity?.accountId))
        throw new AppError('third-party.expired');
      const { mobile, accountId: holder } = await codes.redeem(
        {
          token: smsToken,
          purpose: 'bind',
          ...(typed === undefined ? {} : { mobile: typed }),
          ...(identity ? { accountId: identity.accountId } : {}),
        },
        tx,
      );
      const id = typed === undefined ? holder : (await accounts.createForMobile(mobile, tx)).id;
      if (id === null) throw new AppError('login.not-registered');
      if (identity && identity.accountId !== id) throw new AppError('login.other-number');
      if (!(await bindIdentity(tx, id, name, handle.data))) throw new AppError('account.already-bound');
      const { address } = origin;
      await writeAudit(tx, { accountId: id, event: 'social-bound', address, detail: { provider: name } });
      return id;
    });
    return { ...done, ...(identity ? null : await enter(accountId, origin, name)) };
  }

  serveCall(app, githubBind, async ({ body: { sms_token, github_id }, request }) => {
    const identity = await app.optionalIdentity(request);
    return bind('github', { smsToken: sms_token, thirdPartyId: github_id }, request, identity);
  });

  serveCall(app, wechatBind, async ({ body: { sms_token, wechat_id }, request }) => {
    const identity = await app.optionalIdentity(request);
    return bind('wechat', { smsToken: sms_token, thirdPartyId: wechat_id }, request, identity);
  });

  serveCall(app, githubRegister, ({ body: { mobile, sms_token, github_id }, request }) =>
    bind('github', { smsToken: sms_token, thirdPartyId: github_id, mobile }, request, null),
  );

  serveCall(app, wechatRegister, ({ body: { mobile, sms_token, wechat_id }, request }) =>
    bind('wechat', { smsToken: sms_token, thirdPartyId: wechat_id, mobile }, request, null),
  );

  // All other sessions end, because one of them may have been opened through the unbound identity.
  for (const [call, provider] of [
    [githubUnbind, 'github'],
    [wechatUnbind, 'wechat'],
  ] as const)
    serveCall(app, call, async ({ body, identity: { accountId, sessionId }, request }) => {
      const { address } = originOf(request);
      await db.transaction().execute(async (tx) => {
        const held = await accounts.lockMobile(tx, accountId);
        if (held === null) throw new AppError('account.last-way-in');
        await codes.redeemForHeld(body.sms_token, accountId, held, tx);
        const unbound = await tx
          .deleteFrom('social_account')
          .where('account_id', '=', accountId)
          .where('provider', '=', provider)
          .returning('id')
          .execute();
        if (unbound.length === 0) throw new AppError('account.not-bound');
        await sessions.revokeAll(accountId, sessionId, tx);
        await writeAudit(tx, { accountId, event: 'social-unbound', address, detail: { provider } });
      });
      sessions.forget(accountId);
      return done;
    });
}
