/** A real Chromium. */
import { statfsSync } from 'node:fs';
import { chromiumProgram } from '@unitcell/tools/chromium-program';
import { TEST_TIMEOUT_MS } from '@unitcell/tools/timeouts';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Disposable,
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
  /** The test changes what `vacate` does not undo, such as the clock or scripts that run in every document. */
  readonly inNewBrowser?: boolean;
}

/** Software rendering prints these messages on the console. They are no errors of the page. */
const HARMLESS = /GPU stall|GroupMarkerNotSet|WebGL/;

interface Seat extends Visitor {
  /** Options of the browser, as JSON: only a visitor with equal options can take the seat. Empty: nobody can. */
  readonly kind: string;
  readonly options: BrowserContextOptions;
  /** Writes language and token of the visitor into every new document. */
  identity?: Disposable;
}

const seats = new WeakMap<BrowserContext, Seat>();
/** Seats left by earlier visitors. Each keeps a process with the compiled scripts of the site. */
const free: Seat[] = [];
const MAX_FREE = 4;

/** Errors so far on all pages of a visitor. */
export const errorsIn = (context: BrowserContext): readonly string[] => seats.get(context)?.complaints ?? [];

/** `SLOW_PAGES=6` makes pages six times slower, so that tests that work only on a fast machine fail. */
async function slowDown(page: Page): Promise<void> {
  const rate = Number(process.env.SLOW_PAGES ?? 1);
  if (!(rate > 1)) return;
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate });
}

async function newSeat(browser: Browser, kind: string, options: BrowserContextOptions): Promise<Seat> {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(TEST_TIMEOUT_MS);
  const complaints: string[] = [];
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
  const seat = { page, complaints, kind, options };
  seats.set(context, seat);
  return seat;
}

/** A visitor with a separate browser, or with one as good as new. */
export async function newVisitor(browser: Browser, options: VisitorOptions = {}): Promise<Visitor> {
  const { language = 'en', token, inNewBrowser = false, ...others } = options;
  const contextOptions = {
    viewport: { width: 1440, height: 900 },
    reducedMotion: 'reduce', // transitions only take time where motion is not tested
    ...others,
  } as const;
  const kind = inNewBrowser ? '' : JSON.stringify(contextOptions);
  const left = free.find((seat) => seat.kind === kind);
  if (left) free.splice(free.indexOf(left), 1);
  const seat = left ?? (await newSeat(browser, kind, contextOptions));
  seat.identity = await seat.page.context().addInitScript(
    ([chosen, signedIn]) => {
      if (!localStorage.getItem('languageSet')) localStorage.setItem('languageSet', chosen ?? 'en');
      if (signedIn && !sessionStorage.getItem('testSignedIn')) {
        localStorage.setItem('userToken', signedIn);
        sessionStorage.setItem('testSignedIn', 'once');
      }
    },
    [language, token] as const,
  );
  return seat;
}

/**
 * Cleans a browser for the next visitor, who finds only cached files. In a new browser the first page takes twice the
 * processor time: a process starts, and every script is compiled again.
 */
async function vacate(seat: Seat, siteUrl: string): Promise<void> {
  const { page, complaints, options } = seat;
  const context = page.context();
  for (const other of context.pages()) if (other !== page) await other.close();
  for (const routed of [context, page]) await routed.unrouteAll({ behavior: 'ignoreErrors' });
  await context.setOffline(false);
  await seat.identity?.dispose();
  // On the way from a blank page to the site Chromium would start a new process.
  await page.goto(`${siteUrl}/favicon.svg`);
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  await context.clearCookies();
  const { viewport, colorScheme = 'light', reducedMotion = null } = options;
  if (viewport) await page.setViewportSize(viewport);
  await page.emulateMedia({ media: null, colorScheme, reducedMotion });
  await page.mouse.move(0, 0);
  complaints.length = 0;
  free.push(seat);
  if (free.length > MAX_FREE) await free.shift()?.page.context().close();
}

/** Ends all visits. Visitors of the shared site leave their browsers to the next ones. */
export async function endVisits(browser: Browser, sharedUrl: string | undefined): Promise<void> {
  const contexts = browser
    .contexts()
    .filter((context) => !free.some(({ page }) => page.context() === context));
  await Promise.all(
    contexts.map((context) => {
      const seat = seats.get(context);
      const isReusable = sharedUrl && seat?.kind;
      return isReusable ? vacate(seat, sharedUrl).catch(() => context.close()) : context.close();
    }),
  );
}

/** @throws Error with the errors of the visitor's pages */
export function expectNoErrors({ complaints }: Visitor): void {
  if (complaints.length > 0) throw new Error(`the page complained: ${complaints.join('; ')}`);
}

/** Cases that repeat a journey in another language or window: all in `npm test -- nightly`, otherwise the first. */
export const oneUnlessNightly = <const T>(cases: readonly T[]): readonly T[] =>
  process.env.NIGHTLY ? cases : cases.slice(0, 1);
