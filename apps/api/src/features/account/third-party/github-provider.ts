/** GitHub's web application flow with PKCE (docs.github.com, "Authorizing OAuth apps"). */
import type { OAuthConfig } from '../../../config/config.ts';
import { fetchJson, type OAuthProvider } from './oauth-provider.ts';

export const githubProvider = (config: OAuthConfig, needsPhone: boolean): OAuthProvider => ({
  name: 'github',
  needsPhone,

  authorizeUrl({ state, codeChallenge, callbackUrl }) {
    const url = new URL(config.authorizeUrl);
    url.searchParams.set('client_id', config.clientId);
    url.searchParams.set('redirect_uri', callbackUrl);
    url.searchParams.set('response_type', 'code');
    // No scope: the public profile is all we ask for.
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
      throw new Error(`GitHub gave no access token: ${String(token.error)}`);
    const user = await fetchJson(new URL(config.userUrl), {
      headers: {
        Accept: 'application/vnd.github+json',
        Authorization: `Bearer ${token.access_token}`,
        'User-Agent': 'unitcell',
      },
    });
    if (!Number.isSafeInteger(user.id)) throw new Error('GitHub named no user id');
    return {
      providerUserId: String(user.id),
      displayName: typeof user.login === 'string' ? user.login.slice(0, 100) : '',
    };
  },
});
