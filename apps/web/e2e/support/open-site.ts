/** The site and the browser of one file of journeys. */
import { sharedSite } from '@unitcell/tools/shared-site';
import { startTestSite, type TestSite } from '@unitcell/tools/test-site';
import type { Browser, Locator, Page } from 'playwright-core';
import { afterAll, afterEach, beforeEach, expect } from 'vitest';
import { endVisits, errorsIn, expectNoErrors, launchBrowser, newVisitor } from './browser.ts';
import { follow, switchTo } from './page-state.ts';
import { printedCode, tokenFor } from './sign-in.ts';

export interface OpenSite {
  readonly site: TestSite;
  readonly browser: Browser;
}

interface OpenSiteOptions {
  /**
   * Starts a separate site with these settings, which keeps two cores busy for seconds. Otherwise the file shares one
   * site with the other files and may only change accounts that it created.
   */
  readonly env?: Readonly<Record<string, string>>;
  /** Pages stay open between tests. Otherwise every visitor is closed after the test. */
  readonly keepsPages?: boolean;
}

/** The text and the errors of a page, for the report of a failed test. */
async function stateOf(page: Page): Promise<string> {
  const text = await page
    .locator('body')
    .innerText({ timeout: 5000 })
    .catch((error: unknown) => String(error));
  const complaints = errorsIn(page.context())
    .map((complaint) => `complaint: ${complaint}\n`)
    .join('');
  return `${page.url()} shows:\n${complaints}${text.replaceAll(/\n{2,}/g, '\n').slice(0, 1500)}`;
}

let started: Promise<Browser> | undefined;

/** The Chromium of this test worker. All test files of the worker share it, and it ends with the process. */
async function browserOfWorker(): Promise<Browser> {
  const running = await started;
  if (running?.isConnected()) return running;
  started = launchBrowser();
  return started;
}

/** Call this at the top of a file. */
export async function openSite({ env, keepsPages }: OpenSiteOptions = {}): Promise<OpenSite> {
  const site = env ? await startTestSite({ env }) : sharedSite();
  if (env) afterAll(() => site.stop());
  const browser = await browserOfWorker();
  const closePages = () => endVisits(browser, site.url);
  if (keepsPages) afterAll(closePages);
  else afterEach(closePages);
  // Hooks run in reverse order, so this hook reads the pages before the hook above closes them.
  afterEach(async ({ task }) => {
    if (task.result?.state !== 'fail') return;
    const pages = browser.contexts().flatMap((context) => context.pages());
    for (const page of pages) console.error(await stateOf(page));
  });
  return { site, browser };
}

/**
 * Call this at the top of a file whose tests all belong to one member. They share one document, because evaluating
 * plotly.js takes longer than most tests. Each begins on another page, in English, and fails if the page has errors.
 */
export async function openAsMember(mobile: string) {
  const { site, browser } = await openSite({ keepsPages: true });
  const visitor = await newVisitor(browser, { token: await tokenFor(site, mobile) });
  const { page } = visitor;
  await page.goto(`${site.url}/about`);
  beforeEach(async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await follow(page, '/about');
    if ((await page.locator('html').getAttribute('lang')) !== 'en') await switchTo(page, 'en');
  });
  afterEach(() => expectNoErrors(visitor));
  return { site, page, open: (path: string) => follow(page, path) };
}

/** Requests a code in the dialog by the button `send`, and enters the code that the console provider then prints. */
export async function enterCode(
  site: TestSite,
  overlay: Locator,
  send: string,
  mobile: string,
): Promise<void> {
  const printed = site.printed.length;
  await overlay.getByRole('button', { name: send }).click();
  await expect
    .poll(() => site.printed.slice(printed).some((line) => line.includes(mobile.slice(-4))))
    .toBe(true);
  await overlay.locator('input[name="code"]').fill(await printedCode(site, mobile));
}
