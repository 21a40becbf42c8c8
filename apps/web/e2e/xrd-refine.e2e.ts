/** From a measured mixture to weight fractions, and from the file of an instrument to a refined cell. */
import { readFileSync } from 'node:fs';
import { readCif } from '@unitcell/crystal';
import { describe, expect, it } from 'vitest';
import { xrdml } from '../../../packages/diffraction/src/testing/instrument-files.ts';
import { simulatedMixture } from '../../../packages/diffraction/src/testing/simulated-mixture.ts';
import { violationsInBoth } from './support/axe.ts';
import { newVisitor } from './support/browser.ts';
import { openSite } from './support/open-site.ts';
import { tokenFor } from './support/sign-in.ts';

/** Ids of materials in the seed data. */
const [QUARTZ, CORUNDUM] = [138, 137];

const { site, browser } = await openSite({ keepsPages: true });
const token = await tokenFor(site, '13900000139');
const { page, complaints } = await newVisitor(browser, { token });

async function structureOf(id: number) {
  const answer = await fetch(`${site.url}/api/materials/${id}.cif`, {
    headers: { authorization: `token ${token}` },
  });
  const [first] = readCif(await answer.text()).structures;
  if (!first) throw new Error(`material ${id} has no structure`);
  return first.structure;
}
const [quartz, corundum] = [await structureOf(QUARTZ), await structureOf(CORUNDUM)];

const edgeOf = ({ latticeVectors: [a] }: typeof corundum): number => Math.hypot(...a);
/** Coarse steps, which keep the refinement short. */
const SCAN = { stepDeg: 0.04, twoThetaRangeDeg: [15, 85] } as const;

const upload = (name: string, content: string) =>
  page
    .locator('input[name=xrd-file]')
    .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(content) });
const button = (name: string) => page.getByRole('button', { name, exact: true });
const refined = page.locator('#refined');
/** The number in a column of a table of the result, in the row that matches, without its e.s.d. */
async function numberIn(table: string, row: RegExp, column: string): Promise<number> {
  const place = refined.getByRole('table', { name: table });
  const headers = await place.getByRole('columnheader').allTextContents();
  const at = headers.findIndex((header) => header.startsWith(column));
  const cells = await place
    .getByRole('row')
    .filter({ hasText: row })
    .first()
    .locator('th, td')
    .allTextContents();
  return Number.parseFloat(cells[at]?.replace('−', '-') ?? 'none');
}

