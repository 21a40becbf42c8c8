/**
 * `npm run docs:pictures [-- --url http://127.0.0.1:3000] [name …]`: takes the pictures of the user guide from a
 * running site with the seed data, in both languages and both appearances, into
 * docs/public/pictures/<name>.<language>.<appearance>.webp. Signs in as `npm run screenshots` does.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { launchBrowser, newVisitor } from './browser.ts';
import { open, settled, showIn } from './page-state.ts';

const ROOT = resolve(fileURLToPath(import.meta.url), '../../../../..');
const DIRECTORY = join(ROOT, 'docs/public/pictures');
const WIDTH = 1280;
/** Time after which success messages have disappeared. */
const MESSAGES_MS = 5000;

interface Picture {
  readonly url: string;
  readonly height: number;
  /** The button to press first, and a selector of what appears then. */
  readonly press?: readonly [name: RegExp, brings: string];
  /** Element to scroll to. */
  readonly from?: string;
}

const OXIDES = encodeURIComponent('elements HAS "O" AND energy_above_hull = 0 AND band_gap >= 5');
const COATINGS = 'a=LiCoO2&b=Li3PS4&with=Li,O&without=Co&vmin=2&vmax=3&gap=3&ehull=0.03&observed=1';
const PICTURES: Readonly<Record<string, Picture>> = {
  search: { url: '/matdata?q=Ti-O', height: 820 },
  screening: { url: `/matdata?filter=${OXIDES}&sort=-band_gap`, height: 900 },
  material: { url: '/matdatades/95', height: 1150 },
  collections: { url: '/matdata/compare?ids=142,143,144', height: 900 },
  'phase-diagram': { url: '/phase?q=Li+Fe+O', height: 1150 },
  windows: { url: '/Ec_windowDetail/110/Li', height: 960 },
  electrodes: { url: '/electrodes?show=Li-95,Li-87', height: 910 },
  interface: { url: '/Interface_reaction?a=LiCoO2&b=Li3PS4', height: 1260 },
  coatings: { url: `/coatings?${COATINGS}`, height: 1150 },
  reaction: { url: '/reaction?from=CaCO3&to=CaO,CO2&T=1100', height: 1150 },
  ellingham: { url: '/ellingham?el=Fe,Ti,Al,C', height: 1000 },
  pourbaix: { url: '/pourbaix?el=Fe&e=measured', height: 1300 },
  stability: { url: '/stability?q=Li+Mn+O', height: 1400 },
  xrd: { url: '/xrd?sample', height: 1280, press: [/^(Match|匹配)$/, 'tbody tr'] },
  'xrd-refinement': {
    url: '/xrd?sample',
    height: 1100,
    press: [/^(Identify and refine|鉴定并精修)$/, '#refined'],
    from: '#refined',
  },
  'xrd-size-strain': {
    url: '/xrd?sample',
    height: 710,
    press: [/^(Identify and refine|鉴定并精修)$/, '#refined'],
    from: '#refined > div:not([data-confidence]):has(> p)',
  },
  'tight-binding': { url: '/Tight_Binding?grid=kgm&t1=-1&t2=0', height: 900 },
  predict: { url: '/predict?id=95', height: 960 },
  design: { url: '/design', height: 900, press: [/Li–Zr–O–S/, 'main figure'], from: 'main figure' },
  run4u: { url: '/run4u', height: 900, press: [/Try with a sample|用示例试试/, 'text=/Hall/'] },
};

const words = process.argv.slice(2);
const urlAt = words.indexOf('--url');
const [, base = `http://127.0.0.1:${process.env.PORT || 3000}`] = urlAt >= 0 ? words.splice(urlAt, 2) : [];
const signIn = [join(ROOT, 'tools/run.mjs'), 'unitcell', 'token', '--mobile', '13800000000'];
const said = process.env.SCREENSHOTS_TOKEN ?? execFileSync(process.execPath, signIn, { encoding: 'utf8' });
const token = said.trim().split('\n').at(-1);

/** Playwright writes PNG and JPEG; the canvas of a page also writes the smaller WebP. */
async function webpOf(page: Page, png: Buffer): Promise<Buffer> {
  const bytes = await page.evaluate(async (data) => {
    const image = Object.assign(new Image(), { src: `data:image/png;base64,${data}` });
    await image.decode();
    const canvas = new OffscreenCanvas(image.width, image.height);
    canvas.getContext('2d')?.drawImage(image, 0, 0);
    const blob = await canvas.convertToBlob({ type: 'image/webp', quality: 0.8 });
    return Array.from(new Uint8Array(await blob.arrayBuffer()));
  }, png.toString('base64'));
  return Buffer.from(bytes);
}

mkdirSync(DIRECTORY, { recursive: true });
const browser = await launchBrowser();
const blank = await browser.newPage();
for (const [name, { url, height, press, from }] of Object.entries(PICTURES)) {
  if (words.length > 0 && !words.includes(name)) continue;
  for (const language of ['en', 'zh'] as const) {
    const { page } = await newVisitor(browser, {
      language,
      ...(token === undefined ? {} : { token }),
      viewport: { width: WIDTH, height },
    });
    // tsx inserts calls of `__name` into functions that are passed to a page. Pages do not define it.
    await page.addInitScript('globalThis.__name = (named) => named');
    await open(page, base + url);
    if (press) {
      await page.getByRole('button', { name: press[0] }).first().click();
      await page.locator(press[1]).first().waitFor();
      await page.waitForTimeout(MESSAGES_MS);
    }
    if (await page.getByRole('button', { name: /^(Try again|重试)$/ }).count())
      throw new Error(`${url} shows an error instead of its content; is the site busy?`);
    for (const scheme of ['light', 'dark'] as const) {
      await showIn(page, scheme);
      if (from) await page.evaluate((part) => document.querySelector(part)?.scrollIntoView(), from);
      await settled(page);
      const file = `${name}.${language}.${scheme}.webp`;
      writeFileSync(join(DIRECTORY, file), await webpOf(blank, await page.screenshot()));
      process.stdout.write(`  ${file}\n`);
    }
    await page.context().close();
  }
}
await browser.close();
