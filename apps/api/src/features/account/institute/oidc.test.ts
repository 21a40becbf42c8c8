/** Sign-in with a real OpenID Connect provider (npm oidc-provider on loopback), with typical attacks. */
import { type OidcServer, startOidcServer } from '@unitcell/tools/testing/oidc-server';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../../../testing/build-test-app.ts';

const SITE = 'https://materials.example.org';
let oidc: OidcServer;
let test: TestApp;
let next = 0;

beforeAll(async () => {
  oidc = await startOidcServer(SITE);
  const env = { ...oidc.env, PUBLIC_URL: SITE, SMS_PROVIDER: 'console' };
  test = await buildTestApp({
    env: { ...env, OIDC_INTERNAL_GROUPS: 'staff', OIDC_EMAIL_DOMAINS: 'institute.example' },
  });
});
afterAll(async () => {
  await test.close();
  await oidc.close();
});
beforeEach(async () => {
  const sub = `person-${next++}`;
  oidc.nextUser = { sub, name: '居里', email: `${sub}@institute.example`, email_verified: true };
  await test.database.pool.query('DELETE FROM rate_bucket');
});

interface Browser {
  cookie: string;
}

async function send(
  path: string,
  { browser, token, body }: { browser?: Browser; token?: string; body?: object },
) {
  const answer = await test.app.inject({
    method: body ? 'POST' : 'GET',
    url: path,
    headers: {
      ...(browser ? { cookie: browser.cookie } : {}),
      ...(token ? { authorization: `token ${token}` } : {}),
    },
    ...(body ? { payload: body } : {}),
  });
  const set = answer.headers['set-cookie'];
  if (browser && typeof set === 'string') browser.cookie = set.split(';')[0]!;
  return answer;
}

/** Signs in at the provider and returns the address of our callback. */
async function visit(browser: Browser, token?: string): Promise<URL> {
  const body = { redirect_uri: `${SITE}/account?tab=1` };
  const begun = await send('/api/arkid/oidc/login/', { browser, body, ...(token ? { token } : {}) });
  return oidc.visit(begun.json<{ url: string }>().url);
}

/** The parameters that the page receives in its address. */
async function finish(callback: URL, browser: Browser): Promise<URLSearchParams> {
  const answer = await send(callback.pathname + callback.search, { browser });
  expect(answer.statusCode).toBe(303);
  return new URL(answer.headers.location!).searchParams;
}

async function profileOf(fields: URLSearchParams, browser: Browser) {
  const answer = await send('/api/arkid/get_user_infor/', { browser, token: fields.get('token')! });
  return answer.json<{ userid: number; name: string; user_type: number; mobile: string; token: string }>();
}

async function signIn() {
  const browser = { cookie: '' };
  return profileOf(await finish(await visit(browser), browser), browser);
}

describe('sign-in by OIDC', () => {
  it('lists the institute with its name beside the other providers', async () => {
    expect((await send('/api/arkid/providers/', {})).json()).toEqual({
      providers: [],
      phone: true,
      oidc: 'Institute of Physics',
      ldap: null,
    });
  });

  it('creates an account without a phone at the first sign-in and finds it at the next', async () => {
    const first = await signIn();
    expect(first).toMatchObject({ name: '居里', mobile: '', user_type: 1 });
    expect((await signIn()).userid).toBe(first.userid);
    expect((await send('/api/arkid/get_user_infor/', { token: first.token })).statusCode).toBe(200);
  });

  it('updates the role from the groups at each sign-in', async () => {
    const { userid, token } = await signIn();
    oidc.nextUser = { ...oidc.nextUser, groups: ['Staff', 'chess'] };
    expect(await signIn()).toMatchObject({ userid, user_type: 2 });
    // The change applies to open sessions at once.
    expect((await send('/api/arkid/get_user_infor/', { token })).json()).toMatchObject({ user_type: 2 });
    oidc.nextUser = { ...oidc.nextUser, groups: ['chess'] };
    expect(await signIn()).toMatchObject({ userid, user_type: 1 });
  });

  it('creates one account for two concurrent first visits', async () => {
    const browsers = Array.from({ length: 4 }, () => ({ cookie: '' }));
    const callbacks = await Promise.all(browsers.map((browser) => visit(browser)));
    const back = await Promise.all(callbacks.map((callback, i) => finish(callback, browsers[i]!)));
    const ids = await Promise.all(
      back.map(async (fields, i) => (await profileOf(fields, browsers[i]!)).userid),
    );
    expect(new Set(ids).size).toBe(1);
    const { rows } = await test.database.pool.query(
      "SELECT count(*)::int AS n FROM account WHERE name = '居里' AND id NOT IN (SELECT account_id FROM social_account)",
    );
    expect(rows).toEqual([{ n: 0 }]);
  });

  it('binds an identity to the signed-in account and to no other account', async () => {
    const [first, second] = [await test.signIn('13700000001'), await test.signIn('13700000002')];
    const browser = { cookie: '' };
    const bound = await finish(await visit(browser, first), browser);
    expect([...bound.keys()]).toEqual(['tab']);
    expect((await finish(await visit(browser, second), browser)).get('third_party_error')).toBe('bound');
    expect((await signIn()).mobile).toBe('13700000001');
  });

  it('refuses a blocked account', async () => {
    const { userid } = await signIn();
    await test.database.pool.query('UPDATE account SET blocked_at = now() WHERE id = $1', [userid]);
    const browser = { cookie: '' };
    expect((await finish(await visit(browser), browser)).get('third_party_error')).toBe('blocked');
  });
});

