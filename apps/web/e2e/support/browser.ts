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

/** A visitor with a separate browser. */
export async function newVisitor(browser: Browser, options: VisitorOptions = {}): Promise<Visitor> {
  const { language = 'en', token, ...contextOptions } = options;
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce', // transitions only take time where motion is not tested
    ...contextOptions,
  });
  await context.addInitScript(
    ([chosen, signedIn]) => {
      if (!localStorage.getItem('languageSet')) localStorage.setItem('languageSet', chosen ?? 'en');
      if (signedIn && !sessionStorage.getItem('testSignedIn')) {
        localStorage.setItem('userToken', signedIn);
        sessionStorage.setItem('testSignedIn', 'once');
      }
    },
    [language, token] as const,
  );
  context.setDefaultTimeout(TEST_TIMEOUT_MS);
  const complaints: string[] = [];
  complaintsOfPages.set(context, complaints);
  const page = await context.newPage();
  const watch = (watched: Page): void => {
    watched.on('pageerror', (error) => complaints.push(error.message));
    watched.on('console', (message) => {
      if (message.type() === 'error' && !HARMLESS.test(message.text())) complaints.push(message.text());
    });
  };
  watch(page);
  watchRequests(page);
  await slowDown(page);
  context.on('page', watch);
  return { page, complaints };
}

/** Closes the browser of a visitor. @throws Error with the errors of the visitor's pages */
export async function closeWithoutErrors({ page, complaints }: Visitor): Promise<void> {
  await page.context().close();
  if (complaints.length > 0) throw new Error(`the page complained: ${complaints.join('; ')}`);
}

/** Cases that repeat a journey in another language or window: all in `npm test -- nightly`, otherwise the first. */
export const oneUnlessNightly = <const T>(cases: readonly T[]): readonly T[] =>
  process.env.NIGHTLY ? cases : cases.slice(0, 1);
