/** The crystal viewer in a browser: what only pixels, fingers and a graphics context can show. */
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { violations } from './support/axe.ts';
import { ballRadius } from '../src/viz/crystal-viewer/scene.ts';
import { STAGE_MARGIN } from '../src/viz/crystal-viewer/view.ts';
import { newVisitor, type VisitorOptions } from './support/browser.ts';
import { settled } from './support/page-state.ts';
import { tokenFor } from './support/sign-in.ts';
import { openStage } from './support/stage.ts';

const { site, browser } = await openStage({ leavesEach: true });
const token = await tokenFor(site);

const PHONE: VisitorOptions = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };
const drawing = (page: Page): Locator => page.locator('#structure [role=img]');
const nextFrames = (page: Page) =>
  page.evaluate(
    () =>
      new Promise((done) =>
        requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done))),
      ),
  );

async function openMaterial(id: number, options: VisitorOptions = {}) {
  const visitor = await newVisitor(browser, { token, ...options });
  await visitor.page.goto(`${site.url}/matdatades/${id}`);
  await drawing(visitor.page).waitFor();
  // Under a finger it stays a still drawing until the first tap.
  if (options.hasTouch !== true)
    await visitor.page.locator('#structure [role=img][data-state=ready]').waitFor();
  await nextFrames(visitor.page);
  return visitor;
}

/** What is written over the crystal, the arrows of its axes among it: another picture when it was turned. */
const overlay = (page: Page): Promise<string> =>
  page
    .locator('#structure canvas')
    .nth(1)
    .evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL());

/** One finger from a place to another, as the touch screen tells the browser. */
async function swipe(
  page: Page,
  from: readonly [number, number],
  to: readonly [number, number],
): Promise<void> {
  const STEPS = 12;
  const hand = await page.context().newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove', step: number) =>
    hand.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: [
        {
          x: from[0] + ((to[0] - from[0]) * step) / STEPS,
          y: from[1] + ((to[1] - from[1]) * step) / STEPS,
        },
      ],
    });
  await touch('touchStart', 0);
  for (let step = 1; step <= STEPS; step++) {
    await touch('touchMove', step);
    await nextFrames(page);
  }
  await hand.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await hand.detach();
}

/** The picture of the WebGL canvas as the share of its edge pixels, and of all, that something is drawn on. */
const paintedShares = (page: Page) =>
  page.evaluate(async () => {
    const canvas = document.querySelector<HTMLCanvasElement>('#structure canvas')!;
    // A read in the same frame as a drawing: the buffer is gone after it.
    const host = canvas.parentElement!;
    host.dispatchEvent(new KeyboardEvent('keydown', { key: '0', bubbles: true }));
    await new Promise((done) => requestAnimationFrame(done));
    const copy = document.createElement('canvas');
    [copy.width, copy.height] = [canvas.width, canvas.height];
    const context = copy.getContext('2d')!;
    context.drawImage(canvas, 0, 0);
    const { data } = context.getImageData(0, 0, copy.width, copy.height);
    let [edge, all] = [0, 0];
    for (let y = 0; y < copy.height; y++)
      for (let x = 0; x < copy.width; x++) {
        if (data[4 * (y * copy.width + x) + 3] === 0) continue;
        all++;
        if (x === 0 || y === 0 || x === copy.width - 1 || y === copy.height - 1) edge++;
      }
    return { edge, all: all / (copy.width * copy.height) };
  });

/** The picture the viewer saves. */
async function savedPicture(page: Page): Promise<Buffer> {
  const [png] = await Promise.all([
    page.waitForEvent('download'),
    page.locator('#structure').getByRole('button', { name: 'PNG' }).click(),
  ]);
  expect(png.suggestedFilename()).toMatch(/^\w+\.png$/);
  return readFile(await png.path());
}

