/** Input on the search page: Enter from anywhere, quick clicks, no network, a mistyped address, touch. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { newVisitor } from './support/browser.ts';
import { CHART } from './support/charts.ts';
import { follow, open, switchTo } from './support/page-state.ts';
import { tokenFor } from './support/sign-in.ts';
import { openSite } from './support/open-site.ts';

const { site, browser } = await openSite();
const token = await tokenFor(site, '13900000015');

const visit = async (path: string, language: 'zh' | 'en' = 'en'): Promise<Page> => {
  const { page } = await newVisitor(browser, { token, language });
  await open(page, site.url + path);
  return page;
};

/** Waits for the results of a search or a diagram. */
const results = (page: Page) =>
  page
    .getByRole('heading', { name: /found for/ })
    .or(page.locator(CHART))
    .first()
    .waitFor();

describe('the key Enter', () => {
  it.each([
    ['/matdata', /[?&]q=Ti-O$/],
    ['/phase', /[?&]q=Ti\+O$/],
    ['/Ec_window', /[?&]q=Ti-O$/],
  ])(
    'searches on the page %s after clicks on Ti and O in the table, and again from an empty part of the page',
    async (path, address) => {
      const page = await visit(path);
      for (const symbol of ['Ti', 'O']) await page.locator(`[data-symbol="${symbol}"]`).click();
      await page.keyboard.press('Enter');
      await page.waitForURL(address);
      await results(page);
      const again = page.waitForRequest(/search_by_elements|phase_diagram_handle/);
      await page.getByRole('main').click({ position: { x: 5, y: 300 } });
      await page.keyboard.press('Enter');
      await again;
    },
  );
});

describe('the table of results', () => {
  it('keeps three quick clicks on Next and a newly shown column in the address', async () => {
    const page = await visit('/matdata?q=O-*');
    const next = page.getByRole('button', { name: /^Next/ });
    await next.evaluate((button: HTMLButtonElement) => {
      for (let click = 0; click < 3; click++) button.click();
    });
    await page.locator('[aria-current="page"]').getByText('4', { exact: true }).waitFor();
    await page.waitForURL(/page=4/);
    await page.getByRole('button', { name: 'Show/hide columns' }).click();
    await page.getByRole('checkbox', { name: 'Crystal System' }).check();
    await page.getByRole('columnheader', { name: 'Crystal System' }).waitFor();
    await page.waitForURL(/crystal_system/);
  });

  it('without rows lists similar searches with their numbers of results', async () => {
    const page = await visit('/matdata');
    for (const [path, way] of [
      ['/matdata?q=Sr-Ti', /^at least Sr Ti: (\d+) material/],
      ['/matdata?q=Sr-Ti-Rn', /^any compound within Sr Ti Rn: (\d+) material/],
      ['/matdata?q=O-Rn-*', /^without Rn: ([\d,]+) materials/],
      ['/matdata?by=formula&q=Sr7TiO9', /^the chemical system Sr-Ti-O: (\d+)/],
      ['/matdata?q=Sr-Ti-O-Rn', /^不含 Rn: (\d+) 个/],
    ] as const) {
      const isLast = path.endsWith('O-Rn');
      if (isLast) await switchTo(page, 'zh');
      await follow(page, path);
      await page.getByText(isLast ? '没有匹配的记录' : 'No matching records found').waitFor();
      const link = page.getByRole('link', { name: way });
      const count = way.exec((await link.innerText()).replaceAll('\n', ' '))![1]!.replace(',', '');
      await link.click();
      // The heading begins with the number of results, for a search as well as for a filter.
      await expect
        .poll(async () =>
          (await page.getByRole('heading', { level: 2 }).first().innerText()).replaceAll(',', ''),
        )
        .toMatch(new RegExp(`^(共找到 )?${count} `));
      await expect.poll(() => page.locator('tbody tr').count()).toBe(Math.min(20, Number(count)));
    }
  });
});

it('a search without similar results links to the whole catalogue', async () => {
  const page = await visit('/matdata?q=Og-Rn');
  await page.getByText('No matching records found').waitFor();
  await page.getByRole('link', { name: 'Browse all materials' }).click();
  await page.waitForURL(/filter=/);
});

