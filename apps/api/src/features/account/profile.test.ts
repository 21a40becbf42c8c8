import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { userInfor } from '@unitcell/contract/account';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../../testing/build-test-app.ts';
import { accountRepository } from './account.repository.ts';

let test: TestApp;
const home = mkdtempSync(join(tmpdir(), 'unitcell-account-'));
let nextNumber = 0;
const freshMobile = (): string => `138${String(nextNumber++).padStart(8, '0')}`;

beforeAll(async () => {
  test = await buildTestApp({ env: { UNITCELL_HOME: home } });
});
afterAll(async () => {
  await test.close();
  rmSync(home, { recursive: true });
});
beforeEach(() => test.database.pool.query('DELETE FROM rate_bucket'));

/** Obtains a confirmation of a phone number for a signed-in user. */
async function confirm(mobile: string, purpose: 'login' | 'bind', token: string): Promise<string> {
  await test.database.pool.query('DELETE FROM rate_bucket');
  await test.post(`/api/arkid/${purpose}_request_sm/`, { mobile }, { token });
  const code = test.messages.findLast((message) => message.mobile === mobile)!.code;
  const answer = await test.post(`/api/arkid/${purpose}_get_sms_token/`, { mobile, code }, { token });
  return answer.json<{ sms_token: string }>().sms_token;
}

const profileOf = (token: string) => test.get('/api/arkid/get_user_infor/', { token });

describe('POST /api/arkid/change_infor/', () => {
  it('returns the user info with the changes, NFC-composed, trimmed and without hidden characters', async () => {
    const token = await test.signIn(freshMobile());
    const answer = await test.post(
      '/api/arkid/change_infor/',
      {
        avatar: '',
        name: '  Jose\u0301 \u202e Li\u200b ',
        des: 'a\r\n\r\n\r\n\r\nb ',
        url: '北京\u3000海淀',
        occ: '学生',
      },
      { token },
    );
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({
      error: 'false',
      message: 'Information updated successfully',
      name: 'José Li',
      custom_user: { data: { des: 'a\n\nb', url: '北京 海淀', occ: '学生' } },
    });
    expect(userInfor.safeParse((await profileOf(token)).json()).success).toBe(true);
  });

  it('leaves omitted fields unchanged', async () => {
    const token = await test.signIn(freshMobile());
    await test.post('/api/arkid/change_infor/', { name: 'Lin', occ: 'student' }, { token });
    const answer = await test.post('/api/arkid/change_infor/', { occ: 'teacher' }, { token });
    expect(answer.json()).toMatchObject({ name: 'Lin', custom_user: { data: { occ: 'teacher' } } });
  });

  it('ignores all other fields', async () => {
    const mobile = freshMobile();
    const token = await test.signIn(mobile);
    const before = (await profileOf(token)).json<{ userid: number; username: string }>();
    await test.post(
      '/api/arkid/change_infor/',
      { name: 'x', user_type: 2, userType: 2, mobile: '13900000000', id: 1, userid: 1, username: 'root' },
      { token },
    );
    expect((await profileOf(token)).json()).toMatchObject({
      userid: before.userid,
      username: before.username,
      user_type: 1,
      mobile,
    });
  });

  it.each([
    ['name', 60],
    ['des', 500],
    ['url', 200],
    ['occ', 100],
  ])('accepts a %s of %i characters and rejects a longer one', async (field, limit) => {
    const token = await test.signIn(freshMobile());
    const send = (length: number) =>
      test.post('/api/arkid/change_infor/', { [field]: '💎'.repeat(length) }, { token });
    expect((await send(limit)).statusCode).toBe(200);
    expect((await send(limit + 1)).statusCode).toBe(400);
  });
});

describe('POST /api/arkid/change_mobile/', () => {
  it('moves the account, keeps this session and ends the others at once', async () => {
    const [before, after] = [freshMobile(), freshMobile()];
    const token = await test.signIn(before);
    await test.database.pool.query('DELETE FROM rate_bucket');
    const elsewhere = await test.signIn(before);
    const old = await confirm(before, 'login', token);
    const next = await confirm(after, 'bind', token);
    const body = { old_mobile_sms_token: old, new_mobile_sms_token: next };
    const answer = await test.post('/api/arkid/change_mobile/', body, { token });
    expect(answer.json()).toMatchObject({ error: 'false', new_mobile: after });
    expect((await profileOf(token)).json()).toMatchObject({ mobile: after });
    expect((await profileOf(elsewhere)).json()).toMatchObject({ detail: 'Invalid token' });
    const again = await test.post('/api/arkid/change_mobile/', body, { token });
    expect(again.json()).toMatchObject({ error: 'true', code: 'account.mobile-failed' });
    const { rows } = await test.database.pool.query(
      "SELECT detail FROM audit_log WHERE event = 'mobile-changed'",
    );
    expect(JSON.stringify(rows)).not.toContain(before);
  });

  it('rejects confirmations of another account', async () => {
    const [mine, theirs] = [freshMobile(), freshMobile()];
    const token = await test.signIn(mine);
    const other = await test.signIn(theirs);
    const old = await confirm(theirs, 'login', other);
    const next = await confirm(freshMobile(), 'bind', token);
    const answer = await test.post(
      '/api/arkid/change_mobile/',
      { old_mobile_sms_token: old, new_mobile_sms_token: next },
      { token },
    );
    expect(answer.json()).toMatchObject({ error: 'true', code: 'account.mobile-failed' });
    expect((await profileOf(token)).json()).toMatchObject({ mobile: mine });
  });

  it('rejects the number of another account, the same number, and steps in the wrong order', async () => {
    const [mine, taken] = [freshMobile(), freshMobile()];
    const token = await test.signIn(mine);
    await test.signIn(taken);
    const change = async (old: string, next: string) =>
      (
        await test.post(
          '/api/arkid/change_mobile/',
          { old_mobile_sms_token: old, new_mobile_sms_token: next },
          { token },
        )
      ).json<{ code: string }>().code;
    const old = await confirm(mine, 'login', token);
    expect(await change(old, await confirm(taken, 'bind', token))).toBe('account.mobile-taken');
    expect(await change(old, await confirm(mine, 'bind', token))).toBe('account.mobile-same');
    const early = await confirm(freshMobile(), 'bind', token);
    expect(await change(await confirm(mine, 'login', token), early)).toBe('account.mobile-failed');
  });

  it('accepts only one of two concurrent changes to the same number', async () => {
    const wanted = freshMobile();
    const changes = [];
    for (const mobile of [freshMobile(), freshMobile()]) {
      const token = await test.signIn(mobile);
      const old = await confirm(mobile, 'login', token);
      changes.push({
        token,
        old_mobile_sms_token: old,
        new_mobile_sms_token: await confirm(wanted, 'bind', token),
      });
    }
    const answers = await Promise.all(
      changes.map(({ token, ...body }) => test.post('/api/arkid/change_mobile/', body, { token })),
    );
    expect(answers.filter((answer) => answer.json<{ error: string }>().error === 'false')).toHaveLength(1);
  });
});

