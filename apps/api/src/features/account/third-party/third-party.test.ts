/** Sign-in by GitHub and by WeChat: redirect, callback and the resulting session. */
import { describe, expect, it } from 'vitest';
import { buildTestApp } from '../../../testing/build-test-app.ts';
import {
  type Browser,
  freshBrowser,
  openThirdPartySite,
  type Provider,
  SITE,
} from '../../../testing/open-third-party-site.ts';

const { test, fakeOAuth, freshMobile, refillBudgets, send, visitProvider, signIn, bindCode, registered } =
  await openThirdPartySite();

describe.each(['github', 'wechat'] as const)('sign-in by %s', (provider) => {
  it('registers a stranger by phone and recognises them the next time', async () => {
    const mobile = freshMobile();
    const token = await registered(provider, mobile);
    const profile = (await send('/api/arkid/get_user_infor/', null, { token })).json<
      Record<string, unknown>
    >();
    const { id } = fakeOAuth.nextUser!;
    expect(profile).toMatchObject({
      mobile,
      ...(provider === 'github'
        ? { github_user: { github_user_id: String(id) } }
        : { wechat_user: { unionid: `union-${id}` } }),
    });

    const browser = freshBrowser();
    const ticket = (await signIn(provider, browser)).get('token')!;
    const first = await send('/api/arkid/get_user_infor/', null, { browser, token: ticket });
    const { token: lasting } = first.json<{ token: string }>();
    expect(lasting).toMatch(/^ey/);
    expect((await send('/api/arkid/get_user_infor/', null, { token: lasting })).json()).toMatchObject({
      mobile,
    });
    const second = await send('/api/arkid/get_user_infor/', null, { browser, token: ticket });
    expect(second.json()).toMatchObject({ detail: 'Invalid token' });
  });

  it('binds to the account of a verified phone and signs in to it', async () => {
    const mobile = freshMobile();
    await test.signIn(mobile);
    const browser = freshBrowser();
    const id = (await signIn(provider, browser)).get('third_party_id')!;
    const answer = await send(
      `/api/arkid/${provider}/bind/`,
      { sms_token: await bindCode(mobile), [`${provider}_id`]: id },
      { browser },
    );
    const { token } = answer.json<{ token: string }>();
    expect((await send('/api/arkid/get_user_infor/', null, { token })).json()).toMatchObject({ mobile });
  });

  it('binds to and unbinds from a signed-in account; unbinding ends the other sessions', async () => {
    const mobile = freshMobile();
    const token = await test.signIn(mobile);
    await refillBudgets();
    const elsewhere = await test.signIn(mobile);
    const browser = freshBrowser();
    const id = (await signIn(provider, browser, token)).get('third_party_id')!;
    const bound = await send(
      `/api/arkid/${provider}/bind/`,
      { sms_token: await bindCode(mobile, token), [`${provider}_id`]: id },
      { browser, token },
    );
    expect(bound.json()).toEqual({ error: 'false', message: '' });
    const unbound = await send(
      `/api/arkid/${provider}/unbind/`,
      { sms_token: await bindCode(mobile, token) },
      { token },
    );
    expect(unbound.json()).toMatchObject({ error: 'false' });
    expect((await send('/api/arkid/get_user_infor/', null, { token })).json()).toMatchObject({
      github_user: null,
      wechat_user: null,
    });
    expect((await send('/api/arkid/get_user_infor/', null, { token: elsewhere })).statusCode).toBe(401);
  });

  it('returns with the reason when the person declines or the provider fails', async () => {
    fakeOAuth.nextUser = null;
    expect((await signIn(provider, freshBrowser())).get('third_party_error')).toBe('denied');
    fakeOAuth.nextUser = { id: 1, name: 'octo' };
    fakeOAuth.isDown = true;
    expect((await signIn(provider, freshBrowser())).get('third_party_error')).toBe('provider');
  });
});