describe('a mixture of 60 % quartz and 40 % corundum by weight', () => {
  const { x, y } = simulatedMixture(
    [
      { structure: quartz, share: 0.6, strain: -0.006 },
      { structure: corundum, share: 0.4, strain: -0.008 },
    ],
    { ...SCAN, seed: 38, displacementDeg: 0.03 },
  );

  it('has both phases proposed after a match and a search for the second phase', async () => {
    await page.goto(`${site.url}/xrd`);
    await upload('mixture.xy', x.map((angle, i) => `${angle} ${y[i]}`).join('\n'));
    await page.getByText('No phase yet.', { exact: false }).waitFor();
    await expect.poll(() => button('Refine').isDisabled()).toBe(true);
    await button('Match').click();
    await button('Find a second phase').click();
    await page.getByText('Subtracted:', { exact: false }).waitFor();
    await page.getByRole('button', { name: 'Remove SiO₂' }).waitFor();
    await page.getByRole('button', { name: 'Remove Al₂O₃' }).waitFor();
  });

  it('is refined to its weight fractions within 1.5 %, and to cells within 0.01 %', async () => {
    await button('Refine').click();
    await refined.getByText('Good fit').waitFor();
    expect(Math.abs((await numberIn('Refined phases', /SiO2/, 'Weight fraction')) - 60)).toBeLessThan(1.5);
    expect(Math.abs((await numberIn('Refined phases', /Al2O3/, 'Weight fraction')) - 40)).toBeLessThan(1.5);
    const edge = await numberIn('Refined cells', /Al2O3.*a \(Å\)/, 'Refined');
    expect(Math.abs(edge / (0.992 * edgeOf(corundum)) - 1)).toBeLessThan(1e-4);
    await refined.getByText('How far can I trust it?').click();
    await refined.getByText('round robins', { exact: false }).waitFor();
  });

  it('gets limits of size and strain only, because no standard was measured', async () => {
    const sizes = refined.getByRole('table', { name: 'Size and strain' });
    await sizes.getByText('The instrument is not calibrated', { exact: false }).first().waitFor();
    expect(await numberIn('Refined cells', /Al2O3.*a \(Å\)/, 'Refined')).toBeGreaterThan(4);
    expect(await sizes.getByText(/^> \d/).count()).toBe(2);
  });

  it('is saved as a project that opens again with its result', async () => {
    const saved = page.waitForEvent('download');
    await button('Save as a project').click();
    const file = await (await saved).path();
    const share = await numberIn('Refined phases', /SiO2/, 'Weight fraction');
    await page.goto(`${site.url}/xrd`);
    await upload('other.json', '{"phases": []}');
    await page.getByText('other.json is not a project of this page', { exact: false }).waitFor();
    await upload('mixture.xrd.json', readFileSync(file, 'utf8'));
    await refined.getByText('Good fit').waitFor();
    expect(await numberIn('Refined phases', /SiO2/, 'Weight fraction')).toBe(share);
    await page.getByRole('button', { name: 'Remove Al₂O₃' }).waitFor();
  });

  it('has no accessibility violations', async () => {
    await page.getByText('Advanced options').click();
    expect(await violationsInBoth(page)).toEqual([]);
  });

  it('yields only cells and no weight fractions by Le Bail refinement', async () => {
    await page.getByRole('combobox', { name: 'Method' }).selectOption('le-bail');
    await button('Refine').click();
    await expect.poll(() => refined.getByText('Weight fraction (%)').count()).toBe(0);
    await refined.getByRole('table', { name: 'Refined cells' }).waitFor();
    expect(complaints).toEqual([]);
  });
});

describe('the .xrdml file of a diffractometer with corundum', () => {
  const { x, y } = simulatedMixture([{ structure: corundum, share: 1, strain: -0.007 }], {
    ...SCAN,
    seed: 7,
  });
  const data = `<positions axis="2Theta" unit="deg"><startPosition>${x[0]}</startPosition><endPosition>${x.at(-1)}</endPosition></positions>
<commonCountingTime unit="seconds">1</commonCountingTime><intensities unit="counts">${y.join(' ')}</intensities>`;

  it('leads to the refined cell with the wavelengths of the file, in Chinese', async () => {
    const visitor = await newVisitor(browser, { token, language: 'zh' });
    const own = visitor.page;
    await own.goto(`${site.url}/xrd`);
    await own
      .locator('input[name=xrd-file]')
      .setInputFiles({ name: 'corundum.xrdml', mimeType: 'text/xml', buffer: Buffer.from(xrdml({ data })) });
    await own.getByText('PANalytical XRDML').waitFor();
    await own.getByRole('button', { name: '匹配', exact: true }).click();
    await own.getByRole('button', { name: '移除 Al₂O₃' }).waitFor();
    await own.getByRole('button', { name: '精修', exact: true }).click();
    await own.locator('#refined').getByText('拟合良好').waitFor();
    const row = own.locator('#refined').getByRole('row', { name: /a \(Å\)/ });
    const [edge] = /\d\.\d{4,}/.exec((await row.first().textContent()) ?? '') ?? [];
    // The Kα1 wavelength in the file is 2.5e-5 (relative) longer than that of the simulation.
    const wanted = (0.993 * edgeOf(corundum) * 1.540598) / 1.54056;
    expect(Math.abs(Number(edge) / wanted - 1)).toBeLessThan(5e-5);
    expect(visitor.complaints).toEqual([]);
  });
});