/** Of a PNG: the shares of its pixels that are clear, that are solid, and that have the hue of each colour, light or dark. */
const sharesOf = (page: Page, png: Buffer, hues: readonly string[] = []) =>
  page.evaluate(
    async ([base64, wanted]) => {
      const bytes = Uint8Array.from(atob(base64), (letter) => letter.codePointAt(0)!);
      const image = await createImageBitmap(new Blob([bytes], { type: 'image/png' }));
      const canvas = new OffscreenCanvas(image.width, image.height);
      const context = canvas.getContext('2d')!;
      context.drawImage(image, 0, 0);
      const { data } = context.getImageData(0, 0, image.width, image.height);
      const colors = wanted.map((hue) => (hue.match(/\d+/g) ?? []).map(Number));
      const counts = { clear: 0, solid: 0, hues: colors.map(() => 0) };
      for (let at = 0; at < data.length; at += 4) {
        const alpha = data[at + 3]!;
        if (alpha === 0) counts.clear++;
        if (alpha === 255) counts.solid++;
        const [r, g, b] = [data[at]!, data[at + 1]!, data[at + 2]!];
        const size = Math.hypot(r, g, b);
        for (const [place, [x = 0, y = 0, z = 0]] of colors.entries())
          if (size > 60 && r * x + g * y + b * z > 0.9985 * size * Math.hypot(x, y, z)) counts.hues[place]!++;
      }
      const all = data.length / 4;
      return {
        clear: counts.clear / all,
        solid: counts.solid / all,
        hues: counts.hues.map((count) => count / all),
      };
    },
    [png.toString('base64'), hues] as const,
  );

describe('the stage', () => {
  it.each([200, 142])(
    'of material %i holds the whole crystal and is well filled, on a desk and on a phone',
    async (id) => {
      for (const options of [{}, PHONE]) {
        const { page } = await openMaterial(id, options);
        const { edge, all } = await paintedShares(page);
        expect(edge).toBe(0);
        expect(all).toBeGreaterThan(0.1);
      }
    },
  );

  it('shares the first screen with the facts, and stands in the first screen of a phone', async () => {
    const { page } = await openMaterial(142);
    const stage = (await drawing(page).boundingBox())!;
    expect(stage.y + stage.height).toBeLessThanOrEqual(900);
    for (const fact of ['Above hull', 'Band gap', 'Density']) {
      const box = (await page.locator('header dl').getByText(fact).boundingBox())!;
      expect(box.y + box.height).toBeLessThanOrEqual(900);
    }
    const phone = await openMaterial(142, PHONE);
    const small = (await drawing(phone.page).boundingBox())!;
    expect(small.y + small.height).toBeLessThanOrEqual(740);
  });

  it('scrolls the page under a finger passing by, and turns after a tap', async () => {
    const { page } = await openMaterial(142, PHONE);
    const touchAction = () => drawing(page).evaluate((element) => getComputedStyle(element).touchAction);
    expect(await touchAction()).toBe('pan-x pan-y');
    await drawing(page).tap();
    await expect.poll(touchAction).toBe('none');
    await page.getByRole('heading', { level: 1 }).tap();
    await expect.poll(touchAction).toBe('pan-x pan-y');
  });

  it('lets a finger that swipes over it scroll the page, and turns under the same finger after a tap', async () => {
    const { page } = await openMaterial(142, PHONE);
    // What comes late must not move the page under the finger.
    await settled(page);
    const box = (await drawing(page).boundingBox())!;
    const [x, y] = [box.x + box.width / 2, box.y + box.height * 0.7];
    const still = await overlay(page);
    await swipe(page, [x, y], [x, y - 150]);
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(60);
    expect(await overlay(page)).toBe(still);
    await page.evaluate(() => scrollTo(0, 0));
    await drawing(page).tap();
    await expect
      .poll(() => drawing(page).evaluate((element) => getComputedStyle(element).touchAction))
      .toBe('none');
    await swipe(page, [x, y], [x, y - 150]);
    await expect.poll(() => overlay(page)).not.toBe(still);
    expect(await page.evaluate(() => scrollY)).toBe(0);
  });

  it('keeps the switch of the polyhedra in its place where one element has none', async () => {
    const { page } = await openMaterial(12);
    const polyhedra = page.getByRole('button', { name: 'Polyhedra', exact: true });
    expect(await polyhedra.isVisible()).toBe(true);
    expect(await polyhedra.isDisabled()).toBe(true);
  });

  it('comes back when the graphics card took the drawing away', async () => {
    const { page } = await openMaterial(142);
    await page.evaluate(() => {
      const gl = document.querySelector<HTMLCanvasElement>('#structure canvas')!.getContext('webgl2')!;
      const extension = gl.getExtension('WEBGL_lose_context')!;
      (window as unknown as { restore: () => void }).restore = () => extension.restoreContext();
      extension.loseContext();
    });
    await page.getByText('The graphics card took the drawing away').waitFor();
    expect(await page.locator('#structure svg circle').count()).toBeGreaterThan(20);
    await page.evaluate(() => (window as unknown as { restore: () => void }).restore());
    await page.getByText('The graphics card took the drawing away').waitFor({ state: 'detached' });
    expect((await paintedShares(page)).all).toBeGreaterThan(0.1);
  });

  it('is a still drawing where there is no WebGL', async () => {
    const visitor = await newVisitor(browser, { token });
    await visitor.page.addInitScript(() => {
      const { getContext } = HTMLCanvasElement.prototype;
      HTMLCanvasElement.prototype.getContext = function refuse(
        this: HTMLCanvasElement,
        kind: string,
        ...rest: never[]
      ) {
        return kind.startsWith('webgl') ? null : Reflect.apply(getContext, this, [kind, ...rest]);
      } as typeof getContext;
    });
    await visitor.page.goto(`${site.url}/matdatades/142`);
    await visitor.page.getByText('A still drawing').waitFor();
    expect(await visitor.page.locator('#structure svg circle').count()).toBeGreaterThan(20);
    expect(visitor.complaints).toEqual([]);
  });
});

