/**
 * OpenID Connect sign-in: authorization code, PKCE, nonce (OpenID Connect Core 1.0; RFC 7636, 9207). The
 * library validates the responses.
 */
import { createHash } from 'node:crypto';
import * as oidc from 'openid-client';
import type { OidcConfig } from '../../../config/institute.ts';
import type { OAuthProvider } from '../third-party/oauth-providers.ts';
import { NotAllowed, userTypeOf } from './admission.ts';

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
