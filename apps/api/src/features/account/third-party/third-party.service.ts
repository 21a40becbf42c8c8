/**
 * Sign-in, binding and unbinding of GitHub and WeChat identities (spec §4.2, decisions "Third-party sign-in").
 *
 * begin → provider → finish. A known identity comes back with a ticket, an unknown one with a third_party_id, which is
 * bound to the account of a phone that is verified by a code: accounts merge by the verified phone and by nothing else.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { ThirdPartyError, ThirdPartyName } from '@unitcell/contract';
import type { Logger } from 'pino';
import { AppError } from '../../../plugins/app-error.ts';
import type { Identity } from '../../../plugins/auth.ts';
import { type Database, inTransaction } from '../../../plugins/database.ts';
import { type Budget, spendToken } from '../../../plugins/token-bucket.ts';
import type { AccountRepository } from '../account.repository.ts';
import { writeAudit } from '../audit-log.ts';
import type { Caller, Login } from '../login.service.ts';
import type { Sessions } from '../sessions.service.ts';
import type { SmsCodes } from '../sms-codes.service.ts';
import type { OAuthProvider, ThirdPartyIdentity } from './oauth-provider.ts';
import { redirectTarget } from './redirect-target.ts';
import type { SignInHandles } from './sign-in-handles.ts';
import { accountOfIdentity, bindIdentity, unbindIdentity } from './social-accounts.repository.ts';

export interface ThirdPartyOptions {
  readonly database: Database;
  readonly publicUrl: string;
  readonly providers: readonly OAuthProvider[];
  readonly handles: SignInHandles;
  readonly accounts: AccountRepository;
  readonly codes: SmsCodes;
  readonly login: Login;
  readonly sessions: Sessions;
  readonly log: Logger;
}

interface StateData {
  readonly provider: ThirdPartyName;
  readonly redirectUri: string;
  readonly codeVerifier: string;
}

interface StrangerData extends ThirdPartyIdentity {
  readonly provider: ThirdPartyName;
}

/** What the provider sent the browser back with. */
export interface CallbackQuery {
  readonly state: string;
  readonly code: string;
  readonly error: string;
}

/** Begun sign-ins per address: each is a row. */
const BEGIN_BUDGET: Budget = { capacity: 60, refillSeconds: 3600 };

export type ThirdParty = ReturnType<typeof thirdParty>;

