/** Tests sign-ins with a second factor, as the authenticator app and its owner make them. */
import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type FakeOAuth, startFakeOAuth } from '@unitcell/tools/testing/fake-oauth';
import { buildTestApp, type TestApp } from '../../../testing/build-test-app.ts';

const SITE = 'https://materials.example.org';
let test: TestApp;
let fakeOAuth: FakeOAuth;
let nextNumber = 0;
const freshMobile = (): string => `136${String(nextNumber++).padStart(8, '0')}`;

beforeAll(async () => {
  fakeOAuth = await startFakeOAuth();
  test = await buildTestApp({ env: { ...fakeOAuth.env, PUBLIC_URL: SITE } });
});
afterAll(async () => {
  await test.close();
  await fakeOAuth.close();
});
const noLimits = (app = test) => app.database.pool.query('DELETE FROM rate_bucket');
beforeEach(() => noLimits());

interface Answer {
  readonly error: string;
  readonly code?: string;
  readonly token?: string;
  readonly sms_token?: string;
  readonly secret?: string;
  readonly uri?: string;
  readonly recovery_codes?: string[];
  readonly second_factor?: { challenge: string; enroll: boolean };
}

const call = async (name: string, body: object, token?: string, app = test): Promise<Answer> =>
  (await app.post(`/api/arkid/${name}/`, body, token === undefined ? {} : { token })).json<Answer>();

async function confirmation(purpose: string, mobile: string, token?: string, app = test): Promise<string> {
  await noLimits(app);
  await call(`${purpose}_request_sm`, { mobile }, token, app);
  const code = app.messages.findLast((message) => message.mobile === mobile)?.code;
  return (await call(`${purpose}_get_sms_token`, { mobile, code }, token, app)).sms_token ?? '';
}

const signIn = async (mobile: string, app = test): Promise<Answer> =>
  call(
    'login_check_sm',
    { mobile, sms_token: await confirmation('login', mobile, undefined, app) },
    undefined,
    app,
  );

/** The code that an app shows in `steps` × 30 s. */
const codeOf = (secret: string, steps = 0): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + steps * 30_000 });

const wrong = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

/** Allows the current code to be accepted again. */
const forgetSteps = (app = test) => app.database.pool.query('UPDATE second_factor SET last_step = 0');

interface Enrolled {
  readonly mobile: string;
  readonly token: string;
  readonly secret: string;
  /** The code that activated the second factor. */
  readonly firstCode: string;
  readonly recoveryCodes: string[];
}

async function enrolled(): Promise<Enrolled> {
  const mobile = freshMobile();
  const token = await test.signIn(mobile);
  const { secret = '' } = await call(
    'second_factor_enroll',
    { sms_token: await confirmation('bind', mobile, token) },
    token,
  );
  const firstCode = codeOf(secret);
  const { recovery_codes: recoveryCodes = [] } = await call(
    'second_factor_confirm',
    { code: firstCode },
    token,
  );
  expect(recoveryCodes).toHaveLength(10);
  return { mobile, token, secret, firstCode, recoveryCodes };
}

const isOpen = async (token: string | undefined, app = test): Promise<boolean> =>
  (await app.get('/api/arkid/get_user_infor/', { token: token ?? '' })).statusCode === 200;

describe('an account without a second factor', () => {
  it('signs in without a second step', async () => {
    const mobile = freshMobile();
    await test.signIn(mobile);
    expect(Object.keys(await signIn(mobile)).sort()).toEqual(['error', 'message', 'token']);
  });
});

