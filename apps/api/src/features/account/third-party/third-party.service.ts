/**
 * Sign-in, binding and unbinding of GitHub and WeChat identities (spec §4.2, decisions "Third-party
 * sign-in").
 *
 * begin → provider → finish. A known identity returns with a ticket, an unknown one with a third_party_id.
 * That id is
 * bound to the account of a phone verified by a code: accounts merge by the verified phone and by nothing
 * else.
 * Where the site requires no phone (OpenID Connect never does) the identity gets its own account.
 */
import { createHash, randomBytes } from 'node:crypto';
import {
  type AuthorizationName,
  THIRD_PARTY_PROVIDERS,
  type ThirdPartyError,
  type ThirdPartyName,
} from '@unitcell/contract/account';
import type { Logger } from 'pino';
import type { Identity } from '../../../http/auth.ts';
import type { Database } from '../../../infra/database.ts';
import { AppError } from '../../../messages/app-error.ts';
import type { AccountRepository } from '../account.repository.ts';
import { writeAudit } from '../audit-log.ts';
import type { RequestOrigin } from '../request-origin.ts';
import { NotAllowed } from '../institute/admission.ts';
import type { Institute } from '../institute/institute.service.ts';
import type { Entered, Login } from '../login.service.ts';
import type { SecondFactors } from '../second-factor/second-factor.service.ts';
import type { Sessions } from '../sessions.ts';
import { spendTry } from '../sign-in-budgets.ts';
import { type SmsCodes, tooMany } from '../sms-codes.ts';
import type { OAuthProvider, ThirdPartyIdentity } from './oauth-providers.ts';
import type { SignInHandles } from './sign-in-handles.ts';
import { accountOfIdentity, bindIdentity, unbindIdentity } from './social-accounts.repository.ts';

/** Redirect targets of a third-party sign-in: pages of this site only. */

/** Visible ASCII without fragments and backslashes. */
const PLAIN_ADDRESS = /^[\x21\x22\x24-\x5b\x5d-\x7e]+$/;

/**
 * Parses the `redirect_uri` of a client. It must begin with the origin of PUBLIC_URL letter by letter as
 * browsers
 * write it, so that nothing depends on how other parsers read addresses: no other case, no default port, no
 * user name,
 * no fragment, no backslash. Paths of the API and paths that could be taken for another host are rejected.
 * Our own query fields are removed.
 * @returns null when it is not allowed
 */
export function redirectTarget(typed: string, publicUrl: string): URL | null {
  const { origin } = new URL(publicUrl);
  if (!typed.startsWith(origin) || !PLAIN_ADDRESS.test(typed) || !URL.canParse(typed)) return null;
  const rest = typed.slice(origin.length);
  if (rest !== '' && !/^[/?]/.test(rest)) return null;
  const url = new URL(typed);
  if (url.origin !== origin || url.username || url.password) return null;
  if (!isPathOfAPage(url)) return null;
  for (const field of OUR_FIELDS) url.searchParams.delete(field);
  return url;
}

/** Fields the callback adds to the address. */
const OUR_FIELDS = ['token', 'third_party_id', 'third_party_error'] as const;

/** The parser has resolved `.` and `..`, also those written as `%2e`. */
function isPathOfAPage({ pathname }: URL): boolean {
  try {
    const path = decodeURIComponent(pathname);
    return !/^[/\\]{2}/.test(path) && !/[\\\p{Cc}]/u.test(path) && !/^\/+api(?:\/|$)/i.test(path);
  } catch {
    return false;
  }
}

interface ThirdPartyOptions {
  readonly database: Database;
  readonly publicUrl: string;
  readonly providers: readonly OAuthProvider[];
  readonly handles: SignInHandles;
  /** Whether a phone can be verified at all. */
  readonly sendsCodes: boolean;
  readonly accounts: AccountRepository;
  readonly codes: SmsCodes;
  readonly login: Login;
  readonly factors: SecondFactors;
  readonly sessions: Sessions;
  readonly institute: Institute;
  readonly log: Logger;
}

/** The parameters the provider sent the browser back with. */
interface CallbackQuery {
  readonly state: string;
  readonly code: string;
  readonly error: string;
  /** The query, unparsed. */
  readonly query: string;
}

export type ThirdParty = ReturnType<typeof thirdParty>;