describe('the table of elements', () => {
  /** Elements that would give no results. */
  const dimmed = async (page: Page): Promise<readonly string[]> => {
    await page.locator('[data-symbol][data-empty]').first().waitFor();
    return page
      .locator('[data-symbol][data-empty]')
      .evaluateAll((tiles) => tiles.map((tile) => (tile as HTMLElement).dataset['symbol']!));
  };

  it('on the phase diagram page dims elements without a known energy, and collapses once a diagram is shown', async () => {
    const page = await visit('/phase');
    const symbols = await dimmed(page);
    expect(symbols).toContain('Og');
    expect(symbols).not.toContain('Fe');
    await open(page, `${site.url}/phase?q=O+${symbols[0]}`);
    await page.getByRole('alert').getByText(`no energies of ${symbols[0]}`).waitFor();
    await open(page, `${site.url}/phase?q=Ti+O`);
    const plot = page.locator(CHART).first();
    await plot.waitFor();
    await expect.poll(async () => (await plot.boundingBox())!.y).toBeLessThan(700);
    await expect.poll(() => page.locator('[data-symbol]').count()).toBe(0);
    await page.getByRole('button', { name: 'Choose elements' }).click();
    await expect.poll(() => page.locator('[data-symbol="Ti"]').getAttribute('aria-pressed')).toBe('true');
  });

  it('on the window page is updated after each selection, so that elements not dimmed always give results', async () => {
    const page = await visit('/Ec_window', 'zh');
    const before = await dimmed(page);
    for (const symbol of ['Li', 'S']) await page.locator(`[data-symbol="${symbol}"]`).click();
    await expect.poll(async () => (await dimmed(page)).length).toBeGreaterThan(before.length);
    const symbols = (await dimmed(page)).filter((symbol) => !before.includes(symbol));
    for (const symbol of symbols.slice(0, 3)) {
      await open(page, `${site.url}/Ec_window?q=Li-S-${symbol}-*`);
      await page.getByText('没有匹配的记录').waitFor();
    }
    await expect.poll(() => page.locator('[data-symbol]').count()).toBe(0);
    await page.getByRole('link', { name: /全部窗口/ }).click();
    await page.locator('figure canvas').waitFor();
  });

  it('on the page of a shared link leaves room for the query and twelve rows', async () => {
    const { page } = await newVisitor(browser, { token, viewport: { width: 1440, height: 900 } });
    await open(page, `${site.url}/matdata?q=O-*`);
    const box = page.getByRole('textbox', { name: 'Search for' });
    await expect.poll(() => box.inputValue()).toBe('O-*');
    const seen = (top: number, bottom: number) => top >= 0 && bottom <= 900;
    const place = (await box.boundingBox())!;
    expect(seen(place.y, place.y + place.height)).toBe(true);
    const rows = await page
      .locator('tbody tr')
      .evaluateAll((all) => all.map((row) => row.getBoundingClientRect().bottom));
    expect(rows.filter((bottom) => bottom <= 900).length).toBeGreaterThanOrEqual(12);
  });
});

describe('the address of a material that does not exist', () => {
  it.each([
    ['/matdatades/abc', 'en', 'No such material', '“abc” is not a material ID'],
    ['/matdatades/99999999', 'zh', '没有此材料', '没有编号为 99999999 的材料'],
  ] as const)(
    'such as %s shows an explanation with a heading in %s, and links to the search',
    async (path, language, title, text) => {
      const page = await visit(path, language);
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      await page.getByText(text).waitFor();
      await page.getByRole('alert').getByRole('link').click();
      await page.waitForURL('**/matdata');
    },
  );

  it('also shows an explanation on the search page', async () => {
    const page = await visit('/matdata?by=struct_id&q=abc');
    await page.getByRole('main').getByRole('alert').getByText(/abc/).waitFor();
  });
});

describe('the strip of sections of a phone', () => {
  const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

  it('jumps to a heading below the strip, not behind it', async () => {
    const { page } = await newVisitor(browser, { token, language: 'zh', ...PHONE });
    await open(page, `${site.url}/matdatades/142`);
    const strip = page.getByRole('navigation', { name: '本页目录' });
    for (const name of ['X 射线衍射', '弹性']) {
      await strip.getByRole('link', { name }).tap();
      const heading = page.getByRole('heading', { level: 2, name });
      await expect
        .poll(async () => {
          const [below, above] = [await heading.boundingBox(), await strip.boundingBox()];
          const gap = below!.y - (above!.y + above!.height);
          return gap >= 0 && gap < 200;
        })
        .toBe(true);
    }
  });
});
