import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../../testing/build-test-app.ts';
import { duringAccountDeletion } from '../../testing/during-account-deletion.ts';

let test: TestApp;
let isTelephoneDown = false;
let nextNumber = 0;

/** Returns an unused number, so that rate limits of one test do not affect another test. */
const freshMobile = (): string => `139${String(nextNumber++).padStart(8, '0')}`;

beforeAll(async () => {
  // The proof of work has its own tests.
  test = await buildTestApp({
    env: {
      LIMIT_PROOF_BELOW_PERCENT: '0',
      // Waiting times of requests on a loaded machine are not tested here.
      LIMIT_DATABASE_WAIT_SECONDS: '60',
      LIMIT_CALLS_AT_ONCE: '1000',
      LIMIT_DATABASE_WAITING: '1000',
    },
    isTelephoneDown: () => isTelephoneDown,
  });
});
afterAll(() => test.close());
beforeEach(async () => {
  isTelephoneDown = false;
  await test.database.pool.query('DELETE FROM rate_bucket');
});

const lastCode = (mobile: string): string =>
  test.messages.findLast((message) => message.mobile === mobile)!.code;
const wrong = (code: string): string => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

async function requestCode(mobile: string, purpose = 'register'): Promise<string> {
  const answer = await test.post(`/api/arkid/${purpose}_request_sm/`, { mobile });
  expect(answer.statusCode).toBe(200);
  return lastCode(mobile);
}

const exchange = (mobile: string, code: string, purpose = 'register') =>
  test.post(`/api/arkid/${purpose}_get_sms_token/`, { mobile, code });

describe('POST /api/arkid/login_request_sm/', () => {
  it('returns invalid for an unregistered number and sends no message', async () => {
    const mobile = freshMobile();
    const answer = await test.post('/api/arkid/login_request_sm/', { mobile });
    expect(answer.json()).toMatchObject({ result: 'invalid', isregister: 0 });
    expect(test.messages.filter((message) => message.mobile === mobile)).toEqual([]);
  });

  it('sends a six-digit code to a registered number', async () => {
    const mobile = freshMobile();
    await test.signIn(mobile);
    await test.database.pool.query('DELETE FROM rate_bucket');
    const answer = await test.post('/api/arkid/login_request_sm/', { mobile });
    expect(answer.json()).toMatchObject({ result: 'ok', isregister: 1 });
    expect(lastCode(mobile)).toMatch(/^\d{6}$/);
  });

  it.each(['+86 139-1234-5678', '008613912345678', '１３９１２３４５６７８', '+86+8613912345678'])(
    'accepts the number written as %s',
    async (typed) => {
      await test.post('/api/arkid/register_request_sm/', { mobile: typed });
      expect(test.messages.at(-1)?.mobile).toBe('13912345678');
    },
  );

  it.each(['12912345678', '1391234567', 'abc', '', '1391234567８９', "13912345678' OR 1=1"])(
    'rejects %j as a number with 400',
    async (mobile) => {
      const answer = await test.post('/api/arkid/login_request_sm/', { mobile });
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toMatchObject({ error: 'true', code: 'request.invalid' });
    },
  );

  it('sends one code a minute to a number and states the waiting time', async () => {
    const mobile = freshMobile();
    await requestCode(mobile);
    const second = await test.post('/api/arkid/register_request_sm/', { mobile });
    expect(second.statusCode).toBe(429);
    expect(Number(second.headers['retry-after'])).toBeGreaterThan(0);
    expect(second.json<{ message: string }>().message).toMatch(/wait \d+ seconds/);
  });

  it('sends three codes to a number at once in an hour, so that no hour has more than five', async () => {
    const mobile = freshMobile();
    const next = async () => {
      await test.database.pool.query("DELETE FROM rate_bucket WHERE key LIKE '%minute%'");
      return test.post('/api/arkid/register_request_sm/', { mobile });
    };
    for (let sent = 0; sent < 3; sent++) expect((await next()).statusCode).toBe(200);
    expect(Number((await next()).headers['retry-after'])).toBeGreaterThan(1700);
  });

  it('refunds the rate limit when the message cannot be delivered', async () => {
    const mobile = freshMobile();
    isTelephoneDown = true;
    const failed = await test.post('/api/arkid/register_request_sm/', { mobile });
    expect(failed.json()).toMatchObject({ error: 'true', code: 'login.delivery-failed' });
    isTelephoneDown = false;
    expect(await requestCode(mobile)).toMatch(/^\d{6}$/);
  });

  it('notes the request in the audit log although the message cannot be delivered', async () => {
    const mobile = freshMobile();
    isTelephoneDown = true;
    await test.post('/api/arkid/register_request_sm/', { mobile });
    isTelephoneDown = false;
    const { rows } = await test.database.pool.query<{ detail: object }>(
      "SELECT detail FROM audit_log WHERE event = 'code-requested' ORDER BY id DESC LIMIT 1",
    );
    expect(rows).toEqual([
      { detail: { purpose: 'register', mobile: `${mobile.slice(0, 3)}****${mobile.slice(-4)}` } },
    ]);
  });

  it('does not charge the daily limit of a number for undelivered messages', async () => {
    const mobile = freshMobile();
    isTelephoneDown = true;
    for (let i = 0; i < 12; i++) {
      const failed = await test.post('/api/arkid/register_request_sm/', { mobile });
      expect(failed.json()).toMatchObject({ code: 'login.delivery-failed' });
    }
    isTelephoneDown = false;
    expect(await requestCode(mobile)).toMatch(/^\d{6}$/);
  });

  it('limits look-ups of registered numbers, so that no phone book can be enumerated', async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 62; i++)
      statuses.push((await test.post('/api/arkid/login_request_sm/', { mobile: freshMobile() })).statusCode);
    expect(statuses.slice(0, 60).every((status) => status === 200)).toBe(true);
    expect(statuses.slice(60)).toEqual([429, 429]);
  });

  it('limits one address that requests codes for many numbers', async () => {
    const statuses: number[] = [];
    for (let i = 0; i < 25; i++)
      statuses.push(
        (await test.post('/api/arkid/register_request_sm/', { mobile: freshMobile() })).statusCode,
      );
    expect(statuses.slice(0, 20).every((status) => status === 200)).toBe(true);
    expect(statuses.slice(20).every((status) => status === 429)).toBe(true);
  });
});

