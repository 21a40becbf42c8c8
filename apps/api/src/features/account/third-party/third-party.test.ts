import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../../../testing/build-test-app.ts';
import { type OAuthStandIn, startOAuthStandIn } from '@unitcell/dev/oauth-stand-in';

const SITE = 'https://materials.example.org';
let standIn: OAuthStandIn;
let test: TestApp;
let nextNumber = 0;
let nextUser = 1000;
const freshMobile = (): string => `137${String(nextNumber++).padStart(8, '0')}`;

beforeAll(async () => {
  standIn = await startOAuthStandIn();
  test = await buildTestApp({ env: { ...standIn.env, PUBLIC_URL: SITE } });
});
afterAll(async () => {
  await test.close();
  await standIn.close();
});
beforeEach(async () => {
  standIn.nextUser = { id: nextUser++, name: 'octo' };
  standIn.isDown = false;
  await test.database.pool.query('DELETE FROM rate_bucket');
});

type Provider = 'github' | 'wechat';

interface Browser {
  cookie: string;
}

interface SendOptions {
  readonly browser?: Browser | undefined;
  readonly token?: string | undefined;
}

async function send(path: string, body: object | null, { browser, token }: SendOptions = {}) {
  const answer = await test.app.inject({
    method: body ? 'POST' : 'GET',
    url: path,
    headers: {
      'accept-language': 'zh-CN',
      ...(browser ? { cookie: browser.cookie } : {}),
      ...(token ? { authorization: `token ${token}` } : {}),
    },
    ...(body ? { payload: body } : {}),
  });
  const set = answer.headers['set-cookie'];
  if (browser && typeof set === 'string') browser.cookie = set.split(';')[0]!;
  return answer;
}

/** Goes to the provider and answers the callback address it sends the browser to. */
async function visitProvider(provider: Provider, browser: Browser, token?: string): Promise<string> {
  const begun = await send(
    `/api/arkid/${provider}/login/`,
    { redirect_uri: `${SITE}/account?tab=1` },
    { browser, token },
  );
  const { url } = begun.json<{ url: string }>();
  const back = await fetch(url, { redirect: 'manual' });
  const callback = new URL(back.headers.get('location')!);
  expect(callback.origin).toBe(SITE);
  return callback.pathname + callback.search;
}

/** The whole way: what the page is given in its address. */
async function signIn(provider: Provider, browser: Browser, token?: string): Promise<URLSearchParams> {
  const answer = await send(await visitProvider(provider, browser, token), null, { browser });
  expect(answer.statusCode).toBe(303);
  const page = new URL(answer.headers.location!);
  expect([page.origin, page.pathname, page.searchParams.get('tab')]).toEqual([SITE, '/account', '1']);
  return page.searchParams;
}

async function bindCode(mobile: string, token?: string): Promise<string> {
  await test.database.pool.query('DELETE FROM rate_bucket');
  await send('/api/arkid/bind_request_sm/', { mobile }, { token });
  const code = test.messages.findLast((message) => message.mobile === mobile)!.code;
  return (await send('/api/arkid/bind_get_sms_token/', { mobile, code }, { token })).json<{
    sms_token: string;
  }>().sms_token;
}

const freshBrowser = (): Browser => ({ cookie: '' });

/** Registers a phone with a provider and answers the token. */
async function registered(provider: Provider, mobile: string): Promise<string> {
  const browser = freshBrowser();
  const id = (await signIn(provider, browser)).get('third_party_id')!;
  const answer = await send(
    `/api/arkid/${provider}/register/`,
    { mobile, sms_token: await bindCode(mobile), [`${provider}_id`]: id },
    { browser },
  );
  return answer.json<{ token: string }>().token;
}

