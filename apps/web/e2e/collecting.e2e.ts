/**
 * Selected materials: a comparison, a shared collection, a saved search with new results, and the heat map of a
 * property over the elements.
 */
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { withClient } from '@unitcell/tools/database';
import { violations } from './support/axe.ts';
import { newVisitor, oneUnlessNightly } from './support/browser.ts';
import { CHART } from './support/charts.ts';
import { scrollToCentre, open, settled } from './support/page-state.ts';
import { tokenFor } from './support/sign-in.ts';
import { openSite } from './support/open-site.ts';

const { site, browser } = await openSite();
const token = await tokenFor(site, '13900000061');

const PHONE = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };
const search = (filter: string): string => `${site.url}/matdata?filter=${encodeURIComponent(filter)}`;
/** Column headings of a comparison, one per material. */
const columns = (page: Page) => page.locator('th[scope="col"]:has(a[href^="/matdatades/"])');
const fits = async (page: Page): Promise<void> =>
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);

/** Polymorphs of one compound, several of them with an elastic tensor. */
const SILICA = 'formula_reduced = "SiO2"';

async function choose(page: Page, rows: number): Promise<void> {
  const boxes = page.locator('tbody input[type="checkbox"]');
  await boxes.first().waitFor();
  for (let row = 0; row < rows; row++) await boxes.nth(row).check();
}

describe('a comparison of materials', () => {
  it.each(
    oneUnlessNightly([
      ['zh', '对比', '粉末衍射图谱'],
      ['en', 'Compare', 'Powder patterns'],
    ]),
  )(
    'shows numbers, crystals and patterns of selected rows and marks differences, in %s',
    async (language, compare, patterns) => {
      const { page, complaints } = await newVisitor(browser, { token, language });
      await open(page, search(SILICA));
      await choose(page, 3);
      await page.getByRole('link', { name: compare, exact: true }).click();
      await page.waitForURL(/\/matdata\/compare\?ids=\d+,\d+,\d+$/);
      await page.getByRole('heading', { name: patterns }).waitFor();
      await expect.poll(() => columns(page).count()).toBe(3);
      const rows = page.locator('table', { has: columns(page).first() }).locator('tbody');
      const differing = rows.locator('tr[data-differs]');
      await expect.poll(() => differing.count()).toBeGreaterThan(3);
      const known = async (row: Locator): Promise<Set<string>> =>
        new Set((await row.locator('td').allInnerTexts()).filter((text) => text !== '-'));
      for (const row of await differing.all()) expect((await known(row)).size).toBeGreaterThan(1);
      for (const row of await rows.locator('tr:not([data-differs])').all())
        expect((await known(row)).size).toBe(1);
      await page.locator('canvas, svg[class*="still"]').first().waitFor();
      await scrollToCentre(page.getByRole('heading', { name: patterns }));
      await page.locator(CHART).first().waitFor();
      expect(complaints).toEqual([]);
    },
  );

  it('can be changed on a phone by material number, and the address is updated', async () => {
    const { page, complaints } = await newVisitor(browser, { token, ...PHONE });
    await open(page, `${site.url}/matdata/compare?ids=134,137`);
    await page
      .getByRole('button', { name: /^Remove CaO|^Remove .*\(134\)$/ })
      .first()
      .tap();
    await page.waitForURL(/ids=137$|ids=134$/);
    await page.getByRole('textbox', { name: 'Add a material by ID' }).fill('142');
    await page.getByRole('button', { name: 'Add', exact: true }).tap();
    await page.waitForURL(/ids=13[47],142$/);
    await expect.poll(() => columns(page).count()).toBe(2);
    await fits(page);
    expect(complaints).toEqual([]);
  });

  it('names the materials that do not exist, and shows the others', async () => {
    const { page } = await newVisitor(browser, { token });
    await open(page, `${site.url}/matdata/compare?ids=134,99999999,x,134`);
    await page.getByText('There is no material 99999999.').waitFor();
    await expect.poll(() => columns(page).count()).toBe(1);
  });
});

