/**
 * The scatter plot of 300,000 points in Chromium: `npm run bench -- scatter`. The page is that of a test site; the answer for the
 * points is made of the rows of `scale-rows.ts` and served in the site's place; its size is that of the API's packing. One JSON line:
 * bytes on the wire, from the click to the first drawing, and frames a second while a brush is dragged for three seconds.
 */
import { launchBrowser, newVisitor } from '../../apps/web/e2e/support/browser.ts';
import { open } from '../../apps/web/e2e/support/page-state.ts';
import { tokenFor } from '../../apps/web/e2e/support/sign-in.ts';
import { packJson } from '../../apps/api/src/http/representation.ts';
import { startTestSite } from '@unitcell/tools/test-site';
import { scaleRows } from './scale-rows.ts';

const POINTS = Number(process.env.BENCH_ROWS ?? 300_000);
const ROUNDS = 5;
const DRAG_MS = 3000;

const rounded = (value: number | null): number => Number((value ?? 0).toPrecision(5));

async function answer() {
  const cloud = { x: [] as number[], y: [] as number[], color: [] as number[] };
  for await (const row of scaleRows(POINTS)) {
    cloud.x.push(rounded(row.bandGap));
    cloud.y.push(rounded(row.formationEnergy));
    cloud.color.push(rounded(row.energyAboveHull));
  }
  return packJson(JSON.stringify({ error: 'false', message: '', total: POINTS, ...cloud }));
}

const packed = await answer();
const site = await startTestSite();
const browser = await launchBrowser();
try {
  const token = await tokenFor(site);
  const { page } = await newVisitor(browser, { token, language: 'en' });
  await page.route('**/api/matdata/screen/points/', (route) =>
    route.fulfill({
      contentType: 'application/json',
      // What is served in the site's place is not unpacked by the browser.
      body: packed.plain,
    }),
  );
  const drawn: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    await open(page, `${site.url}/matdata?filter=`);
    await page.getByRole('button', { name: 'Scatter plot' }).waitFor();
    const milliseconds = await page.evaluate(async () => {
      const toggle = Array.from(document.querySelectorAll('button')).find(
        (button) => button.textContent === 'Scatter plot',
      )!;
      const start = performance.now();
      toggle.click();
      // A canvas is 300 wide until it is drawn on.
      while ((document.querySelector<HTMLCanvasElement>('figure canvas')?.width ?? 300) === 300)
        // One frame after the other is what is timed.
        // oxlint-disable-next-line no-await-in-loop
        await new Promise((resolve) => requestAnimationFrame(resolve));
      return performance.now() - start;
    });
    drawn.push(milliseconds);
  }
  const seen = await page.evaluate(async (dragMs) => {
    const frame = document.querySelector('figure canvas')!.parentElement!;
    const box = frame.getBoundingClientRect();
    const start = performance.now();
    const gaps: number[] = [];
    let [frames, before] = [0, start];
    frame.setPointerCapture = () => undefined;
    frame.dispatchEvent(
      new PointerEvent('pointerdown', {
        clientX: box.x + 20,
        clientY: box.y + 20,
        bubbles: true,
        pointerId: 1,
      }),
    );
    while (before - start < dragMs) {
      const share = Math.abs(((frames / 20) % 2) - 1);
      frame.dispatchEvent(
        new PointerEvent('pointermove', {
          clientX: box.x + 20 + (box.width - 40) * share,
          clientY: box.y + 20 + (box.height - 40) * share,
          bubbles: true,
          pointerId: 1,
        }),
      );
      // oxlint-disable-next-line no-await-in-loop
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const now = performance.now();
      gaps.push(now - before);
      before = now;
      frames++;
    }
    return { frames, gaps, ms: before - start };
  }, DRAG_MS);
  const gaps = seen.gaps.toSorted((a, b) => a - b);
  console.log(
    JSON.stringify({
      case: 'scatter',
      points: POINTS,
      wireMegabytes: Number((packed.gzip.length / 1e6).toFixed(2)),
      plainMegabytes: Number((packed.plain.length / 1e6).toFixed(2)),
      firstDrawingMs: drawn.toSorted((a, b) => a - b).map(Math.round),
      framesPerSecond: Math.round((seen.frames / seen.ms) * 1000),
      slowFrameMs: Math.round(gaps[Math.floor(gaps.length * 0.95)]),
    }),
  );
} finally {
  await browser.close();
  await site.stop();
}