describe('enrolment of a second factor', () => {
  it('requires a code sent to the number of the account and a first code of the app, and ends other sessions', async () => {
    const mobile = freshMobile();
    const other = await test.signIn(mobile);
    const { token = '' } = await signIn(mobile);
    expect(await call('second_factor_enroll', {}, token)).toMatchObject({ code: 'login.wrong-token' });
    expect(await call('second_factor_enroll', { sms_token: 'x' })).toMatchObject({ code: 'auth.missing' });
    const smsToken = await confirmation('bind', mobile, token);
    const { secret = '', uri } = await call('second_factor_enroll', { sms_token: smsToken }, token);
    expect(uri).toContain(`secret=${secret}`);
    // The second factor is not active yet.
    expect(await signIn(mobile)).toHaveProperty('token');
    expect(await call('second_factor_confirm', { code: wrong(codeOf(secret)) }, token)).toMatchObject({
      code: 'second-factor.wrong-code',
    });
    await call('second_factor_confirm', { code: codeOf(secret) }, token);
    expect([await isOpen(token), await isOpen(other)]).toEqual([true, false]);
    // Reopens the other session, as if its sign-in had been completed just after the activation.
    await test.database.pool.query(
      'UPDATE session SET revoked_at = NULL WHERE account_id = (SELECT id FROM account WHERE mobile = $1)',
      [mobile],
    );
    expect([await isOpen(token), await isOpen(other)]).toEqual([true, false]);
    expect((await test.get('/api/arkid/second_factor/', { token })).json()).toEqual({
      enabled: true,
      demanded: false,
      recovery_codes_left: 10,
    });
    const again = await confirmation('bind', mobile, token);
    expect(await call('second_factor_enroll', { sms_token: again }, token)).toMatchObject({
      code: 'second-factor.already',
    });
  });

  it('stores neither secret nor recovery codes in readable form', async () => {
    const { secret, recoveryCodes } = await enrolled();
    const { rows } = await test.database.pool.query<{ kept: string }>(
      `SELECT encode(secret, 'hex') AS kept FROM second_factor
       UNION ALL SELECT encode(code_hash, 'hex') FROM recovery_code`,
    );
    const kept = rows.map((row) => row.kept).join();
    expect(kept).not.toContain(Buffer.from(Secret.fromBase32(secret).bytes).toString('hex'));
    for (const code of recoveryCodes) {
      expect(kept).not.toContain(Buffer.from(code).toString('hex'));
      expect(test.logLines.join()).not.toContain(code);
    }
  });
});

