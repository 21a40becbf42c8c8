/** The interface that every third-party sign-in implements. */
import type { AuthorizationName } from '@unitcell/contract/account';
import type { OAuthConfig } from '../../../config/config.ts';

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