describe.each(['github', 'wechat'] as const)('sign-in by %s', (provider) => {
  it('registers a stranger by phone, and knows him the next time', async () => {
    const mobile = freshMobile();
    const token = await registered(provider, mobile);
    const profile = (await send('/api/arkid/get_user_infor/', null, { token })).json<
      Record<string, unknown>
    >();
    const { id } = standIn.nextUser!;
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

  it('binds and unbinds for somebody signed in; unbinding ends the other sessions', async () => {
    const mobile = freshMobile();
    const token = await test.signIn(mobile);
    await test.database.pool.query('DELETE FROM rate_bucket');
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

  it('comes back with the reason when the person refuses or the provider fails', async () => {
    standIn.nextUser = null;
    expect((await signIn(provider, freshBrowser())).get('third_party_error')).toBe('denied');
    standIn.nextUser = { id: 1, name: 'octo' };
    standIn.isDown = true;
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
  ])('refuses %j as redirect_uri', async (uri) => {
    const answer = await send('/api/arkid/github/login/', { redirect_uri: uri });
    expect(answer.json()).toMatchObject({ error: 'true', code: 'third-party.redirect' });
  });

  it('sets a cookie that scripts, other sites and plain connections do not get', async () => {
    const answer = await send('/api/arkid/github/login/', { redirect_uri: `${SITE}/` });
    expect(answer.headers['set-cookie']).toMatch(
      /^__Host-unitcell_browser=[\w-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Lax; Secure$/,
    );
  });

  it('takes PKCE along where the provider knows it', async () => {
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

  it('takes a state once, in its own browser, at its own provider', async () => {
    const browser = freshBrowser();
    const callback = await visitProvider('github', browser);
    expect(errorOf(await send(callback, null))).toBe('state');
    expect(errorOf(await send(callback, null, { browser: freshBrowser() }))).toBe('state');
    const stranger = freshBrowser();
    await send('/api/arkid/github/login/', { redirect_uri: `${SITE}/` }, { browser: stranger });
    expect(errorOf(await send(callback, null, { browser: stranger }))).toBe('state');
    expect(errorOf(await send(callback.replace('github', 'wechat'), null, { browser }))).toBe('state');
    // The last try was in the right browser: the state is used up.
    expect(errorOf(await send(callback, null, { browser }))).toBe('state');
  });

  it('refuses rubbish', async () => {
    for (const query of ['', '?state=x', '?state=x.y&code=1', '?state=a&state=b&code=1'])
      expect(errorOf(await send(`/api/arkid/github/callback/${query}`, null))).toBe('state');
  });

  it('writes neither code nor state nor ticket into the log', async () => {
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

describe('third_party_id', () => {
  const bind = (id: string, smsToken: string, options: SendOptions, provider: Provider = 'github') =>
    send(`/api/arkid/${provider}/bind/`, { sms_token: smsToken, [`${provider}_id`]: id }, options);

  it('works once, unedited, in its own browser, for its own provider', async () => {
    const mobile = freshMobile();
    await test.signIn(mobile);
    const browser = freshBrowser();
    const id = (await signIn('github', browser)).get('third_party_id')!;
    const smsToken = await bindCode(mobile);
    const edited = `${id.startsWith('A') ? 'B' : 'A'}${id.slice(1)}`;
    const refused = { error: 'true', code: 'third-party.expired' };
    expect((await bind(edited, smsToken, { browser })).json()).toMatchObject(refused);
    expect((await bind(`${id}A`, smsToken, { browser })).json()).toMatchObject(refused);
    expect((await bind(id, smsToken, {})).json()).toMatchObject(refused);
    expect((await bind(id, smsToken, { browser }, 'wechat')).json()).toMatchObject(refused);
    expect((await bind(id, smsToken, { browser })).json()).toMatchObject({ error: 'false' });
    expect((await bind(id, await bindCode(mobile), { browser })).json()).toMatchObject(refused);
  });

  it('lets one of several simultaneous bindings win', async () => {
    const mobile = freshMobile();
    await test.signIn(mobile);
    const browser = freshBrowser();
    const id = (await signIn('github', browser)).get('third_party_id')!;
    const smsToken = await bindCode(mobile);
    const answers = await Promise.all(Array.from({ length: 6 }, () => bind(id, smsToken, { browser })));
    expect(answers.filter((answer) => answer.json<{ error: string }>().error === 'false')).toHaveLength(1);
  });

  it('expires', async () => {
    const mobile = freshMobile();
    await test.signIn(mobile);
    const browser = freshBrowser();
    const id = (await signIn('github', browser)).get('third_party_id')!;
    await test.database.pool.query("UPDATE sign_in_handle SET expires_at = now() - interval '1 second'");
    expect((await bind(id, await bindCode(mobile), { browser })).json()).toMatchObject({
      code: 'third-party.expired',
    });
  });

  it('that somebody signed in asked for is worth nothing to another account', async () => {
    const [mine, theirs] = [freshMobile(), freshMobile()];
    const token = await test.signIn(mine);
    const other = await test.signIn(theirs);
    const browser = freshBrowser();
    const id = (await signIn('github', browser, token)).get('third_party_id')!;
    const answer = await bind(id, await bindCode(theirs, other), { browser, token: other });
    expect(answer.json()).toMatchObject({ code: 'third-party.expired' });
  });

  it('is not bound by the code of another phone than the own', async () => {
    const token = await test.signIn(freshMobile());
    const other = freshMobile();
    await test.signIn(other);
    const browser = freshBrowser();
    const id = (await signIn('github', browser, token)).get('third_party_id')!;
    const answer = await bind(id, await bindCode(other, token), { browser, token });
    expect(answer.json()).toMatchObject({ error: 'true', code: 'login.other-number' });
  });
});

describe('bound identities', () => {
  it('answer 您已绑定 when bound again, and never move to another account', async () => {
    const mobile = freshMobile();
    await registered('github', mobile);
    const token = await test.signIn(freshMobile());
    expect((await signIn('github', freshBrowser(), token)).get('third_party_error')).toBe('bound');

    // A second identity of the same provider does not fit into the account either.
    standIn.nextUser = { id: nextUser++, name: 'second' };
    const browser = freshBrowser();
    const id = (await signIn('github', browser)).get('third_party_id')!;
    const answer = await send(
      '/api/arkid/github/bind/',
      { sms_token: await bindCode(mobile), github_id: id },
      { browser },
    );
    expect(answer.json()).toMatchObject({
      error: 'true',
      code: 'account.already-bound',
      message: '您已绑定',
    });
  });

  it('are not unbound by the code of another phone, nor when nothing is bound', async () => {
    const mobile = freshMobile();
    const token = await test.signIn(mobile);
    const unbind = async (smsToken: string) =>
      (await send('/api/arkid/github/unbind/', { sms_token: smsToken }, { token })).json<{ code: string }>()
        .code;
    expect(await unbind(await bindCode(freshMobile(), token))).toBe('login.other-number');
    expect(await unbind(await bindCode(mobile))).toBe('login.wrong-token');
    expect(await unbind(await bindCode(mobile, token))).toBe('account.not-bound');
  });

  it('stay when they are the last way in', async () => {
    const mobile = freshMobile();
    const token = await registered('github', mobile);
    await test.database.pool.query('UPDATE account SET mobile = NULL WHERE mobile = $1', [mobile]);
    const answer = await send('/api/arkid/github/unbind/', { sms_token: 'x' }, { token });
    expect(answer.json()).toMatchObject({ error: 'true', code: 'account.last-way-in' });
  });
});

describe('tickets', () => {
  it('live a minute, in their browser, and open nothing but the profile', async () => {
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

describe('a site that demands no phone (SIGN_IN_PHONE=optional)', () => {
  let optional: TestApp;
  let demanding: TestApp;
  beforeAll(async () => {
    optional = await buildTestApp({ env: { ...standIn.env, PUBLIC_URL: SITE, SIGN_IN_PHONE: 'optional' } });
    [demanding, test] = [test, optional];
  });
  afterAll(async () => {
    test = demanding;
    await optional.close();
  });
  const profileOf = async (token: string, browser?: Browser) =>
    (await send('/api/arkid/get_user_infor/', null, { token, browser })).json<
      Record<string, unknown> & { token: string }
    >();

  it.each(['github', 'wechat'] as const)(
    'gives a stranger by %s an account of their own',
    async (provider) => {
      const browser = freshBrowser();
      const ticket = (await signIn(provider, browser)).get('token')!;
      const first = await profileOf(ticket, browser);
      expect(first).toMatchObject({ mobile: '', [`${provider}_user`]: expect.anything() });
      // The next visit is to the same account.
      const again = freshBrowser();
      const second = await profileOf((await signIn(provider, again)).get('token')!, again);
      expect(second.userid).toBe(first.userid);
      const unbound = await send(
        `/api/arkid/${provider}/unbind/`,
        { sms_token: 'x' },
        { token: second.token },
      );
      expect(unbound.json()).toMatchObject({ code: 'account.last-way-in' });
    },
  );

  it('lets that account have a phone later, which opens the same account', async () => {
    const browser = freshBrowser();
    const { token, userid } = await profileOf((await signIn('github', browser)).get('token')!, browser);
    const mobile = freshMobile();
    const change = async (next: string) =>
      (await send('/api/arkid/change_mobile/', { new_mobile_sms_token: next }, { token })).json<object>();
    expect(await change(await bindCode(mobile))).toMatchObject({ code: 'account.mobile-failed' });
    expect(await change(await bindCode(mobile, token))).toMatchObject({ new_mobile: mobile });
    // From now on the number is asked for.
    expect(await change(await bindCode(freshMobile(), token))).toMatchObject({
      code: 'account.mobile-failed',
    });
    await test.database.pool.query('DELETE FROM rate_bucket');
    expect((await profileOf(await test.signIn(mobile))).userid).toBe(userid);
  });

  it('binds to an account that has a phone by a code to it all the same', async () => {
    const mobile = freshMobile();
    const token = await test.signIn(mobile);
    const browser = freshBrowser();
    const returned = await signIn('github', browser, token);
    expect(returned.get('third_party_id')).toBeTruthy();
    expect((await profileOf(token)).github_user).toBeNull();
    const bound = await send(
      '/api/arkid/github/bind/',
      { sms_token: await bindCode(mobile, token), github_id: returned.get('third_party_id') },
      { browser, token },
    );
    expect(bound.json()).toMatchObject({ error: 'false' });
    expect((await profileOf(token)).github_user).not.toBeNull();
  });
});

describe('an installation without providers', () => {
  it('offers none', async () => {
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
