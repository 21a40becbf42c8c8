/**
 * A missing or slow connection is reported on every tool. No test waits for it: the clock of the page stands still and
 * advances only when the test says so.
 */
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { newVisitor, oneUnlessNightly } from './support/browser.ts';
import { CHART } from './support/charts.ts';
import { open } from './support/page-state.ts';
import { tokenFor } from './support/sign-in.ts';
import { openSite } from './support/open-site.ts';

const { site, browser } = await openSite();
const token = await tokenFor(site, '13900000032');

const example = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).click();
const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).click();

/** Every tool, with an action that sends a request. */
const TOOLS: readonly (readonly [path: string, ask: (page: Page) => Promise<void>])[] = [
  ['/matdata', (page) => example(page, 'Ti-O')],
  ['/phase', (page) => example(page, 'Li Mn O')],
  ['/Ec_window', (page) => example(page, 'Li-P-S')],
  ['/Interface_reaction', (page) => example(page, 'TiO2 + Mg')],
  ['/predict', (page) => example(page, 'CsPbI3')],
  ['/run4u', (page) => press(page, /^Try with a sample/)],
  ['/xrd', (page) => press(page, /^Try with a sample/)],
  ['/Tight_Binding', (page) => press(page, 'Generate')],
];

const OFFLINE = 'You are offline.';
const SLOW = 'Still waiting for the server…';
const SECOND_MS = 1000;

/** A gate: `passed` resolves when `pass` is called. */
function gate(): { readonly passed: Promise<void>; readonly pass: () => void } {
  let pass = (): void => undefined;
  const passed = new Promise<void>((resolve) => {
    pass = resolve;
  });
  return { passed, pass };
}

/** Opens a page and stops its clock once it has loaded. */
async function visitStill(path: string): Promise<Page> {
  const { page } = await newVisitor(browser, { token, setsClock: true });
  await open(page, site.url + path);
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 60 * SECOND_MS);
  return page;
}

/** What some tools show once they have the answer of the server. */
const ANSWERS: Readonly<Record<string, (page: Page) => Locator>> = {
  '/matdata': (page) => page.getByRole('heading', { name: /found for/ }),
  '/phase': (page) => page.locator(CHART),
  '/Ec_window': (page) => page.getByRole('heading', { name: /found for/ }),
};

describe('a lost connection', () => {
  it.each(TOOLS)(
    'is reported on %s with or without user action, and pending requests complete when it is back',
    async (path, ask) => {
      const page = await visitStill(path);
      let failures = 0;
      page.on('requestfailed', (request) => {
        if (/search_by_elements|phase_diagram_handle/.test(request.url())) failures++;
      });
      await page.context().setOffline(true);
      await page.getByText(OFFLINE).waitFor();
      await ask(page);
      await page.clock.runFor(2 * SECOND_MS);
      await expect.poll(() => page.getByText(OFFLINE).isVisible()).toBe(true);
      // The page reports the outage after at most one failed request.
      expect(failures).toBeLessThanOrEqual(1);
      await page.context().setOffline(false);
      await page.getByText(OFFLINE).waitFor({ state: 'detached' });
      await page.clock.resume();
      await ANSWERS[path]?.(page).first().waitFor();
    },
  );
});

describe('a slow answer', () => {
  it.each(oneUnlessNightly(TOOLS))(
    'is reported on %s within a second, and only while it lasts',
    async (path, ask) => {
      const page = await visitStill(path);
      const answers = gate();
      await page.route('**/api/**', async (route) => {
        await answers.passed;
        await route.continue();
      });
      const asked = page.waitForRequest('**/api/**');
      await ask(page);
      // Advances the clock by 1 ms, so that requests started by a timer are sent.
      await page.clock.runFor(1);
      await asked;
      await page.clock.runFor(2 * SECOND_MS);
      await page.getByText(SLOW).waitFor();
      answers.pass();
      await page.clock.resume();
      await page.getByText(SLOW).waitFor({ state: 'hidden' });
    },
  );

  it('is also reported if the code of a page arrives late', async () => {
    const page = await visitStill('/about');
    const code = gate();
    await page.route('**/assets/reference-page*.js', async (route) => {
      await code.passed;
      await route.continue();
    });
    await page.getByRole('contentinfo').getByRole('link', { name: 'API reference' }).click();
    await page.clock.runFor(2 * SECOND_MS);
    await page.getByText(SLOW).waitFor();
    code.pass();
    await page.clock.resume();
    await page.getByRole('heading', { level: 1, name: 'API reference' }).waitFor();
    await page.getByText(SLOW).waitFor({ state: 'hidden' });
  });
});

it('a part whose code did not load is fetched again by “Try again”', async () => {
  const { page } = await newVisitor(browser, { token });
  await open(page, `${site.url}/matdata?filter=`);
  await page.route('**/assets/scatter-panel*.js*', (route) => route.abort());
  await press(page, 'Scatter plot');
  await page.getByRole('alert').getByText('The server cannot be reached').waitFor();
  await page.unroute('**/assets/scatter-panel*.js*');
  await page.getByRole('alert').getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('figure').first().waitFor();
});

it('a palette whose code did not load shows an error, and opens once it loads', async () => {
  const { page } = await newVisitor(browser, { token });
  await open(page, `${site.url}/about`);
  await page.route('**/assets/palette-*.js*', (route) => route.abort());
  // Waits for both at once: the banner stays for five seconds, and on a slow machine pressing the key may
  // take longer.
  await Promise.all([
    page.getByText('Quick search could not be opened').waitFor(),
    page.keyboard.press('Control+k'),
  ]);
  await page.unroute('**/assets/palette-*.js*');
  await page.keyboard.press('Control+k');
  await page.getByRole('combobox').waitFor();
});
