/** Tests of the crystal viewer that need pixels, touch and a graphics context. */
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { newVisitor, oneUnlessNightly, type VisitorOptions } from './support/browser.ts';
import { drawing, materialOpener, nextFrames, overlay } from './support/crystal-viewer.ts';
import { settled } from './support/page-state.ts';
import { tokenFor } from './support/sign-in.ts';
import { openSite } from './support/open-site.ts';

const { site, browser } = await openSite();
const token = await tokenFor(site, '13900000036');
const openMaterial = materialOpener({ site, browser }, token);

const PHONE = {
  viewport: { width: 360, height: 740 },
  hasTouch: true,
  isMobile: true,
} satisfies VisitorOptions;

/** Moves one finger between two positions, as reported by a touch screen. */
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

/** Share of painted pixels of the WebGL canvas: along its edges, and in total. */
const paintedShares = (page: Page) =>
  page.evaluate(async () => {
    const canvas = document.querySelector<HTMLCanvasElement>('#structure canvas')!;
    // Reads the canvas in the frame in which it is drawn, because the browser clears it afterwards.
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

describe('the stage of the crystal viewer', () => {
  it.each(oneUnlessNightly([200, 142]))(
    'shows the whole crystal of material %i at a good size on the first screen, on a desktop and on a phone',
    async (id) => {
      for (const options of [{ viewport: { width: 1440, height: 900 } }, PHONE]) {
        const { page } = await openMaterial(id, options);
        const facts = options === PHONE ? [] : ['Above hull', 'Band gap', 'Density'];
        for (const place of [
          drawing(page),
          ...facts.map((fact) => page.locator('header dl').getByText(fact)),
        ]) {
          const box = (await place.boundingBox())!;
          expect(box.y + box.height).toBeLessThanOrEqual(options.viewport.height);
        }
        const { edge, all } = await paintedShares(page);
        expect(edge).toBe(0);
        expect(all).toBeGreaterThan(0.1);
      }
    },
  );

  it('scrolls the page on touch; a tap makes touches rotate the crystal until a tap elsewhere', async () => {
    const { page } = await openMaterial(142, PHONE);
    // Waits, because content that arrives late would move the page under the finger.
    await settled(page);
    const box = (await drawing(page).boundingBox())!;
    const [x, y] = [box.x + box.width / 2, box.y + box.height * 0.7];
    const touchAction = () => drawing(page).evaluate((element) => getComputedStyle(element).touchAction);
    await expect.poll(touchAction).toBe('pan-x pan-y');
    const still = await overlay(page);
    await swipe(page, [x, y], [x, y - 150]);
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(60);
    await expect.poll(() => overlay(page)).toBe(still);
    await page.evaluate(() => scrollTo(0, 0));
    await drawing(page).tap();
    await expect.poll(touchAction).toBe('none');
    await swipe(page, [x, y], [x, y - 150]);
    await expect.poll(() => overlay(page)).not.toBe(still);
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(0);
    await page.getByRole('heading', { level: 1 }).tap();
    await expect.poll(touchAction).toBe('pan-x pan-y');
  });

  it('keeps the polyhedra switch in place for a crystal of one element, which has no polyhedra', async () => {
    const { page } = await openMaterial(12);
    const polyhedra = page.getByRole('button', { name: 'Polyhedra', exact: true });
    await expect.poll(() => polyhedra.isVisible()).toBe(true);
    await expect.poll(() => polyhedra.isDisabled()).toBe(true);
  });

  it('recovers when the WebGL context is lost', async () => {
    const { page } = await openMaterial(142);
    await page.evaluate(() => {
      const gl = document.querySelector<HTMLCanvasElement>('#structure canvas')!.getContext('webgl2')!;
      const extension = gl.getExtension('WEBGL_lose_context')!;
      (window as unknown as { restore: () => void }).restore = () => extension.restoreContext();
      extension.loseContext();
    });
    await page.getByText('3D view lost').waitFor();
    await expect.poll(() => page.locator('#structure svg circle').count()).toBeGreaterThan(20);
    await page.evaluate(() => (window as unknown as { restore: () => void }).restore());
    await page.getByText('3D view lost').waitFor({ state: 'detached' });
    expect((await paintedShares(page)).all).toBeGreaterThan(0.1);
  });

  it('shows a static drawing without WebGL, and the viewer once WebGL is available', async () => {
    const script = (): void => {
      const { getContext } = HTMLCanvasElement.prototype;
      HTMLCanvasElement.prototype.getContext = function refuse(
        this: HTMLCanvasElement,
        kind: string,
        ...rest: never[]
      ) {
        const isRefused = kind.startsWith('webgl') && !Object.hasOwn(window, 'hasCard');
        return isRefused ? null : Reflect.apply(getContext, this, [kind, ...rest]);
      } as typeof getContext;
    };
    const visitor = await newVisitor(browser, { token, script });
    await visitor.page.goto(`${site.url}/matdatades/142`);
    await visitor.page.getByText('Static image').waitFor();
    await expect.poll(() => visitor.page.locator('#structure svg circle').count()).toBeGreaterThan(20);
    await visitor.page.evaluate(() => Object.assign(window, { hasCard: true }));
    await visitor.page.getByRole('button', { name: 'Restore 3D' }).click();
    await visitor.page.locator('#structure [role=img][data-state=ready]').waitFor();
    expect(visitor.complaints).toEqual([]);
  });
});
