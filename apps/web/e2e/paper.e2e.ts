/** What comes out on paper: a material on few pages, and a figure of a chart as a PDF of its own size. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { newVisitor } from './support/browser.ts';
import { settled } from './support/page-state.ts';
import { tokenFor } from './support/sign-in.ts';
import { openSite } from './support/open-site.ts';

const { site, browser } = await openSite();
const token = await tokenFor(site, '13900000052');

/** Width and height of each page, pt. */
const pageSizes = (pdf: Buffer): readonly (readonly [number, number])[] =>
  [
    ...pdf.toString('latin1').matchAll(/\/Type \/Page\b[^s][\s\S]*?\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g),
  ].map(([, width, height]) => [Number(width), Number(height)]);

/** Everything the page fetches when it is printed. */
async function readyForPaper(page: Page): Promise<void> {
  await settled(page);
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await settled(page);
  await page.locator('#xrd .js-plotly-plot .main-svg').first().waitFor();
}

describe('a printed material', () => {
  // Rutile, strontium titanate, gallium arsenide (bands and every tensor), rock salt, copper.
  it.each([
    [142, 'en'],
    [174, 'zh'],
    [193, 'en'],
    [193, 'zh'],
    [486, 'en'],
    [34, 'zh'],
  ] as const)('%i takes at most four pages of A4, in %s', async (id, language) => {
    const { page } = await newVisitor(browser, { token, language });
    await page.goto(`${site.url}/matdatades/${id}`);
    await readyForPaper(page);
    const sizes = pageSizes(await page.pdf({ format: 'A4' }));
    expect(sizes.length).toBeGreaterThan(0);
    expect(sizes.length).toBeLessThanOrEqual(4);
  });
});

describe('a figure as PDF', () => {
  it('is one page of the width of a column, with letters that are letters, and the page is as before', async () => {
    const { page, complaints } = await newVisitor(browser, { token });
    // A browser without a window has no print dialog.
    await page.addInitScript(() => {
      window.print = () => document.documentElement.setAttribute('data-printed', '');
    });
    await page.goto(`${site.url}/phase?q=Ti+O`);
    await page.locator('.js-plotly-plot .scatterlayer').waitFor();
    const title = await page.title();
    await page.getByRole('button', { name: 'Figure' }).click();
    await page.getByRole('menuitem', { name: 'One column, 8.6 cm, PDF' }).click();
    await page.locator('html[data-printed]').waitFor({ state: 'attached' });
    await expect.poll(() => page.title()).toBe('phase-diagram-Ti-O-single');
    const pdf = await page.pdf({ preferCSSPageSize: true });
    const [size, ...others] = pageSizes(pdf);
    expect(others).toEqual([]);
    for (const [at, cm] of [8.6, 7].entries()) expect((size![at]! / 72) * 2.54).toBeCloseTo(cm, 1);
    expect(pdf.toString('latin1')).toMatch(/\/Type \/Font\b/);
    await expect.poll(() => page.title()).toBe(title);
    await expect.poll(() => page.getByRole('heading', { level: 1 }).isVisible()).toBe(true);
    expect(complaints).toEqual([]);
  });
});
