/** JavaScript on the wire, as a browser counts it: what a first visit may cost. */
import { describe, expect, it } from 'vitest';
import { newVisitor } from './support/browser.ts';
import { tokenFor } from './support/sign-in.ts';
import { openSite } from './support/open-site.ts';

const { site, browser } = await openSite();

const kB = 1000;

interface Weight {
  /** Bytes of all scripts, compressed as they were sent. */
  readonly all: number;
  /** Of those asked for before the page's heading stood. */
  readonly beforeHeading: number;
  /** How many files those are. */
  readonly files: number;
}

/** What the browser's own resource timing says of a first visit. */
async function scriptWeight(path: string, token?: string): Promise<Weight> {
  const { page } = await newVisitor(browser, token ? { token } : {});
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
  await page.context().close();
  return weight;
}

describe('JavaScript of a first visit', () => {
  it('is at most 250 kB for the search page', async () => {
    const { all } = await scriptWeight('/matdata', await tokenFor(site, '13900000014'));
    expect(all).toBeGreaterThan(20 * kB);
    expect(all).toBeLessThanOrEqual(250 * kB);
  });

  it('is at most 180 kB for the home page before its live figures start', async () => {
    const { beforeHeading } = await scriptWeight('/');
    expect(beforeHeading).toBeGreaterThan(20 * kB);
    expect(beforeHeading).toBeLessThanOrEqual(180 * kB);
  });

  it('is at most 450 kB for a material before the first interaction, the crystal drawn', async () => {
    const { all } = await scriptWeight('/matdatades/142', await tokenFor(site, '13900000089'));
    expect(all).toBeGreaterThan(20 * kB);
    expect(all).toBeLessThanOrEqual(450 * kB);
  });

  it('is at most 320 kB for the first screen of a material', async () => {
    const { beforeHeading } = await scriptWeight('/matdatades/142', await tokenFor(site, '13900000039'));
    expect(beforeHeading).toBeGreaterThan(20 * kB);
    expect(beforeHeading).toBeLessThanOrEqual(320 * kB);
  });

  // Each file costs a turn on one of the six connections of a browser.
  it.each([
    { path: '/matdatades/142', mobile: '13900000090', most: 270, files: 42 },
    { path: '/phase?q=Ti+O', mobile: '13900000091', most: 250, files: 44 },
    { path: '/xrd?sample', mobile: '13900000092', most: 260, files: 37 },
    { path: '/Interface_reaction?a=TiO2&b=Mg&open=O&mu=-0.5', mobile: '13900000093', most: 235, files: 28 },
    { path: '/Tight_Binding', mobile: '13900000094', most: 285, files: 28 },
  ])(
    'is at most $most kB in $files files before the heading of $path',
    async ({ path, mobile, most, files }) => {
      const weight = await scriptWeight(path, await tokenFor(site, mobile));
      expect(weight.beforeHeading).toBeLessThanOrEqual(most * kB);
      expect(weight.files).toBeLessThanOrEqual(files);
    },
  );

  it('comes packed by brotli', async () => {
    const html = await (await fetch(site.url)).text();
    const entry = /src="(\/assets\/index-[^"]+\.js)"/.exec(html)?.[1] ?? 'no entry script';
    const answer = await fetch(site.url + entry, { headers: { 'accept-encoding': 'br, gzip' } });
    expect(answer.headers.get('content-encoding')).toBe('br');
    expect(answer.headers.get('cache-control')).toMatch(/immutable/);
  });
});
