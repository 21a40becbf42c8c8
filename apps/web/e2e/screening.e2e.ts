/**
 * Screening of materials by their properties, in five clicks or by an address, in both languages, on a
 * desktop and on a phone.
 */
import { readFile } from 'node:fs/promises';
import { seededRandom } from '@unitcell/numerics';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { violations } from './support/axe.ts';
import { newVisitor, oneUnlessNightly } from './support/browser.ts';
import { open, settled } from './support/page-state.ts';
import { tokenFor } from './support/sign-in.ts';
import { openSite } from './support/open-site.ts';

const { site, browser } = await openSite();
const token = await tokenFor(site, '13900000065');

const PHONE = { viewport: { width: 360, height: 740 }, isMobile: true, hasTouch: true };

const FILTER =
  'elements HAS "O" AND crystal_system = "cubic" AND band_gap >= 2 AND band_gap <= 4 AND energy_above_hull <= 0.05 AND has_elastic = TRUE';

const filterOf = (page: Page): string | null => new URL(page.url()).searchParams.get('filter');
const rows = (page: Page) => page.locator('tbody tr');

/** The text of the file that a click saves. */
async function saved(page: Page, click: () => Promise<void>): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent('download'), click()]);
  return readFile(await file.path(), 'utf8');
}

/** Number of materials that match a filter, from the API. */
async function countOf(filter: string): Promise<number> {
  const answer = await fetch(`${site.url}/api/matdata/screen/`, {
    method: 'POST',
    headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ filter, limit: 0 }),
  });
  return ((await answer.json()) as { total: number }).total;
}

describe('the screening for cubic oxides with a gap of 2–4 eV, near the hull, with an elastic tensor', () => {
  it.each(
    oneUnlessNightly([
      ['en', 'cubic', /^Band gap 2–4/, /^Above hull ≤ 0.05/, 'Elastic tensor'],
      ['zh', '立方', /^带隙 2–4/, /^高于凸包的能量 ≤ 0.05/, '弹性张量'],
    ]),
  )(
    'takes five clicks, and its address alone restores it, in %s',
    async (language, cubic, gap, hull, elastic) => {
      const { page, complaints } = await newVisitor(browser, { token, language });
      await open(page, `${site.url}/matdata`);
      await page.locator('[data-symbol="O"]').click();
      await page.getByRole('checkbox', { name: cubic, exact: false }).click();
      await page.getByRole('button', { name: gap }).click();
      await page.getByRole('button', { name: hull }).click();
      await page.getByRole('checkbox', { name: elastic, exact: false }).click();
      await expect.poll(() => filterOf(page)).toBe(FILTER);
      await settled(page);
      const count = await countOf(FILTER);
      expect(count).toBeGreaterThan(0);
      await expect.poll(() => rows(page).count()).toBe(Math.min(20, count));

      // The address alone restores the page.
      const { page: other } = await newVisitor(browser, { token, language });
      await open(other, page.url());
      await rows(other).first().waitFor();
      await expect.poll(() => rows(other).allInnerTexts()).toEqual(await rows(page).allInnerTexts());
      await expect
        .poll(() => other.getByRole('button', { name: gap }).getAttribute('aria-pressed'))
        .toBe('true');
      expect(complaints).toEqual([]);
    },
  );

  it('has its filters in a drawer on a phone', async () => {
    const { page, complaints } = await newVisitor(browser, { token, ...PHONE });
    await open(page, `${site.url}/matdata?filter=${encodeURIComponent('elements HAS "O"')}`);
    await page.getByRole('button', { name: 'Filters (1)' }).tap();
    const drawer = page.getByRole('dialog', { name: 'Filters' });
    await drawer.getByRole('button', { name: /^Band gap 2–4/ }).tap();
    await drawer.getByRole('button', { name: 'Show results' }).tap();
    await drawer.waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Remove the filter Band gap 2–4 eV' }).waitFor();
    await rows(page).first().waitFor();
    await expect
      .poll(() => page.evaluate(() => document.documentElement.scrollWidth))
      .toBeLessThanOrEqual(360);
    expect(complaints).toEqual([]);
  });
});