describe('the hands', () => {
  it('pick an atom, and measure between two', async () => {
    const { page, complaints } = await openMaterial(486);
    // Along c an atom stands in the middle of the 2 × 2 × 2 cells of halite.
    await page.getByRole('button', { name: 'View along c' }).click();
    await nextFrames(page);
    const box = (await drawing(page).boundingBox())!;
    const middle = [box.x + box.width / 2, box.y + box.height / 2] as const;
    await page.mouse.click(...middle);
    const card = page.locator('#structure output');
    expect(await card.innerText()).toMatch(/(sodium|chlorine).*site \d+.*Wyckoff 4[ab]/is);
    expect(await card.innerText()).toContain('6 bonded neighbours');
    await page.keyboard.press('Escape');
    expect(await card.count()).toBe(0);
    await page.getByRole('button', { name: 'Measure', exact: true }).click();
    await page.mouse.click(...middle);
    await page.mouse.click(middle[0] + 1, middle[1]);
    await card.getByText('Choose two atoms').waitFor();
    expect(complaints).toEqual([]);
  });

  it('measure the bond of halite and its right angle', async () => {
    const { page } = await openMaterial(486);
    await page.getByRole('button', { name: 'View along c' }).click();
    await nextFrames(page);
    // Seen along c, 2 × 2 × 2 cells of halite are a square net of atoms half an edge apart; the topmost are all as near.
    const edge = Number(/\d\.\d{4}/.exec(await page.locator('#details').innerText())?.[0]);
    expect(edge).toBeGreaterThan(5.5);
    expect(edge).toBeLessThan(5.8);
    const box = (await drawing(page).boundingBox())!;
    const scale = (box.height - 2 * STAGE_MARGIN) / (2 * edge + 2 * ballRadius('Na'));
    const at = (right: number, up: number) =>
      page.mouse.click(
        box.x + box.width / 2 + (right * scale * edge) / 2,
        box.y + box.height / 2 - (up * scale * edge) / 2,
      );
    await page.getByRole('button', { name: 'Measure', exact: true }).click();
    await at(1, 0);
    await at(0, 0);
    const card = page.locator('#structure output');
    await expect.poll(() => card.innerText()).toContain(`${(edge / 2).toFixed(3)} Å`);
    await at(0, 1);
    await expect.poll(() => card.innerText()).toContain('90.0°');
  });

  it('choose the cell, how many of it, from where and how it is looked at', async () => {
    const { page, complaints } = await openMaterial(486);
    await page.getByRole('button', { name: 'Options' }).click();
    await page.getByLabel('Size of the picture').selectOption('1');
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
    await page.getByRole('button', { name: 'Look', exact: true }).click();
    await isNew();
    await page.getByLabel('Projection').selectOption('perspective');
    await isNew();
    await page.getByLabel('Direction [uvw]').fill('0 0 0');
    await page.getByRole('button', { name: 'Look', exact: true }).click();
    await page.getByRole('alert').getByText('Three whole numbers, not all zero').waitFor();
    await page.getByLabel('Cells along b').fill('12');
    await page.getByLabel('Cells along c').fill('12');
    await page.getByLabel('Cells along a').fill('12');
    await page.getByText('12 × 12 × 12 cells').waitFor();
    expect(complaints).toEqual([]);
  });

  it('steer by keys where the focus shows', async () => {
    const { page } = await openMaterial(142);
    await drawing(page).focus();
    expect(await drawing(page).evaluate((element) => element.matches(':focus'))).toBe(true);
    const before = await overlay(page);
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => overlay(page)).not.toBe(before);
  });

  it('save a picture with a transparent ground and a glTF', async () => {
    const { page } = await openMaterial(142);
    await page.getByRole('button', { name: 'Options' }).click();
    await page.getByLabel('Size of the picture').selectOption('1');
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
    await page.getByLabel('Size of the picture').selectOption('4');
    expect((await savedPicture(page)).readUInt32BE(16)).toBe(4 * Math.round(stage.width));
    const [gltf] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'glTF' }).click(),
    ]);
    expect(JSON.parse(await readFile(await gltf.path(), 'utf8')).asset.version).toBe('2.0');
  });

  it('open an own file, refuse one that is none in words, and go back', async () => {
    const { page, complaints } = await openMaterial(142);
    await page.getByRole('button', { name: 'Options' }).click();
    const input = page.locator('#structure input[type=file]');
    await input.setInputFiles({
      name: 'notes.txt',
      mimeType: 'text/plain',
      buffer: Buffer.from('nothing of the kind\n'),
    });
    await page.getByRole('alert').getByText('This is neither a CIF').waitFor();
    const poscar = 'salt\n2.82\n0 1 1\n1 0 1\n1 1 0\nNa Cl\n1 1\nDirect\n0 0 0\n0.5 0.5 0.5\n';
    await input.setInputFiles({ name: 'POSCAR', mimeType: 'text/plain', buffer: Buffer.from(poscar) });
    await page.getByText('Shown: POSCAR, NaCl').waitFor();
    await page.getByRole('img', { name: /Crystal structure of NaCl: 2 sites/ }).waitFor();
    await page.getByRole('button', { name: 'Back to TiO₂' }).click();
    await page.getByRole('img', { name: /Crystal structure of TiO2: 6 sites/ }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('drop a file on the drawing; a site that two elements share shows both', async () => {
    const { page, complaints } = await openMaterial(142);
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
    await page.getByText('Shown: shared.cif').waitFor();
    await page.getByRole('button', { name: 'Options' }).click();
    await page.getByLabel('Size of the picture').selectOption('1');
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

  it('colour by Wyckoff position and by number of bonds', async () => {
    const { page } = await openMaterial(142);
    await page.getByRole('button', { name: 'Options' }).click();
    const keys = () => page.locator('#structure [aria-label^="Show "]').allInnerTexts();
    expect(await keys()).toEqual(['Ti', 'O']);
    const before = await savedPicture(page);
    await page.getByLabel('Colour by').selectOption('wyckoff');
    expect(await keys()).toEqual(['O 4f', 'Ti 2a']);
    await page.getByLabel('Colour by').selectOption('coordination');
    expect(await keys()).toEqual(['3', '6']);
    await nextFrames(page);
    expect((await savedPicture(page)).equals(before)).toBe(false);
  });

  it('colour the sites of an own JSON by their moments, and say the moment picked', async () => {
    const { page, complaints } = await openMaterial(142);
    await page.getByRole('button', { name: 'Options' }).click();
    expect(await page.getByLabel('Colour by').locator('option').allInnerTexts()).not.toContain(
      'magnetic moment',
    );
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
    await page.locator('#structure input[type=file]').setInputFiles({
      name: 'FeCr.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify({ material_id: 'mp-1', structure })),
    });
    await page.getByText('Shown: FeCr.json').waitFor();
    await page.getByLabel('Colour by').selectOption('moment');
    for (const key of ['+2.2 μB', '−0.9 μB'])
      await page.getByRole('button', { name: `Show ${key}` }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('find nothing in the way with everything unfolded (axe)', async () => {
    const { page } = await openMaterial(142);
    await page.getByRole('button', { name: 'Options' }).click();
    await page.getByLabel('Cell', { exact: true }).selectOption('primitive');
    expect(await violations(page)).toEqual([]);
  });
});
