/** Pages without dead ends: examples have results, a missing page has links, and Run4U says what to expect. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { newVisitor } from './support/browser.ts';
import { follow, open, settled, switchTo } from './support/page-state.ts';
import { tokenFor } from './support/sign-in.ts';
import { openSite } from './support/open-site.ts';

const { site, browser } = await openSite();
const token = await tokenFor(site, '13900000033');

const visit = async (path: string, language: 'zh' | 'en' = 'en'): Promise<Page> => {
  const { page } = await newVisitor(browser, { token, language });
  await open(page, site.url + path);
  return page;
};

describe('the one-click examples of the tools', () => {
  it.each([
    ['/matdata', 'Search results'],
    ['/phase', 'Stable phases'],
    ['/Ec_window', 'Electrochemical windows'],
    ['/Interface_reaction', 'Reactions by molar fraction'],
  ])('of %s all have results', async (path, table) => {
    const page = await visit(path);
    const links = page.locator('p').filter({ hasText: /^Try/ }).getByRole('link');
    const addresses = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
    expect(addresses.length).toBeGreaterThan(1);
    for (const address of addresses) {
      await links.and(page.locator(`[href="${address}"]`)).click();
      await page.waitForURL(site.url + address);
      await settled(page);
      const rows = page.getByRole('table', { name: table }).locator('tbody tr');
      await expect.poll(async () => [address, (await rows.count()) > 0]).toEqual([address, true]);
      await page.goBack();
    }
  });

  it('use reactants that are materials of the catalogue', async () => {
    const page = await visit('/Interface_reaction');
    for (const label of ['Reactant 1', 'Reactant 2']) {
      const shown = await page.getByLabel(label).getAttribute('placeholder');
      const [, formula = '', id = ''] = /e\.g\. (\w+) or (\d+)/.exec(shown ?? '') ?? [];
      const answer = await fetch(`${site.url}/api/matdata/get_struct_detail/`, {
        method: 'POST',
        headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ struct_id: id }),
      });
      const { formula: named } = (await answer.json()) as { formula: string };
      expect(named).toContain(formula);
    }
  });
});

describe('the example of an empty tool page', () => {
  it.each([
    ['/phase', 'Example: the phases of Ti–O.', /TiO2/, 'Ti O'],
    ['/Ec_window', 'Example: the windows of compounds of Li, P and S.', /Li3PS4/, 'LiFePO4'],
    ['/Interface_reaction', 'Example: the reactions of Li2S with LiCoO2.', /LiCoO2/, 'TiO2 + Mg'],
  ])('on %s has results, keeps the address and can be hidden for good', async (path, title, row, other) => {
    const page = await visit(path);
    const example = page.getByText(title);
    await example.waitFor();
    await page.getByRole('row', { name: row }).first().waitFor();
    expect(page.url()).toBe(site.url + path);
    // The visitor's own search replaces the example.
    await page.getByRole('link', { name: other, exact: true }).click();
    await example.waitFor({ state: 'detached' });
    await page.goBack();
    await page.getByRole('button', { name: 'Hide the example' }).click();
    await example.waitFor({ state: 'detached' });
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.url()));
    await open(page, site.url + path);
    await settled(page);
    expect(await example.count()).toBe(0);
    expect(
      sent.filter((url) => /phase_diagram_handle|search_by_elements|interface_receive/.test(url)),
    ).toEqual([]);
  });

  it('on the prediction page is a crystal that is not offered for calculation', async () => {
    const page = await visit('/predict');
    await page.getByText('Example: the properties of cubic SrTiO3.').waitFor();
    await page.getByRole('heading', { name: 'SrTiO3' }).waitFor();
    expect(await page.getByRole('button', { name: /Submit/ }).count()).toBe(0);
    await page.getByRole('link', { name: 'LiFePO4', exact: true }).click();
    await page.getByRole('heading', { name: 'LiFePO4' }).waitFor();
    await page.goBack();
    await page.getByRole('button', { name: 'Hide the example' }).click();
    await page.getByRole('heading', { name: 'SrTiO3' }).waitFor({ state: 'detached' });
  });

  it('on the XRD page is a chart that sends no match, and a file of the visitor replaces it', async () => {
    const page = await visit('/xrd');
    const example = page.getByText(/^Example: a simulated measurement of SiO2/);
    await example.waitFor();
    await page.getByRole('group', { name: 'Download the chart' }).waitFor();
    // The visitor has no pattern to match yet.
    expect(await page.getByRole('button', { name: 'Match', exact: true }).isDisabled()).toBe(true);
    const buffer = Buffer.from(
      Array.from({ length: 99 }, (_, i) => `${20 + i / 50} ${i === 50 ? 900 : 10}`).join('\n'),
    );
    await page
      .locator('input[name=xrd-file]')
      .setInputFiles({ name: 'own.xy', mimeType: 'text/plain', buffer });
    await page.getByText('own.xy').waitFor();
    expect(await example.count()).toBe(0);
    const sent: string[] = [];
    page.on('request', (request) => sent.push(request.url()));
    await open(page, `${site.url}/xrd`);
    await page.getByRole('button', { name: 'Hide the example' }).click();
    await page.getByText('No pattern yet. The chart appears here.').waitFor();
    expect(sent.filter((url) => /xrd_match|receive/.test(url))).toEqual([]);
    sent.length = 0;
    await open(page, `${site.url}/xrd`);
    expect(await example.count()).toBe(0);
    expect(sent.filter((url) => /xrd_get|search_by_formula/.test(url))).toEqual([]);
  });
});

describe('a page that does not exist', () => {
  it('links to every tool and the palette', async () => {
    const page = await visit('/there-is-nothing-here');
    const main = page.getByRole('main');
    await main.getByRole('heading', { level: 1 }).waitFor();
    await expect.poll(() => main.getByRole('listitem').getByRole('link').count()).toBeGreaterThanOrEqual(8);
    await main.getByRole('button', { name: 'Search materials and pages' }).click();
    await page.getByRole('combobox').fill('SrTiO3');
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('Escape');
    await main.getByRole('link', { name: 'MatData' }).click();
    await page.waitForURL('**/matdata');
  });

  it('links to the window search if it is the window of an unknown material, in both languages', async () => {
    const page = await visit('/Ec_windowDetail/99999999/Li');
    for (const [language, title, way] of [
      ['en', 'Electrochemical Window', 'Search electrochemical windows'],
      ['zh', '电化学窗口', '检索电化学窗口'],
    ] as const) {
      if (language === 'zh') await switchTo(page, language);
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      await page.getByRole('alert').getByText('99999999').waitFor();
      await page.getByRole('link', { name: way }).click();
      await page.waitForURL('**/Ec_window');
      await page.goBack();
    }
    expect(page.url()).toContain('99999999');
  });
});

