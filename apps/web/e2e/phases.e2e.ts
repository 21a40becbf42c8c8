/** Phase diagram → place a compound → window search → window → interface reaction, on the seed materials. */
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestSite, type TestSite } from '../../../scripts/lib/test-site.mjs';
import { launchBrowser, newVisitor, type Visitor } from './support/browser.ts';
import { tokenFor } from './support/sign-in.ts';

let site: TestSite;
let browser: Browser;
let visitor: Visitor;
let page: Page;
beforeAll(async () => {
  site = await startTestSite();
  browser = await launchBrowser();
  visitor = await newVisitor(browser, { token: await tokenFor(site) });
  ({ page } = visitor);
});
afterAll(async () => {
  await browser.close();
  await site.stop();
});

const open = (path: string) => page.goto(`${site.url}${path}`);
const tile = (symbol: string) => page.locator(`[data-symbol="${symbol}"]`);
/** Series of the drawing as plotly holds them. */
const series = () =>
  page
    .locator('.js-plotly-plot')
    .evaluate((plot) =>
      (plot as unknown as { data: { name?: string; visible?: unknown; x: unknown[] }[] }).data.map(
        ({ name = '', visible = true, x }) => ({ name, visible, points: x.length }),
      ),
    );

describe('the phase diagram page', () => {
  it('draws Ti and O picked from the table, with unstable phases hidden until toggled', async () => {
    await open('/phase');
    await tile('Ti').click();
    await tile('O').click();
    const box = page.getByRole('textbox', { name: 'Components of the diagram' });
    expect(await box.inputValue()).toBe('Ti O');
    await page.getByRole('button', { name: 'Generate' }).click();
    await page.locator('.js-plotly-plot .scatterlayer').waitFor();
    const unstable = async () => (await series()).find(({ name }) => name === 'Unstable');
    expect(await unstable()).toMatchObject({ visible: 'legendonly' });
    await page.getByRole('button', { name: 'Show unstable phases' }).click();
    await expect.poll(unstable).toMatchObject({ visible: true });
    expect(await page.getByText(/PBE \(MP 2018\) · release \d+/).count()).toBeGreaterThan(0);
  });

  it('opens the material of a row in a new tab', async () => {
    const [opened] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('row', { name: /TiO2/ }).first().click(),
    ]);
    await opened.waitForURL(/\/matdatades\/\d+/);
    await opened.close();
  });

  it('lists the unstable phases with what they decompose into, and follows the slider', async () => {
    await page.getByRole('tab', { name: /UnStable/ }).click();
    const count = async () =>
      Number(/\d+/.exec(await page.getByRole('tab', { name: /UnStable/ }).innerText())?.[0]);
    const all = await count();
    expect(all).toBeGreaterThan(1);
    const thumb = page.getByRole('slider');
    await thumb.focus();
    await page.keyboard.press('Home');
    await expect.poll(count).toBeLessThan(all);
    await page.keyboard.press('End');
    await expect.poll(count).toBe(all);
  });

  it('places a compound with its decomposition', async () => {
    await page.getByRole('textbox', { name: 'Formula' }).fill('TiO');
    await page.getByRole('textbox', { name: 'Energy (eV/atom)' }).fill('-1');
    await page.getByRole('button', { name: 'Place', exact: true }).click();
    await page.getByText(/eV\/atom above the hull and decomposes into/).waitFor();
    expect((await series()).some(({ name }) => name === 'My compound')).toBe(true);
  });

  it.each([
    ['Ti', /One component makes no diagram/],
    ['H He Li Be B', /at most four/],
    ['Xx O', /“Xx” is neither/],
  ])('says what is wrong with %s while it is typed', async (input, sentence) => {
    await page.getByRole('textbox', { name: 'Components of the diagram' }).fill(input);
    await page.getByText(sentence).waitFor();
    expect(await page.getByRole('button', { name: 'Generate' }).isDisabled()).toBe(true);
  });

  it('says in words that nothing is known of an element', async () => {
    await open('/phase?q=Ti+Og');
    await page
      .getByRole('alert')
      .getByText(/no energies of Og/)
      .waitFor();
  });

  it('draws three and four components', async () => {
    await open('/phase?q=Li+Fe+O');
    await page.locator('.js-plotly-plot .scatterlayer').waitFor();
    await open('/phase?q=Li+Fe+P+O');
    await page.locator('.js-plotly-plot canvas').first().waitFor();
  });
});

