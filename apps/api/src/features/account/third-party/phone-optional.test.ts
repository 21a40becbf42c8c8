/** Third-party sign-ins on a site that requires no phone. */
import { describe, expect, it } from 'vitest';
import { type Browser, freshBrowser, openThirdPartySite } from '../../../testing/open-third-party-site.ts';

const { test, freshMobile, refillBudgets, send, signIn, bindCode } = await openThirdPartySite({
  SIGN_IN_PHONE: 'optional',
});

describe('a site that requires no phone (SIGN_IN_PHONE=optional)', () => {
  const profileOf = async (token: string, browser?: Browser) =>
    (await send('/api/arkid/get_user_infor/', null, { token, browser })).json<
      Record<string, unknown> & { token: string }
    >();

  it.each(['github', 'wechat'] as const)('creates an account for a stranger by %s', async (provider) => {
    const browser = freshBrowser();
    const ticket = (await signIn(provider, browser)).get('token')!;
    const first = await profileOf(ticket, browser);
    expect(first).toMatchObject({ mobile: '', [`${provider}_user`]: expect.anything() });
    // The next visit finds the same account.
    const again = freshBrowser();
    const second = await profileOf((await signIn(provider, again)).get('token')!, again);
    expect(second.userid).toBe(first.userid);
    const unbound = await send(`/api/arkid/${provider}/unbind/`, { sms_token: 'x' }, { token: second.token });
    expect(unbound.json()).toMatchObject({ code: 'account.last-way-in' });
  });

  it('lets that account add a phone later, which then opens the same account', async () => {
    const browser = freshBrowser();
    const { token, userid } = await profileOf((await signIn('github', browser)).get('token')!, browser);
    const mobile = freshMobile();
    const change = async (next: string) =>
      (await send('/api/arkid/change_mobile/', { new_mobile_sms_token: next }, { token })).json<object>();
    expect(await change(await bindCode(mobile))).toMatchObject({ code: 'account.mobile-failed' });
    expect(await change(await bindCode(mobile, token))).toMatchObject({ new_mobile: mobile });
    // From now on, changing the number also requires a code sent to the old number.
    expect(await change(await bindCode(freshMobile(), token))).toMatchObject({
      code: 'account.mobile-failed',
    });
    await refillBudgets();
    expect((await profileOf(await test.signIn(mobile))).userid).toBe(userid);
  });

  it('still requires a code to bind to an account that has a phone', async () => {
    const mobile = freshMobile();
    const token = await test.signIn(mobile);
    const browser = freshBrowser();
    const returned = await signIn('github', browser, token);
    expect(returned.get('third_party_id')).toBeTruthy();
    expect((await profileOf(token)).github_user).toBeNull();
    const bound = await send(
      '/api/arkid/github/bind/',
      { sms_token: await bindCode(mobile, token), github_id: returned.get('third_party_id') },
      { browser, token },
    );
    expect(bound.json()).toMatchObject({ error: 'false' });
    expect((await profileOf(token)).github_user).not.toBeNull();
  });
});
