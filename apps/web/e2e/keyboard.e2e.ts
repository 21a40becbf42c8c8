/** Use of the site by keyboard alone, which axe cannot check. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { newVisitor } from './support/browser.ts';
import { open } from './support/page-state.ts';
import { tokenFor } from './support/sign-in.ts';
import { openSite } from './support/open-site.ts';

const { site, browser } = await openSite();
const token = await tokenFor(site, '13900000041');

const focusedText = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '');

/** Presses Tab until the focus is on something that matches. */
async function tabTo(page: Page, selector: string): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    await page.keyboard.press('Tab');
    if (await page.evaluate((wanted) => document.activeElement?.matches(wanted) ?? false, selector)) return;
  }
  throw new Error(`60 presses of Tab did not lead to ${selector}`);
}

describe('by keyboard alone', () => {
  it('the first tab stop of a page skips to its content', async () => {
    const { page } = await newVisitor(browser);
    await open(page, `${site.url}/about`);
    await page.keyboard.press('Tab');
    await expect.poll(() => focusedText(page)).toBe('Skip to content');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('content');
  });

  it('elements can be selected by arrows and Enter and searched by Enter, with a visible focus', async () => {
    const { page, complaints } = await newVisitor(browser, { token });
    await open(page, `${site.url}/matdata`);
    await tabTo(page, '[data-symbol]');
    await expect.poll(() => focusedText(page)).toContain('Hydrogen');
    await page.keyboard.press('ArrowRight');
    for (let row = 2; row <= 4; row++) await page.keyboard.press('ArrowDown');
    await expect.poll(() => focusedText(page)).toContain('Krypton');
    for (let column = 18; column > 4; column--) await page.keyboard.press('ArrowLeft');
    await expect.poll(() => focusedText(page)).toContain('Titanium');
    const outline = await page.evaluate(() => {
      const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement!);
      return outlineStyle === 'none' ? 0 : Number.parseFloat(outlineWidth);
    });
    expect(outline).toBeGreaterThanOrEqual(2);
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('[data-symbol="Ti"]').getAttribute('aria-pressed')).toBe('true');
    await expect.poll(() => page.locator('form').getByRole('textbox').first().inputValue()).toBe('Ti-');
    // All 118 tiles are one tab stop: the next Tab leaves the table.
    await page.keyboard.press('Tab');
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.matches('[data-symbol]')))
      .toBe(false);
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('[data-symbol="Ti"]').getAttribute('aria-pressed')).toBe('false');
    expect(complaints).toEqual([]);
  });

  it('the login popup traps the focus and restores it on closing', async () => {
    const { page } = await newVisitor(browser);
    await open(page, `${site.url}/about`);
    await page.getByRole('banner').getByRole('button', { name: 'Sign in' }).focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    const isInside = () => dialog.evaluate((popup) => popup.contains(document.activeElement));
    await expect.poll(isInside).toBe(true);
    for (let presses = 0; presses < 12; presses++) {
      await page.keyboard.press('Tab');
      await expect.poll(isInside).toBe(true);
    }
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => focusedText(page)).toBe('Sign in');
  });

  it('a question mark opens the sheet with news and shortcuts, but not while typing', async () => {
    const { page } = await newVisitor(browser, { token });
    await open(page, `${site.url}/matdata`);
    await page.getByRole('main').getByRole('textbox').first().press('?');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('?');
    const sheet = page.getByRole('dialog', { name: 'News and keyboard shortcuts' });
    await sheet.getByText('Go to the search box').waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => sheet.count()).toBe(0);
  });

  it('the Apps menu opens, lists every tool and closes with the focus on its button', async () => {
    const { page } = await newVisitor(browser, { token });
    await open(page, `${site.url}/about`);
    const apps = page.getByRole('button', { name: 'Apps' });
    await apps.focus();
    await page.keyboard.press('Enter');
    await page
      .getByRole('banner')
      .getByRole('link', { name: /^Run4U/ })
      .waitFor();
    await page.keyboard.press('Tab');
    await expect.poll(() => focusedText(page)).toMatch(/^MatData/);
    await page.keyboard.press('Escape');
    await expect.poll(() => apps.getAttribute('aria-expanded')).toBe('false');
    await expect.poll(() => focusedText(page)).toBe('Apps');
  });
});