describe('POST /api/arkid/*_get_sms_token/', () => {
  it('invalidates a code after five wrong attempts', async () => {
    const mobile = freshMobile();
    const code = await requestCode(mobile);
    for (let i = 0; i < 5; i++)
      expect((await exchange(mobile, wrong(code))).json()).toMatchObject({
        error: 'true',
        code: 'login.wrong-code',
      });
    expect((await exchange(mobile, code)).json()).toMatchObject({ error: 'true', code: 'login.wrong-code' });
  });

  it('invalidates an older code when a new one is sent', async () => {
    const mobile = freshMobile();
    const older = await requestCode(mobile);
    await test.database.pool.query('DELETE FROM rate_bucket');
    const newer = await requestCode(mobile);
    if (older !== newer) await exchange(mobile, older);
    const attempts = await test.database.pool.query<{ consumed: boolean }>(
      'SELECT consumed_at IS NOT NULL AS consumed FROM sms_code WHERE mobile = $1 ORDER BY id',
      [mobile],
    );
    expect(attempts.rows.map(({ consumed }) => consumed)).toEqual([true, false]);
    expect((await exchange(mobile, newer)).json()).toMatchObject({ error: 'false' });
  });

  it('limits one address that guesses at many phones', async () => {
    const { pool } = test.database;
    await exchange(freshMobile(), '000000');
    const { rows } = await pool.query<{ tokens: number }>(
      `UPDATE rate_bucket SET tokens = 2 WHERE key = 'try:host:127.0.0.1/32' RETURNING old.tokens`,
    );
    expect(rows).toEqual([{ tokens: 99 }]);
    const statuses: number[] = [];
    for (let i = 0; i < 4; i++) statuses.push((await exchange(freshMobile(), '000000')).statusCode);
    expect(statuses).toEqual([200, 200, 429, 429]);
  });

  it('counts concurrent wrong attempts', async () => {
    const mobile = freshMobile();
    const code = await requestCode(mobile);
    await Promise.all(Array.from({ length: 20 }, () => exchange(mobile, wrong(code))));
    const { rows } = await test.database.pool.query<{ attempts: number }>(
      'SELECT attempts FROM sms_code WHERE mobile = $1',
      [mobile],
    );
    expect(rows).toEqual([{ attempts: 5 }]);
    expect((await exchange(mobile, code)).json()).toMatchObject({ code: 'login.wrong-code' });
  });

  it('accepts the right code after four wrong attempts', async () => {
    const mobile = freshMobile();
    const code = await requestCode(mobile);
    for (let i = 0; i < 4; i++) await exchange(mobile, wrong(code));
    expect((await exchange(mobile, code)).json()).toMatchObject({ error: 'false' });
  });

  it('accepts a code only for its own phone and purpose', async () => {
    const mobile = freshMobile();
    const code = await requestCode(mobile);
    expect((await exchange(freshMobile(), code)).json()).toMatchObject({ error: 'true' });
    expect((await exchange(mobile, code, 'login')).json()).toMatchObject({ error: 'true' });
    expect((await exchange(mobile, code, 'bind')).json()).toMatchObject({ error: 'true' });
  });

  it('accepts exactly one of two concurrent requests with the same code', async () => {
    const mobile = freshMobile();
    const code = await requestCode(mobile);
    const answers = await Promise.all(Array.from({ length: 8 }, () => exchange(mobile, code)));
    const winners = answers.filter((answer) => answer.json<{ error: string }>().error === 'false');
    expect(winners).toHaveLength(1);
  });

  it('rejects an expired code', async () => {
    const mobile = freshMobile();
    const code = await requestCode(mobile);
    await test.database.pool.query(
      "UPDATE sms_code SET expires_at = now() - interval '1 second' WHERE mobile = $1",
      [mobile],
    );
    expect((await exchange(mobile, code)).json()).toMatchObject({ error: 'true', code: 'login.wrong-code' });
  });

  it('stores no code in readable form', async () => {
    const mobile = freshMobile();
    const code = await requestCode(mobile);
    const { rows } = await test.database.pool.query('SELECT * FROM sms_code WHERE mobile = $1', [mobile]);
    expect(JSON.stringify(rows)).not.toContain(code);
    expect(test.logLines.join('')).not.toContain(code);
  });
});

