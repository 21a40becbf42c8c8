/** What the journeys of a file stand on: a site and a browser, taken down when they are over. */
import { sharedSite } from '@unitcell/tools/shared-site';
import { startTestSite, type TestSite } from '@unitcell/tools/test-site';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach } from 'vitest';
import { complaintsIn, launchBrowser } from './browser.ts';

export interface Stage {
  readonly site: TestSite;
  readonly browser: Browser;
}

interface StageOptions {
  /** The site all journeys share: for those that change nothing of it but an account of their own. */
  readonly isShared?: boolean;
  /** Of a site of its own. */
  readonly env?: Readonly<Record<string, string>>;
  /** Visitors leave after each test. */
  readonly leavesEach?: boolean;
}

/** What a page shows, in words: for whoever reads of a failed journey and cannot see its screen. */
async function stateOf(page: Page): Promise<string> {
  const text = await page
    .locator('body')
    .innerText({ timeout: 5000 })
    .catch((error: unknown) => String(error));
  const complaints = complaintsIn(page.context())
    .map((complaint) => `complaint: ${complaint}\n`)
    .join('');
  return `${page.url()} shows:\n${complaints}${text.replaceAll(/\n{2,}/g, '\n').slice(0, 1500)}`;
}

/** To be awaited where a file begins. */
export async function openStage({ isShared, env, leavesEach }: StageOptions = {}): Promise<Stage> {
  const site = isShared ? sharedSite() : await startTestSite(env ? { env } : {});
  if (!isShared) afterAll(() => site.stop());
  const browser = await launchBrowser();
  afterAll(() => browser.close());
  if (leavesEach)
    afterEach(async () => {
      await Promise.all(browser.contexts().map((context) => context.close()));
    });
  // Hooks run in reverse: this one looks before the visitors leave.
  afterEach(async ({ task }) => {
    if (task.result?.state !== 'fail') return;
    const pages = browser.contexts().flatMap((context) => context.pages());
    for (const page of pages) console.error(await stateOf(page));
  });
  return { site, browser };
}
