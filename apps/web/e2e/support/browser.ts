/** A real Chromium. */
import { statfsSync } from 'node:fs';
import { chromiumProgram } from '@unitcell/tools/chromium-program';
import { TEST_TIMEOUT_MS } from '@unitcell/tools/timeouts';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';
import { watchRequests } from './page-state.ts';

/** No traffic by the browser itself: these tests use loopback only. */
export const BROWSER_FLAGS = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-quic',
];

function hasLargeSharedMemory(): boolean {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    return bavail * bsize > 2e9;
  } catch {
    return false;
  }
}

export async function launchBrowser(): Promise<Browser> {
  // By default Playwright makes Chromium share images through files in /tmp, because /dev/shm of a container may
  // have only 64 MB. Where /dev/shm is larger, using it saves a sixth of the tests' processor time.
  const ignoreDefaultArgs = hasLargeSharedMemory() ? ['--disable-dev-shm-usage'] : [];
  return chromium.launch({ ...chromiumProgram(), args: BROWSER_FLAGS, ignoreDefaultArgs });
}

export interface Visitor {
  readonly page: Page;
  /** Errors of the page: uncaught ones, and those on the console. */
  readonly complaints: string[];
}

export interface VisitorOptions extends BrowserContextOptions {
  readonly language?: 'zh' | 'en';
  /** Token of a visitor who is signed in from the start. */
  readonly token?: string;
  /** Whether the visitor has never opened the site: nothing is in the browser's caches. */
  readonly isFirstVisit?: boolean;
}

/** Software rendering prints these messages on the console. They are no errors of the page. */
const HARMLESS = /GPU stall|GroupMarkerNotSet|WebGL/;

const complaintsOfPages = new WeakMap<BrowserContext, string[]>();

/** Errors so far on all pages of a visitor. */
export const errorsIn = (context: BrowserContext): readonly string[] => complaintsOfPages.get(context) ?? [];

/** `SLOW_PAGES=6` makes pages six times slower, so that tests that work only on a fast machine fail. */
async function slowDown(page: Page): Promise<void> {
  const rate = Number(process.env.SLOW_PAGES ?? 1);
  if (!(rate > 1)) return;
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate });
}

/** A browser context that visitors use one after another. Its caches of files and compiled scripts stay warm. */
interface SharedContext {
  /** Contexts without a visitor whose options are the same. */
  readonly free: BrowserContext[];
  /** Origins at which the visitor may have stored data. */
  readonly origins: Set<string>;
  readonly watch: (page: Page) => void;
}
const sharedContexts = new WeakMap<BrowserContext, SharedContext>();
const freeContexts = new WeakMap<Browser, Map<string, BrowserContext[]>>();

/** Contexts with these options that have no visitor. */
function freeContextsOf(browser: Browser, options: string): BrowserContext[] {
  const byOptions = freeContexts.get(browser) ?? new Map<string, BrowserContext[]>();
  freeContexts.set(browser, byOptions);
  const free = byOptions.get(options) ?? [];
  byOptions.set(options, free);
  return free;
}

/** Closes all pages of a visitor and deletes everything that they stored, except the caches of files and scripts. */
export async function endVisit(context: BrowserContext): Promise<void> {
  const [page, ...others] = context.pages();
  const shared = sharedContexts.get(context);
  complaintsOfPages.delete(context);
  if (!shared || !page) return context.close();
  context.off('page', shared.watch);
  await Promise.all(others.map((other) => other.close()));
  await context.unrouteAll({ behavior: 'ignoreErrors' });
  await context.setOffline(false);
  await page.goto('about:blank');
  const session = await context.newCDPSession(page);
  const storageTypes = 'cookies,local_storage,indexeddb,service_workers,cache_storage';
  for (const origin of shared.origins)
    await session.send('Storage.clearDataForOrigin', { origin, storageTypes });
  await context.clearCookies();
  await page.close();
  shared.free.push(context);
}

/** A visitor with a separate browser context. */
export async function newVisitor(browser: Browser, options: VisitorOptions = {}): Promise<Visitor> {
  const { language = 'en', token, isFirstVisit = false, ...contextOptions } = options;
  const free = freeContextsOf(browser, JSON.stringify(contextOptions));
  const context =
    (isFirstVisit ? undefined : free.pop()) ??
    (await browser.newContext({
      viewport: { width: 1440, height: 900 },
      reducedMotion: 'reduce', // transitions only take time where motion is not tested
      ...contextOptions,
    }));
  context.setDefaultTimeout(TEST_TIMEOUT_MS);
  const complaints: string[] = [];
  complaintsOfPages.set(context, complaints);
  const origins = new Set<string>();
  const complain = (message: string): void => {
    if (complaintsOfPages.get(context) === complaints) complaints.push(message);
  };
  const watch = (page: Page): void => {
    page.on('pageerror', (error) => complain(error.message));
    page.on('console', (message) => {
      if (message.type() === 'error' && !HARMLESS.test(message.text())) complain(message.text());
    });
    page.on('framenavigated', (frame) => {
      if (frame.url().startsWith('http')) origins.add(new URL(frame.url()).origin);
    });
  };
  if (!isFirstVisit) sharedContexts.set(context, { free, origins, watch });
  context.on('page', watch);
  const page = await context.newPage();
  await page.addInitScript(
    ([chosen, signedIn]) => {
      if (!localStorage.getItem('languageSet')) localStorage.setItem('languageSet', chosen ?? 'en');
      if (signedIn && !sessionStorage.getItem('testSignedIn')) {
        localStorage.setItem('userToken', signedIn);
        sessionStorage.setItem('testSignedIn', 'once');
      }
    },
    [language, token] as const,
  );
  watchRequests(page);
  await slowDown(page);
  return { page, complaints };
}

/** Ends the visit. @throws Error with the errors of the visitor's pages */
export async function closeWithoutErrors({ page, complaints }: Visitor): Promise<void> {
  await endVisit(page.context());
  if (complaints.length > 0) throw new Error(`the page complained: ${complaints.join('; ')}`);
}
