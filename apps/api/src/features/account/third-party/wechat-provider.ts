/** WeChat's sign-in for websites (developers.weixin.qq.com, "Website Application WeChat Login"). It offers no PKCE. */
import type { OAuthConfig } from '../../../config/config.ts';
import { fetchJson, type OAuthProvider } from './oauth-provider.ts';

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
      throw new Error('WeChat gave no access token');
    const userUrl = new URL(config.userUrl);
    userUrl.searchParams.set('access_token', token.access_token);
    userUrl.searchParams.set('openid', token.openid);
    const user = await ask(userUrl);
    const unionid = user.unionid ?? token.unionid;
    // Only the unionid is the same person in every application; an openid would lock people out after a change of app.
    if (typeof unionid !== 'string' || unionid === '')
      throw new Error('WeChat named no unionid: bind the application to an open platform account');
    return {
      providerUserId: unionid,
      displayName: typeof user.nickname === 'string' ? user.nickname.slice(0, 100) : '',
    };
  },
});
