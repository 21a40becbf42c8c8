/** The main job: home → login with the printed code → search Ti-O → sort → open → rotate → download a CIF. */
import { readFile } from 'node:fs/promises';
import { latticeParameters, readCif } from '@unitcell/crystal';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { newVisitor, oneUnlessNightly } from './support/browser.ts';
import { overlay } from './support/crystal-viewer.ts';
import { printedCode } from './support/sign-in.ts';
import { openSite } from './support/open-site.ts';

const { site, browser } = await openSite();

const WORDS = {
  en: {
    login: 'Sign in',
    phone: 'Mobile number',
    send: 'Send code',
    search: 'Search',
    found: /11 Entries found for Ti O/,
    gap: 'Band Gap (eV)',
    download: 'Download',
    conventionalCif: 'Conventional cell (CIF)',
  },
  zh: {
    login: '登录',
    phone: '手机号',
    send: '获取验证码',
    search: '检索',
    found: /共找到 11 条记录：\s*Ti O/,
    gap: /带隙/,
    download: '下载',
    conventionalCif: '惯用晶胞 (CIF)',
  },
} as const;

const searchBox = (page: Page) => page.locator('form').getByRole('textbox').first();

/** A tile of the periodic table, which has its symbol on a separate line. */
const elementTile = (page: Page, symbol: string) =>
  page
    .locator('[aria-pressed]')
    .filter({ has: page.getByText(symbol, { exact: true }) })
    .first();

/** Signs up through the dialog, on any page that opened it. */
async function signUp(page: Page, words: (typeof WORDS)['en' | 'zh'], mobile: string): Promise<void> {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(words.phone).fill(mobile);
  await dialog.getByRole('button', { name: words.send }).click();
  await dialog.locator('input[name="code"]').fill(await printedCode(site, mobile));
  await dialog.getByRole('checkbox').check();
  await dialog.locator('button[type="submit"]').click();
}

describe.each(
  oneUnlessNightly([
    ['zh', '13800000002'],
    ['en', '13800000001'],
  ]),
)('a newcomer reading %s', (language, mobile) => {
  const words = WORDS[language];

  it('signs up, searches Ti-O, sorts, opens rutile, rotates it and downloads a CIF', async () => {
    const { page, complaints } = await newVisitor(browser, { language });
    await page.goto(site.url);
    await page.getByRole('banner').getByRole('button', { name: words.login }).click();
    await signUp(page, words, mobile);
    await page.waitForURL('**/matdata');

    await elementTile(page, 'Ti').click();
    await elementTile(page, 'O').click();
    await expect.poll(() => searchBox(page).inputValue()).toBe('Ti-O-');
    await page.getByRole('button', { name: words.search, exact: true }).click();
    await page.getByText(words.found).waitFor();
    await expect.poll(() => page.url()).toMatch(/Ti-O/);

    const rows = page.getByRole('row');
    const gapHeader = page.getByRole('columnheader', { name: words.gap });
    await gapHeader.getByRole('button').click();
    await expect.poll(async () => gapHeader.getAttribute('aria-sort')).toMatch(/ascending|descending/);

    const opened = page.context().waitForEvent('page');
    await rows
      .filter({ has: page.getByRole('cell', { name: '142', exact: true }) })
      .first()
      // Clicks on the formula: numbers open their provenance, and everything else in the row opens the material.
      .getByText('TiO2', { exact: true })
      .click();
    const material = await opened;
    await material.getByRole('heading', { level: 1 }).waitFor();
    await expect.poll(() => new URL(material.url()).pathname).toBe('/matdatades/142');

    const canvas = material.locator('canvas').first();
    await canvas.waitFor();
    const place = (await canvas.boundingBox())!;
    const before = await overlay(material);
    await material.mouse.move(place.x + place.width / 2, place.y + place.height / 2);
    await material.mouse.down();
    await material.mouse.move(place.x + place.width / 2 + 120, place.y + place.height / 2 + 60, { steps: 8 });
    await material.mouse.up();
    await expect.poll(() => overlay(material)).not.toBe(before);

    await material.getByRole('button', { name: words.download, exact: true }).click();
    const download = material.waitForEvent('download');
    await material.getByRole('menuitem', { name: words.conventionalCif }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe('142-conventional-cell.cif');
    const { structures } = readCif(await readFile(await file.path(), 'utf8'));
    const { a, c } = latticeParameters(structures[0]!.structure.latticeVectors);
    // Rutile in the seed data: a = 4.594 Å, c = 2.958 Å, six atoms.
    expect([a, c].map((length) => Number(length.toFixed(3)))).toEqual([4.594, 2.958]);
    expect(structures[0]!.structure.sites).toHaveLength(6);
    expect(complaints).toEqual([]);
  });
});

describe('the site', () => {
  it('redirects a visitor without a token to / and, after the login, to the requested page', async () => {
    const { page } = await newVisitor(browser);
    await page.goto(`${site.url}/matdatades/142`);
    await page.waitForURL(`${site.url}/`);
    await signUp(page, WORDS.en, '13800000003');
    await page.waitForURL('**/matdatades/142');
    await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toBe('TiO2');
  });

  it('keeps a search in the address through a reload and “Back”', async () => {
    const { page } = await newVisitor(browser);
    await page.goto(`${site.url}/matdata`);
    await signUp(page, WORDS.en, '13800000004');
    await page.waitForURL('**/matdata');
    const box = searchBox(page);
    await box.fill('Ti-O');
    await box.press('Enter');
    await page.getByText(WORDS.en.found).waitFor();
    await page.reload();
    await page.getByText(WORDS.en.found).waitFor();
    await box.fill('Na-Cl');
    await box.press('Enter');
    await page.getByText(/Entr(y|ies) found for Na Cl/).waitFor();
    await page.goBack();
    await page.getByText(WORDS.en.found).waitFor();
    await expect.poll(() => box.inputValue()).toBe('Ti-O');
  });
});
