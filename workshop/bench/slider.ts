/**
 * Slider to drawn bands on the tight-binding page in Chromium: `node --import tsx workshop/bench/slider.ts`.
 *
 * The t2 slider is dragged to a new value in every frame for three seconds. One JSON line a net: frames and distinct drawings of
 * the band chart a second, and the longest frame of twenty.
 */
import { launchBrowser, newVisitor } from '../../apps/web/e2e/support/browser.ts';
import { tokenFor } from '../../apps/web/e2e/support/sign-in.ts';
import { startTestSite } from '@unitcell/tools/test-site';

const DRAG_MS = 3000;
/** Kagome, two nets of 12 sites, the largest of the named ones. */
const NETS: readonly [id: string, sites: number][] = [
  ['kgm', 3],
  ['cpg', 12],
  ['cqa', 12],
  ['tfr', 60],
];

const site = await startTestSite();
const browser = await launchBrowser();
try {
  const token = await tokenFor(site);
  for (const [net, sites] of NETS) {
    const { page } = await newVisitor(browser, { token, language: 'en' });
    await page.goto(`${site.url}/Tight_Binding?grid=${net}`, { waitUntil: 'networkidle' });
    await page.waitForTimeout(1500);
    const slider = page.getByRole('slider', { name: /t2/i }).first();
    const thumb = await slider.boundingBox();
    if (!thumb) throw new Error(`${net}: the page shows no t2 slider`);
    await page.mouse.move(thumb.x + thumb.width / 2, thumb.y + thumb.height / 2);
    await page.mouse.down();
    // No named functions inside: tsx would tie them to a helper the page does not have.
    const seen = await slider.evaluate(async (element, dragMs) => {
      const track = element.parentElement!.getBoundingClientRect();
      const paths = Array.from(document.querySelectorAll<SVGPathElement>('svg path'));
      const chart = paths.reduce((longest, path) =>
        (path.getAttribute('d') ?? '').length > (longest.getAttribute('d') ?? '').length ? path : longest,
      ).ownerSVGElement!;
      const start = performance.now();
      let [frames, drawings, before, drawn] = [0, 0, start, chart.innerHTML];
      const gaps: number[] = [];
      while (before - start < dragMs) {
        const share = Math.abs(((frames / 20) % 2) - 1);
        document.dispatchEvent(
          new MouseEvent('mousemove', {
            clientX: track.x + track.width * share,
            clientY: track.y + track.height / 2,
            bubbles: true,
          }),
        );
        // One frame after the other is what is timed.
        // oxlint-disable-next-line no-await-in-loop
        await new Promise((resolve) => requestAnimationFrame(resolve));
        const now = performance.now();
        gaps.push(now - before);
        before = now;
        frames++;
        if (chart.innerHTML !== drawn) drawings++;
        drawn = chart.innerHTML;
      }
      return { frames, drawings, gaps, ms: before - start };
    }, DRAG_MS);
    await page.mouse.up();
    const gaps = seen.gaps.toSorted((a, b) => a - b);
    console.log(
      JSON.stringify({
        case: `t2 slider, ${net}, ${sites} sites`,
        framesPerSecond: Math.round((seen.frames / seen.ms) * 1000),
        drawingsPerSecond: Math.round((seen.drawings / seen.ms) * 1000),
        slowFrameMs: Math.round(gaps[Math.floor(gaps.length * 0.95)]),
      }),
    );
    await page.context().close();
  }
} finally {
  await browser.close();
  await site.stop();
}
