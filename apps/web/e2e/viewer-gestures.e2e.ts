/** The crystal viewer in use: picking, measuring, choosing what is shown, pictures and files. */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { ballRadius } from '../src/viz/crystal-viewer/scene.ts';
import { STAGE_MARGIN } from '../src/viz/crystal-viewer/view.ts';
import { violations } from './support/axe.ts';
import { SMALL_WINDOW } from './support/browser.ts';
import {
  drawing,
  materialOpener,
  nextFrames,
  overlay,
  savedPicture,
  sharesOf,
} from './support/crystal-viewer.ts';
import { tokenFor } from './support/sign-in.ts';
import { openSite } from './support/open-site.ts';

const { site, browser } = await openSite();
const openMaterial = materialOpener({ site, browser }, await tokenFor(site, '13900000037'));

describe('a visitor of the crystal viewer can', () => {
  it('select an atom, measure a bond and a right angle of halite, and choose cell, repeats, direction and projection', async () => {
    const { page, complaints } = await openMaterial(486, { viewport: SMALL_WINDOW });
    // Seen along c, an atom is at the centre of the 2 × 2 × 2 cells of halite.
    await page.getByRole('button', { name: 'View along c' }).click();
    await nextFrames(page);
    const box = (await drawing(page).boundingBox())!;
    const middle = [box.x + box.width / 2, box.y + box.height / 2] as const;
    await page.mouse.click(...middle);
    const card = page.locator('#structure output');
    await expect.poll(() => card.innerText()).toMatch(/(sodium|chlorine).*site \d+.*Wyckoff 4[ab]/is);
    await expect.poll(() => card.innerText()).toContain('6 bonded neighbours');
    await page.keyboard.press('Escape');
    await expect.poll(() => card.count()).toBe(0);
    await page.getByRole('button', { name: 'Measure', exact: true }).click();
    await page.mouse.click(...middle);
    await page.mouse.click(middle[0] + 1, middle[1]);
    await card.getByText('Select two atoms').waitFor();
    await page.keyboard.press('Escape');
    // Seen along c, the atoms of 2 × 2 × 2 cells of halite form a square net with a spacing of half a cell edge. The
    // top atoms are all at the same distance from the viewer.
    const details = page
      .locator('#details')
      .getByText(/\d\.\d{4}/)
      .first();
    const edge = Number(/\d\.\d{4}/.exec(await details.innerText())?.[0]);
    expect(edge).toBeGreaterThan(5.5);
    expect(edge).toBeLessThan(5.8);
    const scale = (box.height - 2 * STAGE_MARGIN) / (2 * edge + 2 * ballRadius('Na'));
    const at = (right: number, up: number) =>
      page.mouse.click(
        box.x + box.width / 2 + (right * scale * edge) / 2,
        box.y + box.height / 2 - (up * scale * edge) / 2,
      );
    await at(1, 0);
    await at(0, 0);
    await expect.poll(() => card.innerText()).toContain(`${(edge / 2).toFixed(3)} Å`);
    await at(0, 1);
    await expect.poll(() => card.innerText()).toContain('90.0°');

    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Options' }).click();
    await page.getByLabel('Picture size').selectOption('1');
    const sites = (n: number) => page.getByRole('img', { name: `Crystal structure of NaCl: ${n} sites` });
    await sites(8).waitFor();
    await page.getByLabel('Cell', { exact: true }).selectOption('primitive');
    await sites(2).waitFor();
    await page.getByLabel('Cell', { exact: true }).selectOption('given');
    await sites(2).waitFor();
    await page.getByLabel('Cell', { exact: true }).selectOption('conventional');
    await sites(8).waitFor();
    const ways: string[] = [];
    const isNew = async () => {
      await nextFrames(page);
      const picture = (await savedPicture(page)).toString('base64');
      expect(ways.includes(picture)).toBe(false);
      ways.push(picture);
    };
    await isNew();
    await page.getByLabel('Cells along a').fill('3');
    await page.getByText('3 × 2 × 2 cells').waitFor();
    await isNew();
    for (const axis of ['a', 'c']) {
      await page.getByRole('button', { name: `View along ${axis}` }).click();
      await isNew();
    }
    await page.getByLabel('Direction [uvw]').fill('1 1 1');
    await page.getByRole('button', { name: 'Apply', exact: true }).click();
    await isNew();
    await page.getByLabel('Projection').selectOption('perspective');
    await isNew();
    await page.getByLabel('Direction [uvw]').fill('0 0 0');
    await page.getByRole('button', { name: 'Apply', exact: true }).click();
    await page.getByRole('alert').getByText('Enter three integers, not all zero').waitFor();
    await page.getByLabel('Cells along b').fill('12');
    await page.getByLabel('Cells along c').fill('12');
    await page.getByLabel('Cells along a').fill('12');
    await page.getByText('12 × 12 × 12 cells').waitFor();
    expect(complaints).toEqual([]);
  });

  it('open their own POSCAR and JSON files, drop a CIF on the drawing, and see why a file is rejected', async () => {
    const { page, complaints } = await openMaterial(142, { viewport: SMALL_WINDOW });
    await page.getByRole('button', { name: 'Options' }).click();
    const input = page.locator('#structure input[type=file]');
    await input.setInputFiles({
      name: 'notes.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('nothing of the kind\n'),
    });
    await page.getByRole('alert').getByText('Not a CIF').waitFor();
    const poscar = 'salt\n2.82\n0 1 1\n1 0 1\n1 1 0\nNa Cl\n1 1\nDirect\n0 0 0\n0.5 0.5 0.5\n';
    await input.setInputFiles({ name: 'POSCAR', mimeType: 'text/plain', buffer: Buffer.from(poscar) });
    await page.getByText('Showing POSCAR, NaCl').waitFor();
    await page.getByRole('img', { name: /Crystal structure of NaCl: 2 sites/ }).waitFor();
    await page.getByRole('button', { name: 'Back to TiO₂' }).click();
    await page.getByRole('img', { name: /Crystal structure of TiO2: 6 sites/ }).waitFor();
    await expect
      .poll(() => page.getByLabel('Colour by').locator('option').allInnerTexts())
      .not.toContain('magnetic moment');
    const magnet = (element: string, abc: number[], magmom: number) => ({
      species: [{ element, occu: 1 }],
      abc,
      properties: { magmom },
    });
    const a = 2.87;
    const structure = {
      lattice: {
        matrix: [
          [a, 0, 0],
          [0, a, 0],
          [0, 0, a],
        ],
      },
      sites: [magnet('Fe', [0, 0, 0], 2.2), magnet('Cr', [0.5, 0.5, 0.5], -0.9)],
    };
    await input.setInputFiles({
      name: 'FeCr.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify({ material_id: 'mp-1', structure })),
    });
    await page.getByText('Showing FeCr.json').waitFor();
    await page.getByLabel('Colour by').selectOption('moment');
    for (const key of ['+2.2 μB', '−0.9 μB'])
      await page.getByRole('button', { name: `Show ${key}` }).waitFor();
    // The label of a site shared by two elements shows both elements.
    const cif = [
      'data_shared',
      ...['a', 'b', 'c'].map((edge) => `_cell_length_${edge} 5.6`),
      ...['alpha', 'beta', 'gamma'].map((angle) => `_cell_angle_${angle} 90`),
      'loop_',
      ...['label', 'type_symbol', 'fract_x', 'fract_y', 'fract_z', 'occupancy'].map(
        (name) => `_atom_site_${name}`,
      ),
      'Na1 Na 0 0 0 0.5',
      'K1 K 0 0 0 0.5',
    ].join('\n');
    const transfer = await page.evaluateHandle((text) => {
      const data = new DataTransfer();
      data.items.add(new File([text], 'shared.cif'));
      return data;
    }, `${cif}\n`);
    await drawing(page).dispatchEvent('drop', { dataTransfer: transfer });
    await page.getByText('Showing shared.cif').waitFor();
    await page.getByLabel('Picture size').selectOption('1');
    await page.getByRole('button', { name: 'View along c' }).click();
    await nextFrames(page);
    const hues = await page
      .locator('#structure [aria-pressed] i')
      .evaluateAll((balls) => balls.map((ball) => getComputedStyle(ball).backgroundColor));
    expect(new Set(hues).size).toBe(2);
    const [sodium, potassium] = (await sharesOf(page, await savedPicture(page), hues)).hues;
    expect(sodium).toBeGreaterThan(0.005);
    expect(potassium! / sodium!).toBeGreaterThan(0.5);
    expect(potassium! / sodium!).toBeLessThan(2);
    expect(complaints).toEqual([]);
  });

  it('use the keyboard, colour by Wyckoff position and by number of bonds with accessible options, and save a transparent image and a glTF file', async () => {
    const { page } = await openMaterial(142, { viewport: SMALL_WINDOW });
    await drawing(page).focus();
    await expect.poll(() => drawing(page).evaluate((element) => element.matches(':focus'))).toBe(true);
    const unturned = await overlay(page);
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => overlay(page)).not.toBe(unturned);
    await page.getByRole('button', { name: 'Options' }).click();
    const keys = () => page.locator('#structure [aria-label^="Show "]').allInnerTexts();
    await expect.poll(keys).toEqual(['Ti', 'O']);
    await page.getByLabel('Picture size').selectOption('1');
    const before = await savedPicture(page);
    await page.getByLabel('Colour by').selectOption('wyckoff');
    await expect.poll(keys).toEqual(['O 4f', 'Ti 2a']);
    await page.getByLabel('Colour by').selectOption('coordination');
    await expect.poll(keys).toEqual(['3', '6']);
    await nextFrames(page);
    expect((await savedPicture(page)).equals(before)).toBe(false);
    await page.getByLabel('Cell', { exact: true }).selectOption('primitive');
    expect(await violations(page, { within: '#structure' })).toEqual([]);

    const stage = (await drawing(page).boundingBox())!;
    const saved = async () => {
      const png = await savedPicture(page);
      expect(png.readUInt32BE(16)).toBe(Math.round(stage.width));
      return sharesOf(page, png);
    };
    expect(await saved()).toMatchObject({ clear: 0, solid: 1 });
    await page.getByLabel('transparent').check();
    const { clear, solid } = await saved();
    expect(clear).toBeGreaterThan(0.3);
    expect(solid).toBeGreaterThan(0.1);
    const size = process.env.NIGHTLY ? 4 : 2;
    await page.getByLabel('Picture size').selectOption(String(size));
    expect((await savedPicture(page)).readUInt32BE(16)).toBe(size * Math.round(stage.width));
    const [gltf] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'glTF' }).click(),
    ]);
    expect(JSON.parse(await readFile(await gltf.path(), 'utf8')).asset.version).toBe('2.0');
  });
});
