/** Sign-in by mobile number, GitHub, WeChat or an institute, also while text messages are limited. */
import { mkdirSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { withClient } from '@unitcell/tools/database';
import { startFakeOAuth } from '@unitcell/tools/testing/fake-oauth';
import { startOidcServer } from '@unitcell/tools/testing/oidc-server';
import { newVisitor, oneUnlessNightly } from './support/browser.ts';
import { enterCode, openSite } from './support/open-site.ts';
import { settled, open } from './support/page-state.ts';
import { forgetBudgets, printedCode, refillBudgets, tokenFor } from './support/sign-in.ts';

const fakeOAuth = await startFakeOAuth();
afterAll(() => fakeOAuth.close());
const oidc = await startOidcServer();
afterAll(() => oidc.close());
const LDAP = { LDAP_URL: 'ldap://127.0.0.1:9', LDAP_BASE_DN: 'dc=example', LDAP_LABEL: '' };
const { site, browser } = await openSite({
  env: { ...fakeOAuth.env, ...oidc.env, ...LDAP, LIMIT_PROOF_BITS: '12' },
});
oidc.site = site.url;

const WORDS = {
  en: {
    login: 'Sign in',
    phone: 'Mobile number',
    send: 'Send code',
    skip: 'Skip',
    manager: 'Account settings',
    bindGithub: 'Link GitHub',
    unbindGithub: 'Unlink GitHub',
    signInGithub: 'Sign in with GitHub',
    signInWechat: 'Sign in with WeChat',
    logOut: 'Sign out',
    change: 'Change',
    deleteAccount: 'Delete my account',
    name: 'Name',
    update: 'Update',
    updated: 'Information updated successfully',
    choose: 'Choose a picture',
    bound: 'linked',
    denied: 'Sign-in was cancelled at the provider.',
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

/** The form for the mobile number and its code. The institute sign-in has its own form. */
const codeForm = (overlay: Locator) =>
  overlay.locator('form').filter({ has: overlay.page().locator('input[name="code"]') });

/** Types the number (unless the form already shows it), requests a code and enters it. */
async function confirmPhone(page: Page, words: Words, mobile: string, isGiven = false): Promise<void> {
  const overlay = page.getByRole('dialog');
  await forgetBudgets(site);
  if (!isGiven) await overlay.getByLabel(words.phone).fill(mobile);
  await enterCode(site, overlay, words.send, mobile);
  const agreement = overlay.getByRole('checkbox');
  if (await agreement.count()) await agreement.check();
  await codeForm(overlay).locator('button[type="submit"]').click();
}

const openLogin = (page: Page, words: Words) =>
  page.getByRole('banner').getByRole('button', { name: words.login }).click();

const signedOut = (page: Page) => page.evaluate(() => localStorage.getItem('userToken') === null);

describe.each(
  oneUnlessNightly([
    ['en', '13700000001', '13700000002', 9001],
    ['zh', '13700000003', '13700000004', 9002],
  ]),
)('an account, in %s', (language, mobile, nextMobile, githubId) => {
  const words = WORDS[language];

  it('can be registered, linked to GitHub, opened by GitHub, moved to another number and unlinked', async () => {
    fakeOAuth.nextUser = { id: githubId, name: 'octo' };
    const { page, complaints } = await newVisitor(browser, { language });
    await page.goto(site.url);
    await openLogin(page, words);
    await confirmPhone(page, words, mobile);

    // The site invites a new account to link another way of signing in.
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

    // The page requested first is remembered through the sign-in.
    await page.goto(`${site.url}/account?tab=account`);
    await overlay.getByRole('checkbox').check();
    await overlay.getByRole('button', { name: words.signInGithub }).click();
    await page.waitForURL(`${site.url}/account?tab=account`);
    await page.getByRole('button', { name: words.unbindGithub }).waitFor();

    // Signs in to the same account in a second browser.
    const token = await page.evaluate(() => localStorage.getItem('userToken'));
    await forgetBudgets(site);
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

    // The old token is invalid in the second browser.
    await second.page.goto(`${site.url}/account`);
    await second.page.waitForURL(`${site.url}/`);
    await expect.poll(() => signedOut(second.page)).toBe(true);
    await second.page.context().close();

    await page.getByRole('button', { name: words.unbindGithub }).click();
    await confirmPhone(page, words, nextMobile, true);
    await page.getByRole('button', { name: words.bindGithub }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('keeps the profile and picture that were entered', async () => {
    await forgetBudgets(site);
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

  it('is not created if the visitor declines at WeChat, and the page shows a message', async () => {
    fakeOAuth.nextUser = null;
    const { page } = await newVisitor(browser, { language });
    await page.goto(`${site.url}/about`);
    await openLogin(page, words);
    const overlay = page.getByRole('dialog');
    await overlay.getByRole('checkbox').check();
    await overlay.getByRole('button', { name: words.signInWechat }).click();
    await page.getByText(words.denied).waitFor();
    await expect.poll(() => page.url()).not.toContain('third_party_error');
  });

  it('can be created with WeChat and a phone, and deleted again', async () => {
    fakeOAuth.nextUser = { id: githubId + 100, name: 'weixin' };
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

/** Signs in once more to a number that is already registered, and returns the token. */
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

const INSTITUTE_WORDS = {
  en: { by: /Sign in with Institute of Physics/, agree: /I agree/ },
  zh: { by: /使用“Institute of Physics”登录/, agree: /同意/ },
} as const;

describe('a sign-in by an OpenID Connect provider', () => {
  it.each(oneUnlessNightly(['zh', 'en']))(
    'requires the agreement and creates an account, in %s',
    async (language) => {
      const words = INSTITUTE_WORDS[language];
      oidc.nextUser = { sub: 'curie', name: '居里', groups: [] };
      const { page, complaints } = await newVisitor(browser, { language });
      await open(page, `${site.url}/matdata`);
      const popup = page.getByRole('dialog');
      const by = popup.getByRole('button', { name: words.by });
      await by.waitFor();
      for (const width of [360, 1440]) {
        await page.setViewportSize({ width, height: 900 });
        await settled(page);
        if (process.env.INSTITUTE_SHOTS) {
          mkdirSync(process.env.INSTITUTE_SHOTS, { recursive: true });
          await page.screenshot({ path: `${process.env.INSTITUTE_SHOTS}/${language}-${width}.png` });
        }
      }
      // The visitor is sent to the provider only after agreeing to the terms.
      await by.click();
      await popup.getByRole('alert').or(popup.locator('.mantine-Checkbox-error')).first().waitFor();
      await expect.poll(() => new URL(page.url()).origin).toBe(site.url);
      await popup.getByRole('checkbox', { name: words.agree }).check();
      await by.click();
      await page.waitForURL(`${site.url}/matdata`);
      await settled(page);
      await expect.poll(() => popup.count()).toBe(0);
      expect(complaints).toEqual([]);
    },
  );
});

describe('while many text messages are being sent, the browser computes a proof of work', () => {
  it.each(
    oneUnlessNightly([
      ['en', '13700000031', 'Sign in', 'Mobile number', 'Send code', /your browser solves a short task/],
      ['zh', '13700000032', '登录', '手机号', '获取验证码', /浏览器需先完成一次简短的计算/],
    ]),
  )('a newcomer still gets the code, in %s', async (language, mobile, login, phone, send, why) => {
    await refillBudgets(site);
    await withClient(site.databaseUrl, (client) =>
      client.query(
        `INSERT INTO rate_bucket (key, tokens, updated_at) VALUES ('sms:all', 900, now())
           ON CONFLICT (key) DO UPDATE SET tokens = 900, updated_at = now()`,
      ),
    );
    const { page, complaints } = await newVisitor(browser, { language });
    await page.goto(site.url);
    // Records every message of the popup, because some are shown only briefly.
    await page.evaluate(() => {
      const said: string[] = [];
      Object.assign(window, { said });
      new MutationObserver(() => {
        const text = document.querySelector('[role="dialog"] output')?.textContent ?? '';
        if (text !== '' && said.at(-1) !== text) said.push(text);
      }).observe(document.body, { subtree: true, childList: true, characterData: true });
    });
    await page.getByRole('banner').getByRole('button', { name: login }).click();
    const overlay = page.getByRole('dialog');
    await overlay.getByLabel(phone).fill(mobile);
    await overlay.getByRole('button', { name: send }).click();
    await overlay.locator('input[name="code"]').fill(await printedCode(site, mobile));
    await overlay.getByRole('checkbox').check();
    await codeForm(overlay).locator('button[type="submit"]').click();
    await overlay.getByRole('button', { name: WORDS[language].skip }).click();
    await page.waitForURL('**/matdata');
    const said = await page.evaluate(() => (window as unknown as { said: string[] }).said);
    expect(said.some((text) => why.test(text))).toBe(true);
    expect(complaints).toEqual([]);
  });
});
