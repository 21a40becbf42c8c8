/**
 * The provenance of the numbers of a page: beside the numbers in both languages, in a popover of each number, and in
 * the files.
 */
import { readFile } from 'node:fs/promises';
import { readCif, readPoscar } from '@unitcell/crystal';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { violations } from './support/axe.ts';
import { newVisitor, oneUnlessNightly } from './support/browser.ts';
import { open } from './support/page-state.ts';
import { tokenFor } from './support/sign-in.ts';
import { openSite } from './support/open-site.ts';

const { site, browser } = await openSite({ keepsPages: true });
const token = await tokenFor(site, '13900000064');

/** Strontium titanate: measured constants, published and own calculations on one page. */
const STRONTIUM_TITANATE = '/matdatades/174';

async function visit(path: string, language: 'zh' | 'en'): Promise<Page> {
  const { page } = await newVisitor(browser, { token, language });
  await open(page, site.url + path);
  return page;
}

const WORDS = {
  en: {
    measured: 'measured',
    calculated: 'calculated',
    unchecked: 'citation not verified',
    details: 'Details',
    stated: 'As stated by the source',
    gaps: 'Band gaps',
    energies: 'Energies',
    enthalpy: /Enthalpy of formation experiment, 298 K/,
    kMesh: 'k-mesh',
    provenance: /Source of this number: Band gap/,
    observed: 'observed',
    how: 'How it is calculated',
    methods: 'Methods',
  },
  zh: {
    measured: '实测',
    calculated: '计算',
    unchecked: '引文未核对',
    details: '详情',
    stated: '来源原述',
    gaps: '带隙',
    energies: '能量',
    enthalpy: /生成焓 实验，298 K/,
    kMesh: 'k 点网格',
    provenance: /此数值的来源：带隙/,
    observed: '实验报道',
    how: '如何计算',
    methods: '方法',
  },
} as const;

