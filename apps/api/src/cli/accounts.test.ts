/** The operator's commands about accounts, run as an operator runs them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../testing/build-test-app.ts';
import { runUnitcell } from '../testing/run-unitcell.ts';

let test: TestApp;
beforeAll(async () => {
  test = await buildTestApp();
});
afterAll(() => test.close());

const unitcell = (...words: readonly string[]) => runUnitcell(test.config, words);
const profile = (token: string) => test.get('/api/arkid/get_user_infor/', { token });

describe('unitcell api-key', () => {
  it('makes a key that works, lists it without showing it, and ends it', async () => {
    const key = await unitcell(
      'api-key',
      'create',
      '--for',
      'Prof. Li',
      '--scopes',
      'matdata',
      '--expires',
      '30d',
    );
    expect((await profile(key)).json()).toMatchObject({ name: 'Prof. Li' });
    const [listed] = JSON.parse(await unitcell('api-key', 'list', '--json')) as {
      id: number;
      state: string;
    }[];
    expect(listed).toMatchObject({ state: 'active', label: 'Prof. Li', scopes: ['matdata'] });
    expect(JSON.stringify(listed)).not.toContain(key);
    await unitcell('api-key', 'revoke', String(listed?.id));
    expect((await profile(key)).statusCode).toBe(401);
  });

  it.each([
    [['--for', 'x', '--scopes', 'account'], /expected some of all/],
    [['--for', 'x', '--scopes', 'matdata', '--expires', '2020-01-01'], /in the future/],
  ] as const)('refuses %j in words', async (options, words) => {
    await expect(unitcell('api-key', 'create', ...options)).rejects.toThrow(words);
  });
});

describe('unitcell user', () => {
  it('changes a role in sessions that are open, and ends them', async () => {
    const token = await test.signIn('13912340000');
    expect((await profile(token)).json()).toMatchObject({ user_type: 1, is_extern_user: true });
    await unitcell('user', 'role', '13912340000', 'internal');
    await expect.poll(async () => (await profile(token)).json<{ user_type: number }>().user_type).toBe(2);
    expect((await test.get('/api/openapi.json', { token })).statusCode).toBe(200);
    expect(await unitcell('user', 'list', '13912340000')).toMatch(/139\*{4}0000\tinternal/);
    await unitcell('user', 'log-out', '13912340000');
    await expect.poll(async () => (await profile(token)).statusCode).toBe(401);
    const { rows } = await test.database.pool.query(
      "SELECT detail FROM audit_log WHERE event = 'role-changed'",
    );
    expect(rows).toEqual([{ detail: { from: 1, to: 2, was: 'common', is: 'internal' } }]);
  });
});
