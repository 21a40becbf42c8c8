/** From the phone to the wall: nothing scrolls sideways, and what is folded on a phone can be unfolded. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { newVisitor } from './support/browser.ts';
import { open, settled, switchTo } from './support/page-state.ts';
import { tokenFor } from './support/sign-in.ts';
import { examplePages } from './support/site-pages.ts';
import { openStage } from './support/stage.ts';

const WIDTHS = [2560, 1440, 768, 360];
const PHONE = { viewport: { width: 360, height: 760 }, hasTouch: true, isMobile: true };

const { site, browser } = await openStage({ isShared: true });
const token = await tokenFor(site, '13900000012');

/** What sticks out of the page to the right, as a sentence; empty when nothing does. */
const sticksOut = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const root = document.documentElement;
    if (root.scrollWidth <= root.clientWidth) return '';
    const widest = Array.from(document.body.querySelectorAll('*'))
      .map((element) => ({ element, right: element.getBoundingClientRect().right + window.scrollX }))
      .filter(({ right }) => right > root.clientWidth + 0.5)
      .slice(-3)
      .map(
        ({ element, right }) =>
          `${element.tagName.toLowerCase()}.${element.getAttribute('class')} to ${right}`,
      );
    return `${root.scrollWidth} of ${root.clientWidth} px: ${widest.join(', ')}`;
  });

/** Waits until nothing on the page changed its size for five frames: plots and viewers follow the window a little later. */
const hasItsSize = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const sizes = () =>
      [document.documentElement, ...document.querySelectorAll('main, main svg, main canvas, main table')]
        .map(({ scrollWidth, clientWidth, clientHeight }) => `${scrollWidth} ${clientWidth} ${clientHeight}`)
        .join();
    let before = '';
    for (let still = 0; still < 5; ) {
      await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
      const now = sizes();
      still = now === before ? still + 1 : 0;
      before = now;
    }
  });

async function throughWidths(page: Page, language: string): Promise<string[]> {
  const found: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    await hasItsSize(page);
    const sentence = await sticksOut(page);
    if (sentence !== '') found.push(`${language} at ${width}: ${sentence}`);
  }
  return found;
}

describe('no page scrolls sideways', () => {
  it.each(examplePages)('$path, from 2560 to 360 px', async ({ url, needsLogin }) => {
    const { page } = await newVisitor(browser, { language: 'en', ...(needsLogin ? { token } : {}) });
    await open(page, site.url + url);
    const english = await throughWidths(page, 'en');
    await page.setViewportSize({ width: 1440, height: 900 });
    await switchTo(page, 'zh');
    expect([...english, ...(await throughWidths(page, 'zh'))]).toEqual([]);
    await page.context().close();
  });
});

describe('on a phone', () => {
  it('the periodic table has five rows of ten, and all on demand', async () => {
    const { page } = await newVisitor(browser, { token, ...PHONE });
    await open(page, `${site.url}/matdata`);
    const tiles = page.locator('[data-symbol]');
    await expect.poll(() => tiles.count()).toBe(50);
    const places = await tiles.evaluateAll((all) => all.map((tile) => tile.getBoundingClientRect()));
    expect(new Set(places.map(({ y }) => Math.round(y))).size).toBe(5);
    expect(new Set(places.map(({ x }) => Math.round(x))).size).toBe(10);
    // WCAG 2.2, 2.5.8: at least 24 px each way.
    expect(Math.min(...places.flatMap(({ width, height }) => [width, height]))).toBeGreaterThanOrEqual(24);
    const all = page.getByRole('button', { name: 'Show all 118 elements' });
    await all.tap();
    await expect.poll(() => tiles.count()).toBe(118);
    await page.locator('[data-symbol="Pt"]').tap();
    await expect.poll(() => page.locator('form').getByRole('textbox').first().inputValue()).toBe('Pt-');
    await expect.poll(() => sticksOut(page)).toBe('');
    await page.context().close();
  });

  it('the menu unfolds, its groups fold, and a closed tool asks for the login', async () => {
    const { page, complaints } = await newVisitor(browser, PHONE);
    await open(page, `${site.url}/about`);
    await expect.poll(() => page.getByRole('button', { name: 'Apps' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Menu' }).tap();
    const apps = page.getByRole('button', { name: 'Apps' });
    const tool = page.getByRole('navigation').getByRole('link', { name: /^MatData/ });
    await tool.waitFor();
    await apps.tap();
    await tool.waitFor({ state: 'hidden' });
    await apps.tap();
    await tool.tap();
    await page.getByRole('dialog').waitFor();
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('the menu covers the page it hides and leads on', async () => {
    const { page } = await newVisitor(browser, PHONE);
    await open(page, `${site.url}/about`);
    await page.getByRole('button', { name: 'Menu' }).tap();
    const menu = page.locator('#main-navigation');
    await expect
      .poll(async () => {
        const { y, height } = (await menu.boundingBox())!;
        return y + height;
      })
      .toBeLessThanOrEqual(760);
    await menu.getByRole('link', { name: 'Milestones' }).tap();
    await page.waitForURL('**/milestone');
    await settled(page);
    await expect.poll(() => menu.count()).toBe(0);
    await page.context().close();
  });

  it('the form for phones ends at 800 px', async () => {
    const { page } = await newVisitor(browser, { viewport: { width: 799, height: 900 } });
    await open(page, `${site.url}/about`);
    await page.getByRole('button', { name: 'Menu' }).waitFor();
    await page.setViewportSize({ width: 800, height: 900 });
    await page.getByRole('button', { name: 'Apps' }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Menu' }).count()).toBe(0);
    await page.context().close();
  });
});
