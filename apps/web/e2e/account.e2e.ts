/** The account journey: register, bind GitHub, log out, come back by GitHub, change the mobile, unbind. */
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { withClient } from '@unitcell/tools/database';
import { startOAuthStandIn } from '@unitcell/tools/oauth-stand-in';
import { newVisitor } from './support/browser.ts';
import { printedCode, tokenFor } from './support/sign-in.ts';
import { openSite } from './support/open-site.ts';

const standIn = await startOAuthStandIn();
afterAll(() => standIn.close());
const { site, browser } = await openSite({ env: { ...standIn.env } });

const WORDS = {
  en: {
    login: 'Sign in',
    phone: 'Mobile number',
    send: 'Send code',
    skip: 'Skip',
    manager: 'Account manager',
    bindGithub: 'Bind GitHub',
    unbindGithub: 'Unbind GitHub',
    signInGithub: 'Sign in with GitHub',
    signInWechat: 'Sign in with WeChat',
    logOut: 'Log out',
    change: 'Change',
    deleteAccount: 'Delete my account',
    name: 'Name',
    update: 'Update',
    updated: 'Information updated successfully',
    choose: 'Choose a picture',
    bound: 'bound',
    denied: 'The sign-in was cancelled at the provider.',
  },
  zh: {
    login: '登录',
    phone: '手机号',
    send: '获取验证码',
    skip: '跳过',
    manager: '账号管理',
    bindGithub: '绑定 GitHub',
    unbindGithub: '解绑 GitHub',
    signInGithub: '使用GitHub登录',
    signInWechat: '使用微信登录',
    logOut: '退出登录',
    change: '更换',
    deleteAccount: '注销账号',
    name: '姓名',
    update: '更新',
    updated: '信息更新成功',
    choose: '选择图片',
    bound: '已绑定',
    denied: '您已在第三方取消登录。',
  },
} as const;
type Words = (typeof WORDS)['en' | 'zh'];

/** Codes of one phone are a minute apart; a journey is not going to wait for them. */
const forgetBudgets = (): Promise<unknown> =>
  withClient(site.databaseUrl, (client) => client.query('DELETE FROM rate_bucket'));

/** Types the number (unless it is given), has a code sent and enters it. */
async function confirmPhone(page: Page, words: Words, mobile: string, isGiven = false): Promise<void> {
  const overlay = page.getByRole('dialog');
  await forgetBudgets();
  if (!isGiven) await overlay.getByLabel(words.phone).fill(mobile);
  const printed = site.printed.length;
  await overlay.getByRole('button', { name: words.send }).click();
  await expect
    .poll(() => site.printed.slice(printed).some((line) => line.includes(mobile.slice(-4))))
    .toBe(true);
  await overlay.locator('input[name="code"]').fill(await printedCode(site, mobile));
  const agreement = overlay.getByRole('checkbox');
  if (await agreement.count()) await agreement.check();
  await overlay.locator('button[type="submit"]').click();
}

const openLogin = (page: Page, words: Words) =>
  page.getByRole('banner').getByRole('button', { name: words.login }).click();

const signedOut = (page: Page) => page.evaluate(() => localStorage.getItem('userToken') === null);