describe('attacks on sign-in by OIDC', () => {
  const errorOf = async (callback: URL, browser: Browser) =>
    (await finish(callback, browser)).get('third_party_error');

  it('a callback works only once and only in the browser that began the sign-in', async () => {
    const [mine, other] = [{ cookie: '' }, { cookie: '' }];
    const callback = await visit(mine);
    await visit(other);
    expect(await errorOf(callback, other)).toBe('state');
    expect(await errorOf(callback, mine)).toBe(null);
    expect(await errorOf(callback, mine)).toBe('state');
  });

  it('a code of another sign-in is rejected', async () => {
    const [victim, attacker] = [{ cookie: '' }, { cookie: '' }];
    const callback = await visit(victim);
    oidc.nextUser = { ...oidc.nextUser, sub: 'attacker' };
    const theirs = await visit(attacker);
    callback.searchParams.set('code', theirs.searchParams.get('code')!);
    expect(await errorOf(callback, victim)).toBe('provider');
  });

  it('a response that names another issuer is rejected', async () => {
    const browser = { cookie: '' };
    const callback = await visit(browser);
    expect(callback.searchParams.get('iss')).toBe(oidc.issuer);
    callback.searchParams.set('iss', 'https://evil.example');
    expect(await errorOf(callback, browser)).toBe('provider');
  });

  it.each([
    ['not verified', { email_verified: false }],
    ['not said to be verified', { email_verified: undefined }],
    ['of another domain', { email: 'a@evil.example' }],
    ['of a domain that ends alike', { email: 'a@evil-institute.example' }],
    ['with a second @', { email: 'a@institute.example@evil.example' }],
    ['missing', { email: undefined }],
  ])('an e-mail address that is %s is rejected', async (_how, fields) => {
    oidc.nextUser = JSON.parse(JSON.stringify({ ...oidc.nextUser, ...fields }));
    const browser = { cookie: '' };
    expect(await errorOf(await visit(browser), browser)).toBe('not-allowed');
    const { rows } = await test.database.pool.query(
      'SELECT 1 FROM social_account WHERE provider_user_id LIKE $1',
      [`% ${oidc.nextUser.sub}`],
    );
    expect(rows).toEqual([]);
    const audit = await test.database.pool.query(
      'SELECT event, detail FROM audit_log ORDER BY id DESC LIMIT 1',
    );
    expect(audit.rows).toEqual([{ event: 'login-failed', detail: { via: 'oidc', reason: 'not-allowed' } }]);
  });

  it('provider metadata with another issuer is rejected', async () => {
    const env = { ...oidc.env, PUBLIC_URL: SITE, OIDC_ISSUER: oidc.issuer.replace('127.0.0.1', 'localhost') };
    const wrong = await buildTestApp({ env });
    const answer = await wrong.post('/api/arkid/oidc/login/', { redirect_uri: `${SITE}/` });
    expect(answer.json()).toMatchObject({ code: 'directory.away' });
    expect(wrong.logLines.join('\n')).toMatch(/issuer/i);
    await wrong.close();
  });
});

describe('a site without text messages', () => {
  it('offers no phone sign-in and refuses to send a code', async () => {
    const quiet = await buildTestApp({ env: { SMS_PROVIDER: 'none' }, telephone: 'none' });
    expect((await quiet.get('/api/arkid/providers/')).json()).toMatchObject({ phone: false });
    const asked = await quiet.post('/api/arkid/login_request_sm/', { mobile: '13700000003' });
    expect(asked.json()).toMatchObject({ code: 'login.no-phone' });
    await quiet.close();
  });
});
