/** `unitcell user invite`: a link that signs in once. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../testing/build-test-app.ts';
import { runUnitcell, spawnUnitcell } from '../testing/run-unitcell.ts';

let test: TestApp;
beforeAll(async () => {
  test = await buildTestApp();
});
afterAll(() => test.close());

const inviteOf = (link: string): string => {
  const url = new URL(link);
  // The fragment after # is never sent to a server or logged.
  expect([url.pathname, url.search]).toEqual(['/', '']);
  return url.hash.replace('#invite=', '');
};
const open = (invite: string) => test.post('/api/arkid/invite/login/', { invite });

it('unitcell user invite: makes an account with a role and signs in one person only', async () => {
  const words = ['user', 'invite', '--name', 'Marie Curie', '--role', 'internal'];
  const invite = inviteOf(await runUnitcell(test.config, words));
  const { token } = (await open(invite)).json<{ token: string }>();
  const profile = await test.get('/api/arkid/get_user_infor/', { token });
  expect(profile.json()).toMatchObject({ name: 'Marie Curie', user_type: 2, mobile: '' });
  expect((await open(invite)).json()).toMatchObject({ code: 'invite.expired' });

  const { userid } = profile.json<{ userid: number }>();
  const again = inviteOf(await runUnitcell(test.config, ['user', 'invite', String(userid)]));
  const second = (await open(again)).json<{ token: string }>();
  const same = await test.get('/api/arkid/get_user_infor/', { token: second.token });
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