export function thirdParty(options: ThirdPartyOptions) {
  const { database, publicUrl, handles, accounts, codes, login, sessions, log } = options;
  const { pool } = database;
  const providers = new Map(options.providers.map((provider) => [provider.name, provider]));

  const providerOf = (name: ThirdPartyName): OAuthProvider => {
    const provider = providers.get(name);
    if (!provider) throw new AppError('third-party.unavailable');
    return provider;
  };
  const callbackUrlOf = (name: ThirdPartyName): string => `${publicUrl}/api/arkid/${name}/callback/`;

  /** The page to go back to, with one field of ours. */
  function backTo(redirectUri: string, field: string, value: string): string {
    const url = new URL(redirectUri);
    url.searchParams.set(field, value);
    return url.href;
  }

  const failed = (error: ThirdPartyError, redirectUri = `${publicUrl}/`): string =>
    backTo(redirectUri, 'third_party_error', error);

  async function identify(
    provider: OAuthProvider,
    code: string,
    codeVerifier: string,
  ): Promise<ThirdPartyIdentity | null> {
    try {
      return await provider.identify({ code, codeVerifier, callbackUrl: callbackUrlOf(provider.name) });
    } catch (error) {
      log.warn({ err: error, provider: provider.name }, 'third-party sign-in failed');
      return null;
    }
  }

  return {
    names: [...providers.keys()],

    /**
     * Begins a sign-in and answers where the browser must go. Somebody who is signed in begins a binding.
     * @throws AppError third-party.unavailable, third-party.redirect, request.too-many
     */
    async begin(
      name: ThirdPartyName,
      request: { redirectUri: string; browser: string; accountId: number | null },
      caller: Caller,
    ): Promise<string> {
      const provider = providerOf(name);
      const target = redirectTarget(request.redirectUri, publicUrl);
      if (!target) throw new AppError('third-party.redirect', { origin: new URL(publicUrl).origin });
      const { allowed, retryAfterSeconds } = await spendToken(
        pool,
        `third-party:${caller.address}`,
        BEGIN_BUDGET,
      );
      if (!allowed) throw new AppError('request.too-many', { seconds: retryAfterSeconds });
      const codeVerifier = randomBytes(32).toString('base64url');
      const data: StateData = { provider: name, redirectUri: target.href, codeVerifier };
      const state = await handles.make('state', { ...request, data });
      const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');
      return provider.authorizeUrl({ state, codeChallenge, callbackUrl: callbackUrlOf(name) });
    },

    /** Ends a sign-in at the provider and answers the page to go back to. Never throws for what a browser brings. */
    async finish(name: ThirdPartyName, query: CallbackQuery, browser: string | null): Promise<string> {
      const provider = providers.get(name);
      const state = await handles.redeem<StateData>('state', query.state, browser);
      if (!provider || state?.data.provider !== name) return failed('state');
      const { redirectUri, codeVerifier } = state.data;
      if (query.code === '') return failed('denied', redirectUri);
      const identity = await identify(provider, query.code, codeVerifier);
      if (!identity || browser === null) return failed('provider', redirectUri);
      const owner = await accountOfIdentity(pool, name, identity.providerUserId);
      if (owner === null) {
        const data: StrangerData = { provider: name, ...identity };
        const handle = await handles.make('third-party', { browser, accountId: state.accountId, data });
        return backTo(redirectUri, 'third_party_id', handle);
      }
      // Who is signed in wanted to bind, and must not find himself in another account.
      if (state.accountId !== null) return failed('bound', redirectUri);
      const ticket = await handles.make('ticket', { browser, accountId: owner, data: { provider: name } });
      return backTo(redirectUri, 'token', ticket);
    },

    /** Exchanges a ticket for a lasting token. @throws AppError auth.invalid */
    async exchangeTicket(ticket: string, browser: string | null, caller: Caller) {
      const token = await inTransaction(pool, async (client) => {
        const handle = await handles.redeem<{ provider: string }>('ticket', ticket, browser, client);
        if (!handle || handle.accountId === null) throw new AppError('auth.invalid');
        return login.openSession(handle.accountId, caller, handle.data.provider, client);
      });
      return { token, identity: await sessions.verify(token) };
    },

    /**
     * Binds a third_party_id to the account of the phone the confirmation is of; `register` makes that account.
     * @returns a token, unless the caller is signed in
     * @throws AppError third-party.expired, login.wrong-token, login.not-registered, login.other-number,
     *   account.already-bound
     */
    async enter(
      name: ThirdPartyName,
      request: { smsToken: string; thirdPartyId: string; mobile?: string; mayRegister: boolean },
      browser: string | null,
      identity: Identity | null,
      caller: Caller,
    ): Promise<string | null> {
      const accountId = await inTransaction(pool, async (client) => {
        const handle = await handles.redeem<StrangerData>(
          'third-party',
          request.thirdPartyId,
          browser,
          client,
        );
        const begunBy = handle?.accountId ?? null;
        if (handle?.data.provider !== name || (begunBy !== null && begunBy !== identity?.accountId))
          throw new AppError('third-party.expired');
        const { mobile } = await codes.redeem(
          {
            token: request.smsToken,
            purpose: 'bind',
            ...(request.mobile === undefined ? {} : { mobile: request.mobile }),
            ...(identity ? { accountId: identity.accountId } : {}),
          },
          client,
        );
        const id = request.mayRegister
          ? (await accounts.createForMobile(mobile, client)).id
          : await accounts.idByMobile(mobile, client);
        if (id === null) throw new AppError('login.not-registered');
        if (identity && identity.accountId !== id) throw new AppError('login.other-number');
        if (!(await bindIdentity(client, id, name, handle.data))) throw new AppError('account.already-bound');
        await writeAudit(client, {
          accountId: id,
          event: 'social-bound',
          address: caller.address,
          detail: { provider: name },
        });
        return id;
      });
      return identity ? null : login.openSession(accountId, caller, name);
    },

    /**
     * Takes an identity off the account; all other sessions end, since one of them may have come in by it.
     * @throws AppError login.wrong-token, account.last-way-in, login.other-number, account.not-bound
     */
    async unbind(name: ThirdPartyName, smsToken: string, identity: Identity, caller: Caller): Promise<void> {
      const { accountId, sessionId } = identity;
      await inTransaction(pool, async (client) => {
        const held = await accounts.lockMobile(client, accountId);
        if (held === null) throw new AppError('account.last-way-in');
        const { mobile } = await codes.redeem({ token: smsToken, purpose: 'bind', accountId }, client);
        if (mobile !== held) throw new AppError('login.other-number');
        if (!(await unbindIdentity(client, accountId, name))) throw new AppError('account.not-bound');
        await sessions.revokeAll(accountId, sessionId, client);
        await writeAudit(client, {
          accountId,
          event: 'social-unbound',
          address: caller.address,
          detail: { provider: name },
        });
      });
      sessions.forget(accountId);
    },
  };
}