describe.each([
  ['en', '13700000001', '13700000002', 9001],
  ['zh', '13700000003', '13700000004', 9002],
] as const)('an account, in %s', (language, mobile, nextMobile, githubId) => {
  const words = WORDS[language];

  it('is registered, bound, left, entered by GitHub, moved to another number and unbound', async () => {
    standIn.nextUser = { id: githubId, name: 'octo' };
    const { page, complaints } = await newVisitor(browser, { language });
    await page.goto(site.url);
    await openLogin(page, words);
    await confirmPhone(page, words, mobile);

    // A new account is offered to bind another sign-in.
    const overlay = page.getByRole('dialog');
    await overlay.getByRole('button', { name: words.skip }).click();
    await page.waitForURL('**/matdata');

    await page.goto(`${site.url}/account?tab=account`);
    await page.getByRole('button', { name: words.bindGithub }).click();
    await overlay.locator('input[name="code"]').waitFor();
    await expect.poll(() => page.url()).not.toContain('third_party_id');
    await confirmPhone(page, words, mobile, true);
    await page.getByRole('button', { name: words.unbindGithub }).waitFor();

    await page.getByRole('button', { name: words.logOut, exact: true }).click();
    await page.waitForURL(`${site.url}/`);
    await expect.poll(() => signedOut(page)).toBe(true);

    // The page first asked for is remembered through the sign-in.
    await page.goto(`${site.url}/account?tab=account`);
    await overlay.getByRole('checkbox').check();
    await overlay.getByRole('button', { name: words.signInGithub }).click();
    await page.waitForURL(`${site.url}/account?tab=account`);
    await page.getByRole('button', { name: words.unbindGithub }).waitFor();

    // A second browser is signed in to the same account.
    const token = await page.evaluate(() => localStorage.getItem('userToken'));
    await forgetBudgets();
    const second = await newVisitor(browser, { language, token: await secondToken(mobile) });
    await second.page.goto(`${site.url}/matdata`);
    await second.page.getByRole('textbox').first().waitFor();

    await page.goto(`${site.url}/account?tab=account`);
    await page.getByRole('button', { name: words.change, exact: true }).click();
    await confirmPhone(page, words, mobile, true);
    await overlay.getByText('2/2').waitFor();
    await confirmPhone(page, words, nextMobile);
    await page
      .getByText(`${nextMobile.slice(0, 3)}****${nextMobile.slice(-4)}`)
      .first()
      .waitFor();
    await expect.poll(() => page.evaluate(() => localStorage.getItem('userToken'))).toBe(token);

    // The old token is dead in the second browser.
    await second.page.goto(`${site.url}/account`);
    await second.page.waitForURL(`${site.url}/`);
    await expect.poll(() => signedOut(second.page)).toBe(true);
    await second.page.context().close();

    await page.getByRole('button', { name: words.unbindGithub }).click();
    await confirmPhone(page, words, nextMobile, true);
    await page.getByRole('button', { name: words.bindGithub }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('keeps a profile and a picture', async () => {
    await forgetBudgets();
    const owner = `136${mobile.slice(3)}`;
    const { page, complaints } = await newVisitor(browser, { language, token: await tokenFor(site, owner) });
    await page.goto(`${site.url}/account`);
    await page.getByLabel(words.name, { exact: true }).fill('  Lin   Wei ');
    await page.getByRole('button', { name: words.update, exact: true }).click();
    await page.getByText(words.updated).waitFor();
    await expect.poll(() => page.getByLabel(words.name, { exact: true }).inputValue()).toBe('Lin Wei');

    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: words.choose }).click();
    const picture = await page.locator('h1').screenshot();
    await (await chooser).setFiles({ name: 'me.png', mimeType: 'image/png', buffer: picture });
    const shown = page.locator('main img');
    await shown.waitFor();
    await expect.poll(() => shown.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(256);
    expect(complaints).toEqual([]);
  });

  it('says so when the visitor refuses at the provider', async () => {
    standIn.nextUser = null;
    const { page } = await newVisitor(browser, { language });
    await page.goto(site.url);
    await openLogin(page, words);
    const overlay = page.getByRole('dialog');
    await overlay.getByRole('checkbox').check();
    await overlay.getByRole('button', { name: words.signInWechat }).click();
    await page.getByText(words.denied).waitFor();
    await expect.poll(() => page.url()).not.toContain('third_party_error');
  });

  it('is made by WeChat and a phone, and deleted again', async () => {
    standIn.nextUser = { id: githubId + 100, name: 'weixin' };
    const owner = `135${mobile.slice(3)}`;
    const { page } = await newVisitor(browser, { language });
    await page.goto(site.url);
    await openLogin(page, words);
    const overlay = page.getByRole('dialog');
    await overlay.getByRole('checkbox').check();
    await overlay.getByRole('button', { name: words.signInWechat }).click();
    // The panel that binds the phone cannot be closed.
    await overlay.getByLabel(words.phone).waitFor();
    await page.keyboard.press('Escape');
    await confirmPhone(page, words, owner);
    await overlay.getByRole('button', { name: words.skip }).click();
    await page.waitForURL('**/matdata');

    await page.goto(`${site.url}/account?tab=account`);
    await page.getByRole('button', { name: words.deleteAccount }).click();
    await confirmPhone(page, words, owner, true);
    await page.waitForURL(`${site.url}/`);
    await expect.poll(() => signedOut(page)).toBe(true);
  });
});

/** A token of a number that is registered already. */
async function secondToken(mobile: string): Promise<string> {
  const post = async (name: string, body: object): Promise<Record<string, string>> => {
    const answer = await fetch(`${site.url}/api/arkid/${name}/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ mobile, ...body }),
    });
    return (await answer.json()) as Record<string, string>;
  };
  const printed = site.printed.length;
  await post('login_request_sm', {});
  await expect.poll(() => site.printed.length).toBeGreaterThan(printed);
  const { sms_token } = await post('login_get_sms_token', { code: await printedCode(site, mobile) });
  const { token } = await post('login_check_sm', { sms_token });
  return token!;
}
