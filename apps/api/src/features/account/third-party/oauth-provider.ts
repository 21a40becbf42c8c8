/** The one port every third-party sign-in implements. */
import type { AuthorizationName } from '@unitcell/contract';

/** Whom the provider vouches for. */
export interface ThirdPartyIdentity {
  /** The provider's stable subject: never a name or an e-mail address, which change hands. */
  readonly providerUserId: string;
  readonly displayName: string;
  /** The type of user its groups make of the person; null or left out: they do not say. */
  readonly userType?: number | null;
}

export interface AuthorizationRequest {
  readonly state: string;
  /** S256 of the code verifier; providers without PKCE leave it out. */
  readonly codeChallenge: string;
  /** Kept on this side. */
  readonly codeVerifier: string;
  readonly callbackUrl: string;
}

export interface AuthorizationCode {
  readonly code: string;
  readonly codeVerifier: string;
  readonly state: string;
  /** All the browser was sent back with. */
  readonly query: string;
  readonly callbackUrl: string;
}

export interface OAuthProvider {
  readonly name: AuthorizationName;
  /** Whoever comes the first time is bound to the account of a phone; else gets one of their own. */
  readonly needsPhone: boolean;
  /** Where the browser is sent. */
  authorizeUrl(request: AuthorizationRequest): string | Promise<string>;
  /** Exchanges a code for the identity behind it. @throws Error when the provider refuses or cannot be reached */
  identify(code: AuthorizationCode): Promise<ThirdPartyIdentity>;
}

const TIMEOUT_MILLISECONDS = 10_000;
const MAX_ANSWER_BYTES = 256 * 1024;

/** One call to a provider. Redirects are not followed: a secret goes to the configured address only. */
export async function fetchJson(url: URL, init: RequestInit = {}): Promise<Record<string, unknown>> {
  const response = await fetch(url, {
    ...init,
    redirect: 'error',
    signal: AbortSignal.timeout(TIMEOUT_MILLISECONDS),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url.origin}${url.pathname} answered ${response.status}`);
  if (text.length > MAX_ANSWER_BYTES) throw new Error(`${url.origin}${url.pathname} answered too much`);
  const answer: unknown = JSON.parse(text);
  if (typeof answer !== 'object' || answer === null)
    throw new Error(`${url.origin}${url.pathname} answered no object`);
  return answer as Record<string, unknown>;
}
