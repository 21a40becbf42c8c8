/** Tests properties of every call of the contract. */
import { calls } from '@unitcell/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from './build-test-app.ts';

let test: TestApp;
let token: string;
let administrator: string;
/** Formerly valid tokens, by the reason why they became invalid. */
const dead: Record<string, string> = {};
beforeAll(async () => {
  test = await buildTestApp();
  token = await test.signIn();
  administrator = await test.signInAdministrator();
  dead['logged out'] = await test.signIn('13700000011');
  await test.post('/api/arkid/logout/', {}, { token: dead['logged out'] });
  dead['run out'] = await test.signIn('13700000012');
  await test.database.pool.query(
    "UPDATE session SET expires_at = now() - interval '1 second' FROM account WHERE account.id = account_id AND mobile = '13700000012'",
  );
  dead['made up'] = 'dead';
});
afterAll(() => test.close());

const forUsers = calls.filter((call) => call.access !== 'public');
const withJson = calls.filter((call) => call.body === 'json');

describe.each(forUsers.map((call) => [`${call.method} ${call.path}`, call] as const))('%s', (_name, call) => {
  const send = (authorization?: string) =>
    test.app.inject({
      method: call.method,
      url: call.path,
      headers: {
        ...(authorization ? { authorization } : {}),
        ...(call.body === 'json' ? { 'content-type': 'application/json' } : {}),
      },
      ...(call.body === 'json' ? { payload: '{}' } : {}),
    });

  it('returns 401 without a token, before it reads the body', async () => {
    const answer = await send();
    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toMatchObject({ error: 'true', detail: 'Invalid token' });
  });

  it('returns 401 for a token that is logged out, expired or invented', async () => {
    for (const [how, ofThatKind] of Object.entries(dead)) {
      const answer = await send(`token ${ofThatKind}`);
      const { detail } = answer.json<{ detail?: string }>();
      const expected = how === 'run out' ? 'Token has expired' : 'Invalid token';
      expect([how, answer.statusCode, detail]).toEqual([how, 401, expected]);
    }
    expect((await send(`Basic ${token}`)).statusCode).toBe(401);
  });
});

describe.each(withJson.map((call) => [`${call.method} ${call.path}`, call] as const))('%s', (_name, call) => {
  // The logout call ends its own session, so it gets a separate one.
  let own: string;
  beforeAll(async () => {
    const usual = call.access === 'administrator' ? administrator : token;
    own = call.name === 'logout' ? await test.signIn('13700000000') : usual;
  });

  it('returns 400 for invalid JSON and for JSON that is not an object', async () => {
    for (const body of ['{"x":', 'null', '[1]', '"text"', '42']) {
      const answer = await test.post(call.path, body, { token: own });
      expect([body, answer.statusCode]).toEqual([body, 400]);
      expect(answer.json()).toMatchObject({ error: 'true', message: expect.any(String) });
    }
  });

  it('returns 400 for a text with a zero byte in any field', async () => {
    for (const body of ['{"functional":"\\u0000"}', '{"a":[{"b":"x\\u0000"}]}', '{"\\u0000":1}']) {
      const answer = await test.post(call.path, body, { token: own });
      expect([body, answer.statusCode]).toEqual([body, 400]);
      expect(answer.json()).toMatchObject({ error: 'true', message: expect.stringContaining('zero byte') });
    }
  });

  it('returns 413 for a body over its limit', async () => {
    const answer = await test.post(
      call.path,
      JSON.stringify({ pad: 'x'.repeat((call.maxBodyBytes ?? 65_536) + 10) }),
      { token: own },
    );
    expect(answer.statusCode).toBe(413);
  });

  it('never shows a stack trace or SQL for wrong types in every field', async () => {
    const shape = (call.request as { shape?: Record<string, unknown> }).shape ?? {};
    for (const value of [
      null,
      42,
      -1,
      1e308,
      [],
      {},
      "' OR 1=1 --",
      '<img onerror=x>',
      '\u0000',
      '💥'.repeat(50),
    ]) {
      const body = Object.fromEntries(Object.keys(shape).map((key) => [key, value]));
      const answer = await test.post(call.path, body, { token: own });
      expect(answer.statusCode).toBeLessThan(500);
      expect(answer.body).not.toMatch(/\bat \w+ \(|SELECT |syntax error|node_modules/);
    }
  });
});

describe('addresses that do not exist', () => {
  it('return 404 in JSON', async () => {
    const answer = await test.post('/api/nothing/here/', {});
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toMatchObject({ error: 'true', code: 'request.not-found' });
  });

  it('also return 404 in JSON if the address cannot be decoded', async () => {
    const answer = await test.get('/%c0%ae', { language: 'zh' });
    expect(answer.statusCode).toBe(404);
    expect(answer.json()).toEqual({ error: 'true', message: '该地址不存在。', code: 'request.not-found' });
  });
});

describe('server faults', () => {
  it('are answered with 500 and only an id that is in the log', async () => {
    test.app.log.info('next: a failure made on purpose');
    await test.database.pool.query('ALTER TABLE topology RENAME TO topology_hidden');
    try {
      const answer = await test.post('/api/irvsp/fetch_irvsp/', { struct_id: 1 }, { token });
      expect(answer.statusCode).toBe(500);
      const body = answer.json<{ error_id: string; message: string }>();
      expect(Object.keys(body).sort()).toEqual(['code', 'error', 'error_id', 'message']);
      expect(test.logLines.some((line) => line.includes(body.error_id))).toBe(true);
    } finally {
      await test.database.pool.query('ALTER TABLE topology_hidden RENAME TO topology');
    }
  });
});