describe('POST /api/arkid/{github,wechat}/login/', () => {
  it.each([
    'https://evil.example/account',
    'https://materials.example.org.evil.example/',
    'https://user@materials.example.org/account',
    'https://materials.example.org@evil.example/',
    'https://@materials.example.org/',
    'https://materials.example.org/account#token=x',
    'https://materials.example.org:8443/account',
    'http://materials.example.org/account',
    'https:\\\\evil.example\\account',
    'https://materials.example.org\\@evil.example/',
    '//evil.example/',
    '/account',
    'javascript:alert(1)',
    'https://materials.example.org/api/arkid/github/callback/',
    'https://materials.example.org//api/x',
    'https://materials.example.org/%61pi/x',
    ' https://materials.example.org/',
    '',
  ])('rejects %j as redirect_uri', async (uri) => {
    const answer = await send('/api/arkid/github/login/', { redirect_uri: uri });
    expect(answer.json()).toMatchObject({ error: 'true', code: 'third-party.redirect' });
  });

  it('sets a cookie that scripts, other sites and plain HTTP cannot read', async () => {
    const answer = await send('/api/arkid/github/login/', { redirect_uri: `${SITE}/` });
    expect(answer.headers['set-cookie']).toMatch(
      /^__Host-unitcell_browser=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/,
    );
  });

  it('uses PKCE where the provider supports it', async () => {
    const url = (provider: Provider) =>
      send(`/api/arkid/${provider}/login/`, { redirect_uri: `${SITE}/` }).then(
        (answer) => new URL(answer.json<{ url: string }>().url).searchParams,
      );
    expect((await url('github')).get('code_challenge_method')).toBe('S256');
    expect((await url('wechat')).has('code_challenge')).toBe(false);
  });
});

describe('GET /api/arkid/{github,wechat}/callback/', () => {
  const errorOf = (answer: { headers: Record<string, unknown> }): string | null => {
    const page = new URL(String(answer.headers.location));
    expect(page.origin).toBe(SITE);
    return page.searchParams.get('third_party_error');
  };

  it('accepts a state only once, in its own browser and from its own provider', async () => {
    const browser = freshBrowser();
    const callback = await visitProvider('github', browser);
    expect(errorOf(await send(callback, null))).toBe('state');
    expect(errorOf(await send(callback, null, { browser: freshBrowser() }))).toBe('state');
    const stranger = freshBrowser();
    await send('/api/arkid/github/login/', { redirect_uri: `${SITE}/` }, { browser: stranger });
    expect(errorOf(await send(callback, null, { browser: stranger }))).toBe('state');
    expect(errorOf(await send(callback.replace('github', 'wechat'), null, { browser }))).toBe('state');
    // The last attempt was made in the right browser, so the state is used up.
    expect(errorOf(await send(callback, null, { browser }))).toBe('state');
  });

  it('rejects malformed input', async () => {
    for (const query of ['', '?state=x', '?state=x.y&code=1', '?state=a&state=b&code=1'])
      expect(errorOf(await send(`/api/arkid/github/callback/${query}`, null))).toBe('state');
  });

  it('logs neither code nor state nor ticket', async () => {
    const browser = freshBrowser();
    const callback = await visitProvider('github', browser);
    await send(callback, null, { browser });
    const code = new URLSearchParams(callback.split('?')[1]).get('code')!;
    const page = (await send(callback, null, { browser })).headers.location!;
    await send(new URL(page).pathname + new URL(page).search, null, { browser });
    expect(test.logLines.join('')).not.toContain(code);
    expect(test.logLines.join('')).not.toMatch(/state=|third_party_|token=/);
  });
});

describe('sign-in tickets', () => {
  it('expire, work only once and only in the browser that began the sign-in, and give access only to the profile', async () => {
    await registered('github', freshMobile());
    const browser = freshBrowser();
    const fresh = async () => (await signIn('github', browser)).get('token')!;
    const ask = (token: string, path = '/api/arkid/get_user_infor/', by: Browser | undefined = browser) =>
      send(path, null, { token, browser: by });
    expect((await ask(await fresh(), '/api/arkid/sessions/')).statusCode).toBe(401);
    expect((await ask(await fresh(), '/api/arkid/get_user_infor/', freshBrowser())).statusCode).toBe(401);
    const late = await fresh();
    await test.database.pool.query("UPDATE sign_in_handle SET expires_at = now() WHERE kind = 'ticket'");
    expect((await ask(late)).statusCode).toBe(401);
    const raced = await fresh();
    const answers = await Promise.all(Array.from({ length: 6 }, () => ask(raced)));
    expect(answers.filter((answer) => answer.statusCode === 200)).toHaveLength(1);
  });
});

describe('an installation without providers', () => {
  it('offers no sign-in by a provider', async () => {
    const plain = await buildTestApp();
    try {
      expect((await plain.get('/api/arkid/providers/')).json()).toEqual({
        providers: [],
        phone: true,
        oidc: null,
        ldap: null,
      });
      const answer = await plain.post('/api/arkid/github/login/', { redirect_uri: 'http://127.0.0.1:3000/' });
      expect(answer.json()).toMatchObject({ error: 'true', code: 'third-party.unavailable' });
    } finally {
      await plain.close();
    }
    expect((await test.get('/api/arkid/providers/')).json()).toMatchObject({
      providers: ['github', 'wechat'],
    });
  });
});