describe.each(oneUnlessNightly(['zh', 'en']))('the page of strontium titanate (%s)', (language) => {
  const words = WORDS[language];
  let page: Page;
  beforeAll(async () => {
    page = await visit(STRONTIUM_TITANATE, language);
  });

  it('states that its elastic constants are measured and how its bands were calculated', async () => {
    const elastic = page.locator('#elastic').getByRole('list').first();
    await elastic.getByText(words.measured, { exact: true }).first().waitFor();
    await elastic.getByRole('link', { name: 'Bell & Rupprecht, Phys. Rev. 129, 90 (1963)' }).waitFor();
    await elastic.getByText(words.unchecked).first().waitFor();
    await expect.poll(() => elastic.innerText()).not.toContain('PBE');
    const bands = page.locator('#bands-pbe').getByRole('list').first();
    await expect.poll(() => bands.innerText()).toMatch(/ABINIT 9\.6\.2, PBE, 598\.7 eV/);
    await bands.getByText(words.details).click();
    await bands.getByText(words.kMesh, { exact: true }).waitFor();
    for (const id of ['structure', 'details', 'phase-diagram', 'xrd', 'dielectric', 'topology'])
      await page.locator(`#${id}`).getByText(words.details).first().waitFor();
  });

  it('names each gap by its method and lists the known energies', async () => {
    const gaps = page.getByRole('table', { name: words.gaps });
    await expect.poll(() => gaps.innerText()).toMatch(/PBE, Materials Project\s+1\.767 eV/);
    await expect.poll(() => gaps.getByRole('row').count()).toBe(3);
    await page.getByRole('table', { name: words.energies }).getByText(words.enthalpy).waitFor();
    await page.getByText(words.observed, { exact: true }).first().waitFor();
    await expect
      .poll(() => page.locator('#bands-pbe').innerText())
      .toContain('1.767 eV (PBE, Materials Project)');
  });

  it('is no wider than a phone, where a tap opens the provenance', async () => {
    await page.setViewportSize({ width: 360, height: 900 });
    await page.locator('#cite').waitFor();
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    const details = page.locator('#elastic').getByText(words.details).first();
    await expect.poll(async () => (await details.boundingBox())!.height).toBeGreaterThanOrEqual(24);
    const heights = await page
      .locator('#structure, #elastic, #dielectric')
      .getByRole('list')
      .getByRole('link')
      .evaluateAll((links) => links.map((link) => link.getClientRects()[0]!.height));
    expect(heights.length).toBeGreaterThan(2);
    expect(Math.min(...heights)).toBeGreaterThanOrEqual(24);
    await details.click();
    await page.locator('#elastic').getByText(words.stated).waitFor();
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it('shows the provenance of a number by mouse and keyboard, with a link to the method', async () => {
    const number = page.getByTitle(words.provenance).first();
    await number.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Materials Project mp-5229').first().waitFor();
    await dialog.getByText(words.how).waitFor();
    expect(await violations(page, { within: '[role=dialog]' })).toEqual([]);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page.keyboard.press('Enter');
    await dialog.getByRole('link', { name: /method|方法/ }).click();
    await page.waitForURL('**/methods#gap');
    await page.getByRole('heading', { level: 1, name: words.methods }).waitFor();
  });
});

describe('a file of the page of strontium titanate', () => {
  async function saved(page: Page, item: string): Promise<string> {
    await page.getByRole('button', { name: 'Download', exact: true }).click();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: item }).click(),
    ]);
    return readFile(await file.path(), 'utf8');
  }

  it('contains source, licence, release and address, and its data is unchanged', async () => {
    const page = await visit(STRONTIUM_TITANATE, 'en');
    const address = `${site.url}${STRONTIUM_TITANATE}`;
    for (const cell of ['Primitive', 'Conventional']) {
      const cif = await saved(page, `${cell} Cell (CIF)`);
      expect(cif).toMatch(/^_unitcell_source '?.*COD/m);
      expect(cif).toMatch(/^_unitcell_licence 'CC0-1\.0'$/m);
      expect(cif).toMatch(/^_unitcell_release '\d+ /m);
      expect(cif).toContain(address);
      expect(readCif(cif).structures[0]!.structure.sites).toHaveLength(5);
      const poscar = await saved(page, `${cell} Cell (POSCAR)`);
      expect(poscar.split('\n')[0]).toMatch(/^SrTiO3 \| .*CC0-1\.0/);
      expect(poscar.split('\n')[0]).toContain(address);
      expect(readPoscar(poscar).structure.sites).toHaveLength(5);
    }
    const json = JSON.parse(await saved(page, 'Everything (JSON)'));
    expect(json.struct_id).toBe(174);
    expect(json.file_origin).toContainEqual({ label: 'address', text: address });
  });
});

describe('the search', () => {
  it('uses one energy scale, stated in the address, above the table and in the file name', async () => {
    const page = await visit('/matdata?by=formula&q=SiO2', 'en');
    await page.getByText(/PBE \(MP 2018\) · release \d+/).waitFor();
    const energies = () =>
      page.locator('tbody tr').evaluateAll((rows) => rows.map((row) => row.children[4]?.textContent));
    await expect.poll(energies).not.toContain('−3.136');
    await page.getByRole('combobox', { name: 'Energy scale' }).selectOption('experiment-298K');
    await page.getByText(/experiment, 298 K · release \d+/).waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get('scale')).toBe('experiment-298K');
    await expect.poll(energies).toContain('−3.136');
    await expect.poll(energies).not.toContain('−3.282');
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download the table as CSV' }).click(),
    ]);
    const lines = (await readFile(await file.path(), 'utf8')).replace('\ufeff', '').split('\r\n');
    expect(lines).toContain('# scale: experiment-298K');
    const header = lines.find((line) => !line.startsWith('#'))!;
    expect(header).toContain('Observed,Source,Id in Source,Licence');
    expect(lines.find((line) => line.includes(',138,'))).toMatch(/observed,.*,.*$/);
  });
});
