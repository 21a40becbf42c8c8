/** The crystal viewer in a browser: what only pixels, fingers and a graphics context can show. */
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { violations } from './support/axe.ts';
import { newVisitor, type VisitorOptions } from './support/browser.ts';
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
  await nextFrames(visitor.page);
  return visitor;
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
    await page.getByRole('button', { name: 'Measure' }).click();
    await page.mouse.click(...middle);
    await page.mouse.click(middle[0] + 1, middle[1]);
    await card.getByText('Choose two atoms').waitFor();
    expect(complaints).toEqual([]);
  });

  it('steer by keys where the focus shows', async () => {
    const { page } = await openMaterial(142);
    await drawing(page).focus();
    expect(await drawing(page).evaluate((element) => element.matches(':focus'))).toBe(true);
    const picture = () =>
      page
        .locator('#structure canvas')
        .nth(1)
        .evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL());
    const before = await picture();
    await page.keyboard.press('ArrowRight');
    await expect.poll(picture).not.toBe(before);
  });

  it('save a picture with a transparent ground and a glTF', async () => {
    const { page } = await openMaterial(142);
    await page.getByRole('button', { name: 'Options' }).click();
    await page.getByLabel('transparent').check();
    const [png] = await Promise.all([
      page.waitForEvent('download'),
      page.locator('#structure').getByRole('button', { name: 'PNG' }).click(),
    ]);
    expect(png.suggestedFilename()).toBe('TiO2.png');
    const bytes = await readFile(await png.path());
    const stage = (await drawing(page).boundingBox())!;
    expect(bytes.readUInt32BE(16)).toBe(2 * Math.round(stage.width));
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
