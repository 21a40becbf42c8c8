/** From a measured pattern to its phases and their weight fractions, without naming a phase. */
import { readFileSync } from 'node:fs';
import { readCif } from '@unitcell/crystal';
import { hasSharedData, sharedPath } from '@unitcell/tools/shared-data';
import { describe, expect, it } from 'vitest';
import { simulatedMixture } from '../../../packages/diffraction/src/testing/simulated-mixture.ts';
import { violationsInBoth } from './support/axe.ts';
import { newVisitor } from './support/browser.ts';
import { openSite } from './support/open-site.ts';
import { tokenFor } from './support/sign-in.ts';

/** Of the seed. */
const [QUARTZ, CORUNDUM] = [138, 137];

const { site, browser } = await openSite({ keepsPages: true });
const token = await tokenFor(site, '13900000140');

async function structureOf(id: number) {
  const answer = await fetch(`${site.url}/api/materials/${id}.cif`, {
    headers: { authorization: `token ${token}` },
  });
  const [first] = readCif(await answer.text()).structures;
  if (!first) throw new Error(`material ${id} has no structure`);
  return first.structure;
}

/** Opens the page, uploads a file and asks what is in it. */
async function identify(language: 'en' | 'zh', name: string, content: Buffer) {
  const { page, complaints } = await newVisitor(browser, { token, language });
  await page.goto(`${site.url}/xrd`);
  await page
    .locator('input[name=xrd-file]')
    .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: content });
  const action = language === 'en' ? 'Identify and refine' : '鉴定并精修';
  await page.getByRole('button', { name: action, exact: true }).click();
  await page.locator('#identified').waitFor();
  return { page, complaints };
}

describe('a simulated mixture of 60 % quartz and 40 % corundum by weight', () => {
  it('is identified and refined to its shares within 1.5 %', async () => {
    const { x, y } = simulatedMixture(
      [
        { structure: await structureOf(QUARTZ), share: 0.6, strain: -0.006 },
        { structure: await structureOf(CORUNDUM), share: 0.4, strain: -0.008 },
      ],
      { seed: 38, displacementDeg: 0.03, stepDeg: 0.04, twoThetaRangeDeg: [15, 85] },
    );
    const text = x.map((angle, i) => `${angle} ${y[i]}`).join('\n');
    const { page, complaints } = await identify('en', 'mixture.xy', Buffer.from(text));
    await page.locator('#identified').getByText('Phases identified', { exact: true }).waitFor();
    const fractions = (await page.locator('#refined').textContent()) ?? '';
    const [, quartz] = /SiO2\s*(\d+\.\d+)/.exec(fractions) ?? [];
    expect(Math.abs(Number(quartz) - 60)).toBeLessThan(1.5);
    expect(await violationsInBoth(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

describe.skipIf(!hasSharedData)('a file of a diffractometer', () => {
  // CederGroupHub/dara 621e38a, MIT: 40.0 % TiO2 and 60.0 % ZnO by weight.
  it('.xrdml of a weighed mixture leads a Chinese visitor to its phases', async () => {
    const name = 'mix-tio2-zno-9.xrdml';
    const { page, complaints } = await identify(
      'zh',
      name,
      readFileSync(sharedPath('datasets', 'rietveld', name)),
    );
    const found = page.locator('#identified').getByRole('list');
    await found.getByText('ZnO', { exact: false }).first().waitFor();
    await found.getByText('TiO2', { exact: false }).first().waitFor();
    expect(complaints).toEqual([]);
  });
});
