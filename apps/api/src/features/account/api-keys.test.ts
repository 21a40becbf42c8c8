import { calls } from '@unitcell/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../../testing/build-test-app.ts';
import { accountRepository } from './account.repository.ts';
import { API_KEY_SCOPES, type ApiKeys, apiKeys } from './api-keys.ts';

let test: TestApp;
let keys: ApiKeys;
let accountId: number;
beforeAll(async () => {
  test = await buildTestApp();
  keys = apiKeys(test.database);
  accountId = await accountRepository(test.database).createNamed('Partner');
});
afterAll(() => test.close());

const tomorrow = () => new Date(Date.now() + 86_400_000);
const create = (change: Partial<Parameters<ApiKeys['create']>[0]> = {}) =>
  keys.create({
    accountId,
    label: 'test',
    scopes: ['matdata'],
    expiresAt: tomorrow(),
    ratePerMinute: 50,
    ...change,
  });
const profile = (token: string) => test.get('/api/arkid/get_user_infor/', { token });

describe('API keys', () => {
  it('are accepted in place of a token, for the call groups in their scopes', async () => {
    const { key } = await create();
    expect(key).toMatch(/^uck_[\w-]{43}$/);
    expect((await profile(key)).json()).toMatchObject({ name: 'Partner', user_type: 1 });
    const open = await test.post('/api/matdata/get_struct_detail/', { struct_id: 1 }, { token: key });
    expect(open.statusCode).not.toBe(403);
    const closed = await test.post('/api/irvsp/fetch_irvsp/', { struct_id: 1 }, { token: key });
    expect(closed.statusCode).toBe(403);
    expect(closed.json()).toMatchObject({ error: 'true', code: 'auth.scope' });
  });

  it('never give access to account calls, whatever their scopes', async () => {
    const { key } = await create({ scopes: ['all'], ratePerMinute: 1000 });
    expect(API_KEY_SCOPES).not.toContain('account');
    const closed = calls.filter(
      (call) =>
        call.group === 'account' && call.access === 'user' && !['getUserInfor', 'getKey'].includes(call.name),
    );
    for (const call of closed) {
      const answer = await test.app.inject({
        method: call.method,
        url: call.path,
        headers: { authorization: `token ${key}` },
        ...(call.method === 'POST' ? { payload: {} } : {}),
      });
      expect([call.name, answer.statusCode]).toEqual([call.name, 403]);
    }
  });

  it('are stored only as hashes', async () => {
    const { key } = await create();
    const { rows } = await test.database.pool.query('SELECT * FROM api_key');
    expect(JSON.stringify(rows)).not.toContain(key);
    expect(test.logLines.join('')).not.toContain(key);
  });

  it('are refused while their account is blocked', async () => {
    const { key } = await create();
    const block = (at: string) =>
      test.database.pool.query(`UPDATE account SET blocked_at = ${at} WHERE id = $1`, [accountId]);
    await block('now()');
    expect((await profile(key)).json()).toMatchObject({ code: 'auth.invalid', detail: 'Invalid token' });
    await block('NULL');
    expect((await profile(key)).statusCode).toBe(200);
  });

  it('stop working at once when they are revoked or expire', async () => {
    const { id, key } = await create();
    expect((await profile(key)).statusCode).toBe(200);
    await keys.revoke(id);
    expect((await profile(key)).json()).toMatchObject({ code: 'auth.invalid', detail: 'Invalid token' });
    const late = await create({ expiresAt: new Date(Date.now() - 1000) });
    expect((await profile(late.key)).json()).toMatchObject({
      code: 'auth.expired',
      detail: 'Token has expired',
      message: expect.stringContaining('This API key has expired'),
    });
  });

  it('are refused with a message about the key when they are unknown', async () => {
    const { message } = (await profile('uck_unknown')).json();
    expect(message).toContain('This API key is unknown');
  });

  it('each have their own rate limit', async () => {
    const slow = await create({ ratePerMinute: 3 });
    const other = await create({ ratePerMinute: 3 });
    const statuses = [];
    for (let i = 0; i < 5; i++) statuses.push((await profile(slow.key)).statusCode);
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
    expect(Number((await profile(slow.key)).headers['retry-after'])).toBeGreaterThan(0);
    expect((await profile(other.key)).statusCode).toBe(200);
  });

  it('are rejected when forged', async () => {
    for (const key of ['uck_', `uck_${'A'.repeat(43)}`, 'uck_../..'])
      expect((await profile(key)).statusCode).toBe(401);
  });
});

describe('GET /api/openapi.json', () => {
  it('is public and returns 304 while unchanged', async () => {
    const answer = await test.get('/api/openapi.json');
    expect(answer.json()).toMatchObject({ openapi: '3.1.0' });
    const { etag = '', 'cache-control': cache } = answer.headers;
    expect(cache).toBe('public, max-age=300');
    const again = await test.app.inject({
      url: '/api/openapi.json',
      headers: { 'if-none-match': etag },
    });
    expect([again.statusCode, again.body]).toEqual([304, '']);
  });
});
