/** Printed output: a material on few pages, and the figure of a chart as a PDF of the size of the figure. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { newVisitor } from './support/browser.ts';
import { CHART } from './support/charts.ts';
import { settled, switchTo } from './support/page-state.ts';
import { tokenFor } from './support/sign-in.ts';
import { openSite } from './support/open-site.ts';

const { site, browser } = await openSite();
const token = await tokenFor(site, '13900000052');

/** Width and height of each page, pt. */
const pageSizes = (pdf: Buffer): readonly (readonly [number, number])[] =>
  [
    ...pdf.toString('latin1').matchAll(/\/Type \/Page\b[^s][\s\S]*?\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/g),
  ].map(([, width, height]) => [Number(width), Number(height)]);

/** Waits for everything that the page fetches for printing. */
async function readyForPaper(page: Page): Promise<void> {
  await settled(page);
  await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
  await settled(page);
  await page.locator(`#xrd ${CHART}`).first().waitFor();
}

/** Number of A4 pages that the page fills. */
async function pagesOnPaper(page: Page): Promise<number> {
  await readyForPaper(page);
  return pageSizes(await page.pdf({ format: 'A4' })).length;
}

const openMaterial = async (id: number, language: 'en' | 'zh'): Promise<Page> => {
  const { page } = await newVisitor(browser, { token, language });
  await page.goto(`${site.url}/matdatades/${id}`);
  return page;
};

describe('a printed material', () => {
  it('has heading, figures and tables on at most four pages, without bar, footer, outline and buttons', async () => {
    const page = await openMaterial(142, 'en');
    expect([1, 2, 3, 4]).toContain(await pagesOnPaper(page));
    await page.emulateMedia({ media: 'print' });
    await page.getByRole('heading', { level: 1 }).waitFor();
    const hidden = {
      bar: page.getByRole('banner'),
      footer: page.getByRole('contentinfo'),
      outline: page.getByRole('navigation'),
      buttons: page.getByRole('button', { name: 'Polyhedra' }),
      comparison: page.getByRole('link', { name: 'Compare' }),
      'own volumes': page.locator('#volume'),
    };
    for (const [part, place] of Object.entries(hidden))
      await expect.poll(async () => [part, await place.first().isVisible()]).toEqual([part, false]);
  });

  // Strontium titanate, rock salt, copper.
  it.runIf(process.env.NIGHTLY).each([
    [174, 'zh'],
    [486, 'en'],
    [34, 'zh'],
  ] as const)('with the number %i takes at most four pages, in %s', async (id, language) => {
    expect([1, 2, 3, 4]).toContain(await pagesOnPaper(await openMaterial(id, language)));
  });

  it('with bands and every tensor takes at most four pages in both languages', async () => {
    const page = await openMaterial(193, 'en');
    expect([1, 2, 3, 4]).toContain(await pagesOnPaper(page));
    await switchTo(page, 'zh');
    expect([1, 2, 3, 4]).toContain(await pagesOnPaper(page));
  });
});

describe('a figure as PDF', () => {
  it('is one page of column width whose text stays text, and leaves the page unchanged', async () => {
    // A browser without a window has no print dialog.
    const script = (): void => {
      window.print = () => document.documentElement.setAttribute('data-printed', '');
    };
    const { page, complaints } = await newVisitor(browser, { token, script });
    await page.goto(`${site.url}/phase?q=Ti+O`);
    await page.locator(CHART).waitFor();
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