export function thirdParty(options: ThirdPartyOptions) {
  const { database, publicUrl, handles, accounts, codes, login, factors, sessions, institute, log } = options;
  const { db } = database;
  const providers = new Map(options.providers.map((provider) => [provider.name, provider]));

  const providerOf = (name: AuthorizationName): OAuthProvider => {
    const provider = providers.get(name);
    if (!provider) throw new AppError('third-party.unavailable');
    return provider;
  };
  const callbackUrlOf = (name: AuthorizationName): string => `${publicUrl}/api/arkid/${name}/callback/`;

  /** The page to return to, with one of our fields. */
  function backTo(redirectUri: string, field: string, value: string): string {
    const url = new URL(redirectUri);
    url.searchParams.set(field, value);
    return url.href;
  }

  const failed = (error: ThirdPartyError, redirectUri = `${publicUrl}/`): string =>
    backTo(redirectUri, 'third_party_error', error);

  async function identify(
    provider: OAuthProvider,
    { code, state, query }: CallbackQuery,
    codeVerifier: string,
  ): Promise<ThirdPartyIdentity | 'provider' | 'not-allowed'> {
    try {
      const callbackUrl = callbackUrlOf(provider.name);
      return await provider.identify({ code, codeVerifier, callbackUrl, state, query });
    } catch (error) {
      log.warn({ err: error, provider: provider.name }, 'third-party sign-in failed');
      return error instanceof NotAllowed ? 'not-allowed' : 'provider';
    }
  }

  /**
   * Binds a provider that needs no phone to the account that began it. @returns false when it is bound
   * already
   */
  const bindOwn = (accountId: number, name: string, identity: ThirdPartyIdentity, origin: RequestOrigin) =>
    db.transaction().execute(async (tx) => {
      await accounts.userTypeToEnter(tx, accountId);
      const isBound = await bindIdentity(tx, accountId, name, identity);
      if (isBound)
        await writeAudit(tx, {
          accountId,
          event: 'social-bound',
          address: origin.address,
          detail: { provider: name },
        });
      return isBound;
    });

  /**
   * Binding GitHub or WeChat requires a code to the account's number, where it has one and codes are sent.
   */
  async function isBoundByPhone({ name, needsPhone }: OAuthProvider, accountId: number): Promise<boolean> {
    if (name === 'oidc' || !options.sendsCodes) return false;
    return needsPhone || Boolean((await accounts.profile(accountId))?.mobile);
  }

  return {
    names: THIRD_PARTY_PROVIDERS.filter((name) => providers.has(name)),

    /** Begins a sign-in and returns the URL for the browser. For a signed-in caller it begins a binding. */
    async begin(
      name: AuthorizationName,
      request: { redirectUri: string; browser: string; accountId: number | null },
      origin: RequestOrigin,
    ): Promise<string> {
      const provider = providerOf(name);
      const target = redirectTarget(request.redirectUri, publicUrl);
      if (!target) throw new AppError('third-party.redirect', { origin: new URL(publicUrl).origin });
      const refused = await spendTry(db, 'third-party', origin.address);
      if (refused) throw tooMany(refused);
      const codeVerifier = randomBytes(32).toString('base64url');
      const data = { provider: name, redirectUri: target.href, codeVerifier };
      const state = await handles.make('state', { ...request, data });
      const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');
      const callbackUrl = callbackUrlOf(name);
      try {
        return await provider.authorizeUrl({ state, codeChallenge, codeVerifier, callbackUrl });
      } catch (error) {
        log.error({ err: error, provider: name }, 'the sign-in provider cannot be used');
        throw new AppError('directory.away');
      }
    },

    /**
     * Completes a sign-in at the provider and returns the page to go back to. Never throws for bad browser
     * input.
     */
    async finish(
      name: AuthorizationName,
      query: CallbackQuery,
      browser: string | null,
      origin: RequestOrigin,
    ): Promise<string> {
      const provider = providers.get(name);
      const state = await handles.redeem('state', query.state, browser);
      if (!provider || state?.data.provider !== name) return failed('state');
      const { redirectUri, codeVerifier } = state.data;
      if (query.code === '') return failed('denied', redirectUri);
      const identity = await identify(provider, query, codeVerifier);
      if (typeof identity === 'string') return failed(identity, redirectUri);
      if (browser === null) return failed('provider', redirectUri);
      let owner = await accountOfIdentity(db, name, identity.providerUserId);
      if (!provider.needsPhone && state.accountId === null)
        owner = await institute.admit({ provider: name, identity, address: origin.address });
      else if (
        owner === null &&
        state.accountId !== null &&
        !(await isBoundByPhone(provider, state.accountId))
      )
        return (await bindOwn(state.accountId, name, identity, origin))
          ? redirectUri
          : failed('bound', redirectUri);
      if (owner === null) {
        // Only GitHub and WeChat require a phone.
        const { providerUserId, displayName } = identity;
        const data = { provider: name as ThirdPartyName, providerUserId, displayName };
        const handle = await handles.make('third-party', { browser, accountId: state.accountId, data });
        return backTo(redirectUri, 'third_party_id', handle);
      }
      // A signed-in person wanted to bind and must not end up in another account.
      if (state.accountId !== null) return failed('bound', redirectUri);
      const isBlocked = (error: unknown): 'blocked' => {
        if (error instanceof AppError && error.code === 'account.blocked') return 'blocked';
        throw error;
      };
      const pending = await factors.pending(owner, name, db).catch(isBlocked);
      if (pending === 'blocked') return failed('blocked', redirectUri);
      if (pending) {
        const page = backTo(redirectUri, 'second_factor', pending.challenge);
        return pending.enroll ? backTo(page, 'second_factor_enroll', '1') : page;
      }
      const ticket = await handles.make('ticket', { browser, accountId: owner, data: { provider: name } });
      return backTo(redirectUri, 'token', ticket);
    },

    /** Exchanges a ticket for a lasting token. @throws AppError auth.invalid */
    async exchangeTicket(ticket: string, browser: string | null, origin: RequestOrigin) {
      const token = await db.transaction().execute(async (tx) => {
        const handle = await handles.redeem('ticket', ticket, browser, tx);
        if (!handle || handle.accountId === null) throw new AppError('auth.invalid');
        const entered = await login.enter(handle.accountId, origin, handle.data.provider, tx);
        // A second factor was set up after the ticket was made: the person signs in again and presents it.
        if (!('token' in entered)) throw new AppError('auth.invalid');
        return entered.token;
      });
      return { token, identity: await sessions.verify(token) };
    },

    /**
     * Binds a third_party_id to the account of the confirmed phone; `register` creates that account.
     * @returns how the sign-in continues, unless the caller is signed in
     * @throws AppError third-party.expired, login.wrong-token, login.not-registered, login.other-number,
     *   account.already-bound
     */
    async enter(
      name: ThirdPartyName,
      request: { smsToken: string; thirdPartyId: string; mobile?: string; mayRegister: boolean },
      browser: string | null,
      identity: Identity | null,
      origin: RequestOrigin,
    ): Promise<Entered | null> {
      const accountId = await db.transaction().execute(async (tx) => {
        const handle = await handles.redeem('third-party', request.thirdPartyId, browser, tx);
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
          tx,
        );
        const id = request.mayRegister
          ? (await accounts.createForMobile(mobile, tx)).id
          : await accounts.idByMobile(mobile, tx);
        if (id === null) throw new AppError('login.not-registered');
        if (identity && identity.accountId !== id) throw new AppError('login.other-number');
        if (!(await bindIdentity(tx, id, name, handle.data))) throw new AppError('account.already-bound');
        await writeAudit(tx, {
          accountId: id,
          event: 'social-bound',
          address: origin.address,
          detail: { provider: name },
        });
        return id;
      });
      return identity ? null : login.enter(accountId, origin, name);
    },

    /** Unbinds an identity. All other sessions end, since one of them may have been opened by it. */
    async unbind(
      name: ThirdPartyName,
      smsToken: string,
      identity: Identity,
      origin: RequestOrigin,
    ): Promise<void> {
      const { accountId, sessionId } = identity;
      await db.transaction().execute(async (tx) => {
        const held = await accounts.lockMobile(tx, accountId);
        if (held === null) throw new AppError('account.last-way-in');
        const { mobile } = await codes.redeem({ token: smsToken, purpose: 'bind', accountId }, tx);
        if (mobile !== held) throw new AppError('login.other-number');
        if (!(await unbindIdentity(tx, accountId, name))) throw new AppError('account.not-bound');
        await sessions.revokeAll(accountId, sessionId, tx);
        await writeAudit(tx, {
          accountId,
          event: 'social-unbound',
          address: origin.address,
          detail: { provider: name },
        });
      });
      sessions.forget(accountId);
    },
  };
}
