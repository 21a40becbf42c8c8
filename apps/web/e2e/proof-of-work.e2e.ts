/** Many text messages are being sent: the next one costs the browser a short computation, which the popup tells of. */
import { withClient } from '@unitcell/tools/database';
import { expect, it } from 'vitest';
import { newVisitor } from './support/browser.ts';
import { printedCode } from './support/sign-in.ts';
import { openSite } from './support/open-site.ts';

const { site, browser } = await openSite({ env: { LIMIT_PROOF_BITS: '12' } });
await withClient(site.databaseUrl, (client) =>
  client.query(`INSERT INTO rate_bucket (key, tokens, updated_at) VALUES ('sms:all', 900, now())`),
);

it.each([
  ['en', '13700000031', 'Sign in', 'Mobile number', 'Send code', /your browser solves a short task/],
  ['zh', '13700000032', '登录', '手机号', '获取验证码', /浏览器需先完成一次简短的计算/],
] as const)(
  'a newcomer gets the code all the same, in %s',
  async (language, mobile, login, phone, send, why) => {
    const { page, complaints } = await newVisitor(browser, { language });
    await page.goto(site.url);
    // What the popup said, however short it stood there.
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
    await overlay.locator('button[type="submit"]').click();
    await page.waitForURL('**/matdata');
    const said = await page.evaluate(() => (window as unknown as { said: string[] }).said);
    expect(said.some((text) => why.test(text))).toBe(true);
    expect(complaints).toEqual([]);
  },
);
