import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../../testing/build-test-app.ts';

const MOBILE = '13800000000';
let test: TestApp;
let token: string;
beforeAll(async () => {
  test = await buildTestApp({ env: { API_KEYS: 'members' } });
  token = await test.signIn(MOBILE);
});
afterAll(() => test.close());
beforeEach(async () => {
  await test.database.pool.query('DELETE FROM rate_bucket');
  await test.database.pool.query('DELETE FROM api_key');
});

/** Exchanges a code sent to the number for a confirmation that the caller owns the number. */
async function confirmation(mobile = MOBILE, by = token): Promise<string> {
  await test.database.pool.query('DELETE FROM rate_bucket');
  await test.post('/api/arkid/bind_request_sm/', { mobile }, { token: by });
  const code = test.messages.findLast((message) => message.mobile === mobile)?.code;
  const exchanged = await test.post('/api/arkid/bind_get_sms_token/', { mobile, code }, { token: by });
  return exchanged.json<{ sms_token: string }>().sms_token;
}

const create = async (change: object = {}) =>
  test.post(
    '/api/arkid/create_key/',
    { sms_token: await confirmation(), label: 'notebook', scopes: ['matdata'], days: 30, ...change },
    { token },
  );
const list = async (by = token) => (await test.get('/api/arkid/keys/', { token: by })).json();

describe('API keys made by members', () => {
  it('have the chosen scopes, are shown once and are listed with their last use', async () => {
    const { key, id } = (await create()).json<{ key: string; id: number }>();
    expect(key).toMatch(/^uck_[\w-]{43}$/);
    expect((await list()).keys).toMatchObject([
      { id, label: 'notebook', state: 'active', last_used_at: null },
    ]);
    expect(JSON.stringify(await list())).not.toContain(key);
    const open = await test.post('/api/matdata/search_by_elements/', { include: 'Ti-O' }, { token: key });
    expect(open.json()).toMatchObject({ error: 'false' });
    const closed = await test.post('/api/irvsp/fetch_irvsp/', { struct_id: 1 }, { token: key });
    expect(closed.statusCode).toBe(403);
    expect((await list()).keys[0].last_used_at).toEqual(expect.any(String));
  });

  it('are revoked at once, and only by their owner', async () => {
    const { key, id } = (await create()).json<{ key: string; id: number }>();
    const stranger = await test.signIn('13900000001');
    const foreign = await test.post('/api/arkid/revoke_key/', { id }, { token: stranger });
    expect([foreign.statusCode, foreign.json().code]).toEqual([404, 'key.not-found']);
    expect((await list(stranger)).keys).toEqual([]);
    await test.post('/api/arkid/revoke_key/', { id }, { token });
    expect((await test.get('/api/key/', { token: key })).statusCode).toBe(401);
    expect((await list()).keys).toMatchObject([{ id, state: 'revoked' }]);
    const { rows } = await test.database.pool.query(
      "SELECT event FROM audit_log WHERE event LIKE 'key-%' ORDER BY id DESC LIMIT 2",
    );
    expect(rows).toEqual([{ event: 'key-revoked' }, { event: 'key-created' }]);
  });

  it('require a code sent to the number of the account, known scopes, and fewer than five keys', async () => {
    const codeOf = async (change: object) => (await create(change)).json<{ code: string }>().code;
    expect(await codeOf({ sms_token: 'made-up' })).toBe('login.wrong-token');
    expect(await codeOf({ scopes: ['account'] })).toBe('key.scope');
    expect((await create({ days: 366 })).statusCode).toBe(400);
    expect((await create({ label: '  ' })).statusCode).toBe(400);
    for (let i = 0; i < 5; i++) expect((await create()).json()).toMatchObject({ error: 'false' });
    expect(await codeOf({})).toBe('key.too-many');
  });

  it('cannot create other keys', async () => {
    const { key } = (await create({ scopes: ['all'] })).json<{ key: string }>();
    for (const path of ['create_key', 'revoke_key'])
      expect((await test.post(`/api/arkid/${path}/`, {}, { token: key })).statusCode).toBe(403);
    expect((await test.get('/api/arkid/keys/', { token: key })).statusCode).toBe(403);
  });

  it('are reserved for the operator by default', async () => {
    const shipped = await buildTestApp();
    try {
      const own = await shipped.signIn();
      expect((await shipped.get('/api/arkid/keys/', { token: own })).json()).toMatchObject({
        allowed: false,
      });
      const refused = await shipped.post(
        '/api/arkid/create_key/',
        { sms_token: 'x', label: 'x', scopes: ['all'], days: 1 },
        { token: own },
      );
      expect(refused.json()).toMatchObject({ error: 'true', code: 'key.not-offered' });
    } finally {
      await shipped.close();
    }
  });
});

describe('GET /api/key/', () => {
  it('reports scopes, expiry and remaining limits, in the body and in the RateLimit fields', async () => {
    const { key } = (await create()).json<{ key: string }>();
    await test.database.pool.query('DELETE FROM rate_bucket');
    const first = await test.get('/api/key/', { token: key });
    expect(first.headers['ratelimit-policy']).toBe('"key";q=120;w=60');
    expect(first.headers.ratelimit).toBe('"key";r=119;t=1');
    expect(first.json()).toMatchObject({ scopes: ['matdata'], label: 'notebook', rate_per_minute: 120 });
    const [own, ...others] = first.json<{ budgets: { name: string; left: number; limit: number }[] }>()
      .budgets;
    expect(own).toMatchObject({ name: 'key', limit: 120, left: 119 });
    expect(others.map(({ name }) => name)).toEqual(['calculations', 'uploads', 'optimade']);
    const bearer = await test.app.inject({ url: '/api/key/', headers: { 'x-api-key': key } });
    expect(bearer.headers.ratelimit).toMatch(/^"key";r=11[78];t=1$/);
  });

  it('reports both limits for a call that has two limits', async () => {
    const { key } = (await create()).json<{ key: string }>();
    const answer = await test.post(
      '/api/matdata/get_brillouin_zone/',
      { struct_id: 999_999 },
      { token: key },
    );
    expect(answer.headers.ratelimit).toMatch(/^"key";r=\d+;t=1, "calculations";r=\d+;t=\d+$/);
  });

  it('refuses callers without a key', async () => {
    expect((await test.get('/api/key/', { token })).json()).toMatchObject({ code: 'key.none' });
  });
});