describe('the address of a screening', () => {
  it('restores filter, order, page, plot, map and columns', async () => {
    const random = seededRandom(1826);
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
    const ranges = [
      'band_gap >= 1',
      'nsites <= 20',
      'energy_above_hull <= 0.1',
      'density > 3',
      'window_width_li IS KNOWN',
    ];
    const others = [
      'elements HAS "O"',
      'NOT elements HAS "F"',
      'crystal_system = "cubic" OR crystal_system = "trigonal"',
    ];
    const { page, complaints } = await newVisitor(browser, { token });
    for (let round = 0; round < (process.env.NIGHTLY ? 8 : 3); round++) {
      const filter = [...new Set([pick(ranges), pick(others), pick(ranges)])]
        .map((term) => (term.includes(' OR ') ? `(${term})` : term))
        .join(' AND ');
      const sort = pick(['band_gap', '-band_gap', '-density', 'nsites']);
      const pageNumber = pick([1, 2]);
      const [plot, heat] = [random() < 0.5, random() < 0.5];
      const parameters = new URLSearchParams({ filter });
      if (plot) parameters.set('plot', 'density.band_gap.nsites');
      if (heat) parameters.set('heat', 'density');
      parameters.set('sort', sort);
      if (pageNumber > 1) parameters.set('page', String(pageNumber));
      const address = `/matdata?${parameters.toString()}`;
      await open(page, site.url + address);
      const answer = await fetch(`${site.url}/api/matdata/screen/`, {
        method: 'POST',
        headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          filter,
          sort,
          offset: 20 * (pageNumber - 1),
          limit: 20,
          fields: ['struct_id'],
        }),
      });
      const { rows: expected, total } = (await answer.json()) as { rows: [number][]; total: number };
      const shown = await rows(page)
        .locator('a[href^="/matdatades/"]')
        .evaluateAll((links) => links.map((link) => Number(link.getAttribute('href')!.split('/').at(-1))));
      expect([address, [...new Set(shown)]]).toEqual([address, expected.map(([id]) => id)]);
      await page.getByRole('heading', { name: new RegExp(`^${total.toLocaleString('en')} of`) }).waitFor();
      // Plot and map are separate chunks, fetched when they are shown.
      await expect.poll(() => page.locator('figure canvas').count()).toBe(plot ? 1 : 0);
      await expect.poll(async () => (await page.locator('[data-tinted]').count()) > 0).toBe(heat);
      await expect.poll(() => page.url()).toBe(site.url + address);
    }
    expect(complaints).toEqual([]);
  });
});

