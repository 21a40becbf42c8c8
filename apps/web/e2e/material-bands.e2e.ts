/** Bands of two functionals and both spins on one page, and what can be saved of the drawings of a material. */
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { withClient } from '@unitcell/tools/database';
import { newVisitor, type Visitor, type VisitorOptions } from './support/browser.ts';
import { bringIntoSight } from './support/page-state.ts';
import { tokenFor } from './support/sign-in.ts';
import { openSite } from './support/open-site.ts';

const GALLIUM_ARSENIDE = 193;
const HYBRID_SHIFT_EV = 1;
const EXCHANGE_EV = 0.2;

interface StoredBands {
  functional: string;
  spinUp: number[][];
  spinDown?: number[][];
  fermiEnergy: number;
}

/** Stores, beside the PBE bands, hybrid ones made of them: a gap wider by 1 eV, spin down 0.2 eV above spin up. */
async function storeHybridBands(databaseUrl: string): Promise<void> {
  await withClient(databaseUrl, async (client) => {
    const { rows } = await client.query(
      "SELECT data FROM band_structure WHERE struct_id = $1 AND functional = 'PBE'",
      [GALLIUM_ARSENIDE],
    );
    const stored = rows[0]?.['data'] as StoredBands;
    const isConduction = (band: number): boolean =>
      stored.spinUp.every((energies) => (energies[band] ?? 0) > stored.fermiEnergy);
    const shifted = (by: number): number[][] =>
      stored.spinUp.map((energies) =>
        energies.map((energy, band) => energy + by + (isConduction(band) ? HYBRID_SHIFT_EV : 0)),
      );
    const hybrid = {
      ...stored,
      functional: 'HSE06',
      spinUp: shifted(0),
      spinDown: shifted(EXCHANGE_EV),
      fermiEnergy: stored.fermiEnergy + 0.3,
    };
    await client.query('INSERT INTO band_structure (struct_id, functional, data) VALUES ($1, $2, $3)', [
      GALLIUM_ARSENIDE,
      'HSE06',
      JSON.stringify(hybrid),
    ]);
    await client.query(
      `INSERT INTO density_of_states (struct_id, functional, data)
       SELECT struct_id, 'HSE06', jsonb_set(data, '{functional}', '"HSE06"') || jsonb_build_object('totalDown', data->'total')
       FROM density_of_states WHERE struct_id = $1 AND functional = 'PBE'`,
      [GALLIUM_ARSENIDE],
    );
    await client.query('UPDATE material SET has_hse = true WHERE struct_id = $1', [GALLIUM_ARSENIDE]);
  });
}

// A site of its own: the bands it stores would be seen on the pages of others.
const { site, browser } = await openSite({ env: {} });
const token = await tokenFor(site);
await storeHybridBands(site.databaseUrl);

/** The page of gallium arsenide, opened at a section. */
async function opened(section: string, options: VisitorOptions = {}): Promise<Visitor> {
  const visitor = await newVisitor(browser, { token, ...options });
  await visitor.page.goto(`${site.url}/matdatades/${GALLIUM_ARSENIDE}#${section}`);
  return visitor;
}
const drawn = (page: Page, section: string) => page.locator(`#${section} .js-plotly-plot .nsewdrag`).first();

/** Presses a button and reads the file it gives. */
async function saved(
  page: Page,
  section: string,
  button: string,
): Promise<{ name: string; content: Buffer }> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.locator(`#${section}`).getByRole('button', { name: button, exact: true }).first().click(),
  ]);
  return { name: download.suggestedFilename(), content: await readFile(await download.path()) };
}

const PNG_SIGNATURE = '89504e470d0a1a0a';

describe('bands of two functionals', () => {
  it('are both drawn, with Fermi level, gap and, where there are, both spins', async () => {
    const { page, complaints } = await opened('bands-hse');
    await drawn(page, 'bands-pbe').waitFor();
    await drawn(page, 'bands-hse').waitFor();
    const [pbe, hybrid] = ['#bands-pbe', '#bands-hse'].map((id) => page.locator(id));
    await expect.poll(() => pbe!.getByRole('heading').first().innerText()).toMatch(/^PBE Band Structure/);
    await expect.poll(() => hybrid!.getByRole('heading').first().innerText()).toMatch(/^HSE Band Structure/);
    await pbe!.getByText(/Gap along this path 0\.14 eV/).waitFor();
    await hybrid!.getByText(/Gap along this path (0\.9|1\.0)\d? eV/).waitFor();
    await expect.poll(() => pbe!.locator('.legendtext').allInnerTexts()).not.toContain('spin down');
    const legend = (await hybrid!.locator('.legendtext').allTextContents()).join(' ');
    expect(legend).toMatch(/spin up/i);
    expect(legend).toMatch(/spin down/i);
    // The Fermi level and the gap are marked.
    for (const section of [pbe!, hybrid!]) {
      await expect.poll(() => section.locator('.shapelayer path').count()).toBeGreaterThan(0);
      await expect
        .poll(() => section.locator('.annotation-text').allTextContents())
        .toEqual(expect.arrayContaining([expect.stringContaining('eV')]));
    }
    // One zone for both, beside the first.
    await expect.poll(() => page.locator('#brillouin-zone').count()).toBe(1);
    expect(complaints).toEqual([]);
  });
});

