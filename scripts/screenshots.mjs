/**
 * `npm run screenshots [-- --url http://127.0.0.1:3000] [path …]`: pictures of the running site's pages, in both languages and at
 * three widths, into screenshots/. Signs in through the operator's tool. For a look with human eyes before a release.
 */
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { inRepository } from './lib/paths.mjs';
import { createProgress } from './lib/progress.mjs';
import { capture } from './lib/run.mjs';
import { Sentence, explain } from './lib/sentence.mjs';
import { findChromium } from './lib/system-packages.mjs';

const PAGES = ['/', '/about', '/matdata', '/matdata?q=Ti-O'];
const LOCALES = ['en-US', 'zh-CN'];
const WIDTHS = [390, 1024, 1440];
const DIRECTORY = inRepository('screenshots');
/** Charts and the crystal viewer draw after their data arrived. */
const SETTLE_MS = 1500;

const words = process.argv.slice(2);
const urlAt = words.indexOf('--url');
const [, base = `http://127.0.0.1:${process.env.PORT || 3000}`] = urlAt >= 0 ? words.splice(urlAt, 2) : [];
const paths = words.length > 0 ? words : PAGES;

async function signInToken() {
  const args = [inRepository('scripts/unitcell.mjs'), 'token', '--mobile', '13800000000'];
  const { code, output } = await capture(process.execPath, args);
  if (code !== 0) throw new Sentence(`No login token for the pictures:\n${output.trim()}`);
  return output.trim().split('\n').at(-1);
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
  const browser = await chromium.launch({
    executablePath,
    args: ['--no-sandbox', '--disable-background-networking'],
  });
  try {
    for (const locale of LOCALES) {
      for (const width of WIDTHS) {
        const context = await browser.newContext({ locale, viewport: { width, height: 900 } });
        await context.addInitScript((value) => globalThis.localStorage.setItem('userToken', value), token);
        const page = await context.newPage();
        for (const path of paths) {
          await page.goto(base + path, { waitUntil: 'networkidle' });
          await page.waitForTimeout(SETTLE_MS);
          const name = `${path.replace(/\W+/g, '-').replace(/^-|-$/g, '') || 'home'}-${locale}-${width}.png`;
          await page.screenshot({ path: join(DIRECTORY, name), fullPage: true });
          progress.say(`  ${name}`);
        }
        await context.close();
      }
    }
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
