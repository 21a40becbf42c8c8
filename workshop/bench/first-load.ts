/**
 * First load of /, /matdata and a material with every section in Chromium on loopback, unthrottled: bytes of
 * script and style as sent, first and largest contentful paint, time to interactive (heading rendered and no
 * long tasks on the main thread), layout shift. Median of five.
 */
import { startTestSite } from '@unitcell/tools/test-site';
import { launchBrowser, newVisitor } from '../../apps/web/e2e/support/browser.ts';
import { tokenFor } from '../../apps/web/e2e/support/sign-in.ts';
import { print, quantile } from './harness.ts';

const RUNS = 5;
const QUIET_MS = 1500;
// SrTiO3 (174): bands, tensors, topology and a phase diagram.
const PAGES = ['/', '/matdata', '/matdatades/174'];

interface Seen {
  shift: number;
  lastLongTask: number;
  largest: number;
  heading: number;
}

/** Runs in the page before its scripts. No named functions: tsx would bind them to a helper it lacks. */
function watch(): void {
  const seen: Seen = { shift: 0, lastLongTask: 0, largest: 0, heading: 0 };
  Object.assign(window, { seen });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & {
      hadRecentInput: boolean;
      value: number;
    })[])
      if (!entry.hadRecentInput) seen.shift += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) seen.lastLongTask = entry.startTime + entry.duration;
  }).observe({ type: 'longtask', buffered: true });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) seen.largest = entry.startTime;
  }).observe({ type: 'largest-contentful-paint', buffered: true });
  new MutationObserver((_records, observer) => {
    if (!document.querySelector('h1')) return;
    seen.heading = performance.now();
    observer.disconnect();
  }).observe(document, { childList: true, subtree: true });
}

const site = await startTestSite();
const browser = await launchBrowser();
try {
  const token = await tokenFor(site);
  for (const path of PAGES) {
    const loads: Record<string, number>[] = [];
    for (let run = 0; run < RUNS; run++) {
      const { page } = await newVisitor(browser, path === '/' ? {} : { token });
      await page.addInitScript(watch);
      await page.goto(site.url + path, { waitUntil: 'networkidle' });
      await page.waitForTimeout(QUIET_MS);
      const { seen, firstPaint, resources } = await page.evaluate(() => ({
        seen: (window as unknown as { seen: Seen }).seen,
        firstPaint: performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
        resources: (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).map((entry) => ({
          name: entry.name,
          bytes: entry.encodedBodySize,
        })),
      }));
      const bytes = (ending: string): number =>
        resources.reduce((sum, entry) => sum + (entry.name.endsWith(ending) ? entry.bytes : 0), 0);
      loads.push({
        scriptBytes: bytes('.js'),
        styleBytes: bytes('.css'),
        firstPaintMs: firstPaint,
        largestPaintMs: seen.largest,
        interactiveMs: Math.max(seen.heading, seen.lastLongTask),
        layoutShift: seen.shift,
      });
      await page.context().close();
    }
    const figures = Object.keys(loads[0] ?? {}).map((key) => {
      const values = loads.map((load) => load[key] ?? 0);
      return [key, quantile(values, 0.5)];
    });
    print({ case: `first load of ${path}`, ...Object.fromEntries(figures) });
  }
} finally {
  await browser.close();
  await site.stop();
}