describe('a collection', () => {
  it('is created from a search, named, shared read-only, and unshared', async () => {
    const { page, complaints } = await newVisitor(browser, { token });
    await open(page, search(SILICA));
    await choose(page, 2);
    await page.getByRole('button', { name: 'Add to a collection' }).click();
    await page.getByRole('textbox', { name: 'Name of the collection' }).fill('Silica');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByRole('link', { name: 'Added to “Silica”.' }).click();
    await page.getByRole('heading', { name: 'Silica' }).waitFor();
    await expect.poll(() => page.locator('tbody tr').count()).toBe(2);

    await page.getByRole('button', { name: 'Name and note' }).click();
    await page.getByRole('textbox', { name: 'Note' }).fill('for the glass paper');
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('for the glass paper').first().waitFor();

    await page.getByRole('button', { name: 'Share by link' }).click();
    const address = await page.getByRole('textbox', { name: /Anyone signed in/ }).inputValue();
    const { page: others } = await newVisitor(browser, { token: await tokenFor(site, '13900000066') });
    await open(others, address.replace(/^https?:\/\/[^/]+/, site.url));
    await others.getByRole('heading', { name: 'Silica' }).waitFor();
    await expect.poll(() => others.locator('tbody tr').count()).toBe(2);
    await expect.poll(() => others.getByRole('button', { name: 'Name and note' }).count()).toBe(0);

    expect(await violations(page)).toEqual([]);
    await choose(page, 1);
    await page.getByRole('button', { name: 'Remove 1', exact: true }).click();
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => page.locator('tbody tr').count()).toBe(2);
    await choose(page, 1);
    await page.getByRole('button', { name: 'Remove 1', exact: true }).click();
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
    await page.getByRole('button', { name: 'Stop sharing' }).click();
    await page.getByRole('button', { name: 'Share by link' }).waitFor();
    await others.reload();
    await others.getByRole('heading', { name: 'Collection not found' }).waitFor();

    await page.getByRole('button', { name: 'Delete Silica' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.waitForURL(/\/collections$/);
    const nothing = page.locator('#collections', { hasText: 'No collections yet' });
    await nothing.waitFor();
    expect(await nothing.getByRole('button', { name: 'Code' }).count()).toBe(0);
    await nothing.getByRole('link', { name: 'Stable oxides with a gap above 3 eV' }).click();
    await page.waitForURL(/\/matdata\?filter=/);
    await page.locator('tbody tr').first().waitFor();
    expect(complaints).toEqual([]);
  });
});

it('without a release, the page of releases lists the files of a release and links to the downloads of a search', async () => {
  const { page, complaints } = await newVisitor(browser, { token });
  await open(page, `${site.url}/releases`);
  await expect.poll(() => page.locator('#contents dt').allTextContents()).toHaveLength(5);
  await page.getByRole('link', { name: 'Search and download' }).click();
  await page.waitForURL(/\/matdata\?filter=$/);
  expect(complaints).toEqual([]);
});

describe('a saved search', () => {
  it('shows its total and new results, opens them, and can be marked as seen', async () => {
    const { page, complaints } = await newVisitor(browser, { token, ...PHONE });
    await open(page, search('elements HAS "O" AND band_gap >= 5'));
    await page.getByRole('button', { name: 'Save this search' }).tap();
    await page.getByRole('textbox', { name: 'Name of the search' }).fill('Wide-gap oxides');
    await page.getByRole('button', { name: 'Save', exact: true }).tap();
    await page.getByRole('link', { name: /^Saved\./ }).tap();
    await page.waitForURL(/\/collections$/);
    await page.getByRole('link', { name: 'Wide-gap oxides' }).waitFor();
    await page.getByText(/nothing new since/).waitFor();
    await fits(page);
    expect(await violations(page)).toEqual([]);
    // Makes the search look as if it was last opened before the catalogue was filled.
    await withClient(site.databaseUrl, (client) =>
      client.query("UPDATE saved_search SET seen_at = '2020-01-01' WHERE name = 'Wide-gap oxides'"),
    );
    await page.reload();
    const news = page.getByRole('link', { name: /new since 1 Jan 2020/ });
    const count = Number((await news.innerText()).split(' ')[0]?.replace(',', ''));
    await news.tap();
    await page.waitForURL(/added/);
    await page.getByRole('heading', { name: new RegExp(`^${count} of`) }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Mark as seen' }).tap();
    await page.getByText(/nothing new since/).waitFor();
    expect(complaints).toEqual([]);
  });
});

describe('the heat map of a number over the periodic table', () => {
  it.each(
    oneUnlessNightly([
      ['en', 'Heat map', /^Band gap \(eV\) over the periodic table/],
      ['zh', '周期表热图', /^带隙 \(eV\)在周期表上的分布/],
    ]),
  )('filters by a clicked element, in %s', async (language, toggle, name) => {
    const { page, complaints } = await newVisitor(browser, { token, language });
    await open(page, search(''));
    await page.getByRole('button', { name: toggle }).click();
    const map = page.getByRole('group', { name });
    await map.locator('[data-tinted]').first().waitFor();
    await expect.poll(() => map.locator('[data-tinted]').count()).toBeGreaterThan(40);
    expect(await violations(page)).toEqual([]);
    await map.locator('[data-symbol="F"]').click();
    await page.waitForURL(/filter=elements\+HAS\+%22F%22.*heat=band_gap/);
    await expect.poll(() => map.locator('[data-symbol="F"]').getAttribute('aria-pressed')).toBe('true');
    expect(complaints).toEqual([]);
  });
});

describe('the properties used in a filter', () => {
  it('become columns by which the whole result can be sorted', async () => {
    const { page } = await newVisitor(browser, { token });
    await open(page, search('bulk_modulus >= 100'));
    const heading = page.getByRole('columnheader', { name: 'Bulk modulus (GPa)' }).getByRole('button');
    await heading.click();
    await page.waitForURL(/sort=bulk_modulus/);
    await settled(page);
    const values = (await page.locator('tbody tr td:last-child').allInnerTexts()).map(Number);
    expect(values.length).toBeGreaterThan(3);
    expect(values).toEqual([...values].sort((a, b) => a - b));
    expect(values[0]).toBeGreaterThanOrEqual(100);
  });
});
