/**
 * Turning crystals of 10,000 atoms in the viewer, in Chromium as it is here (software rendering where there is no graphics card):
 * `npm run bench -- crystal`.
 *
 * Halite and silicon, eleven cells along each axis, bonds drawn, at 1440 × 900; turned by 10° in every frame for four seconds after
 * two that let the viewer find how coarsely it must draw. One JSON line a crystal: atoms asked for, frames a second until the last
 * of them was finished by the renderer, processor time a frame by kind of process of the browser, the slow frame (19 of 20 are faster), and
 * what draws.
 */
import { loadavg } from 'node:os';
import { launchBrowser, newVisitor } from '../../apps/web/e2e/support/browser.ts';
import { tokenFor } from '../../apps/web/e2e/support/sign-in.ts';
import { startTestSite } from '@unitcell/tools/test-site';

const WARM_MS = 2000;
const TURN_MS = 4000;
const CELLS = 11;
const CRYSTALS: readonly [name: string, id: number, sitesOfCell: number][] = [
  ['halite', 486, 8],
  ['silicon', 47, 8],
];

/** s of processor time that the processes of the browser have taken, by their kind. */
const cpuTimes = async (): Promise<ReadonlyMap<string, number>> => {
  const { processInfo } = await session.send('SystemInfo.getProcessInfo');
  const times = new Map<string, number>();
  for (const { type, cpuTime } of processInfo) times.set(type, (times.get(type) ?? 0) + cpuTime);
  return times;
};

const site = await startTestSite();
const browser = await launchBrowser();
const session = await browser.newBrowserCDPSession();
try {
  const token = await tokenFor(site);
  for (const [name, id, sitesOfCell] of CRYSTALS) {
    const { page } = await newVisitor(browser, { token, language: 'en' });
    await page.goto(`${site.url}/matdatades/${id}`, { waitUntil: 'networkidle' });
    const stage = page.locator('#structure [role=img]');
    await page.getByRole('button', { name: 'Options' }).click();
    for (const axis of ['a', 'b', 'c']) await page.getByLabel(`Cells along ${axis}`).fill(String(CELLS));
    await page.getByText(`${CELLS} × ${CELLS} × ${CELLS} cells`).waitFor();
    // No named functions inside: tsx would tie them to a helper the page does not have.
    const turn = (ms: number) =>
      stage.evaluate(async (element, limit) => {
        const gl = element.querySelector('canvas')!.getContext('webgl2')!;
        const info = gl.getExtension('WEBGL_debug_renderer_info');
        const start = performance.now();
        const gaps: number[] = [];
        let before = start;
        while (before - start < limit) {
          element.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }));
          // One frame after the other is what is timed.
          // oxlint-disable-next-line no-await-in-loop
          await new Promise((resolve) => requestAnimationFrame(resolve));
          const now = performance.now();
          gaps.push(now - before);
          before = now;
        }
        const pixels = [gl.drawingBufferWidth, gl.drawingBufferHeight];
        // Waits until everything asked for is drawn.
        gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
        const renderer = String(info ? gl.getParameter(info.UNMASKED_RENDERER_WEBGL) : '');
        return { gaps, ms: performance.now() - start, pixels, renderer };
      }, ms);
    await turn(WARM_MS);
    const before = await cpuTimes();
    const seen = await turn(TURN_MS);
    const after = await cpuTimes();
    const perFrame = (type: string): number =>
      Math.round((1000 * ((after.get(type) ?? 0) - (before.get(type) ?? 0))) / seen.gaps.length);
    const gaps = seen.gaps.toSorted((a, b) => a - b);
    console.log(
      JSON.stringify({
        case: `${name}, ${CELLS} × ${CELLS} × ${CELLS} cells`,
        atoms: sitesOfCell * CELLS ** 3,
        framesPerSecond: Number(((seen.gaps.length / seen.ms) * 1000).toFixed(1)),
        cpuMsPerFrame: Object.fromEntries([...after.keys()].map((type) => [type, perFrame(type)])),
        slowFrameMs: Math.round(gaps[Math.floor(gaps.length * 0.95)] ?? 0),
        pixels: seen.pixels.join(' × '),
        renderer: seen.renderer,
        load: Number(loadavg()[0]?.toFixed(1)),
      }),
    );
    await page.context().close();
  }
} finally {
  await browser.close();
  await site.stop();
}
