/** Window search → window → interface reaction on the seed data, and the energy scale of the results. */
import { describe, expect, it } from 'vitest';
import { openAsMember } from './support/open-site.ts';

const { page, open } = await openAsMember('13900000038');

describe('the electrochemical windows', () => {
  it('can be searched with the advanced options, and a row opens the page of its window', async () => {
    await open('/Ec_window');
    await page.getByRole('combobox', { name: 'Search by' }).selectOption('formula');
    await page.getByRole('textbox', { name: 'Search for' }).fill('LiFePO4');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByRole('heading', { name: /found for/ }).waitFor();
    const [opened] = await Promise.all([
      page.context().waitForEvent('page'),
      page
        .getByRole('row', { name: /LiFePO4/ })
        .first()
        .click(),
    ]);
    await opened.waitForURL(/\/Ec_windowDetail\/\d+\/Li$/);
    await opened.getByRole('heading', { name: 'Diagram of electrochemical window' }).waitFor();
    await opened.getByText(/Reduction onset \d\.\d{3} V/).waitFor();
    await expect.poll(() => opened.locator('tr[data-highlighted]').count()).toBe(2);
    await opened.close();
  });

  it('keep the last results when a filter is invalid, and show an error', async () => {
    await open('/Ec_window?by=formula&q=LiFePO4');
    await page.getByRole('heading', { name: /found for/ }).waitFor();
    await page.getByRole('button', { name: /Advanced options/ }).click();
    await page.getByRole('textbox', { name: 'Excluded elements' }).fill('Xx');
    await page.getByText('“Xx” is not an element').waitFor();
    await expect.poll(() => page.getByRole('heading', { name: /found for/ }).count()).toBe(1);
  });

  it('have no results for the metal of the working ion itself', async () => {
    await open('/Ec_window?by=formula&q=Li');
    await page.getByText('No matching records found').waitFor();
  });
});

describe('the interface reaction page', () => {
  it('computes reactions, highlights the strongest, exports them and opens the interface to oxygen gas', async () => {
    await open('/Interface_reaction');
    await page.getByRole('textbox', { name: 'Reactant 1' }).fill('TiO2');
    await page.getByRole('textbox', { name: 'Reactant 2' }).fill('Mg');
    await page.getByRole('button', { name: 'Compute' }).click();
    await page.getByText('Strongest mutual reaction').waitFor();
    await expect.poll(() => page.locator('tr[data-highlighted]').count()).toBe(1);
    // All seven columns fit into their frame at 1440 px.
    const table = page.getByRole('region', { name: 'Reactions by molar fraction' });
    await expect.poll(() => table.evaluate((frame) => frame.scrollWidth - frame.clientWidth)).toBe(0);
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'JSON' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe('interface-TiO2-Mg.json');
    await page.getByRole('button', { name: 'Apply' }).click();
    await page.getByText('Energies are per atom other than O.').waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get('open')).toBe('O');
  });

  it.each([
    ['Xx', 'Mg', /cannot be read as a formula/],
    ['TiO2', '999999999', /There is no material 999999999/],
  ])('says what is wrong with %s and %s', async (a, b, sentence) => {
    await open(`/Interface_reaction?a=${a}&b=${b}`);
    await page.getByRole('alert').getByText(sentence).waitFor();
  });
});

describe('the energy scale of an answer', () => {
  const scale = () => page.getByRole('combobox', { name: 'Energy scale' });

  it('can be selected on the page, is kept in links and printed on the plot', async () => {
    await open('/phase?q=Ti+O');
    await scale().selectOption('experiment-298K');
    await page
      .getByText(/experiment, 298 K · release \d+/)
      .first()
      .waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get('scale')).toBe('experiment-298K');
    await page.getByRole('button', { name: 'Generate' }).click();
    await expect.poll(() => new URL(page.url()).search).toBe('?q=Ti+O&scale=experiment-298K');
    await page.goBack();
    await page
      .getByText(/PBE \(MP 2018\) · release \d+/)
      .first()
      .waitFor();
  });

  it('is kept from the search to the window and the material', async () => {
    await open('/Ec_window?by=formula&q=TiO2&scale=experiment-298K');
    await page.getByText(/experiment, 298 K · release \d+/).waitFor();
    const [opened] = await Promise.all([
      page.context().waitForEvent('page'),
      page.getByRole('row', { name: /TiO2/ }).first().click(),
    ]);
    await opened.waitForURL(/\/Ec_windowDetail\/\d+\/Li\?scale=experiment-298K$/);
    await opened
      .getByText(/experiment, 298 K · release \d+/)
      .first()
      .waitFor();
    const link = opened.getByRole('link', { name: 'Open material' });
    await expect.poll(() => link.getAttribute('href')).toMatch(/^\/matdatades\/\d+\?scale=experiment-298K$/);
    await opened.close();
  });

  it('is the same for both reactants', async () => {
    await open('/Interface_reaction?a=TiO2&b=Mg&scale=experiment-298K');
    await page
      .getByText(/experiment, 298 K · release \d+/)
      .first()
      .waitFor();
    await scale().selectOption('PBE (MP 2018)');
    await page
      .getByText(/PBE \(MP 2018\) · release \d+/)
      .first()
      .waitFor();
    await expect.poll(() => new URL(page.url()).search).toBe('?a=TiO2&b=Mg');
  });
});