describe('a diagram', () => {
  it('survives a change of language and leaving the page', async () => {
    await open('/phase?q=Ti+O');
    await page.locator('.js-plotly-plot .scatterlayer').waitFor();
    await page.getByRole('button', { name: '切换到中文' }).click();
    await page.getByRole('heading', { name: '相图', exact: true }).first().waitFor();
    await page.locator('.js-plotly-plot .scatterlayer').waitFor();
    await page.getByRole('button', { name: 'Switch to English' }).click();
    await page.locator('.js-plotly-plot .scatterlayer').waitFor();
    await page.getByRole('banner').getByRole('link', { name: 'Unitcell' }).click();
    await page.getByRole('heading', { name: 'Materials search' }).waitFor();
  });
});

describe('the electrochemical windows', () => {
  it('are searched with the advanced options and open their page', async () => {
    await open('/Ec_window');
    await page.getByRole('combobox', { name: 'Search by' }).selectOption('formula');
    await page.getByRole('textbox', { name: 'What to search for' }).fill('LiFePO4');
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('heading', { name: /found for/ }).waitFor();
    const [opened] = await Promise.all([
      page.context().waitForEvent('page'),
      page
        .getByRole('row', { name: /LiFePO4/ })
        .first()
        .click(),
    ]);
    await opened.waitForURL(/\/Ec_windowDetail\/\d+\/Li$/);
    await opened.getByRole('heading', { name: 'Diagram of Electrochmical Window' }).waitFor();
    await opened.getByText(/Reduction onset \d\.\d{3} V/).waitFor();
    expect(await opened.locator('tr[data-highlighted]').count()).toBe(2);
    await opened.close();
  });

  it('keep the results of the last search when a filter is wrong, and say so', async () => {
    await page.getByRole('button', { name: /Advanced Options/ }).click();
    await page.getByRole('textbox', { name: 'Excluded elements' }).fill('Xx');
    await page.getByText('“Xx” is no element').waitFor();
    expect(await page.getByRole('heading', { name: /found for/ }).count()).toBe(1);
  });

  it('say in words that the ion has no window against itself', async () => {
    await open('/Ec_window?by=formula&q=Li');
    await page.getByText('No matching records found').waitFor();
  });
});

describe('the interface reaction page', () => {
  it('computes, highlights the strongest reaction and exports it', async () => {
    await open('/Interface_reaction');
    await page.getByRole('textbox', { name: 'Reactant 1' }).fill('TiO2');
    await page.getByRole('textbox', { name: 'Reactant 2' }).fill('Mg');
    await page.getByRole('button', { name: 'Compute' }).click();
    await page.getByText('The strongest reaction').waitFor();
    expect(await page.locator('tr[data-highlighted]').count()).toBe(1);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'JSON' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('interface-TiO2-Mg.json');
  });

  it('opens the interface to oxygen gas', async () => {
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('Energies are per atom that is not O.').waitFor();
    expect(new URL(page.url()).searchParams.get('open')).toBe('O');
  });

  it.each([
    ['TiO2', 'Ti2O4', /does not react with itself/],
    ['Xx', 'Mg', /cannot be read as a formula/],
    ['TiO2', '999999999', /no material with the id/],
  ])('says what is wrong with %s and %s', async (a, b, sentence) => {
    await open(`/Interface_reaction?a=${a}&b=${b}`);
    await page.getByRole('alert').getByText(sentence).waitFor();
  });
});

it('has complained about nothing but the material that does not exist', () => {
  expect(visitor.complaints).toEqual([expect.stringContaining('404')]);
});