describe('the results of a filter', () => {
  it('are sorted by the server before paging, with twelve rows in the first view', async () => {
    const { page } = await newVisitor(browser, { token });
    await open(page, `${site.url}/matdata?filter=`);
    await rows(page).first().waitFor();
    const inView = await rows(page).evaluateAll(
      (all) => all.filter((row) => row.getBoundingClientRect().bottom <= window.innerHeight).length,
    );
    expect(inView).toBeGreaterThanOrEqual(12);
    const gapHeading = page.getByRole('columnheader', { name: /^Band Gap/ }).getByRole('button');
    await gapHeading.click();
    await gapHeading.click();
    await page.waitForURL(/sort=-band_gap/);
    await settled(page);
    const shown = Number(await rows(page).first().locator('td').nth(6).innerText());
    const answer = await fetch(`${site.url}/api/matdata/screen/`, {
      method: 'POST',
      headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ sort: '-band_gap', fields: ['band_gap'], limit: 1 }),
    });
    const largest = ((await answer.json()) as { rows: number[][] }).rows[0]![0]!;
    // The column shows two decimals.
    expect(shown).toBeCloseTo(largest, 2);
    await page.getByRole('button', { name: 'Page 2' }).click();
    await page.waitForURL(/page=2/);
    await settled(page);
    await expect.poll(() => rows(page).count()).toBe(20);
  });

  it('contain no material with a dimmed or excluded element', async () => {
    const { page } = await newVisitor(browser, { token });
    await open(page, `${site.url}/matdata?filter=${encodeURIComponent('elements HAS "Ti"')}`);
    await page.getByRole('button', { name: 'Choose elements' }).click();
    await page.locator('[data-symbol][data-empty]').first().waitFor();
    const dimmed = await page
      .locator('[data-symbol][data-empty]')
      .evaluateAll((tiles) => tiles.map((tile) => (tile as HTMLElement).dataset['symbol']!));
    expect(dimmed.length).toBeGreaterThan(20);
    for (const symbol of dimmed.slice(0, 5))
      expect(await countOf(`elements HAS ALL "Ti","${symbol}"`)).toBe(0);
    await page.getByRole('radio', { name: 'without' }).check();
    await page.locator('[data-symbol="O"]').click();
    await expect.poll(() => filterOf(page)).toBe('elements HAS "Ti" AND NOT elements HAS "O"');
  });

  it('suggest which filter to remove if there are none, and a click removes it', async () => {
    const { page } = await newVisitor(browser, { token });
    const filter = 'elements HAS "Xe" AND band_gap >= 2 AND band_gap <= 4 AND has_elastic = TRUE';
    await open(page, `${site.url}/matdata?filter=${encodeURIComponent(filter)}`);
    await page.getByRole('button', { name: /^remove with Xe/ }).click();
    await rows(page).first().waitFor();
    await expect.poll(() => filterOf(page)).toBe('band_gap >= 2 AND band_gap <= 4 AND has_elastic = TRUE');
  });

  it('suggest which of several elements to remove if there are none', async () => {
    const { page } = await newVisitor(browser, { token, language: 'zh' });
    const filter = 'elements HAS ALL "Ti", "O", "Rn" AND band_gap >= 1';
    await open(page, `${site.url}/matdata?filter=${encodeURIComponent(filter)}`);
    await page.getByRole('button', { name: /^去掉 含 Rn: \d+/ }).click();
    await rows(page).first().waitFor();
    await expect.poll(() => filterOf(page)).toBe('elements HAS ALL "Ti", "O" AND band_gap >= 1');
  });

  it.each(
    oneUnlessNightly([
      ['zh', '散点图'],
      ['en', 'Scatter plot'],
    ]),
  )('are filtered by both numbers of a scatter plot after a drag on it, in %s', async (language, name) => {
    const { page, complaints } = await newVisitor(browser, { token, language });
    await open(page, `${site.url}/matdata?filter=`);
    await page.getByRole('button', { name }).click();
    const frame = page.locator('figure:has(canvas) > div:has(canvas)');
    await frame.waitFor();
    await settled(page);
    const box = (await frame.boundingBox())!;
    await page.mouse.move(box.x + 0.2 * box.width, box.y + 0.3 * box.height);
    await page.mouse.down();
    await page.mouse.move(box.x + 0.6 * box.width, box.y + 0.8 * box.height, { steps: 4 });
    await page.mouse.up();
    await expect
      .poll(() => filterOf(page))
      .toMatch(
        /^band_gap >= \S+ AND band_gap <= \S+ AND formation_energy_per_atom >= \S+ AND formation_energy_per_atom <= \S+$/,
      );
    await settled(page);
    const count = await countOf(filterOf(page)!);
    expect(count).toBeGreaterThan(0);
    await expect.poll(() => rows(page).count()).toBe(Math.min(20, count));
    // A logarithmic axis cannot show metals (gap 0); the page says how many there are.
    await page.getByRole('checkbox', { name: /^(horizontal|横轴)/ }).check();
    await expect.poll(() => new URL(page.url()).searchParams.get('plot')).toMatch(/~x$/);
    const figure = page.locator('figure:has(canvas)');
    const drawn = await saved(page, () => figure.getByRole('button', { name: 'SVG' }).click());
    expect(drawn).toContain('<image');
    const table = await saved(page, () => figure.getByRole('button', { name: 'CSV' }).click());
    // Provenance stands above the header.
    const values = table.split(/\r?\n/).filter((line) => /^-?[\d.]/.test(line));
    expect(values.length).toBe(count);
    expect(await violations(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('show the text of the filter as plain text, even if it contains markup', async () => {
    const { page, complaints } = await newVisitor(browser, { token });
    const filter = 'formula = "<img src=x onerror=alert(1)>\'; DROP TABLE material; --"';
    await open(page, `${site.url}/matdata?filter=${encodeURIComponent(filter)}`);
    await page.getByText('<img src=x onerror=alert(1)>').first().waitFor();
    await expect.poll(() => page.locator('img[src="x"]').count()).toBe(0);
    await page.getByText('No material matches all of these filters.').waitFor();
    expect(complaints).toEqual([]);
  });

  it('are replaced by a message if the filter in the address is invalid', async () => {
    const { page, complaints } = await newVisitor(browser, { token });
    await open(page, `${site.url}/matdata?filter=${encodeURIComponent('bandgap > 2')}`);
    await page.getByText(/the nearest is band_gap/).waitFor();
    expect(await page.locator('mark').innerText()).toBe('bandgap');
    expect(await page.locator('main').innerText()).not.toMatch(/\^|character \d/);
    // An invalid filter text can be corrected in its box.
    await open(page, `${site.url}/matdata?filter=${encodeURIComponent('band_gap >> 2')}`);
    const box = page.getByRole('textbox', { name: 'Filter as text' });
    await box.fill('band_gap >= 8 AND band_gap <= 2');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByRole('button', { name: 'Remove the filter Band gap 2–8 eV' }).waitFor();
    await rows(page).first().waitFor();
    expect(complaints).toEqual([]);
  });

  it.each(
    oneUnlessNightly([
      ['/matdata?filter=&heat=band_gap&plot=band_gap.density.nsites'],
      [`/matdata?filter=${encodeURIComponent(FILTER)}`],
      [`/matdata?filter=${encodeURIComponent('elements HAS "Xe"')}`],
    ]),
  )('have no accessibility violations at %s, on a desktop and at the width of a phone', async (path) => {
    const { page } = await newVisitor(browser, { token });
    await open(page, site.url + path);
    await page.locator('[data-symbol], tbody tr').first().waitFor();
    const desktop = await violations(page);
    await page.setViewportSize(PHONE.viewport);
    await settled(page);
    expect({ desktop, phone: await violations(page) }).toEqual({ desktop: [], phone: [] });
  });
});

describe('a calculated column', () => {
  it('shows an error with its position beside the box; a valid column has a unit, can be used in filters and is kept in the address', async () => {
    const { page, complaints } = await newVisitor(browser, { token });
    await open(page, `${site.url}/matdata?filter=has_elastic+%3D+TRUE`);
    await page.getByText('Calculated columns').click();
    const box = page.getByLabel('Expression of a calculated column');
    await box.fill('bulk_modulus / densty');
    await box.press('Enter');
    await page.getByRole('alert').getByText('the nearest is density').waitFor();
    await box.fill('bulk_modulus / density');
    await box.press('Enter');
    const heading = page.getByRole('columnheader', { name: /bulk_modulus \/ density \(GPa·cm³\/g\)/ });
    await heading.waitFor();
    await heading.getByRole('button').click();
    await page.getByLabel('bulk_modulus / density from').fill('50');
    await page.getByLabel('bulk_modulus / density from').press('Enter');
    const filter = 'has_elastic = TRUE AND [bulk_modulus / density] >= 50';
    await expect.poll(() => filterOf(page)).toBe(filter);
    await settled(page);
    const count = await countOf(filter);
    expect(count).toBeGreaterThan(0);
    await expect.poll(() => rows(page).count()).toBe(Math.min(20, count));
    const { page: other } = await newVisitor(browser, { token });
    await open(other, page.url());
    await expect.poll(() => rows(other).allInnerTexts()).toEqual(await rows(page).allInnerTexts());
    await other.getByRole('button', { name: 'Remove the column bulk_modulus / density' }).click();
    await expect.poll(() => filterOf(other)).toBe('has_elastic = TRUE');
    expect(complaints).toEqual([]);
  });
});