describe('the key “/”', () => {
  it('focuses the search of the page, also from a button, and opens the palette on pages without a search', async () => {
    const page = await visit('/matdata');
    await page.locator('[data-symbol="Ti"]').click();
    await page.keyboard.press('/');
    const box = page.getByRole('textbox', { name: 'Search for' });
    await expect.poll(() => box.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.keyboard.press('/');
    await expect.poll(() => box.inputValue()).toBe('/');
    await follow(page, '/about');
    await page.keyboard.press('/');
    await page.getByRole('combobox', { name: 'Material, page or action' }).waitFor();
  });
});

describe('Run4U', () => {
  it('states its engine, its method and the duration of a calculation in both languages, and offers a sample', async () => {
    const page = await visit('/run4u', 'zh');
    for (const [language, title, method, time] of [
      ['zh', '计算方式', /PBE，PAW；平面波截断能 \d+ eV/, /2 个原子约 \d+ 秒/],
      ['en', 'How it is calculated', /PBE, PAW; plane-wave cutoff \d+ eV/, /2 atoms: about \d+ s/],
    ] as const) {
      if (language === 'en') await switchTo(page, language);
      const facts = page.getByRole('table', { name: title });
      for (const text of [method, time]) await facts.getByText(text).waitFor();
      await expect.poll(() => facts.getByRole('row').count()).toBe(5);
    }
    // The sample is processed like an uploaded file.
    await page.getByRole('button', { name: /^Try with a sample/ }).click();
    await page.getByText('Si.cif').waitFor();
    await page.getByText('5.4310').first().waitFor();
    await settled(page);
  });
});

it('the documentation for contributors, which is only in English, links to the Chinese start page', async () => {
  const page = await visit('/');
  await page.goto(`${site.url}/docs/contributing/architecture.html`);
  await page.locator('.VPSidebar').getByRole('link', { name: 'Glossary' }).click();
  await page.getByRole('heading', { level: 1, name: 'Glossary' }).waitFor();
  const other = page.locator('a', { hasText: '简体中文' }).first();
  await expect.poll(() => other.getAttribute('href')).toBe('/docs/zh/');
});
