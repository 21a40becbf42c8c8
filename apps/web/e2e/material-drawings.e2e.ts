/** Drawings of gallium arsenide (193): bands of two functionals and both spins, zone, X-rays, and saved files. */
import { readFile } from 'node:fs/promises';
import type { MaterialDetail } from '@unitcell/contract/matdata';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { newVisitor } from './support/browser.ts';
import { CHART, makeChartLive } from './support/charts.ts';
import { scrollToCentre } from './support/page-state.ts';
import { tokenFor } from './support/sign-in.ts';
import { openSite } from './support/open-site.ts';

const HYBRID_SHIFT_EV = 1;
const EXCHANGE_EV = 0.2;

const { site, browser } = await openSite({ keepsPages: true });
const token = await tokenFor(site, '13900000034');

type Diagram = MaterialDetail['elec_diagram'];

/** Adds hybrid bands made from the PBE ones: a gap wider by 1 eV, spin down 0.2 eV above spin up. */
function withHybridBands(diagram: Diagram): Diagram {
  const [pbe] = diagram.band_structures;
  const [density] = diagram.densities_of_states;
  if (!pbe || !density) throw new Error('gallium arsenide of the seed has bands and a density of states');
  const isConduction = (band: number): boolean =>
    pbe.spinUp.every((energies) => (energies[band] ?? 0) > pbe.fermiEnergy);
  const shifted = (by: number): number[][] =>
    pbe.spinUp.map((energies) =>
      energies.map((energy, band) => energy + by + (isConduction(band) ? HYBRID_SHIFT_EV : 0)),
    );
  const hybrid = {
    ...pbe,
    functional: 'HSE06',
    spinUp: shifted(0),
    spinDown: shifted(EXCHANGE_EV),
    fermiEnergy: pbe.fermiEnergy + 0.3,
  };
  return {
    ...diagram,
    hse_elec_diagram_display: 'block',
    band_structures: [pbe, hybrid],
    densities_of_states: [density, { ...density, functional: 'HSE06', totalDown: density.total }],
  };
}

let page: Page;
let complaints: readonly string[];
/** All tests share one page. No test changes what another one checks; only the first one finds it without plotly.js. */
beforeAll(async () => {
  const permissions = ['clipboard-read', 'clipboard-write'];
  ({ page, complaints } = await newVisitor(browser, { token, permissions }));
  // The seed data has no hybrid bands. The tests of the API check that stored hybrid bands are returned.
  await page.route('**/api/matdata/get_struct_detail/', async (route) => {
    const answer = await route.fetch();
    const detail = (await answer.json()) as MaterialDetail;
    const ofPbe = detail.sources.filter(({ section, of }) => section === 'bands' && of === 'PBE');
    const json = {
      ...detail,
      elec_diagram: withHybridBands(detail.elec_diagram),
      sources: [...detail.sources, ...ofPbe.map((source) => ({ ...source, of: 'HSE06' }))],
    };
    await route.fulfill({ response: answer, json });
  });
  await page.goto(`${site.url}/matdatades/193#bands-hse`);
});

/** Points at the chart of a section, which makes it live, and returns it. */
const live = async (section: string): Promise<Locator> => {
  const panel = page.locator(`#${section}`);
  await scrollToCentre(panel);
  await makeChartLive(panel);
  return panel.locator('.js-plotly-plot .nsewdrag').first();
};

/** Presses a button and reads the file that is saved. */
async function saved(section: string, button: string): Promise<{ name: string; content: Buffer }> {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.locator(`#${section}`).getByRole('button', { name: button, exact: true }).first().click(),
  ]);
  return { name: download.suggestedFilename(), content: await readFile(await download.path()) };
}

const PNG_SIGNATURE = '89504e470d0a1a0a';

it('a surface is saved as PNG at once, although plotly.js arrives later', async () => {
  let arrive = (): void => undefined;
  const clicked = new Promise<void>((resolve) => (arrive = resolve));
  await page.route(/plotly/, async (route) => {
    await clicked;
    await route.continue();
  });
  const panel = page.locator('#elastic');
  await scrollToCentre(panel);
  const download = page.waitForEvent('download');
  await panel.getByRole('button', { name: 'PNG', exact: true }).first().click();
  arrive();
  expect((await download).suggestedFilename()).toMatch(/^193.*\.png$/);
  await page.unroute(/plotly/);
  expect(complaints).toEqual([]);
});

describe('the bands of two functionals', () => {
  it('are both drawn with Fermi level and gap, and with both spins if the data has them', async () => {
    await live('bands-pbe');
    await live('bands-hse');
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
    // Both functionals share one Brillouin zone, drawn beside the first bands.
    await expect.poll(() => page.locator('#brillouin-zone').count()).toBe(1);
    expect(complaints).toEqual([]);
  });
});

