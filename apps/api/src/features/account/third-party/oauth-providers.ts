/** The interface that every third-party sign-in implements. */
import type { AuthorizationName } from '@unitcell/contract/account';
import type { OAuthConfig } from '../../../config/config.ts';
import { createHash } from 'node:crypto';
import * as oidc from 'openid-client';
import type { OidcConfig } from '../../../config/institute.ts';
import { NotAllowed, userTypeOf } from '../institute/admission.ts';

/** An identity confirmed by the provider. */
export interface ThirdPartyIdentity {
  /** The provider's stable subject, never a name or an e-mail address, which can change owners. */
  readonly providerUserId: string;
  readonly displayName: string;
  /** The user type derived from groups; null or absent when no group determines it. */
  readonly userType?: number | null;
}

interface AuthorizationRequest {
  readonly state: string;
  /** S256 challenge of the code verifier; providers without PKCE ignore it. */
  readonly codeChallenge: string;
  /** Never sent to the browser. */
  readonly codeVerifier: string;
  readonly callbackUrl: string;
}

interface AuthorizationCode {
  readonly code: string;
  readonly codeVerifier: string;
  readonly state: string;
  /** The query of the callback. */
  readonly query: string;
  readonly callbackUrl: string;
}

export interface OAuthProvider {
  readonly name: AuthorizationName;
  /** True if a new identity must be bound to an account with a phone; otherwise it gets its own account. */
  readonly needsPhone: boolean;
  /** The URL to redirect the browser to. */
  authorizeUrl(request: AuthorizationRequest): string | Promise<string>;
  /** Exchanges a code for the identity. @throws Error when the provider refuses or cannot be reached */
  identify(code: AuthorizationCode): Promise<ThirdPartyIdentity>;
}

const TIMEOUT_MILLISECONDS = 10_000;
const MAX_ANSWER_BYTES = 256 * 1024;

