/** API keys on the account page, in both languages: named, confirmed, shown once, used by a program, revoked. */
import { describe, expect, it } from 'vitest';
import { violations } from './support/axe.ts';
import { newVisitor, oneUnlessNightly } from './support/browser.ts';
import { settled } from './support/page-state.ts';
import { forgetBudgets, tokenFor } from './support/sign-in.ts';
import { enterCode, openSite } from './support/open-site.ts';

const { site, browser } = await openSite();

const WORDS = {
  en: {
    make: 'New key',
    label: 'Name',
    all: 'Everything except the account',
    materials: 'Materials',
    next: 'Continue',
    send: 'Send code',
    submit: 'Create key',
    key: 'Your key',
    kept: 'I have saved it',
    revoke: 'Revoke notebook',
    revoked: 'revoked',
  },
  zh: {
    make: '新建密钥',
    label: '名称',
    all: '除账号外的全部接口',
    materials: '材料数据',
    next: '下一步',
    send: '获取验证码',
    submit: '生成密钥',
    key: '您的密钥',
    kept: '我已保存',
    revoke: '撤销 notebook',
    revoked: '已撤销',
  },
} as const;

/** Folder for screenshots to inspect by eye. */
const shots = process.env.KEY_SHOTS;

describe.each(
  oneUnlessNightly([
    ['en', '13700000031', 1440],
    ['zh', '13700000032', 360],
  ]),
)('a key of a member, in %s', (language, mobile, width) => {
  const words = WORDS[language];

  it('can be created, gives access to its scopes only, and can be revoked', async () => {
    const token = await tokenFor(site, mobile);
    const viewport = { width, height: 900 };
    const { page, complaints } = await newVisitor(browser, { language, token, viewport });
    const overlay = page.getByRole('dialog');
    await page.goto(`${site.url}/account?tab=account`);
    await page.getByRole('button', { name: words.make }).click();
    await overlay.getByLabel(words.label).fill('notebook');
    await overlay.getByLabel(words.all).uncheck();
    await overlay.getByLabel(words.materials).check();
    if (shots) await page.screenshot({ path: `${shots}/keys-form-${language}.png` });
    await overlay.getByRole('button', { name: words.next }).click();

    await forgetBudgets(site);
    await enterCode(site, overlay, words.send, mobile);
    await overlay.getByRole('button', { name: words.submit }).click();
    const key = await overlay.getByLabel(words.key).inputValue();
    expect(key).toMatch(/^uck_[\w-]{43}$/);
    if (shots) await page.screenshot({ path: `${shots}/keys-shown-${language}.png` });
    await overlay.getByRole('button', { name: words.kept }).click();

    const ask = () => fetch(`${site.url}/api/key/`, { headers: { authorization: `Bearer ${key}` } });
    expect(await (await ask()).json()).toMatchObject({ label: 'notebook', scopes: ['matdata'] });
    await page.reload();
    await page.getByRole('button', { name: words.revoke }).waitFor();
    expect(await page.content()).not.toContain(key);
    if (shots) await page.locator('#keys').screenshot({ path: `${shots}/keys-list-${language}.png` });
    await page.getByRole('button', { name: words.revoke }).click();
    await page.locator('#keys').getByText(words.revoked, { exact: true }).waitFor();
    expect((await ask()).status).toBe(401);
    expect(complaints).toEqual([]);
  });
});

describe('the API reference', () => {
  it.each(oneUnlessNightly(['en', 'zh']))(
    "shows every call without sign-in, from this site's files only, in %s",
    async (language) => {
      const { page, complaints } = await newVisitor(browser, { language });
      const foreign: string[] = [];
      page.on('request', (request) => {
        if (!request.url().startsWith(site.url) && !/^(?:data|blob):/.test(request.url()))
          foreign.push(request.url());
      });
      await page.goto(`${site.url}/about`);
      // Wait, because the footer moves down when the texts of the page arrive.
      await settled(page);
      const name = language === 'en' ? 'API reference' : 'API 参考文档';
      await page.getByRole('contentinfo').getByRole('link', { name }).click();
      await page.getByText('/api/matdata/search_by_elements/').click();
      await page.getByText('e_above_hull').first().waitFor();
      await page.getByText('request.too-many', { exact: false }).first().waitFor();
      if (shots) await page.screenshot({ path: `${shots}/reference-${language}.png`, fullPage: false });
      expect(await violations(page)).toEqual([]);
      expect({ complaints, foreign }).toEqual({ complaints: [], foreign: [] });
    },
  );
});
