/** Size of the JavaScript that a browser receives on a first visit. */
import { describe, expect, it } from 'vitest';
import { newVisitor } from './support/browser.ts';
import { tokenFor } from './support/sign-in.ts';
import { openSite } from './support/open-site.ts';
import { settled, twoFrames } from './support/page-state.ts';

const { site, browser } = await openSite();
const token = await tokenFor(site, '13900000014');

const kB = 1000;
/** Height in screens of the longest page, that of a material. */
const SCREENS = 20;

interface Weight {
  /** kB of all scripts, compressed as they were sent. */
  readonly all: number;
  /** kB of the scripts requested before the heading was shown. */
  readonly beforeHeading: number;
  /** Number of the script files requested before the heading. */
  readonly files: number;
}

/** Script sizes of a first visit, from the browser's resource timing. */
async function scriptWeight(path: string, signedIn?: string): Promise<Weight> {
  const { page } = await newVisitor(browser, {
    inNewBrowser: true,
    ...(signedIn ? { token: signedIn } : {}),
  });
  await page.addInitScript(() => {
    const watch = new MutationObserver(() => {
      if (!document.querySelector('h1')) return;
      performance.mark('heading');
      watch.disconnect();
    });
    watch.observe(document, { childList: true, subtree: true });
  });
  await page.goto(site.url + path, { waitUntil: 'networkidle' });
  await page.locator('h1').first().waitFor();
  // Scrolls without a pointer, because charts stay static until a pointer enters.
  for (let screen = 0; screen < SCREENS; screen++) {
    await page.evaluate(() => window.scrollBy(0, window.innerHeight));
    await twoFrames(page);
  }
  await settled(page);
  const weight = await page.evaluate(() => {
    const heading = performance.getEntriesByName('heading')[0]?.startTime ?? 0;
    const scripts = performance
      .getEntriesByType('resource')
      .filter((entry): entry is PerformanceResourceTiming => entry.name.endsWith('.js'));
    const sum = (entries: PerformanceResourceTiming[]): number =>
      entries.reduce((bytes, entry) => bytes + entry.encodedBodySize, 0);
    const before = scripts.filter((entry) => entry.startTime < heading);
    return { all: sum(scripts), beforeHeading: sum(before), files: before.length };
  });
  return { ...weight, all: weight.all / kB, beforeHeading: weight.beforeHeading / kB };
}

/**
 * Upper limits: kB of all scripts of a page scrolled to its end, kB of the scripts before the heading, and their
 * number, because a browser loads at most six files at a time.
 */
const LIMITS: readonly (readonly [path: string, most: Readonly<Partial<Weight>>])[] = [
  ['/', { beforeHeading: 180 }],
  ['/matdata', { all: 250 }],
  // The heading waits for the server. If the answer is slow, the four files of the toasts load before it.
  ['/matdatades/142', { all: 450, beforeHeading: 270, files: 46 }],
  ['/phase?q=Ti+O', { all: 350, beforeHeading: 250, files: 44 }],
  ['/phase?q=Li+Fe+P+O', { all: 350 }],
  ['/xrd?sample', { all: 350, beforeHeading: 260, files: 37 }],
  ['/Ec_windowDetail/142/Li', { all: 350 }],
  ['/Interface_reaction?a=TiO2&b=Mg&open=O&mu=-0.5', { all: 350, beforeHeading: 235, files: 28 }],
  ['/Tight_Binding', { beforeHeading: 285, files: 28 }],
];

describe('the JavaScript of a first visit', () => {
  it.each(LIMITS)('of the page %s is at most %o', async (path, most) => {
    const weight = await scriptWeight(path, path === '/' ? undefined : token);
    expect(weight.beforeHeading).toBeGreaterThan(20);
    expect(weight.all).toBeLessThanOrEqual(most.all ?? Infinity);
    expect(weight.beforeHeading).toBeLessThanOrEqual(most.beforeHeading ?? Infinity);
    expect(weight.files).toBeLessThanOrEqual(most.files ?? Infinity);
  });

  it('is compressed with brotli and cached permanently', async () => {
    const html = await (await fetch(site.url)).text();
    const entry = /src="(\/assets\/index-[^"]+\.js)"/.exec(html)?.[1] ?? 'no entry script';
    const answer = await fetch(site.url + entry, { headers: { 'accept-encoding': 'br, gzip' } });
    expect(answer.headers.get('content-encoding')).toBe('br');
    expect(answer.headers.get('cache-control')).toMatch(/immutable/);
  });
});

it('the fonts before the heading come from the site and weigh 120 kB at most', async () => {
  const { page } = await newVisitor(browser, { inNewBrowser: true });
  await page.goto(site.url, { waitUntil: 'networkidle' });
  await page.locator('h1').first().waitFor();
  const { fonts, loaded } = await page.evaluate(async () => {
    await document.fonts.ready;
    return {
      fonts: performance
        .getEntriesByType('resource')
        .filter((entry): entry is PerformanceResourceTiming => entry.name.endsWith('.woff2'))
        .map(({ name, encodedBodySize }) => ({ name, encodedBodySize })),
      loaded: [...document.fonts].filter(({ status }) => status === 'loaded').map(({ family }) => family),
    };
  });
  expect(new Set(loaded.map((family) => family.replaceAll('"', '')))).toEqual(
    new Set(['Inter Variable', 'Source Serif 4 Variable']),
  );
  expect(fonts.filter(({ name }) => !name.startsWith(site.url))).toEqual([]);
  expect(fonts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)).toBeLessThanOrEqual(120 * kB);
});
