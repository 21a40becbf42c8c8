/** No dead end: examples that the catalogue answers, pages that lead on from nowhere, Run4U that says what one is in for. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { newVisitor } from './support/browser.ts';
import { open, settled } from './support/page-state.ts';
import { tokenFor } from './support/sign-in.ts';
import { openSite } from './support/open-site.ts';

const { site, browser } = await openSite();
const token = await tokenFor(site, '13900000033');

const visit = async (path: string, language: 'zh' | 'en' = 'en'): Promise<Page> => {
  const { page } = await newVisitor(browser, { token, language, reducedMotion: 'reduce' });
  await open(page, site.url + path);
  return page;
};

describe('one-click examples', () => {
  it.each([
    ['/matdata', 'Search results'],
    ['/phase', 'Stable phases'],
    ['/Ec_window', 'Electrochemical windows'],
    ['/Interface_reaction', 'Reactions by molar fraction'],
  ])('of %s all have an answer', async (path, table) => {
    const page = await visit(path);
    const links = page.locator('p').filter({ hasText: /^Try/ }).getByRole('link');
    const addresses = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
    expect(addresses.length).toBeGreaterThan(1);
    for (const address of addresses) {
      await open(page, site.url + address);
      const rows = page.getByRole('table', { name: table }).locator('tbody tr');
      await expect.poll(async () => [address, (await rows.count()) > 0]).toEqual([address, true]);
    }
  });

  it('of reactants are materials of the catalogue', async () => {
    const page = await visit('/Interface_reaction');
    for (const label of ['Reactant 1', 'Reactant 2']) {
      const shown = await page.getByLabel(label).getAttribute('placeholder');
      const [, formula = '', id = ''] = /e\.g\. (\w+) or (\d+)/.exec(shown ?? '') ?? [];
      await page.goto(`${site.url}/matdatades/${id}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await expect
        .poll(async () =>
          (await page.title()).replaceAll(/[₀-₉]/g, (digit) => String(digit.charCodeAt(0) - 0x2080)),
        )
        .toContain(formula);
      await open(page, `${site.url}/Interface_reaction`);
    }
  });
});

describe('from nowhere', () => {
  it('a missing page leads to every tool, and to the palette', async () => {
    const page = await visit('/there-is-nothing-here');
    const main = page.getByRole('main');
    await main.getByRole('heading', { level: 1 }).waitFor();
    await expect.poll(() => main.getByRole('listitem').getByRole('link').count()).toBeGreaterThanOrEqual(8);
    await main.getByRole('button', { name: 'Go to a material or a page' }).click();
    await page.getByRole('combobox').fill('SrTiO3');
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('Escape');
    await main.getByRole('link', { name: 'MatData' }).click();
    await page.waitForURL('**/matdata');
  });

  it.each([
    ['en', 'Electrochemical Window', 'Search electrochemical windows'],
    ['zh', '电化学窗口', '检索电化学窗口'],
  ] as const)('the window of a material nobody has, %s', async (language, title, way) => {
    const page = await visit('/Ec_windowDetail/99999999/Li', language);
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    await page.getByRole('alert').getByText('99999999').waitFor();
    await page.getByRole('link', { name: way }).click();
    await page.waitForURL('**/Ec_window');
  });
});

describe('the key /', () => {
  it('leads to the search of a page, also from its buttons, and to the palette where there is none', async () => {
    const page = await visit('/matdata');
    await page.locator('[data-symbol="Ti"]').click();
    await page.keyboard.press('/');
    const box = page.getByRole('textbox', { name: 'What to search for' });
    await expect.poll(() => box.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press('/');
    await expect.poll(() => box.inputValue()).toBe('/');
    await open(page, `${site.url}/matdatades/142`);
    await page.keyboard.press('/');
    await page.getByRole('combobox', { name: 'Material, page or action' }).waitFor();
  });
});

describe('Run4U', () => {
  it.each([
    ['en', 'How it is calculated', /PBE, PAW; plane waves up to \d+ eV/, /2 atoms: about \d+ s/],
    ['zh', '计算方式', /PBE，PAW；平面波截断能 \d+ eV/, /2 个原子约 \d+ 秒/],
  ] as const)('tells engine, method and how long it takes, %s', async (language, title, method, time) => {
    const page = await visit('/run4u', language);
    const facts = page.getByRole('table', { name: title });
    for (const text of [method, time]) await facts.getByText(text).waitFor();
    await expect.poll(() => facts.getByRole('row').count()).toBe(5);
  });

  it('has a sample, which is read like any file', async () => {
    const page = await visit('/run4u');
    await page.getByRole('button', { name: /^Try with a sample/ }).click();
    await page.getByText('Si.cif').waitFor();
    await page.getByText('5.4310').first().waitFor();
    await settled(page);
  });
});

describe('every point of a plot', () => {
  it.each([
    ['/matdatades/142', 2],
    ['/Ec_windowDetail/142/Li', 1],
    ['/Interface_reaction?a=TiO2&b=Mg', 1],
    ['/phase?q=Ti+O', 1],
    ['/xrd?sample', 1],
    ['/matdata/compare?ids=142,134', 1],
  ] as const)('%s: stands in a table the keyboard reaches', async (path, least) => {
    const page = await visit(path);
    const buttons = page.getByRole('button', { name: 'Table of the numbers in this chart' });
    await buttons.first().waitFor();
    await expect.poll(() => buttons.count()).toBeGreaterThanOrEqual(least);
    await buttons.first().focus();
    await page.keyboard.press('Enter');
    const table = page.getByRole('table', { name: /^Numbers of the chart/ }).first();
    await table.waitFor();
    await expect.poll(() => table.locator('tbody tr').count()).toBeGreaterThan(1);
    await expect.poll(() => buttons.first().getAttribute('aria-pressed')).toBe('true');
  });
});