describe('the Brillouin zone', () => {
  it('highlights the k-point hovered in the bands; the bands highlight the one hovered in the zone', async () => {
    const plot = await live('bands-pbe');
    const zone = page.locator('#brillouin-zone');
    // Moving the pointer vertically at a quarter of the path crosses at least one band.
    await expect
      .poll(async () => {
        const frame = (await plot.boundingBox())!;
        for (let step = 0; step < 40; step++) {
          await page.mouse.move(frame.x + frame.width * 0.25, frame.y + (frame.height * step) / 40);
          if ((await zone.locator('output').innerText()) !== '') return true;
        }
        return false;
      })
      .toBe(true);
    await expect.poll(() => zone.locator('circle[class*=marked]').count()).toBe(1);

    const marksBefore = await page.locator('#bands-pbe .shapelayer path').count();
    await zone.locator('svg g circle').first().hover({ force: true });
    await expect.poll(() => zone.locator('output').innerText()).toMatch(/Γ|X|L|W|K|U/);
    expect(marksBefore).toBeGreaterThan(0);

    // A tap marks the k-point as well, and the mark stays after the finger is lifted.
    await page.mouse.move(0, 0);
    await expect.poll(() => zone.locator('output').innerText()).toBe('');
    const point = (await zone.locator('svg g circle').first().boundingBox())!;
    const touch = await page.context().newCDPSession(page);
    const finger = { x: point.x + point.width / 2, y: point.y + point.height / 2 };
    await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [finger] });
    await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
    await expect.poll(() => zone.locator('output').innerText()).not.toBe('');
  });
});

describe('the page lets a visitor save', () => {
  it('every drawing as CSV, PNG and SVG, and the densities of both spins as CSV', async () => {
    for (const [section, name] of [
      ['xrd', /xrd/],
      ['bands-pbe', /pbe-bands/],
      ['bands-hse', /hse-bands/],
      ['brillouin-zone', /brillouin-zone/],
      ['elastic', /young|elastic/],
    ] as const) {
      const panel = page.locator(`#${section}`);
      await scrollToCentre(panel);
      if (section !== 'brillouin-zone') await panel.locator(CHART).first().waitFor();

      const csv = await saved(section, 'CSV');
      expect(csv.name).toMatch(name);
      expect(csv.name).toMatch(/^193.*\.csv$/);
      const lines = csv.content.toString('utf8').trim().split('\n');
      expect(lines.length).toBeGreaterThan(9);
      const address = `${site.url}/matdatades/193`;
      for (const fact of [`# address: ${address}`, '# source: ', '# licence: ', '# release: '])
        expect(lines.some((line) => line.replace('\ufeff', '').startsWith(fact))).toBe(true);
      const png = await saved(section, 'PNG');
      expect(png.content.subarray(0, 8).toString('hex')).toBe(PNG_SIGNATURE);
      expect(png.content.includes(`Address\0\0\0\0\0${address}`)).toBe(true);
      const svg = await saved(section, 'SVG');
      expect(svg.content.toString('utf8')).toMatch(/<svg[\s>]/);
      expect(svg.content.toString('utf8')).toContain(`<dc:identifier>${address}</dc:identifier>`);
    }
    const densities = await saved('bands-hse', 'DOS as CSV');
    expect(densities.name).toBe('193-hse-dos.csv');
    const table = densities.content.toString('utf8').split('\n');
    expect(table.find((line) => !/^\ufeff?#/.test(line))).toContain('total down');
  });

  it('the citation, as text and as BibTeX', async () => {
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

describe('the X-ray pattern', () => {
  it('shows indices and spacing of the line under the pointer', async () => {
    const plot = await live('xrd');
    await expect
      .poll(async () => {
        const frame = (await plot.boundingBox())!;
        // The (111) reflection of GaAs is at 2θ = 27.3° for Cu Kα, on an axis from 10° to 70°. Its peak almost reaches
        // the top of the frame.
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

  it('can be generated for another source, and shows errors for an invalid wavelength or size', async () => {
    const panel = page.locator('#xrd');
    await panel.locator(CHART).first().waitFor();
    const source = panel.getByRole('combobox', { name: 'Radiation' });
    await source.selectOption({ label: 'Neutrons, constant wavelength' });
    await panel.getByRole('textbox', { name: 'Wavelength' }).fill('1.594');
    await panel.getByRole('button', { name: 'Generate' }).click();
    await panel.getByRole('img', { name: /wavelength of 1\.594 Å/ }).waitFor();
    await source.selectOption('MoKα');
    await expect.poll(() => panel.getByRole('textbox', { name: 'Wavelength' }).inputValue()).toBe('0.71073');
    await panel.getByRole('button', { name: 'Generate' }).click();
    await panel.getByRole('img', { name: /wavelength of 0\.71073 Å/ }).waitFor();

    const options = await source.getByRole('option').allTextContents();
    expect([options[0], options.length]).toEqual(['MoKα', 26]);
    await source.selectOption({ label: 'Custom' });
    await expect.poll(() => panel.getByRole('textbox', { name: 'Wavelength' }).inputValue()).toBe('');

    for (const wavelength of ['', '0', '-1.5', 'NaN', '1e9']) {
      await panel.getByRole('textbox', { name: 'Wavelength' }).fill(wavelength);
      await panel.getByRole('button', { name: 'Generate' }).click();
      await panel
        .getByRole('alert')
        .getByText(/wavelength/i)
        .waitFor();
    }
    await panel.getByRole('textbox', { name: 'Wavelength' }).fill('1.54184');
    await panel.getByRole('textbox', { name: 'Crystallite size' }).fill('0');
    await panel.getByRole('button', { name: 'Generate' }).click();
    await panel.getByRole('alert').getByText(/size/i).waitFor();
    // The last valid pattern stays visible.
    await panel.getByRole('img', { name: /wavelength of 0\.71073 Å/ }).waitFor();
  });
});
