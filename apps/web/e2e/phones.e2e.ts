/** Folded parts of a page can be unfolded on a phone. */
import { describe, expect, it } from 'vitest';
import { newVisitor } from './support/browser.ts';
import { overflowOf } from './support/page-checks.ts';
import { open, settled } from './support/page-state.ts';
import { tokenFor } from './support/sign-in.ts';
import { openSite } from './support/open-site.ts';

const PHONE = { viewport: { width: 360, height: 760 }, hasTouch: true, isMobile: true };

const { site, browser } = await openSite();
const token = await tokenFor(site, '13900000012');

describe('on a phone', () => {
  it('the periodic table shows five rows of ten elements, and all on demand', async () => {
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
    await expect.poll(() => overflowOf(page)).toBe('');
  });

  it.each([
    ['/matdata?filter=', 'Scatter plot', 'figure canvas', 'table'],
    ['/matdata?filter=', 'Heat map', '[data-symbol="Og"], [data-symbol="Sn"]', 'table'],
    ['/matdatades/142', 'Relax here', 'text="Start"', 'button[aria-label="View along a"]'],
  ])(
    'what stands below a part that is opened keeps its place when the part arrives: %s, %s',
    async (path, name, part, below) => {
      const { page } = await newVisitor(browser, { token, ...PHONE });
      await open(page, site.url + path);
      const place = () =>
        page
          .locator(below)
          .first()
          .evaluate((element) => element.getBoundingClientRect().top + scrollY);
      let arrive = (): void => undefined;
      const arrived = new Promise<void>((resolve) => {
        arrive = resolve;
      });
      await page.route('**/*.js', async (route) => {
        await arrived;
        await route.continue();
      });
      await page.getByRole('button', { name }).tap();
      await page.getByRole('button', { name, expanded: true }).waitFor();
      const waiting = await place();
      arrive();
      await page.locator(part).first().waitFor();
      await settled(page);
      expect(Math.abs((await place()) - waiting)).toBeLessThan(48);
    },
  );

  it('the menu expands, its groups collapse, and a tool that needs an account opens the login', async () => {
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
  });

  it('the menu covers the page and its links work', async () => {
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
  });

  it('the phone menu is replaced by the desktop menu at 800 px', async () => {
    const { page } = await newVisitor(browser, { viewport: { width: 799, height: 900 } });
    await open(page, `${site.url}/about`);
    await page.getByRole('button', { name: 'Menu' }).waitFor();
    await page.setViewportSize({ width: 800, height: 900 });
    await page.getByRole('button', { name: 'Apps' }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Menu' }).count()).toBe(0);
  });
});
