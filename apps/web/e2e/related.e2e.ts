/**
 * Links from a material to related pages and back; the palette, which opens any page. On rutile (142) of the seed data.
 */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { violations } from './support/axe.ts';
import { newVisitor } from './support/browser.ts';
import { makeChartLive } from './support/charts.ts';
import { follow } from './support/page-state.ts';
import { tokenFor } from './support/sign-in.ts';
import { openSite } from './support/open-site.ts';

const { site, browser } = await openSite();
const token = await tokenFor(site, '13900000042');

const RUTILE = '/matdatades/142';
const openRelated = async (page: Page) => {
  await page.goto(`${site.url}${RUTILE}#related`);
  const related = page.locator('#related');
  await related.getByRole('heading', { name: /Polymorphs/ }).waitFor();
  return related;
};

describe('related materials', () => {
  it('include seven windows, the polymorphs and the prototype of a material, and open tools that link back', async () => {
    const { page } = await newVisitor(browser, { token });
    const related = await openRelated(page);
    const windows = related.locator('a[href^="/Ec_windowDetail/142/"]');
    await expect
      .poll(() =>
        windows.evaluateAll((links) => links.map((link) => link.getAttribute('href')?.split('?')[0])),
      )
      .toEqual(['Li', 'Na', 'K', 'Mg', 'Ca', 'Zn', 'Al'].map((ion) => `/Ec_windowDetail/142/${ion}`));
    const anatase = related.getByRole('region', { name: /^Polymorphs/ }).getByRole('link', { name: /143/ });
    const kin = related.getByRole('region', { name: /^Same prototype/ });
    // Counts only the links in the rows. The region also has a link to the full list.
    await expect.poll(() => kin.locator('tbody').getByRole('link').count()).toBe(8);
    const distances = await kin.locator('tbody td:last-child').allInnerTexts();
    expect(distances.map(Number)).toEqual(distances.map(Number).toSorted((a, b) => a - b));
    const address = async (name: RegExp) =>
      (await related.getByRole('link', { name }).getAttribute('href')) ?? 'no link';
    const interfaces = await address(/^Interface reactions/);
    const diagram = await address(/^Phase diagram O–Ti/);
    const back = page.getByRole('link', { name: 'Material 142' });
    await related.getByRole('link', { name: /^Match a measured pattern/ }).click();
    await expect.poll(() => page.getByRole('textbox', { name: /elements/i }).inputValue()).toBe('only: O Ti');
    await expect.poll(() => back.getAttribute('href')).toBe(RUTILE);
    await follow(page, interfaces);
    await expect.poll(() => page.getByRole('textbox', { name: 'Reactant 1' }).inputValue()).toBe('142');
    // Adding a second reactant keeps the link back to the material.
    await page.getByRole('link', { name: '+ Li', exact: true }).click();
    await page.getByRole('table').first().waitFor();
    await expect.poll(() => back.getAttribute('href')).toBe(RUTILE);
    await follow(page, diagram);
    await makeChartLive(page);
    const marked = () =>
      page
        .locator('.js-plotly-plot')
        .evaluate((plot) => (plot as unknown as { data: { name?: string }[] }).data.map(({ name }) => name));
    await expect.poll(marked).toContain('This material');
    await back.click();
    await page.waitForURL(/\/matdatades\/142$/);
    await anatase.click();
    await page.waitForURL(/\/matdatades\/143$/);
  });
});

describe('the palette', () => {
  it('opens a material by its formula with the keyboard alone', async () => {
    const { page, complaints } = await newVisitor(browser, { token });
    await page.goto(`${site.url}/matdata`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('Control+k');
    const box = page.getByRole('combobox', { name: 'Material, page or action' });
    await box.fill('TiO2');
    await page.getByRole('option', { name: /142/ }).waitFor();
    expect(await violations(page)).toEqual([]);
    const chosen = () => page.locator('[role=option][aria-selected=true]').innerText();
    while (!(await chosen()).includes('142')) await page.keyboard.press('ArrowDown');
    await expect
      .poll(() => box.getAttribute('aria-activedescendant'))
      .toBe(await page.locator('[role=option][aria-selected=true]').getAttribute('id'));
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/matdatades\/142$/);
    expect(complaints).toEqual([]);
  });

  it('finds pages and actions in Chinese, and restores the focus', async () => {
    const { page } = await newVisitor(browser, { token, language: 'zh' });
    await page.goto(`${site.url}/matdata`);
    const opener = page.getByRole('button', { name: '检索材料或页面' });
    await opener.click();
    await page.getByRole('combobox', { name: '材料、页面或操作' }).fill('相图');
    await page.getByRole('option', { name: /相图/ }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => opener.evaluate((button) => button === document.activeElement)).toBe(true);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: '材料、页面或操作' }).fill('深色');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => page.evaluate(() => document.documentElement.dataset.mantineColorScheme))
      .toBe('dark');
  });
});
