/** Opens pages for visitors in a real Chromium. A later visitor can use the browser of an earlier one. */
import { statfsSync } from 'node:fs';
import { chromiumProgram } from '@unitcell/tools/chromium-program';
import { TEST_TIMEOUT_MS } from '@unitcell/tools/timeouts';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type CDPSession,
  chromium,
  type Disposable,
  type Page,
} from 'playwright-core';
import { watchRequests } from './page-state.ts';

/** Chromium obeys only the last such list, so this one repeats what matters here of the list of Playwright. */
const FEATURES_OFF = [
  // A new frame for each document. It resets the media of the page, and the page that is left is laid out once more.
  'RenderDocument',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'MediaRouter',
  'OptimizationHints',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
];

/** No traffic by the browser itself: these tests use loopback only. */
export const BROWSER_FLAGS = [
  '--no-sandbox',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
  '--disable-quic',
  `--disable-features=${FEATURES_OFF.join()}`,
  // Pages live for seconds: compiling a function for speed costs more than it saves, unless it runs very often.
  '--js-flags=--invocation-count-for-maglev=20000',
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
  /** The test sets the clock of its pages. Later visitors find it running. */
  readonly setsClock?: boolean;
  /** Runs in every document before the scripts of the page. */
  readonly script?: () => void;
  /** The test changes what `reset` does not undo. */
  readonly inNewBrowser?: boolean;
}

/** Software rendering prints these messages on the console. They are no errors of the page. */
const HARMLESS = /GPU stall|GroupMarkerNotSet|WebGL/;

/** The browser of a visitor. A later visitor can use it again. */
interface UsedBrowser extends Visitor {
  /**
   * The options that cannot be changed later, as JSON: a later visitor needs equal ones. Empty if no visitor
   * may follow.
   */
  readonly kind: string;
  /** Makes the page slow, see `SLOWNESS`. */
  readonly throttle?: CDPSession;
  /** Scripts in every document of the visitor. */
  scripts: readonly Disposable[];
}

const used = new WeakMap<BrowserContext, UsedBrowser>();
/** Browsers of earlier visitors. Each keeps a process with the compiled scripts of the site. */
const idle: UsedBrowser[] = [];
const MAX_IDLE = 4;

/** Errors so far on all pages of a visitor. */
export const errorsIn = (context: BrowserContext): readonly string[] => used.get(context)?.complaints ?? [];

/** `SLOW_PAGES=6` makes pages six times slower, so that tests that work only on a fast machine fail. */
const SLOWNESS = Number(process.env.SLOW_PAGES ?? 1);

async function openBrowser(
  browser: Browser,
  kind: string,
  options: BrowserContextOptions,
): Promise<UsedBrowser> {
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
  context.on('page', watch);
  const throttle = SLOWNESS > 1 && { throttle: await context.newCDPSession(page) };
  const visitor = { page, complaints, kind, scripts: [], ...throttle };
  used.set(context, visitor);
  return visitor;
}

/** Default screen and media of a visitor; also those of every window that a page opens. */
const DEFAULTS = {
  viewport: { width: 1440, height: 900 },
  colorScheme: 'light',
  reducedMotion: 'reduce', // transitions would only cost time in tests of other things
} as const;

/** A window in which drawings by software take less time, still wide enough for the layout of a desktop. */
export const SMALL_WINDOW = { width: 900, height: 900 };

/** A visitor with a new browser, or with the browser of an earlier visitor after `reset`. */
export async function newVisitor(browser: Browser, options: VisitorOptions = {}): Promise<Visitor> {
  const {
    language = 'en',
    token,
    setsClock = false,
    inNewBrowser = false,
    script,
    viewport,
    colorScheme,
    reducedMotion,
    ...lasting
  } = { ...DEFAULTS, ...options };
  const kind = inNewBrowser
    ? ''
    : JSON.stringify([setsClock, ...Object.entries(lasting).sort(([a], [b]) => a.localeCompare(b))]);
  // After a crash of Chromium, the browsers of the old process are gone.
  const left = idle.find((one) => one.kind === kind && one.page.context().browser() === browser);
  if (left) idle.splice(idle.indexOf(left), 1);
  const visitor = left ?? (await openBrowser(browser, kind, { ...DEFAULTS, ...lasting }));
  if (setsClock) await (left ? visitor.page.clock.resume() : visitor.page.clock.install());
  if (viewport) await visitor.page.setViewportSize(viewport);
  await visitor.page.emulateMedia({ media: null, colorScheme, reducedMotion });
  await visitor.throttle?.send('Emulation.setCPUThrottlingRate', { rate: SLOWNESS });
  const context = visitor.page.context();
  const identity = await context.addInitScript(
    ([chosen, signedIn]) => {
      if (!localStorage.getItem('languageSet')) localStorage.setItem('languageSet', chosen ?? 'en');
      if (signedIn && !sessionStorage.getItem('testSignedIn')) {
        localStorage.setItem('userToken', signedIn);
        sessionStorage.setItem('testSignedIn', 'once');
      }
    },
    [language, token] as const,
  );
  visitor.scripts = script ? [identity, await context.addInitScript(script)] : [identity];
  return visitor;
}

/**
 * Cleans a browser for the next visitor, who finds only cached files. In a new browser the first page takes twice the
 * processor time: a process starts, and every script is compiled again.
 */
async function reset(visitor: UsedBrowser, siteUrl: string): Promise<void> {
  const { page, complaints } = visitor;
  const context = page.context();
  for (const other of context.pages()) if (other !== page) await other.close();
  for (const routed of [context, page]) await routed.unrouteAll({ behavior: 'ignoreErrors' });
  await context.setOffline(false);
  for (const script of visitor.scripts) await script.dispose();
  // Stays on the site, because Chromium would start a new process for a visit from a blank page.
  await page.goto(`${siteUrl}/favicon.svg`);
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  await context.clearCookies();
  await page.mouse.move(0, 0);
  complaints.length = 0;
  // A slow page keeps a core busy even when nothing happens on it.
  await visitor.throttle?.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  idle.push(visitor);
  if (idle.length > MAX_IDLE) await idle.shift()?.page.context().close();
}

/** Ends all visits. Visitors leave their browsers to the next ones. */
export async function endVisits(browser: Browser, siteUrl: string): Promise<void> {
  const contexts = browser
    .contexts()
    .filter((context) => !idle.some(({ page }) => page.context() === context));
  await Promise.all(
    contexts.map((context) => {
      const visitor = used.get(context);
      return visitor?.kind ? reset(visitor, siteUrl).catch(() => context.close()) : context.close();
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
