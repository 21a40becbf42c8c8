/** Tests the account commands. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../testing/build-test-app.ts';
import { runUnitcell, spawnUnitcell } from '../testing/run-unitcell.ts';

let test: TestApp;
beforeAll(async () => {
  test = await buildTestApp();
});
afterAll(() => test.close());

const unitcell = (...words: readonly string[]) => runUnitcell(test.config, words);
const profile = (token: string) => test.get('/api/arkid/get_user_infor/', { token });

describe('unitcell api-key', () => {
  it('makes a key that works, lists it without showing it, and revokes it', async () => {
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
  it('changes the role in open sessions, and ends sessions', async () => {
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

// `unitcell user invite`: a link that signs in once.

const inviteOf = (link: string): string => {
  const url = new URL(link);
  // The fragment after # is never sent to a server or logged.
  expect([url.pathname, url.search]).toEqual(['/', '']);
  return url.hash.replace('#invite=', '');
};
const open = (invite: string) => test.post('/api/arkid/invite/login/', { invite });

it('unitcell user invite: makes an account with a role and a link that signs in only once', async () => {
  const words = ['user', 'invite', '--name', 'Marie Curie', '--role', 'internal'];
  const invite = inviteOf(await unitcell(...words));
  const { token } = (await open(invite)).json<{ token: string }>();
  const found = await profile(token);
  expect(found.json()).toMatchObject({ name: 'Marie Curie', user_type: 2, mobile: '' });
  expect((await open(invite)).json()).toMatchObject({ code: 'invite.expired' });

  const { userid } = found.json<{ userid: number }>();
  const again = inviteOf(await runUnitcell(test.config, ['user', 'invite', String(userid)]));
  const second = (await open(again)).json<{ token: string }>();
  const same = await profile(second.token);
  expect(same.json()).toMatchObject({ userid, user_type: 2 });
});

it('unitcell user invite: a link is refused when it expired, was edited or made up, or when the account is blocked', async () => {
  const invite = inviteOf(await runUnitcell(test.config, ['user', 'invite']));
  for (const wrong of [`${invite}x`, invite.replace(/^./, (c) => (c === 'A' ? 'B' : 'A')), 'x.y', 'uct_x'])
    expect((await open(wrong)).json()).toMatchObject({ code: 'invite.expired' });
  await test.database.pool.query('UPDATE account SET blocked_at = now()');
  expect((await open(invite)).json()).toMatchObject({ code: 'account.blocked' });
  await test.database.pool.query('UPDATE account SET blocked_at = NULL');
  await test.database.pool.query("UPDATE sign_in_handle SET expires_at = now() WHERE kind = 'invite'");
  expect((await open(invite)).json()).toMatchObject({ code: 'invite.expired' });
});

it('unitcell user invite: as a process it prints only the link, and exits with status 1 and a reason when it refuses the role', async () => {
  expect(inviteOf(await spawnUnitcell(test.config, ['user', 'invite']))).not.toBe('');
  await expect(spawnUnitcell(test.config, ['user', 'invite', '--role', 'king'])).rejects.toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringMatching(/^king is not a role.*\n$/),
  });
});
