/** Tests login tokens that are used, ended here or by other processes, expired, or forged. */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { deriveKey } from '../../config/config.ts';
import type { AppError } from '../../messages/app-error.ts';
import { buildTestApp, type TestApp } from '../../testing/build-test-app.ts';
import { sessions } from './sessions.ts';

let test: TestApp;
let nextNumber = 0;
const freshMobile = (): string => `139${String(nextNumber++).padStart(8, '0')}`;

beforeAll(async () => {
  test = await buildTestApp({ env: { LIMIT_PROOF_BELOW_PERCENT: '0' } });
});
afterAll(() => test.close());
beforeEach(() => test.database.pool.query('DELETE FROM rate_bucket'));

/** Announces changes of accounts as another process does. */
const announceAll = () =>
  test.database.pool.query("SELECT pg_notify('session_revoked', 'account:' || id) FROM account");

const anotherProcess = () =>
  sessions({
    database: test.database,
    databaseUrl: test.config.databaseUrl,
    signingKey: deriveKey(test.config, 'session'),
    onError: () => undefined,
  });

describe('login tokens', () => {
  it('stop working at once when their session is logged out', async () => {
    const token = await test.signIn(freshMobile());
    expect((await test.get('/api/arkid/get_user_infor/', { token })).statusCode).toBe(200);
    await test.post('/api/arkid/logout/', {}, { token });
    const after = await test.get('/api/arkid/get_user_infor/', { token });
    expect(after.statusCode).toBe(401);
    expect(after.json()).toMatchObject({ detail: 'Invalid token' });
  });

  it('stop working when the body of the log-out is missing, not when a field of it is misspelled', async () => {
    const token = await test.signIn(freshMobile());
    const refused = await test.post('/api/arkid/logout/', { everywere: true }, { token });
    expect(refused.statusCode).toBe(400);
    expect(refused.json<{ message: string }>().message).toContain('everywhere');
    const headers = { authorization: `token ${token}` };
    const ended = await test.app.inject({ method: 'POST', url: '/api/arkid/logout/', headers });
    expect(ended.json()).toMatchObject({ error: 'false' });
    expect((await test.get('/api/arkid/get_user_infor/', { token })).statusCode).toBe(401);
  });

  it('stop working in every process when another process ends all sessions', async () => {
    const mobile = freshMobile();
    const token = await test.signIn(mobile);
    await test.get('/api/arkid/get_user_infor/', { token });
    await test.database.pool.query('UPDATE session SET revoked_at = now()');
    await announceAll();
    await expect
      .poll(async () => (await test.get('/api/arkid/get_user_infor/', { token })).statusCode)
      .toBe(401);
  });

  it('are looked up once by another process, and stop working there when their session is logged out in this process', async () => {
    const other = anotherProcess();
    await other.start();
    const connections = vi.spyOn(test.database.pool, 'connect');
    try {
      const token = await test.signIn(freshMobile());
      await Promise.all(Array.from({ length: 5 }, () => other.verify(token)));
      await other.verify(token);
      expect(connections).toHaveBeenCalledTimes(1);
      await test.post('/api/arkid/logout/', {}, { token });
      await expect
        .poll(() => other.verify(token).catch((error: AppError) => error.code), { interval: 5 })
        .toBe('auth.invalid');
    } finally {
      connections.mockRestore();
      await other.close();
    }
  });

  it('record their last use at most every five minutes', async () => {
    const token = await test.signIn(freshMobile());
    const { verify } = anotherProcess(); // receives no announcements, so it looks every token up
    const ageAfterUse = async (seconds: number): Promise<number> => {
      await test.database.pool.query('UPDATE session SET last_used_at = now() - make_interval(secs => $1)', [
        seconds,
      ]);
      const { sessionId } = await verify(token);
      const { rows } = await test.database.pool.query<{ age: number }>(
        'SELECT extract(epoch FROM now() - last_used_at)::float8 AS age FROM session WHERE id = $1',
        [sessionId],
      );
      return rows[0]!.age;
    };
    expect(await ageAfterUse(200)).toBeGreaterThanOrEqual(200);
    expect(await ageAfterUse(400)).toBeLessThan(200);
  });

  it('are reported as expired', async () => {
    const token = await test.signIn(freshMobile());
    await test.database.pool.query("UPDATE session SET expires_at = now() - interval '1 second'");
    await announceAll();
    await expect
      .poll(
        async () =>
          (await test.get('/api/arkid/get_user_infor/', { token })).json<{ detail?: string }>().detail,
      )
      .toBe('Token has expired');
  });

  it.each([
    ['nothing', undefined],
    ['rubbish', 'abc'],
    [
      'an unsigned token',
      `${Buffer.from('{"alg":"none"}').toString('base64url')}.${Buffer.from('{"sub":"1","jti":"x","aud":"unitcell"}').toString('base64url')}.`,
    ],
    [
      'a forged signature',
      `${Buffer.from('{"alg":"HS256"}').toString('base64url')}.${Buffer.from('{"sub":"1","jti":"x","aud":"unitcell"}').toString('base64url')}.AAAA`,
    ],
  ])('answer 401 to %s', async (_name, token) => {
    const answer = await test.get('/api/arkid/get_user_infor/', token === undefined ? {} : { token });
    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toMatchObject({ error: 'true', detail: 'Invalid token' });
  });
});
