/**
 * `npm run screenshots [-- --url http://127.0.0.1:3000] [path …]`: pictures of every page of the running site, on a phone and on a
 * desk, in both languages and both appearances, into screenshots/. For a look with human eyes before a release.
 *
 * Signs in through the operator's tool, or with the token in SCREENSHOTS_TOKEN.
 */
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { tsImport } from 'tsx/esm/api';
import { inRepository } from './lib/paths.mjs';
import { createProgress } from './lib/progress.mjs';
import { capture } from './lib/run.mjs';
import { Sentence, explain } from './lib/sentence.mjs';
import { findChromium } from './lib/system-packages.mjs';

const LANGUAGES = ['zh', 'en'];
const SCHEMES = ['light', 'dark'];
const WIDTHS = [360, 1440];
const DIRECTORY = inRepository('screenshots');
const LOAD_MS = 20_000;
/** Pages that poll are never idle. */
const IDLE_MS = 4000;
/** Charts and the crystal viewer draw after their data arrived. */
const SETTLE_MS = 1200;

const words = process.argv.slice(2);
const urlAt = words.indexOf('--url');
const [, base = `http://127.0.0.1:${process.env.PORT || 3000}`] = urlAt >= 0 ? words.splice(urlAt, 2) : [];

/** The pages of the client's own list, or those asked for: by their path in it, or any address (with a login). */
async function wantedPages() {
  const { examplePages } = await tsImport('../apps/web/e2e/support/site-pages.ts', import.meta.url);
  if (words.length === 0) return examplePages;
  return words.map(
    (url) => examplePages.find((page) => page.path === url || page.url === url) ?? { url, needsLogin: true },
  );
}

async function signInToken() {
  if (process.env.SCREENSHOTS_TOKEN) return process.env.SCREENSHOTS_TOKEN;
  const args = [inRepository('scripts/unitcell.mjs'), 'token', '--mobile', '13800000000'];
  const { code, output } = await capture(process.execPath, args);
  if (code !== 0) throw new Sentence(`No login token for the pictures:\n${output.trim()}`);
  return output.trim().split('\n').at(-1);
}

const nameOf = (url) => url.replaceAll(/\W+/g, '-').replaceAll(/^-|-$/g, '') || 'home';

/** All pictures of one page: loaded once per language and width, in both appearances. */
async function takePage(browser, { url, needsLogin }, token, say) {
  for (const language of LANGUAGES) {
    for (const width of WIDTHS) {
      const context = await browser.newContext({
        viewport: { width, height: width < 800 ? 760 : 900 },
        reducedMotion: 'reduce',
      });
      await context.addInitScript(
        ([chosen, ticket]) => {
          globalThis.localStorage.setItem('languageSet', chosen);
          if (ticket) globalThis.localStorage.setItem('userToken', ticket);
        },
        [language, needsLogin ? token : ''],
      );
      const page = await context.newPage();
      await page.goto(base + url, { waitUntil: 'load', timeout: LOAD_MS });
      await page.waitForLoadState('networkidle', { timeout: IDLE_MS }).catch(() => undefined);
      await page.waitForTimeout(SETTLE_MS);
      for (const scheme of SCHEMES) {
        await page.emulateMedia({ colorScheme: scheme });
        await page.waitForTimeout(SETTLE_MS / 4);
        const name = `${nameOf(url)}-${width}-${language}-${scheme}.png`;
        await page.screenshot({ path: join(DIRECTORY, name), fullPage: true });
        say(`  ${name}`);
      }
      await context.close();
    }
  }
}

async function takeAll(progress) {
  const healthy = await fetch(`${base}/api/health`).catch(() => undefined);
  if (!healthy?.ok)
    throw new Sentence(
      `Nothing answers at ${base}. Start the site first (npm start), or name another: --url http://…`,
    );
  const { path: executablePath, missing } = await findChromium(progress);
  if (missing) throw new Sentence(`No pictures: ${missing}.`);
  const { chromium } = createRequire(import.meta.url)('playwright-core');
  const token = await signInToken();
  mkdirSync(DIRECTORY, { recursive: true });
  const args = ['--no-sandbox', '--disable-background-networking'];
  const browser = await chromium.launch({ executablePath, args });
  try {
    for (const page of await wantedPages())
      await takePage(browser, page, token, (line) => progress.say(line));
  } finally {
    await browser.close();
  }
}

try {
  await takeAll(createProgress());
} catch (error) {
  process.stderr.write(`${explain(error)}\n`);
  process.exitCode = 1;
}
