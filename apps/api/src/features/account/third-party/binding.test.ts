/** Tests the binding of identities to accounts: once, to one account only, and until unbound. */
import { describe, expect, it } from 'vitest';
import {
  freshBrowser,
  openThirdPartySite,
  type Provider,
  type SendOptions,
} from '../../../testing/open-third-party-site.ts';
import { duringAccountDeletion } from '../../../testing/during-account-deletion.ts';
import { bindIdentity } from './social-accounts.ts';

const { test, freshMobile, meetStranger, send, signIn, bindCode, registered } = await openThirdPartySite();

describe('third_party_id', () => {
  const bind = (id: string, smsToken: string, options: SendOptions, provider: Provider = 'github') =>
    send(`/api/arkid/${provider}/bind/`, { sms_token: smsToken, [`${provider}_id`]: id }, options);

  it('works only once, unedited, in its own browser and for its own provider', async () => {
    const mobile = freshMobile();
    await test.signIn(mobile);
    const browser = freshBrowser();
    const id = (await signIn('github', browser)).get('third_party_id')!;
    const smsToken = await bindCode(mobile);
    const edited = `${id.startsWith('A') ? 'B' : 'A'}${id.slice(1)}`;
    const refused = { error: 'true', code: 'third-party.expired' };
    expect((await bind(edited, smsToken, { browser })).json()).toMatchObject(refused);
    expect((await bind(`${id}A`, smsToken, { browser })).json()).toMatchObject(refused);
    expect((await bind(id, smsToken, {})).json()).toMatchObject(refused);
    expect((await bind(id, smsToken, { browser }, 'wechat')).json()).toMatchObject(refused);
    expect((await bind(id, smsToken, { browser })).json()).toMatchObject({ error: 'false' });
    expect((await bind(id, await bindCode(mobile), { browser })).json()).toMatchObject(refused);
  });

  it('binds only once in several concurrent attempts', async () => {
    const mobile = freshMobile();
    await test.signIn(mobile);
    const browser = freshBrowser();
    const id = (await signIn('github', browser)).get('third_party_id')!;
    const smsToken = await bindCode(mobile);
    const answers = await Promise.all(Array.from({ length: 6 }, () => bind(id, smsToken, { browser })));
    expect(answers.filter((answer) => answer.json<{ error: string }>().error === 'false')).toHaveLength(1);
  });

  it('expires', async () => {
    const mobile = freshMobile();
    await test.signIn(mobile);
    const browser = freshBrowser();
    const id = (await signIn('github', browser)).get('third_party_id')!;
    await test.database.pool.query("UPDATE sign_in_handle SET expires_at = now() - interval '1 second'");
    expect((await bind(id, await bindCode(mobile), { browser })).json()).toMatchObject({
      code: 'third-party.expired',
    });
  });

  it('cannot be used by another account than the one signed in', async () => {
    const [mine, theirs] = [freshMobile(), freshMobile()];
    const token = await test.signIn(mine);
    const other = await test.signIn(theirs);
    const browser = freshBrowser();
    const id = (await signIn('github', browser, token)).get('third_party_id')!;
    const answer = await bind(id, await bindCode(theirs, other), { browser, token: other });
    expect(answer.json()).toMatchObject({ code: 'third-party.expired' });
  });

  it('cannot be bound with the code of another phone', async () => {
    const token = await test.signIn(freshMobile());
    const other = freshMobile();
    await test.signIn(other);
    const browser = freshBrowser();
    const id = (await signIn('github', browser, token)).get('third_party_id')!;
    const answer = await bind(id, await bindCode(other, token), { browser, token });
    expect(answer.json()).toMatchObject({ error: 'true', code: 'login.other-number' });
  });
});

describe('bound identities', () => {
  it('cannot be bound again (您已绑定), not even to another account', async () => {
    const mobile = freshMobile();
    await registered('github', mobile);
    const token = await test.signIn(freshMobile());
    expect((await signIn('github', freshBrowser(), token)).get('third_party_error')).toBe('bound');

    // The account accepts no second identity of the same provider either.
    meetStranger();
    const browser = freshBrowser();
    const id = (await signIn('github', browser)).get('third_party_id')!;
    const answer = await send(
      '/api/arkid/github/bind/',
      { sms_token: await bindCode(mobile), github_id: id },
      { browser },
    );
    expect(answer.json()).toMatchObject({
      error: 'true',
      code: 'account.already-bound',
      message: '您已绑定',
    });
  });

  it('are not unbound with the code of another phone; unbinding without a binding is refused', async () => {
    const mobile = freshMobile();
    const token = await test.signIn(mobile);
    const unbind = async (smsToken: string) =>
      (await send('/api/arkid/github/unbind/', { sms_token: smsToken }, { token })).json<{ code: string }>()
        .code;
    expect(await unbind(await bindCode(freshMobile(), token))).toBe('login.other-number');
    expect(await unbind(await bindCode(mobile))).toBe('login.wrong-token');
    expect(await unbind(await bindCode(mobile, token))).toBe('account.not-bound');
  });

  it('cannot be unbound when no other way to sign in remains', async () => {
    const mobile = freshMobile();
    const token = await registered('github', mobile);
    await test.database.pool.query('UPDATE account SET mobile = NULL WHERE mobile = $1', [mobile]);
    const answer = await send('/api/arkid/github/unbind/', { sms_token: 'x' }, { token });
    expect(answer.json()).toMatchObject({ error: 'true', code: 'account.last-way-in' });
  });
});

describe('an account that is being deleted', () => {
  it('accepts no binding, so that the identity stays free for another account', async () => {
    const token = await test.signIn(freshMobile());
    const { userid } = (await test.get('/api/arkid/get_user_infor/', { token })).json<{ userid: number }>();
    const identity = { providerUserId: 'left behind', displayName: '' };
    const outcome = await duringAccountDeletion(test, userid, () =>
      test.database.db.transaction().execute((tx) => bindIdentity(tx, userid, 'github', identity)),
    );
    expect(outcome).toMatchObject({ reason: { code: 'auth.invalid' } });
  });
});