describe('an account with a second factor', () => {
  it('gets a token only after a code of the app, and each code works once', async () => {
    const { mobile, secret, firstCode } = await enrolled();
    const { token, second_factor: pending } = await signIn(mobile);
    expect(token).toBeUndefined();
    expect(pending?.enroll).toBe(false);
    const { challenge = '' } = pending ?? {};
    expect(await isOpen(challenge)).toBe(false);
    // `firstCode` is used up by the activation.
    const first = await call('second_factor_verify', { challenge, code: firstCode });
    expect(first).toMatchObject({ code: 'second-factor.wrong-code' });
    const code = codeOf(secret, 1);
    const entered = await call('second_factor_verify', { challenge, code });
    expect(await isOpen(entered.token)).toBe(true);
    expect(await call('second_factor_verify', { challenge, code })).toMatchObject({
      code: 'second-factor.expired',
    });
    const replayed = await signIn(mobile);
    expect(
      await call('second_factor_verify', { challenge: replayed.second_factor?.challenge, code }),
    ).toMatchObject({ code: 'second-factor.wrong-code' });
  });

  it('accepts one of several concurrent attempts with the same code', async () => {
    const { mobile, secret } = await enrolled();
    await forgetSteps();
    const challenges = await Promise.all(
      [0, 1, 2].map(async () => (await signIn(mobile)).second_factor?.challenge),
    );
    await noLimits();
    const code = codeOf(secret);
    const answers = await Promise.all(
      challenges.map((challenge) => call('second_factor_verify', { challenge, code })),
    );
    expect(answers.filter(({ token }) => token !== undefined)).toHaveLength(1);
  });

  it('accepts each recovery code once, however it is typed', async () => {
    const { mobile, token, recoveryCodes } = await enrolled();
    const [code = ''] = recoveryCodes;
    const typed = ` ${code.toLowerCase().replaceAll('-', ' ')}`;
    const { challenge } = (await signIn(mobile)).second_factor ?? {};
    expect(await isOpen((await call('second_factor_verify', { challenge, code: typed })).token)).toBe(true);
    const next = (await signIn(mobile)).second_factor?.challenge;
    expect(await call('second_factor_verify', { challenge: next, code })).toMatchObject({
      code: 'second-factor.wrong-code',
    });
    const state = await test.get('/api/arkid/second_factor/', { token });
    expect(state.json()).toMatchObject({ recovery_codes_left: 9 });
  });

  it('ends the sign-in after five wrong codes and blocks attempts after ten an hour', async () => {
    const { mobile, secret, recoveryCodes } = await enrolled();
    const bad = wrong(codeOf(secret, 5));
    const { challenge } = (await signIn(mobile)).second_factor ?? {};
    await noLimits();
    for (let tried = 0; tried < 5; tried++)
      expect(await call('second_factor_verify', { challenge, code: bad })).toMatchObject({
        code: 'second-factor.wrong-code',
      });
    const [code] = recoveryCodes;
    expect(await call('second_factor_verify', { challenge, code })).toMatchObject({
      code: 'second-factor.expired',
    });
    const again = (await signIn(mobile)).second_factor?.challenge;
    await test.database.pool.query(
      "INSERT INTO rate_bucket SELECT 'second-factor:' || account_id, 0, now() FROM second_factor ON CONFLICT (key) DO UPDATE SET tokens = 0, updated_at = now()",
    );
    const refused = await test.post('/api/arkid/second_factor_verify/', { challenge: again, code });
    expect(refused.statusCode).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('requires a new sign-in after the challenge expired', async () => {
    const { mobile, recoveryCodes } = await enrolled();
    const { challenge } = (await signIn(mobile)).second_factor ?? {};
    await test.database.pool.query("UPDATE second_factor_challenge SET expires_at = now() - interval '1 s'");
    expect(await call('second_factor_verify', { challenge, code: recoveryCodes[0] })).toMatchObject({
      code: 'second-factor.expired',
    });
  });

  it('cannot complete a sign-in that began before all sessions were ended', async () => {
    const { mobile, token, recoveryCodes } = await enrolled();
    const { challenge } = (await signIn(mobile)).second_factor ?? {};
    await call('logout', { everywhere: true }, token);
    expect(await call('second_factor_verify', { challenge, code: recoveryCodes[0] })).toMatchObject({
      code: 'second-factor.expired',
    });
  });

  it('can remove the second factor only with one of its codes', async () => {
    const { mobile, token, recoveryCodes } = await enrolled();
    expect(await call('second_factor_disable', { code: 'AAAA-AAAA-AAAA-AAAA' }, token)).toMatchObject({
      code: 'second-factor.wrong-code',
    });
    expect(await call('second_factor_disable', { code: recoveryCodes[3] }, token)).toMatchObject({
      error: 'false',
    });
    expect(await signIn(mobile)).toHaveProperty('token');
  });

  it('is deleted together with its second factor', async () => {
    const { mobile, token } = await enrolled();
    const { userid } = (await test.get('/api/arkid/get_user_infor/', { token })).json<{ userid: number }>();
    await call('delete_account', { sms_token: await confirmation('bind', mobile, token) }, token);
    const { rows } = await test.database.pool.query(
      'SELECT account_id FROM second_factor WHERE account_id = $1 UNION SELECT account_id FROM recovery_code WHERE account_id = $1',
      [userid],
    );
    expect(rows).toEqual([]);
  });
});

describe('the second factor after sign-in by a provider', () => {
  interface Visit {
    cookie: string;
  }
  async function visit(browser: Visit, token?: string): Promise<URLSearchParams> {
    const headers = { cookie: browser.cookie, ...(token ? { authorization: `token ${token}` } : {}) };
    const begun = await test.app.inject({
      method: 'POST',
      url: '/api/arkid/github/login/',
      headers,
      payload: { redirect_uri: `${SITE}/` },
    });
    const set = begun.headers['set-cookie'];
    if (typeof set === 'string') browser.cookie = set.split(';')[0] ?? '';
    const back = await fetch(begun.json<{ url: string }>().url, { redirect: 'manual' });
    const { pathname, search } = new URL(back.headers.get('location') ?? '');
    const page = await test.app.inject({ url: pathname + search, headers: { cookie: browser.cookie } });
    return new URL(page.headers.location ?? '').searchParams;
  }

  it('is also required for tickets issued before enrolment, and a blocked account is refused', async () => {
    const { mobile, token, secret } = await enrolled();
    await call('second_factor_disable', { code: codeOf(secret, 1) }, token);
    fakeOAuth.nextUser = { id: 77, name: 'octo' };
    const browser = { cookie: '' };
    const thirdPartyId = (await visit(browser, token)).get('third_party_id');
    const bound = await test.app.inject({
      method: 'POST',
      url: '/api/arkid/github/bind/',
      headers: { cookie: browser.cookie, authorization: `token ${token}` },
      payload: { sms_token: await confirmation('bind', mobile, token), github_id: thirdPartyId },
    });
    expect(bound.json()).toMatchObject({ error: 'false' });
    const ticket = (await visit(browser)).get('token');
    expect(ticket).not.toBeNull();

    const begun = await call(
      'second_factor_enroll',
      { sms_token: await confirmation('bind', mobile, token) },
      token,
    );
    await call('second_factor_confirm', { code: codeOf(begun.secret ?? '') }, token);
    const exchanged = await test.app.inject({
      url: '/api/arkid/get_user_infor/',
      headers: { cookie: browser.cookie, authorization: `token ${ticket}` },
    });
    expect(exchanged.statusCode).toBe(401);

    const page = await visit(browser);
    expect(page.get('token')).toBeNull();
    await forgetSteps();
    const entered = await call('second_factor_verify', {
      challenge: page.get('second_factor'),
      code: codeOf(begun.secret ?? ''),
    });
    expect(await isOpen(entered.token)).toBe(true);

    await test.database.pool.query('UPDATE account SET blocked_at = now() WHERE mobile = $1', [mobile]);
    expect((await visit(browser)).get('third_party_error')).toBe('blocked');
  });
});

describe('a site that requires a second factor of internal users (SECOND_FACTOR=internal)', () => {
  let strict: TestApp;
  beforeAll(async () => {
    strict = await buildTestApp({ env: { SECOND_FACTOR: 'internal' } });
  });
  afterAll(() => strict.close());

  it('signs common users in without it; internal users enrol during sign-in and cannot remove it', async () => {
    const mobile = freshMobile();
    const before = await strict.signIn(mobile);
    expect(await isOpen(before, strict)).toBe(true);
    await strict.database.pool.query(
      "UPDATE account SET user_type = 2 WHERE mobile = $1; SELECT pg_notify('session_revoked', 'account:' || id) FROM account".replace(
        '$1',
        `'${mobile}'`,
      ),
    );
    // A session without a second factor ends whatever its age.
    await expect.poll(() => isOpen(before, strict)).toBe(false);

    const { token, second_factor: pending } = await signIn(mobile, strict);
    expect(token).toBeUndefined();
    expect(pending?.enroll).toBe(true);
    const { challenge } = pending ?? {};
    const { secret = '' } = await call('second_factor_enroll', { challenge }, undefined, strict);
    const entered = await call(
      'second_factor_confirm',
      { challenge, code: codeOf(secret) },
      undefined,
      strict,
    );
    expect(entered.recovery_codes).toHaveLength(10);
    expect(await isOpen(entered.token, strict)).toBe(true);
    expect(
      await call('second_factor_disable', { code: entered.recovery_codes?.[0] }, entered.token, strict),
    ).toMatchObject({ code: 'second-factor.demanded' });
    expect((await signIn(mobile, strict)).second_factor?.enroll).toBe(false);
  });
});