describe('what can be saved', () => {
  it('every drawing as CSV, PNG and SVG, the densities of both spins as CSV', async () => {
    const { page } = await opened('xrd');
    for (const [section, name] of [
      ['xrd', /xrd/],
      ['bands-pbe', /pbe-bands/],
      ['bands-hse', /hse-bands/],
      ['brillouin-zone', /brillouin-zone/],
      ['elastic', /young|elastic/],
    ] as const) {
      const panel = page.locator(`#${section}`);
      await bringIntoSight(panel);
      if (section === 'elastic') await panel.locator('.js-plotly-plot canvas').first().waitFor();
      else if (section !== 'brillouin-zone') await drawn(page, section).waitFor();

      const csv = await saved(page, section, 'CSV');
      expect(csv.name).toMatch(name);
      expect(csv.name).toMatch(/^193.*\.csv$/);
      const lines = csv.content.toString('utf8').trim().split('\n');
      expect(lines.length).toBeGreaterThan(9);
      const address = `${site.url}/matdatades/193`;
      for (const fact of [`# address: ${address}`, '# source: ', '# licence: ', '# release: '])
        expect(lines.some((line) => line.replace('\ufeff', '').startsWith(fact))).toBe(true);
      const png = await saved(page, section, 'PNG');
      expect(png.content.subarray(0, 8).toString('hex')).toBe(PNG_SIGNATURE);
      expect(png.content.includes(`Address\0\0\0\0\0${address}`)).toBe(true);
      const svg = await saved(page, section, 'SVG');
      expect(svg.content.toString('utf8')).toMatch(/<svg[\s>]/);
      expect(svg.content.toString('utf8')).toContain(`<dc:identifier>${address}</dc:identifier>`);
    }
    const densities = await saved(page, 'bands-hse', 'DOS as CSV');
    expect(densities.name).toBe('193-hse-dos.csv');
    const table = densities.content.toString('utf8').split('\n');
    expect(table.find((line) => !/^\ufeff?#/.test(line))).toContain('total down');
  });

  it('the citation, as text and as BibTeX', async () => {
    const { page } = await opened('cite', { permissions: ['clipboard-read', 'clipboard-write'] });
    const cite = page.locator('#cite');
    await cite.getByRole('button', { name: 'Copy BibTeX' }).click();
    const clipboard = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText());
    await expect.poll(clipboard).toMatch(/^@misc\{unitcell-193-r\d+,[\s\S]*release \d+ of \d{4}-\d\d-\d\d/);
    await cite
      .getByRole('button', { name: /^(Copy text|Copied)/ })
      .first()
      .click();
    await expect.poll(clipboard).toMatch(/^Unitcell entry 193: GaAs.*release \d+/);
  });
});

describe('X-ray diffraction', () => {
  it('says the indices and the spacing of the line that is pointed at', async () => {
    const { page } = await opened('xrd');
    const plot = drawn(page, 'xrd');
    await plot.waitFor();
    await bringIntoSight(plot);
    await expect
      .poll(async () => {
        const frame = (await plot.boundingBox())!;
        // (111) of GaAs with Cu Kα lies at 27.3°, on an axis from 10° to 70°; its top is near the top of the frame.
        const x = frame.x + (frame.width * (27.31 - 10)) / 60;
        for (let step = 2; step < 38; step += 2) {
          await page.mouse.move(x + (step % 4) - 1, frame.y + (frame.height * step) / 40);
          const texts = await page.locator('#xrd .hoverlayer text').allTextContents();
          if (texts.length > 0) return texts.join(' ');
        }
        return '';
      })
      .toMatch(/\(1 1 1\).*d = 3\.26/s);
  });
});