/** One request to a provider. Redirects are not followed: a secret goes to the configured address only. */
export async function fetchJson(url: URL, init: RequestInit = {}): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    ...init,
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url.origin}${url.pathname} answered ${response.status}`);
  if (text.length > MAX_ANSWER_BYTES) throw new Error(`${url.origin}${url.pathname}: response too large`);
  const answer: unknown = JSON.parse(text);
  if (typeof answer !== 'object' || answer === null)
    throw new Error(`${url.origin}${url.pathname} did not return a JSON object`);
  return answer as Record<string, unknown>;
}

// ── GitHub's web application flow with PKCE (docs.github.com, "Authorizing OAuth apps") ──

export const githubProvider = (config: OAuthConfig, needsPhone: boolean): OAuthProvider => ({
  name: 'github',
  needsPhone,

  authorizeUrl({ state, codeChallenge, callbackUrl }) {
    const url = new URL(config.authorizeUrl);
    url.searchParams.set('client_id', config.clientId);
    url.searchParams.set('redirect_uri', callbackUrl);
    url.searchParams.set('response_type', 'code');
    // No scope: the public profile is sufficient.
    url.searchParams.set('scope', '');
    url.searchParams.set('state', state);
    url.searchParams.set('code_challenge', codeChallenge);
    url.searchParams.set('code_challenge_method', 'S256');
    return url.href;
  },

  async identify({ code, codeVerifier, callbackUrl }) {
    const token = await fetchJson(new URL(config.tokenUrl), {
      method: 'POST',
      headers: { Accept: 'application/json' },
      body: new URLSearchParams({
        client_id: config.clientId,
        client_secret: config.clientSecret,
        code,
        redirect_uri: callbackUrl,
        code_verifier: codeVerifier,
      }),
    });
    // GitHub reports refusals with status 200.
    if (typeof token.access_token !== 'string')
      throw new Error(`GitHub returned no access token: ${String(token.error)}`);
    const user = await fetchJson(new URL(config.userUrl), {
      headers: {
        Accept: 'application/vnd.github+json',
        Authorization: `Bearer ${token.access_token}`,
        'User-Agent': 'unitcell',
      },
    });
    if (!Number.isSafeInteger(user.id)) throw new Error('GitHub returned no user id');
    return {
      providerUserId: String(user.id),
      displayName: typeof user.login === 'string' ? user.login.slice(0, 100) : '',
    };
  },
});

// WeChat's sign-in for websites (developers.weixin.qq.com, "Website Application WeChat Login"). It offers no PKCE.

/** WeChat reports refusals with status 200 and an errcode. */
async function ask(url: URL): Promise<Record<string, unknown>> {
  const answer = await fetchJson(url);
  if (answer.errcode) throw new Error(`WeChat refused: ${Number(answer.errcode)}`);
  return answer;
}

export const wechatProvider = (config: OAuthConfig, needsPhone: boolean): OAuthProvider => ({
  name: 'wechat',
  needsPhone,

  authorizeUrl({ state, callbackUrl }) {
    const url = new URL(config.authorizeUrl);
    url.searchParams.set('appid', config.clientId);
    url.searchParams.set('redirect_uri', callbackUrl);
    url.searchParams.set('response_type', 'code');
    url.searchParams.set('scope', 'snsapi_login');
    url.searchParams.set('state', state);
    url.hash = 'wechat_redirect';
    return url.href;
  },

  async identify({ code }) {
    const tokenUrl = new URL(config.tokenUrl);
    tokenUrl.searchParams.set('appid', config.clientId);
    tokenUrl.searchParams.set('secret', config.clientSecret);
    tokenUrl.searchParams.set('code', code);
    tokenUrl.searchParams.set('grant_type', 'authorization_code');
    const token = await ask(tokenUrl);
    if (typeof token.access_token !== 'string' || typeof token.openid !== 'string')
      throw new Error('WeChat returned no access token');
    const userUrl = new URL(config.userUrl);
    userUrl.searchParams.set('access_token', token.access_token);
    userUrl.searchParams.set('openid', token.openid);
    const user = await ask(userUrl);
    const unionid = user.unionid ?? token.unionid;
    // Only the unionid is the same in every application; an openid would lock people out after a change of
    // app.
    if (typeof unionid !== 'string' || unionid === '')
      throw new Error('WeChat returned no unionid: bind the application to an open platform account');
    return {
      providerUserId: unionid,
      displayName: typeof user.nickname === 'string' ? user.nickname.slice(0, 100) : '',
    };
  },
});

// OpenID Connect sign-in: authorization code, PKCE, nonce (OpenID Connect Core 1.0; RFC 7636, 9207). The
// library validates the responses.

const TIMEOUT_SECONDS = 10;

/** The nonce is derived from the verifier, so that no second secret has to be stored. */
const nonceOf = (codeVerifier: string): string =>
  createHash('sha256').update(`nonce:${codeVerifier}`).digest('base64url');

const texts = (claim: unknown): string[] =>
  (Array.isArray(claim) ? claim : [claim]).filter((value) => typeof value === 'string');

/** @throws NotAllowed unless the provider has verified an e-mail address in one of the domains */
function checkEmail(claims: Readonly<Record<string, unknown>>, domains: readonly string[]): void {
  if (domains.length === 0) return;
  const { email, email_verified: isVerified } = claims;
  const domain = typeof email === 'string' ? email.slice(email.lastIndexOf('@') + 1).toLowerCase() : '';
  if (isVerified !== true) throw new NotAllowed('the e-mail address is not verified');
  if (!domains.includes(domain)) throw new NotAllowed('the e-mail address is of another domain');
}

export function oidcProvider(config: OidcConfig): OAuthProvider {
  let known: Promise<oidc.Configuration> | undefined;

  /** The provider's metadata; requested again after a failure. */
  async function discover(): Promise<oidc.Configuration> {
    const isPlain = config.issuer.startsWith('http:');
    known ??= oidc.discovery(
      new URL(config.issuer),
      config.clientId,
      config.clientSecret,
      // client_secret_basic is the method every provider must support.
      oidc.ClientSecretBasic(config.clientSecret),
      { timeout: TIMEOUT_SECONDS, execute: isPlain ? [oidc.allowInsecureRequests] : [] },
    );
    try {
      return await known;
    } catch (error) {
      known = undefined;
      throw error;
    }
  }

  return {
    name: 'oidc',
    needsPhone: false,

    async authorizeUrl({ state, codeChallenge, codeVerifier, callbackUrl }) {
      const url = oidc.buildAuthorizationUrl(await discover(), {
        redirect_uri: callbackUrl,
        scope: config.scope,
        state,
        nonce: nonceOf(codeVerifier),
        code_challenge: codeChallenge,
        code_challenge_method: 'S256',
      });
      return url.href;
    },

    async identify({ codeVerifier, callbackUrl, state, query }) {
      const provider = await discover();
      const address = new URL(callbackUrl);
      address.search = query;
      const tokens = await oidc.authorizationCodeGrant(provider, address, {
        pkceCodeVerifier: codeVerifier,
        expectedState: state,
        expectedNonce: nonceOf(codeVerifier),
        idTokenExpected: true,
      });
      const idToken = tokens.claims();
      if (!idToken) throw new Error('the provider sent no id token');
      // The tokens of many providers contain only the subject.
      const more = provider.serverMetadata().userinfo_endpoint
        ? await oidc.fetchUserInfo(provider, tokens.access_token, idToken.sub)
        : {};
      const claims: Readonly<Record<string, unknown>> = { ...more, ...idToken };
      checkEmail(claims, config.emailDomains);
      const [name = ''] = texts([claims.name, claims.preferred_username]);
      return {
        // A subject is unique only within its issuer.
        providerUserId: `${idToken.iss} ${idToken.sub}`,
        displayName: name.slice(0, 100),
        userType: userTypeOf(texts(claims[config.groupsClaim]), config),
      };
    },
  };
}
