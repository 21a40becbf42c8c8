/** Helpers for journeys that use the crystal viewer. */
import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { newVisitor, type Visitor, type VisitorOptions } from './browser.ts';
import type { OpenSite } from './open-site.ts';

export const drawing = (page: Page): Locator => page.locator('#structure [role=img]');

export const nextFrames = (page: Page) =>
  page.evaluate(
    () =>
      new Promise((done) =>
        requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(done))),
      ),
  );

/** Opens pages of materials, each for a new visitor, and waits until the crystal is drawn. */
export const materialOpener =
  ({ site, browser }: OpenSite, token: string) =>
  async (id: number, options: VisitorOptions = {}): Promise<Visitor> => {
    const visitor = await newVisitor(browser, { token, ...options });
    await visitor.page.goto(`${site.url}/matdatades/${id}`);
    await drawing(visitor.page).waitFor();
    // On a touch screen the drawing stays static until the first tap.
    if (options.hasTouch !== true)
      await visitor.page.locator('#structure [role=img][data-state=ready]').waitFor();
    await nextFrames(visitor.page);
    return visitor;
  };

/** The overlay of the crystal, with the arrows of its axes; it changes when the crystal is rotated. */
export const overlay = (page: Page): Promise<string> =>
  page
    .locator('#structure canvas')
    .nth(1)
    .evaluate((canvas) => (canvas as HTMLCanvasElement).toDataURL());

/** The picture the viewer saves. */
export async function savedPicture(page: Page): Promise<Buffer> {
  const [png] = await Promise.all([
    page.waitForEvent('download'),
    page.locator('#structure').getByRole('button', { name: 'PNG' }).click(),
  ]);
  expect(png.suggestedFilename()).toMatch(/^\w+\.png$/);
  return readFile(await png.path());
}

/**
 * Shares of the pixels of a PNG: transparent, opaque, and with the hue of each given colour, however light or
 * dark.
 */
export const sharesOf = (page: Page, png: Buffer, hues: readonly string[] = []) =>
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