describe('sessions', () => {
  it('are listed, and the chosen session is ended', async () => {
    const mobile = freshMobile();
    const token = await test.signIn(mobile);
    await test.database.pool.query('DELETE FROM rate_bucket');
    const elsewhere = await test.signIn(mobile);
    const list = (await test.get('/api/arkid/sessions/', { token })).json<{
      sessions: { id: string; current: boolean; device: string }[];
    }>().sessions;
    // This is the user agent of app.inject.
    expect(list.map(({ device }) => device)).toEqual(['lightMyRequest', 'lightMyRequest']);
    expect(list.filter(({ current }) => current)).toHaveLength(1);
    expect(list).toHaveLength(2);
    const other = list.find(({ current }) => !current)!;
    await test.post('/api/arkid/revoke_session/', { session_id: other.id }, { token });
    expect((await profileOf(elsewhere)).statusCode).toBe(401);
    expect((await profileOf(token)).statusCode).toBe(200);
  });

  it("returns 404 for another account's session and leaves it open", async () => {
    const token = await test.signIn(freshMobile());
    const victim = await test.signIn(freshMobile());
    const list = (await test.get('/api/arkid/sessions/', { token: victim })).json<{
      sessions: { id: string }[];
    }>();
    const answer = await test.post(
      '/api/arkid/revoke_session/',
      { session_id: list.sessions[0]!.id },
      { token },
    );
    expect(answer.statusCode).toBe(404);
    expect((await profileOf(victim)).statusCode).toBe(200);
  });
});

describe('POST /api/arkid/delete_account/', () => {
  it('erases all personal data and frees the number', async () => {
    const mobile = freshMobile();
    const token = await test.signIn(mobile);
    await test.post('/api/arkid/change_infor/', { name: 'Lin', des: 'about me' }, { token });
    const { userid } = (await profileOf(token)).json<{ userid: number }>();
    await test.database.pool.query(
      `INSERT INTO submission (account_id, status, formula, space_group, structure)
       VALUES ($1, 'queued', 'NaCl', 'Fm-3m', '{}'), ($1, 'finished', 'MgO', 'Fm-3m', '{}')`,
      [userid],
    );
    const answer = await test.post(
      '/api/arkid/delete_account/',
      { sms_token: await confirm(mobile, 'bind', token) },
      { token },
    );
    expect(answer.json()).toMatchObject({ error: 'false' });
    expect((await profileOf(token)).statusCode).toBe(401);
    const { rows } = await test.database.pool.query(
      `SELECT name, des, mobile, (SELECT array_agg(status ORDER BY status) FROM submission WHERE account_id = $1) AS statuses
       FROM account WHERE id = $1`,
      [userid],
    );
    expect(rows[0]).toEqual({ name: '', des: '', mobile: null, statuses: ['cancelled', 'finished'] });
    await test.database.pool.query('DELETE FROM rate_bucket');
    const fresh = await test.signIn(mobile);
    expect((await profileOf(fresh)).json<{ userid: number }>().userid).not.toBe(userid);
  });

  it('makes it impossible to change the profile of the deleted account', async () => {
    const mobile = freshMobile();
    const token = await test.signIn(mobile);
    const { userid } = (await profileOf(token)).json<{ userid: number }>();
    const smsToken = await confirm(mobile, 'bind', token);
    await test.post('/api/arkid/delete_account/', { sms_token: smsToken }, { token });
    await accountRepository(test.database).update(userid, { name: 'Lin' });
    const account = await test.database.prisma.account.findUnique({ where: { id: userid } });
    expect(account).toMatchObject({ name: '', mobile: null });
  });

  it('requires a code sent to the number of the account', async () => {
    const token = await test.signIn(freshMobile());
    const other = await confirm(freshMobile(), 'bind', token);
    const answer = await test.post('/api/arkid/delete_account/', { sms_token: other }, { token });
    expect(answer.json()).toMatchObject({ error: 'true', code: 'login.other-number' });
    expect((await profileOf(token)).statusCode).toBe(200);
  });
});
