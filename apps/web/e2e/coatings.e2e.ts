/** A coating between LiCoO2 and Li3PS4 is found with reasons, and a matrix of reactions is exported. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { openAsMember } from './support/open-site.ts';

let page: Page;
const site = await openAsMember('13900000071', (opened) => (page = opened));
const open = (path: string) => page.goto(`${site.url}${path}`);
const parameter = (name: string) => new URL(page.url()).searchParams.get(name);
const saved = async (button: string): Promise<string> => {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button, exact: true }).click(),
  ]);
  return readFile(await file.path(), 'utf8');
};

describe('the coatings page', () => {
  it('finds coatings between LiCoO2 and Li3PS4 and shows the reaction that decides', async () => {
    await open('/coatings');
    await page.getByRole('textbox', { name: 'A', exact: true }).fill('LiCoO2');
    await page.getByRole('textbox', { name: 'B', exact: true }).fill('Li3PS4');
    await page.getByRole('textbox', { name: 'With elements' }).fill('Li, O');
    await page.getByRole('textbox', { name: 'Without elements' }).fill('Co');
    await page.getByRole('textbox', { name: 'Band gap ≥ (eV)' }).fill('3');
    await page.getByRole('button', { name: 'Find', exact: true }).click();
    const table = page.getByRole('table', { name: /^Coatings/ });
    const row = table.getByRole('row', { name: /Li3PO4/ }).first();
    await row.waitFor();
    await page.getByText('Without a coating').waitFor();
    expect(['a', 'b', 'with', 'without', 'gap'].map(parameter)).toEqual([
      'LiCoO2',
      'Li3PS4',
      'Li, O',
      'Co',
      '3',
    ]);
    const links = await row
      .getByRole('link')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    expect(links).toContainEqual(expect.stringMatching(/^\/Interface_reaction\?a=Li3PO4&b=LiCoO2&hull=1$/));
    await page.getByRole('button', { name: 'Code', exact: true }).waitFor();
  });

  it('says in Chinese, on a phone, which filter leaves nothing', async () => {
    await page.setViewportSize({ width: 360, height: 780 });
    await open('/coatings?a=LiCoO2&b=Li3PS4&gap=19');
    await page.evaluate(() => localStorage.setItem('languageSet', 'zh'));
    await page.reload();
    await page.getByText(/去掉“带隙”这一条件后有 \d+ 种材料通过/).waitFor();
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    expect(overflow).toBeLessThanOrEqual(0);
  });

  it('calculates a matrix, moves through it with arrow keys and exports it', async () => {
    await open('/coatings?mode=matrix&m=LiCoO2,Li3PS4,LiNbO3,Li3PO4');
    const matrix = page.getByRole('table', { name: 'Reaction energies of all pairs in eV/atom' });
    await matrix.getByRole('link', { name: /^LiCoO2 with Li3PS4/ }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByText(/^LiCoO₂ with LiNbO₃: /).waitFor();
    expect(await saved('CSV')).toMatch(/eV\/atom,LiCoO2,Li3PS4,LiNbO3,Li3PO4/);
    expect(await saved('SVG')).toMatch(/^<\?xml[^]*LiCoO₂/);
    await page.getByRole('button', { name: 'Table', exact: true }).click();
    await page.getByRole('row', { name: /Li3PS4.*LiNbO3/ }).waitFor();
  });
});
