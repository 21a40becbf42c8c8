/**
 * First load of /, /matdata and a material with every section in Chromium on loopback, unthrottled: `node --import tsx workshop/bench/first-load.ts`.
 *
 * One JSON line a page: bytes of script and style as sent, first contentful paint, largest contentful paint, time until the
 * heading stood and the main thread had been free of long tasks since (time to interactive), layout shift. Median of five.
 */
import { startTestSite } from '@unitcell/tools/test-site';
import { launchBrowser, newVisitor } from '../../apps/web/e2e/support/browser.ts';
import { tokenFor } from '../../apps/web/e2e/support/sign-in.ts';

const RUNS = 5;
const QUIET_MS = 1500;

interface Load {
  readonly scriptBytes: number;
  readonly styleBytes: number;
  readonly firstPaintMs: number;
  readonly largestPaintMs: number;
  readonly interactiveMs: number;
  readonly layoutShift: number;
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];

const site = await startTestSite();
const browser = await launchBrowser();
try {
  const token = await tokenFor(site);
  for (const [path, signedIn] of [
    ['/', false],
    ['/matdata', true],
    // SrTiO3: bands, tensors, topology and a phase diagram.
    ['/matdatades/174', true],
  ] as const) {
    const loads: Load[] = [];
    for (let run = 0; run < RUNS; run++) {
      const { page } = await newVisitor(browser, signedIn ? { token } : {});
      await page.addInitScript(() => {
        const seen = { shift: 0, lastLongTask: 0, largest: 0, heading: 0 };
        Object.assign(window, { seen });
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries())
            if (!(entry as unknown as { hadRecentInput: boolean }).hadRecentInput)
              seen.shift += (entry as unknown as { value: number }).value;
        }).observe({ type: 'layout-shift', buffered: true });
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) seen.lastLongTask = entry.startTime + entry.duration;
        }).observe({ type: 'longtask', buffered: true });
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries()) seen.largest = entry.startTime;
        }).observe({ type: 'largest-contentful-paint', buffered: true });
        new MutationObserver((_records, watch) => {
          if (!document.querySelector('h1')) return;
          seen.heading = performance.now();
          watch.disconnect();
        }).observe(document, { childList: true, subtree: true });
      });
      await page.goto(site.url + path, { waitUntil: 'networkidle' });
      await page.waitForTimeout(QUIET_MS);
      // No named functions inside: tsx would tie them to a helper the page does not have.
      const seen = await page.evaluate(() => ({
        ...(
          window as unknown as {
            seen: { shift: number; lastLongTask: number; largest: number; heading: number };
          }
        ).seen,
        firstPaint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
        resources: (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).map((entry) => ({
          name: entry.name,
          bytes: entry.encodedBodySize,
        })),
      }));
      const bytes = (ending: string): number =>
        seen.resources
          .filter(({ name }) => name.endsWith(ending))
          .reduce((sum, entry) => sum + entry.bytes, 0);
      loads.push({
        scriptBytes: bytes('.js'),
        styleBytes: bytes('.css'),
        firstPaintMs: seen.firstPaint,
        largestPaintMs: seen.largest,
        interactiveMs: Math.max(seen.heading, seen.lastLongTask),
        layoutShift: seen.shift,
      });
      await page.context().close();
    }
    const figures = Object.fromEntries(
      (Object.keys(loads[0]) as (keyof Load)[]).map((key) => [
        key,
        Number(median(loads.map((load) => load[key])).toFixed(key === 'layoutShift' ? 4 : 0)),
      ]),
    );
    console.log(JSON.stringify({ case: `first load of ${path}`, ...figures }));
  }
} finally {
  await browser.close();
  await site.stop();
}
