/** Page-view statistics: off by default, only the path when on, and nothing for browsers that ask for privacy. */
import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { startAnalyticsServer } from './support/analytics-server.ts';
import { sharedSite } from '@unitcell/tools/shared-site';
import type { TestSite } from '@unitcell/tools/test-site';
import { newVisitor } from './support/browser.ts';
import { open, settled } from './support/page-state.ts';
import { openSite } from './support/open-site.ts';

const analytics = await startAnalyticsServer();
afterAll(() => analytics.close());
const { site: counted, browser } = await openSite({
  env: { ANALYTICS_PROVIDER: 'matomo', ANALYTICS_ID: '7', ANALYTICS_URL: analytics.url },
});
const quiet = sharedSite();
afterEach(() => {
  analytics.requests.length = 0;
});

/** Visits two pages and returns all requests of the browser. */
async function lookAround(site: TestSite, prepare: (context: BrowserContext) => Promise<unknown>) {
  const { page, complaints } = await newVisitor(browser, { inNewBrowser: true });
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await prepare(page.context());
  await open(page, `${site.url}/about?from=mail&note=secret#top`);
  await page.getByRole('main').getByRole('link', { name: 'Team' }).click();
  await page.waitForURL('**/team');
  await settled(page);
  return { page, asked, complaints };
}

const foreign = (site: TestSite, asked: readonly string[]): string[] =>
  asked.filter((url) => /^https?:/.test(url) && !url.startsWith(site.url));

const asConfigured = async (): Promise<void> => undefined;

const policyOf = async (url: string): Promise<string> =>
  (await fetch(url)).headers.get('content-security-policy') ?? '';

it('without a provider no page view is sent and the policy allows no other site', async () => {
  const { asked, complaints } = await lookAround(quiet, asConfigured);
  expect(foreign(quiet, asked)).toEqual([]);
  expect(await policyOf(quiet.url)).not.toMatch(/https?:/);
  expect(complaints).toEqual([]);
});

describe('with a provider of page-view statistics', () => {
  it('reports the path of every page visited', async () => {
    const { asked, complaints } = await lookAround(counted, asConfigured);
    await expect.poll(() => analytics.views()).toEqual([`${counted.url}/about`, `${counted.url}/team`]);
    expect(foreign(counted, asked).every((url) => url.startsWith(analytics.url))).toBe(true);
    expect(analytics.requests.join(' ')).not.toMatch(/secret|mail|top/);
    expect(complaints).toEqual([]);
  });

  it('the policy allows the script and the host of the provider, and no other script loads', async () => {
    const policy = await policyOf(counted.url);
    expect(policy).toContain(`script-src 'self' 'wasm-unsafe-eval' ${analytics.url}/matomo.js;`);
    expect(policy).toContain(`connect-src 'self' blob: ${analytics.url};`);
    expect(policy).toContain(`img-src 'self' data: blob: ${analytics.url};`);
    const { page } = await newVisitor(browser);
    await open(page, `${counted.url}/about`);
    expect(await loads(page, `${analytics.url}/other.js`)).toMatch(/TypeError/);
    expect(analytics.requests).not.toContain('/other.js');
  });

  it.each(['doNotTrack', 'globalPrivacyControl'])('sends nothing if %s is set', async (signal) => {
    const { asked } = await lookAround(counted, (context) =>
      context.addInitScript((name) => {
        Object.defineProperty(navigator, name, { value: name === 'doNotTrack' ? '1' : true });
      }, signal),
    );
    expect(foreign(counted, asked)).toEqual([]);
    expect(asked.filter((url) => url.endsWith('/site-config.json'))).toEqual([]);
    expect(analytics.requests).toEqual([]);
  });

  it('the site works when the provider is down', async () => {
    const { page, complaints } = await lookAround(counted, (context) =>
      context.route(`${analytics.url}/**`, (route) => route.abort()),
    );
    await expect.poll(() => page.title()).toBe('Team · Unitcell');
    expect(complaints.filter((line) => !line.includes('ERR_FAILED'))).toEqual([]);
  });
});

/** Returns what happens to a script element with this address. */
const loads = (page: Page, address: string): Promise<string> =>
  page.evaluate((src) => {
    const script = document.createElement('script');
    try {
      script.src = src;
    } catch (error) {
      return String(error);
    }
    document.head.append(script);
    return 'taken';
  }, address);
