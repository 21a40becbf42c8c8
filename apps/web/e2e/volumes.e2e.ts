/** Volumetric data on the page of a material: a visitor's cube file and CHGCAR, their numbers, surfaces and slices. */
import { latticeVectorsFromParameters } from '@unitcell/crystal';
import { BOHR_RADIUS_ANGSTROM } from '@unitcell/elements';
import { determinant3 } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { violations } from './support/axe.ts';
import { expectNoErrors, newVisitor, SMALL_WINDOW } from './support/browser.ts';
import { openSite } from './support/open-site.ts';
import { refusedByPolicy, overflowOf, watchDocuments } from './support/page-checks.ts';
import { tokenFor } from './support/sign-in.ts';

/** TiO2 of the seed data. */
const RUTILE = 142;
const CELL = latticeVectorsFromParameters({ a: 4.594, b: 4.594, c: 2.958, alpha: 90, beta: 90, gamma: 90 });
const POINTS = [12, 12, 8] as const;
const ELECTRONS = 48;

const { site, browser } = await openSite();

/** Text with the values at the grid points of the cell. `fastest` is the axis whose index runs fastest. */
function written(fastest: 'a' | 'c', value: (x: number, y: number, z: number) => number): string {
  const [na, nb, nc] = POINTS;
  return Array.from({ length: na * nb * nc }, (_, at) => {
    const [i, j, k] =
      fastest === 'a'
        ? [at % na, Math.floor(at / na) % nb, Math.floor(at / (na * nb))]
        : [Math.floor(at / (nb * nc)), Math.floor(at / nc) % nb, at % nc];
    return `${value(i / na, j / nb, k / nc).toExponential(8)}${at % 5 === 4 ? '\n' : ' '}`;
  }).join('');
}
const wave = (x: number): number => Math.cos(2 * Math.PI * x);

const chgcar = (amplitude: number): string => `rutile
1.0
${CELL.map((row) => row.join(' ')).join('\n')}
Ti O
2 4
Direct
0 0 0
0.5 0.5 0.5
0.6947 0.6947 0
0.3053 0.3053 0
0.8053 0.1947 0.5
0.1947 0.8053 0.5

${POINTS.join(' ')}
${written('a', (x, y, z) => ELECTRONS * (1 + amplitude * wave(x) * wave(y) * wave(z)))}
`;
const CUBE = `a wave
made for this test
1 0 0 0
${CELL.map((row, axis) => `${POINTS[axis]} ${row.map((value) => value / (POINTS[axis] ?? 1) / BOHR_RADIUS_ANGSTROM).join(' ')}`).join('\n')}
12 0 0 0 0
${written('c', (x, y, z) => wave(x) + wave(y) + wave(z))}
`;

describe('volumetric data of a visitor', () => {
  it('are drawn as surfaces and slices with their values, and are not blocked by the policy', async () => {
    const visitor = await newVisitor(browser, {
      token: await tokenFor(site, '13900000078'),
      viewport: SMALL_WINDOW,
    });
    const { page } = visitor;
    await watchDocuments(page);
    await page.goto(`${site.url}/matdatades/${RUTILE}#volume`);
    const section = page.locator('#volume');
    const open = (name: string, content: string) =>
      section
        .locator('input[type=file]')
        .setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(content) });
    const fact = (name: string) => section.getByRole('row', { name }).getByRole('cell');
    const drawing = section.locator('figure[data-ready]');

    await open('notes.txt', 'no data at all\n');
    await section.getByRole('alert').getByText('Not a VASP grid').waitFor();

    await open('CHGCAR', chgcar(0.5));
    await drawing.waitFor();
    expect(await fact('Integral over the cell').textContent()).toBe(`${ELECTRONS} e`);
    const volume = determinant3(CELL);
    expect(await fact('Maximum').textContent()).toBe(`${((1.5 * ELECTRONS) / volume).toPrecision(4)} e/Å³`);
    expect(await section.getByText('this material is').count()).toBe(0);

    const level = section.getByRole('slider', { name: 'Level of the isosurface' });
    const before = await drawing.getAttribute('aria-label');
    const picture = () => drawing.locator('canvas').first().screenshot();
    const first = await picture();
    await level.press('PageDown');
    await level.press('ArrowLeft');
    await expect.poll(() => drawing.getAttribute('aria-label')).not.toBe(before);
    await expect.poll(async () => (await picture()).equals(first)).toBe(false);
    const lower = await picture();
    await section.getByRole('button', { name: 'Rotate right' }).press('Enter');
    await expect.poll(async () => (await picture()).equals(lower)).toBe(false);

    const slice = section.getByRole('region', { name: 'Slice' });
    await slice.getByRole('button', { name: 'Slice across a' }).click();
    await slice.getByRole('slider', { name: 'Position of the slice along a' }).press('End');
    await slice.getByText('a = 1.00').waitFor();
    await slice.locator('.js-plotly-plot .nsewdrag').first().waitFor();

    const belowZero = section.getByText('No total density of electrons is negative');
    expect(await belowZero.count()).toBe(0);
    await open('CHGCAR', chgcar(1.5));
    await belowZero.waitFor();

    await open('wave.cube', CUBE);
    await section.getByText('The file contains Mg, this material is TiO₂.').waitFor();
    expect(await fact('Minimum').textContent()).toBe('−3');
    await section.getByText('Positive is red, negative is blue.').waitFor();
    await drawing.waitFor();
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      section.getByRole('button', { name: 'Download the drawing as PNG' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe(`${RUTILE}-volume-isosurface.png`);

    expect(await violations(page, { within: '#volume' })).toEqual([]);
    await page.setViewportSize({ width: 360, height: 740 });
    await expect.poll(() => overflowOf(page)).toBe('');
    expect(await refusedByPolicy(page)).toEqual([]);
    expectNoErrors(visitor);
  });
});