describe('POST /api/arkid/{login,register}_check_sm/', () => {
  it('registers once and returns a token that works', async () => {
    const mobile = freshMobile();
    const token = await test.signIn(mobile);
    const profile = await test.get('/api/arkid/get_user_infor/', { token });
    expect(profile.json()).toMatchObject({
      mobile,
      user_type: 1,
      custom_user: { data: { url: '', des: '', occ: '' } },
    });
  });

  it('accepts a confirmation once', async () => {
    const mobile = freshMobile();
    const { sms_token } = (await exchange(mobile, await requestCode(mobile))).json<{ sms_token: string }>();
    const body = { mobile, sms_token };
    expect((await test.post('/api/arkid/register_check_sm/', body)).json()).toMatchObject({ error: 'false' });
    expect((await test.post('/api/arkid/register_check_sm/', body)).json()).toMatchObject({
      error: 'true',
      code: 'login.wrong-token',
    });
  });

  it.each(['register', 'login'])(
    'keeps the confirmation valid when a %s fails on the server side',
    async (purpose) => {
      const mobile = '13755500001';
      const code = await requestCode(mobile, purpose);
      const { sms_token } = (await exchange(mobile, code, purpose)).json<{ sms_token: string }>();
      const check = () => test.post(`/api/arkid/${purpose}_check_sm/`, { mobile, sms_token });
      await test.database.pool.query('ALTER TABLE audit_log RENAME TO audit_log_hidden');
      try {
        expect((await check()).statusCode).toBe(500);
      } finally {
        await test.database.pool.query('ALTER TABLE audit_log_hidden RENAME TO audit_log');
      }
      expect((await check()).json()).toMatchObject({ error: 'false', token: expect.any(String) });
    },
  );

  it('refuses a number that was blocked after its confirmation, but keeps the confirmation valid', async () => {
    const mobile = freshMobile();
    await test.signIn(mobile);
    await test.database.pool.query('DELETE FROM rate_bucket');
    const code = await requestCode(mobile, 'login');
    const { sms_token } = (await exchange(mobile, code, 'login')).json<{ sms_token: string }>();
    const check = async () => (await test.post('/api/arkid/login_check_sm/', { mobile, sms_token })).json();
    const block = (at: string) =>
      test.database.pool.query(`UPDATE account SET blocked_at = ${at} WHERE mobile = $1`, [mobile]);
    await block('now()');
    expect(await check()).toMatchObject({ error: 'true', code: 'account.blocked' });
    await block('NULL');
    expect(await check()).toMatchObject({ error: 'false', token: expect.any(String) });
  });

  it('opens no session for an account that is deleted during the sign-in', async () => {
    const mobile = freshMobile();
    await test.signIn(mobile);
    await test.database.pool.query('DELETE FROM rate_bucket');
    const { sms_token } = (await exchange(mobile, await requestCode(mobile, 'login'), 'login')).json<{
      sms_token: string;
    }>();
    const { rows } = await test.database.pool.query<{ id: number }>(
      'SELECT id FROM account WHERE mobile = $1',
      [mobile],
    );
    const accountId = rows[0]!.id;
    const outcome = await duringAccountDeletion(test, accountId, () =>
      test.post('/api/arkid/login_check_sm/', { mobile, sms_token }),
    );
    expect(outcome.status === 'fulfilled' && outcome.value.json()).toMatchObject({
      error: 'true',
      code: 'login.wrong-token',
    });
    const sessions = await test.database.pool.query('SELECT FROM session WHERE account_id = $1', [accountId]);
    expect(sessions.rowCount).toBe(1);
  });

  it('rejects a confirmation of another phone', async () => {
    const mobile = freshMobile();
    const { sms_token } = (await exchange(mobile, await requestCode(mobile))).json<{ sms_token: string }>();
    const answer = await test.post('/api/arkid/register_check_sm/', { mobile: freshMobile(), sms_token });
    expect(answer.json()).toMatchObject({ error: 'true', code: 'login.wrong-token' });
  });
});

