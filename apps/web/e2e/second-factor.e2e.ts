/** A second factor: set up on the account page, required at the next sign-in, removed by a recovery code. */
import { createHmac } from 'node:crypto';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { newVisitor, oneUnlessNightly } from './support/browser.ts';
import { forgetBudgets, tokenFor } from './support/sign-in.ts';
import { enterCode, openSite } from './support/open-site.ts';

const { site, browser } = await openSite();

const WORDS = {
  en: {
    login: 'Sign in',
    phone: 'Mobile number',
    send: 'Send code',
    logOut: 'Sign out',
    turnOn: 'Turn on',
    turnOff: 'Turn off',
    app: 'App code',
    qr: 'QR code of the authenticator key',
    confirm: 'Confirm',
    kept: 'I have saved them',
    left: '10 recovery codes left',
    isOff: 'Off.',
  },
  zh: {
    login: '登录',
    phone: '手机号',
    send: '获取验证码',
    logOut: '退出登录',
    turnOn: '启用',
    turnOff: '停用',
    app: '验证器验证码',
    qr: '验证器应用密钥的二维码',
    confirm: '确认',
    kept: '我已保存',
    left: '剩余 10 个恢复码',
    isOff: '未启用。',
  },
} as const;

/** The code of an authenticator app (RFC 6238), implemented independently; `steps` of 30 s from now. */
function codeOf(secret: string, steps = 0): string {
  const bits = Array.from(secret).map((letter) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter));
  const key = Buffer.alloc(Math.floor((bits.length * 5) / 8));
  bits.forEach((value, index) => {
    for (let bit = 0; bit < 5; bit++) {
      const at = index * 5 + bit;
      if (at < key.length * 8 && value & (16 >> bit)) key[at >> 3]! |= 128 >> (at & 7);
    }
  });
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000) + steps));
  const mac = createHmac('sha1', key).update(counter).digest();
  const number = mac.readUInt32BE(mac.at(-1)! & 15) & 0x7f_ff_ff_ff;
  return String(number % 1_000_000).padStart(6, '0');
}

/** Requests a code for the number in the dialog and enters it. */
async function confirmPhone(page: Page, send: string, mobile: string): Promise<void> {
  const overlay = page.getByRole('dialog');
  await forgetBudgets(site);
  await enterCode(site, overlay, send, mobile);
  const agreement = overlay.getByRole('checkbox');
  if (await agreement.count()) await agreement.check();
  await overlay.locator('button[type="submit"]').click();
}

describe.each(
  oneUnlessNightly([
    ['zh', '13700000022'],
    ['en', '13700000021'],
  ]),
)('a second factor, in %s', (language, mobile) => {
  const words = WORDS[language];

  it('can be set up, is then required at sign-in, and can be removed with a recovery code', async () => {
    const token = await tokenFor(site, mobile);
    const { page, complaints } = await newVisitor(browser, { language, token });
    const overlay = page.getByRole('dialog');
    await page.goto(`${site.url}/account?tab=account`);
    await page.getByRole('button', { name: words.turnOn }).click();
    await confirmPhone(page, words.send, mobile);
    const secret = await page.locator('code[data-secret]').innerText();
    await overlay.getByRole('img', { name: words.qr }).waitFor();
    await overlay.getByLabel(words.app).fill(codeOf(secret));
    await overlay.getByRole('button', { name: words.confirm, exact: true }).click();
    const recoveryCode = await overlay.locator('li code').first().innerText();
    await overlay.getByRole('button', { name: words.kept }).click();
    await page.getByText(words.left).waitFor();

    await page.getByRole('button', { name: words.logOut, exact: true }).click();
    await page.waitForURL(`${site.url}/`);
    await page.getByRole('banner').getByRole('button', { name: words.login }).click();
    await overlay.getByLabel(words.phone).fill(mobile);
    await confirmPhone(page, words.send, mobile);
    await overlay.getByLabel(words.app).waitFor();
    await expect.poll(() => page.evaluate(() => localStorage.getItem('userToken'))).toBeNull();
    await overlay.getByLabel(words.app).fill(codeOf(secret, 1));
    await overlay.getByRole('button', { name: words.confirm, exact: true }).click();
    await page.waitForURL('**/matdata');

    await page.goto(`${site.url}/account?tab=account`);
    await page.getByRole('button', { name: words.turnOff }).click();
    await overlay.getByLabel(words.app).fill(recoveryCode);
    await overlay.getByRole('button', { name: words.turnOff }).click();
    await page.getByText(words.isOff, { exact: false }).first().waitFor();
    expect(complaints).toEqual([]);
  });
});
