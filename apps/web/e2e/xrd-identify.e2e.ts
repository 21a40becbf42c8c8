/** From a measured pattern to its phases and their weight fractions, without naming a phase. */
import { readFileSync } from 'node:fs';
import { readCif } from '@unitcell/crystal';
import { hasSharedData, sharedPath } from '@unitcell/tools/shared-data';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { simulatedMixture } from '../../../packages/diffraction/src/testing/simulated-mixture.ts';
import { violationsInBoth } from './support/axe.ts';
import { newVisitor, oneUnlessNightly } from './support/browser.ts';
import { openSite } from './support/open-site.ts';
import { tokenFor } from './support/sign-in.ts';

/** Ids of materials in the seed data. */
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

/** Opens the page, uploads a file and starts the identification. */
async function identify(
  language: 'en' | 'zh',
  name: string,
  content: Buffer,
  { width = 1440, elements = '' } = {},
) {
  const viewport = { width, height: 900 };
  const { page, complaints } = await newVisitor(browser, { token, language, viewport });
  await page.goto(`${site.url}/xrd`);
  await page
    .locator('input[name=xrd-file]')
    .setInputFiles({ name, mimeType: 'application/octet-stream', buffer: content });
  await page.getByRole('textbox', { name: language === 'en' ? 'Elements' : '元素' }).fill(elements);
  const action = language === 'en' ? 'Identify and refine' : '鉴定并精修';
  await page.getByRole('button', { name: action, exact: true }).click();
  await page.locator('#identified').waitFor();
  return { page, complaints };
}

describe('a simulated mixture of 60 % quartz and 40 % corundum by weight', () => {
  it('is identified and refined to its weight fractions within 1.5 %', async () => {
    const { x, y } = simulatedMixture(
      [
        { structure: await structureOf(QUARTZ), share: 0.6, strain: -0.006 },
        { structure: await structureOf(CORUNDUM), share: 0.4, strain: -0.008 },
      ],
      { seed: 38, displacementDeg: 0.03, stepDeg: 0.04, twoThetaRangeDeg: [15, 85] },
    );
    const text = x.map((angle, i) => `${angle} ${y[i]}`).join('\n');
    const { page, complaints } = await identify('en', 'mixture.xy', Buffer.from(text));
    await page
      .locator('#identified')
      .getByText('Structure found, elements not certain', { exact: true })
      .waitFor();
    const fractions = (await page.locator('#refined').textContent()) ?? '';
    const [, quartz] = /SiO2\s*(\d+\.\d+)/.exec(fractions) ?? [];
    expect(Math.abs(Number(quartz) - 60)).toBeLessThan(1.5);
    expect(await violationsInBoth(page)).toEqual([]);
    expect(complaints).toEqual([]);
  });
});

/** A file exactly as the instrument wrote it. */
const instrumentFile = (name: string): Buffer => readFileSync(sharedPath('datasets', 'xrd-files', name));
const excess = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

describe.skipIf(!hasSharedData)('a file of a diffractometer', () => {
  // datalab-org/datalab 7703693, MIT: TiO2; the lines are those of rutile, a = 4.594 and c = 2.959 Å (room temperature).
  it.each(
    oneUnlessNightly([
      ['zh', 360],
      ['en', 1440],
    ]),
  )('in .raw format with one phase leads to the refined cell (%s, %i px)', async (language, width) => {
    const name = 'bruker-v4-tio2.raw';
    const { page, complaints } = await identify(language, name, instrumentFile(name), { width });
    const title = language === 'en' ? 'Phases identified' : '物相已鉴定';
    await page.locator('#identified').getByText(title, { exact: true }).waitFor();
    const cells = page.locator('#refined').getByRole('table', {
      name: language === 'en' ? 'Refined cells' : '精修所得晶胞',
    });
    for (const [edge, length] of [
      ['a', 4.594],
      ['c', 2.959],
    ] as const) {
      const row = cells.getByRole('row', { name: `${edge} (Å)` }).first();
      const [found] = /\d\.\d{3,}/.exec((await row.textContent()) ?? '') ?? [];
      expect(Math.abs(Number(found) / length - 1)).toBeLessThan(2e-3);
    }
    expect(await excess(page)).toBe(0);
    expect(complaints).toEqual([]);
  });

  // datalab-org/datalab 7703693, MIT: a layered oxide, whose composition is not stated. Two peaks of the file give its cell
  // by hand: (110) at 62.415° and (006) at 33.662°, with the mean Cu Kα.
  it.runIf(process.env.NIGHTLY)(
    'in .xrdml format with one phase and given elements leads to the refined cell, in Chinese',
    async () => {
      const name = 'pan-powder-a.xrdml';
      const { page, complaints } = await identify('zh', name, instrumentFile(name), {
        elements: 'only: Na Fe O',
      });
      const cells = page.locator('#refined').getByRole('table', { name: '精修所得晶胞' });
      for (const [edge, length] of [
        ['a', 2.976],
        ['c', 15.975],
      ] as const) {
        const row = cells.getByRole('row', { name: `${edge} (Å)` }).first();
        const [found] = /\d+\.\d{3,}/.exec((await row.textContent()) ?? '') ?? [];
        expect(Math.abs(Number(found) / length - 1)).toBeLessThan(2e-3);
      }
      expect(await excess(page)).toBe(0);
      expect(complaints).toEqual([]);
    },
  );

  // wojdyr/xylib 199a1ed: an organic crystal, first line at d = 9.7 Å. The seed data has no such material.
  it.each(
    oneUnlessNightly([
      ['en', 1440, 'No match', 'no material of this database explains the pattern'],
      ['zh', 360, '没有匹配', '本库中没有材料能解释该图谱'],
    ]),
  )(
    '.raw of a phase that the catalogue lacks gives no match, and says so (%s, %i px)',
    async (language, width, title, statement) => {
      const name = 'bruker-v3-a.raw';
      const { page, complaints } = await identify(language, name, instrumentFile(name), { width });
      const answer = page.locator('#identified');
      await answer.getByText(title, { exact: true }).waitFor();
      await answer.getByText(statement, { exact: false }).waitFor();
      expect(await page.locator('#refined').count()).toBe(0);
      expect(complaints).toEqual([]);
    },
  );

  // IUCr round robin, 1g: 31.37 % corundum, 34.42 % fluorite and 34.21 % zincite by weight. Madsen et al., J. Appl. Cryst. 34,
  // 409 (2001).
  it.runIf(process.env.NIGHTLY).each([
    ['en', 360],
    ['zh', 1440],
  ] as const)('a weighed mixture leads to its fractions within 2 % (%s, %i px)', async (language, width) => {
    const name = 'cpd-1g.xy';
    const content = readFileSync(sharedPath('datasets', 'rietveld', name));
    const { page, complaints } = await identify(language, name, content, { width });
    const fractions = (await page.locator('#refined').textContent()) ?? '';
    for (const [formula, weighed] of [
      ['Al2O3', 31.37],
      ['CaF2', 34.42],
      ['ZnO', 34.21],
    ] as const) {
      const [, share] = new RegExp(`${formula}\\s*(\\d+\\.\\d+)`).exec(fractions) ?? [];
      expect(Math.abs(Number(share) - weighed)).toBeLessThan(2);
    }
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: language === 'en' ? 'Report' : '报告', exact: true }).click();
    const report = readFileSync(await (await saved).path(), 'utf8');
    expect(report).toContain('J. Appl. Cryst. 2, 65 (1969)');
    expect(await excess(page)).toBe(0);
    expect(complaints).toEqual([]);
  });
});