describe('rate limits of networks', () => {
  const ask = (purpose: 'login' | 'register', mobile: string, remoteAddress: string) =>
    test.app.inject({
      method: 'POST',
      url: `/api/arkid/${purpose}_request_sm/`,
      remoteAddress,
      payload: { mobile },
      headers: { 'accept-language': 'en' },
    });
  /** Sends requests from these addresses in turn and counts the responses that are not 429. */
  async function granted(purpose: 'login' | 'register', addresses: readonly string[]): Promise<number> {
    let count = 0;
    for (const address of addresses) {
      // Buckets would refill meanwhile, or lose a little where the clock is set back.
      await test.database.pool.query('UPDATE rate_bucket SET tokens = round(tokens), updated_at = now()');
      if ((await ask(purpose, freshMobile(), address)).statusCode !== 429) count += 1;
    }
    return count;
  }
  const fill = (key: string, tokens: number) =>
    test.database.pool.query(
      `INSERT INTO rate_bucket (key, tokens, updated_at) VALUES ($1, $2, now())
       ON CONFLICT (key) DO UPDATE SET tokens = excluded.tokens, updated_at = excluded.updated_at`,
      [key, tokens],
    );
  const range = (n: number, of: (i: number) => string) => Array.from({ length: n }, (_, i) => of(i));

  it('all addresses of an IPv6 /64 count as one visitor, in any spelling', async () => {
    expect(
      await granted(
        'login',
        range(70, (i) => `2001:db8:7:7::${i.toString(16)}`),
      ),
    ).toBe(60);
    expect(
      await granted(
        'login',
        range(70, (i) => `2001:db8::${i.toString(16)}`),
      ),
    ).toBe(60);
    expect(
      await granted(
        'register',
        range(30, (i) => `2001:db8:9:9:${i}::1`),
      ),
    ).toBe(20);
  });

  it('an IPv4 address in an IPv6 socket counts as IPv4, and its network as an IPv4 network', async () => {
    await fill('sms:network:198.51.100.0/24', 3);
    expect(
      await granted(
        'register',
        range(6, (i) => `::ffff:198.51.100.${i}`),
      ),
    ).toBe(3);
  });

  it('an IPv6 /48 has a separate limit', async () => {
    await fill('asked:network:2001:db8:5::/48', 4);
    expect(
      await granted(
        'login',
        range(9, (i) => `2001:db8:5:${i}::1`),
      ),
    ).toBe(4);
  });

  it('a refused message is charged to none of its budgets', async () => {
    await fill('sms:strangers', 0);
    await ask('register', freshMobile(), '198.51.100.7');
    const { rows } = await test.database.pool.query<{ key: string }>(
      `SELECT key FROM rate_bucket WHERE key LIKE 'sms:%'`,
    );
    expect(rows).toEqual([{ key: 'sms:strangers' }]);
  });

  it('strangers who exhaust their share receive the reason and do not lock out members', async () => {
    const member = freshMobile();
    await test.signIn(member);
    await test.database.pool.query('DELETE FROM rate_bucket');
    await fill('sms:strangers', 0);
    const stranger = await ask('register', freshMobile(), '203.0.113.5');
    expect(stranger.statusCode).toBe(429);
    expect(stranger.json()).toMatchObject({
      code: 'login.sms-spent',
      message: expect.stringMatching(/limit of text messages for now.*Your number is fine/),
    });
    expect(Number(stranger.headers['retry-after'])).toBeGreaterThan(0);
    expect(test.logLines.some((line) => line.includes('"alarm":"sms-budget"'))).toBe(true);
    expect((await ask('login', member, '203.0.113.6')).json()).toMatchObject({ result: 'ok' });
  });
});

