/**
 * Sign-in, binding and unbinding of GitHub and WeChat identities (spec §4.2, decisions "Third-party
 * sign-in").
 *
 * begin → provider → finish. A known identity returns with a ticket, an unknown one with a third_party_id.
 * That id is bound to the account of a phone verified by a code; an identity is bound to an existing account
 * only by a verified phone. Where no phone is required (OpenID Connect never requires one) the identity gets
 * its own account.
 */
import { createHash, randomBytes } from 'node:crypto';
import {
  type AuthorizationName,
  githubLogin,
  oidcLogin,
  THIRD_PARTY_PROVIDERS,
  type ThirdPartyError,
  type ThirdPartyName,
  wechatLogin,
} from '@unitcell/contract/account';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { originOf, type RequestOrigin } from '../../../http/client-network.ts';
import { done, serveCall } from '../../../http/serve-call.ts';
import type { Database } from '../../../infra/database.ts';
import { AppError } from '../../../messages/app-error.ts';
import type { AccountRepository } from '../account.repository.ts';
import { writeAudit } from '../audit-log.ts';
import { NotAllowed } from '../institute/admission.ts';
import type { Admit } from '../institute/institute.ts';
import type { Challenges } from '../second-factor/challenges.ts';
import { spendTry } from '../sign-in-budgets.ts';
import { tooMany } from '../sms-codes.ts';
import type { OAuthProvider, ThirdPartyIdentity } from './oauth-providers.ts';
import type { BrowserCookie, SignInHandles } from './sign-in-handles.ts';
import { accountOfIdentity, bindIdentity } from './social-accounts.ts';

// ── Redirect targets of third-party sign-ins: only pages of this site are allowed ──

/** Visible ASCII characters without `#` and the backslash. */
const PLAIN_ADDRESS = /^[\x21\x22\x24-\x5b\x5d-\x7e]+$/;

/**
 * Parses the `redirect_uri` of a client. It must begin with exactly the origin of PUBLIC_URL in the spelling of
 * browsers, so that other parsers cannot read it differently: no other case, no default port, no user name,
 * no fragment, no backslash. Paths of the API and paths that could be taken for another
 * host are rejected. Our own query fields are removed.
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

interface AuthorizeOptions {
  readonly database: Database;
  readonly publicUrl: string;
  readonly providers: readonly OAuthProvider[];
  readonly handles: SignInHandles;
  readonly cookie: BrowserCookie;
  /** Whether a phone can be verified at all. */
  readonly sendsCodes: boolean;
  readonly accounts: AccountRepository;
  readonly challenges: Challenges;
  readonly admit: Admit;
  readonly log: Logger;
}

/** The parameters with which the provider sent the browser back. */
interface CallbackQuery {
  readonly state: string;
  readonly code: string;
  readonly error: string;
  /** The query, unparsed. */
  readonly query: string;
}

const textOf = (query: unknown, field: string): string => {
  const value = (query as Record<string, unknown>)[field];
  return typeof value === 'string' ? value.slice(0, 1024) : '';
};

export function authorizeRoutes(
  app: FastifyInstance,
  { publicUrl, handles, cookie, accounts, challenges, admit, log, ...options }: AuthorizeOptions,
): void {
  const { db } = options.database;
  const providers = new Map(options.providers.map((provider) => [provider.name, provider]));
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
   * Binds an identity of a provider that needs no phone to the account of the person who began the binding.
   * @returns false when the identity is bound already
   */
  const bindOwn = (accountId: number, name: string, identity: ThirdPartyIdentity, origin: RequestOrigin) =>
    db.transaction().execute(async (tx) => {
      await accounts.toEnter(tx, accountId);
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
   * Binding GitHub or WeChat requires a code to the account's number if it has one and the site sends codes.
   */
  async function isBoundByPhone({ name, needsPhone }: OAuthProvider, accountId: number): Promise<boolean> {
    if (name === 'oidc' || !options.sendsCodes) return false;
    return needsPhone || Boolean((await accounts.profile(accountId))?.mobile);
  }

  // Begins a sign-in, or a binding for a signed-in caller, and returns the URL for the browser.
  for (const [call, name] of [
    [githubLogin, 'github'],
    [wechatLogin, 'wechat'],
    [oidcLogin, 'oidc'],
  ] as const)
    serveCall(app, call, async ({ body, request, reply }) => {
      const accountId = (await app.optionalIdentity(request))?.accountId ?? null;
      const browser = cookie.ensure(request, reply);
      const provider = providers.get(name);
      if (!provider) throw new AppError('third-party.unavailable');
      const target = redirectTarget(body.redirect_uri, publicUrl);
      if (!target) throw new AppError('third-party.redirect', { origin: new URL(publicUrl).origin });
      const refused = await spendTry(db, 'third-party', originOf(request).address);
      if (refused) throw tooMany(refused);
      const codeVerifier = randomBytes(32).toString('base64url');
      const data = { provider: name, redirectUri: target.href, codeVerifier };
      const state = await handles.make('state', { browser, accountId, data });
      const codeChallenge = createHash('sha256').update(codeVerifier).digest('base64url');
      const callbackUrl = callbackUrlOf(name);
      try {
        const url = await provider.authorizeUrl({ state, codeChallenge, codeVerifier, callbackUrl });
        return { ...done, url };
      } catch (error) {
        log.error({ err: error, provider: name }, 'the sign-in provider cannot be used');
        throw new AppError('directory.away');
      }
    });

  /**
   * Completes a sign-in at the provider and returns the page to which the browser returns. Never throws for
   * invalid browser input.
   */
  async function finish(
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
    if (identity === 'not-allowed') {
      const detail = { via: name, reason: identity };
      await writeAudit(db, {
        accountId: state.accountId,
        event: 'login-failed',
        address: origin.address,
        detail,
      });
    }
    if (typeof identity === 'string') return failed(identity, redirectUri);
    if (browser === null) return failed('provider', redirectUri);
    let owner = await accountOfIdentity(db, name, identity.providerUserId);
    if (!provider.needsPhone && state.accountId === null)
      owner = await admit({ provider: name, identity, address: origin.address });
    else if (owner === null && state.accountId !== null && !(await isBoundByPhone(provider, state.accountId)))
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
    // A signed-in person began a binding and must not be signed in to another account.
    if (state.accountId !== null) return failed('bound', redirectUri);
    const isBlocked = (error: unknown): 'blocked' => {
      if (error instanceof AppError && error.code === 'account.blocked') return 'blocked';
      throw error;
    };
    const pending = await challenges.pending(owner, name, db).catch(isBlocked);
    if (pending === 'blocked') return failed('blocked', redirectUri);
    if (pending) {
      const page = backTo(redirectUri, 'second_factor', pending.challenge);
      return pending.enroll ? backTo(page, 'second_factor_enroll', '1') : page;
    }
    const ticket = await handles.make('ticket', { browser, accountId: owner, data: { provider: name } });
    return backTo(redirectUri, 'token', ticket);
  }

  // The address contains a code and a state, so it is kept out of the log.
  for (const name of [...THIRD_PARTY_PROVIDERS, 'oidc'] as const)
    app.get(`/api/arkid/${name}/callback/`, { logLevel: 'warn' }, async (request, reply) => {
      const query = {
        state: textOf(request.query, 'state'),
        code: textOf(request.query, 'code'),
        error: textOf(request.query, 'error'),
        query: new URL(request.url, 'http://here').search,
      };
      const page = await finish(name, query, cookie.read(request), originOf(request));
      return reply.header('Cache-Control', 'no-store').redirect(page, 303);
    });
}
