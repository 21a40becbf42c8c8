/**
 * `npm run screenshots [-- --url http://127.0.0.1:3000] [--widths 360,1440] [path …]`: pictures of every page of the
 * running site, from a phone to a wide desk, in both languages and both appearances, into screenshots/. For visual
 * inspection before a release.
 *
 * Signs in through the operator's tool, or with the token in SCREENSHOTS_TOKEN.
 */
import { execFile } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Browser } from 'playwright-core';
import { launchBrowser } from './browser.ts';
import { examplePages, type PageExample } from './site-pages.ts';

const LANGUAGES = ['zh', 'en'] as const;
const SCHEMES = ['light', 'dark'] as const;
const WIDTHS = [360, 768, 1440, 1920];
const ROOT = resolve(fileURLToPath(import.meta.url), '../../../../..');
const DIRECTORY = join(ROOT, 'screenshots');
const LOAD_MS = 20_000;
/** Maximum wait for an idle network, because pages that poll never have one. */
const IDLE_MS = 4000;
/** Time for charts and the crystal viewer, which draw after their data have arrived. */
const SETTLE_MS = 1200;

const words = process.argv.slice(2);
const urlAt = words.indexOf('--url');
const [, base = `http://127.0.0.1:${process.env.PORT || 3000}`] = urlAt >= 0 ? words.splice(urlAt, 2) : [];

const widthsAt = words.indexOf('--widths');
const widths = widthsAt >= 0 ? (words.splice(widthsAt, 2)[1] ?? '').split(',').map(Number) : WIDTHS;

type Wanted = Pick<PageExample, 'url' | 'needsLogin'>;

/**
 * All pages of the client, or those named on the command line: pages of the list, or other addresses (signed
 * in).
 */
const wantedPages = (): readonly Wanted[] =>
  words.length === 0
    ? examplePages
    : words.map(
        (url) =>
          examplePages.find((page) => page.path === url || page.url === url) ?? { url, needsLogin: true },
      );

async function signInToken(): Promise<string> {
  if (process.env.SCREENSHOTS_TOKEN) return process.env.SCREENSHOTS_TOKEN;
  const args = [join(ROOT, 'tools/run.mjs'), 'unitcell', 'token', '--mobile', '13800000000'];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return stdout.trim().split('\n').at(-1) ?? '';
}

const nameOf = (url: string) => url.replaceAll(/\W+/g, '-').replaceAll(/^-|-$/g, '') || 'home';

/** All pictures of one page: loaded once per language and width, in both appearances. */
async function takePage(browser: Browser, { url, needsLogin }: Wanted, token: string): Promise<void> {
  for (const language of LANGUAGES) {
    for (const width of widths) {
      const context = await browser.newContext({
        viewport: { width, height: width < 800 ? 760 : 900 },
        reducedMotion: 'reduce',
      });
      await context.addInitScript(
        ([chosen, ticket]) => {
          localStorage.setItem('languageSet', chosen);
          if (ticket) localStorage.setItem('userToken', ticket);
        },
        [language, needsLogin ? token : ''] as const,
      );
      const page = await context.newPage();
      await page.goto(base + url, { waitUntil: 'load', timeout: LOAD_MS });
      // Charts far below are fetched when they come near the window, or for printing.
      await page
        .locator('h1')
        .first()
        .waitFor()
        .catch(() => undefined);
      await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
      await page.waitForLoadState('networkidle', { timeout: IDLE_MS }).catch(() => undefined);
      await page.waitForTimeout(SETTLE_MS);
      for (const scheme of SCHEMES) {
        await page.emulateMedia({ colorScheme: scheme });
        await page.waitForTimeout(SETTLE_MS / 4);
        const name = `${nameOf(url)}-${width}-${language}-${scheme}.png`;
        await page.screenshot({ path: join(DIRECTORY, name), fullPage: true });
        process.stdout.write(`  ${name}\n`);
      }
      await context.close();
    }
  }
}

const healthy = await fetch(`${base}/api/health`).catch(() => undefined);
if (healthy?.ok) {
  const token = await signInToken();
  mkdirSync(DIRECTORY, { recursive: true });
  const browser = await launchBrowser();
  try {
    for (const page of wantedPages()) await takePage(browser, page, token);
  } finally {
    await browser.close();
  }
} else {
  process.stderr.write(
    `Nothing answers at ${base}. Start the site first (npm start), or name another: --url http://…\n`,
  );
  process.exitCode = 1;
}