describe('concurrent requests', () => {
  const PHONES = 20;
  const addressOf = (index: number): string => `10.7.${index}.9`;

  /** Sends a step twice concurrently; exactly one of the two may succeed. */
  async function grantedOnce(index: number, path: string, body: object, field: string): Promise<string> {
    const answers = await Promise.all(
      Array.from({ length: 2 }, () =>
        test.app.inject({
          method: 'POST',
          url: `/api/arkid/${path}/`,
          remoteAddress: addressOf(index),
          payload: body,
        }),
      ),
    );
    const granted = answers.map((answer) => answer.json<Record<string, string>>()[field]).filter(Boolean);
    expect(granted).toHaveLength(1);
    return granted[0]!;
  }

  it.each(['register', 'login'])('succeed exactly once for every %s', async (purpose) => {
    const phones = Array.from({ length: PHONES }, (_, index) => `1377000${String(index).padStart(4, '0')}`);
    const tokens = await Promise.all(
      phones.map(async (mobile, index) => {
        await test.app.inject({
          method: 'POST',
          url: `/api/arkid/${purpose}_request_sm/`,
          remoteAddress: addressOf(index),
          payload: { mobile },
        });
        const sms_token = await grantedOnce(
          index,
          `${purpose}_get_sms_token`,
          { mobile, code: lastCode(mobile) },
          'sms_token',
        );
        return grantedOnce(index, `${purpose}_check_sm`, { mobile, sms_token }, 'token');
      }),
    );
    expect(new Set(tokens).size).toBe(PHONES);
    const { rows } = await test.database.pool.query<{ accounts: number; sessions: number }>(
      `SELECT count(DISTINCT account.id)::int AS accounts, count(*)::int AS sessions
       FROM account JOIN session ON session.account_id = account.id WHERE mobile = ANY($1)`,
      [phones],
    );
    expect(rows[0]).toEqual({ accounts: PHONES, sessions: purpose === 'register' ? PHONES : 2 * PHONES });
  });
});
