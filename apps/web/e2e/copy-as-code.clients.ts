/** Copy as code: the programs shown on the pages are run, and must get the same answers as the pages. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { pythonEnvironment } from '@unitcell/tools/clients/python-environment';
import { type SiteWithKey, startSiteWithKey } from '@unitcell/tools/clients/site-with-key';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pages } from '../src/app/pages.ts';
import { launchBrowser, newVisitor } from './support/browser.ts';
import { tokenFor } from './support/sign-in.ts';

const run = promisify(execFile);
const MEGABYTES = 64 * 1024 * 1024;
const python = await pythonEnvironment();
const repository = new URL('../../../', import.meta.url).pathname;

let started: SiteWithKey;
let browser: Browser;
let token: string;
let folder: string;
beforeAll(async () => {
  started = await startSiteWithKey();
  browser = await launchBrowser();
  token = await tokenFor(started.site);
  folder = mkdtempSync(join(tmpdir(), 'unitcell-snippets-'));
  symlinkSync(join(repository, 'apps/web/node_modules'), join(folder, 'node_modules'));
});
afterAll(async () => {
  await browser.close();
  await started.site.stop();
  rmSync(folder, { recursive: true });
});

/**
 * Runs a copied program and returns its answer. Python and TypeScript get a last line that prints the answer
 * as JSON.
 */
async function answerOf(language: string, code: string, key = started.key): Promise<unknown> {
  const env = { ...process.env, UNITCELL_KEY: key };
  const options = { env, cwd: folder, maxBuffer: MEGABYTES };
  if (language === 'curl') return JSON.parse((await run('bash', ['-c', code], options)).stdout);
  if (language === 'python') {
    writeFileSync(join(folder, 'program.py'), `${code}\nimport json\nprint(json.dumps(answer))\n`);
    const printed = await python.run('python', [join(folder, 'program.py')], {
      env: { UNITCELL_KEY: key },
      cwd: folder,
    });
    return JSON.parse(printed);
  }
  const file = join(folder, 'program.mts');
  writeFileSync(file, `${code}\nprocess.stdout.write(JSON.stringify(answer));\n`);
  const tsx = join(repository, 'node_modules/tsx/dist/cli.mjs');
  return JSON.parse((await run(process.execPath, [tsx, file], options)).stdout);
}

/** Removes what depends on the time of the request. */
const timeless = (answer: unknown): unknown =>
  JSON.parse(JSON.stringify(answer), (key, value) =>
    ['seconds', 'waited_seconds', 'message', 'resets_at', 'user_data', 'quota'].includes(key)
      ? undefined
      : value,
  );

async function open(path: string): Promise<Page> {
  const { page } = await newVisitor(browser, { token });
  await page.goto(started.site.url + path);
  return page;
}

/** Opens the page and returns the answer of a call that it makes. */
async function openSeeing(path: string, call: string): Promise<{ page: Page; shown: unknown }> {
  const { page } = await newVisitor(browser, { token });
  const [seen] = await Promise.all([
    page.waitForResponse((response) => response.url().endsWith(call) && response.ok()),
    page.goto(started.site.url + path),
  ]);
  return { page, shown: timeless(await seen.json()) };
}

interface Shown {
  readonly path: string;
  /** Call whose answer the page shows; undefined if the page calculates by itself. */
  readonly call?: string;
  /** True for data that only the account may see; the program then uses the account's token as its key. */
  readonly isOwn?: true;
}

const DETAIL = '/api/matdata/get_struct_detail/';
const SCREENED = encodeURIComponent('elements HAS "Ti" AND band_gap >= 2');
/** The pages that show an answer of the API, each with the addresses to test. Material 142 is rutile. */
const PAGES: Readonly<Record<string, readonly Shown[]>> = {
  '/matdata': [
    { path: '/matdata?q=Ti-O', call: '/api/matdata/search_by_elements/' },
    { path: '/matdata?q=TiO2&by=formula', call: '/api/matdata/search_by_formula/' },
    { path: `/matdata?filter=${SCREENED}`, call: '/api/matdata/screen/' },
  ],
  '/matdata/compare': [{ path: '/matdata/compare?ids=142', call: DETAIL }],
  '/collections': [{ path: '/collections', call: '/api/collections/list/', isOwn: true }],
  '/collections/:id': [{ path: '/collections/OWN', call: '/api/matdata/screen/rows/' }],
  '/collections/shared/:key': [{ path: '/collections/shared/SHARED', call: '/api/matdata/screen/rows/' }],
  '/matdatades/:id': [{ path: '/matdatades/142', call: DETAIL }],
  '/run4u': [{ path: '/run4u', call: '/api/run4u/dashboard_handle/', isOwn: true }],
  '/phase': [
    { path: '/phase?q=Ti+O', call: '/api/phase_diagram/phase_diagram_handle/' },
    { path: '/phase?q=Ti+O&from=142', call: '/api/phase_diagram/phase_diagram_handle/' },
    { path: '/phase?q=Ti+O&compound=TiO2', call: '/api/phase_diagram/chemical_potentials/' },
  ],
  '/Ec_window': [{ path: '/Ec_window?q=Li-O-*', call: '/api/ecwindow/search_by_elements/' }],
  '/Ec_windowDetail/:id/:work_ion': [
    { path: '/Ec_windowDetail/142/Li', call: '/api/ecwindow/get_ecw_detail/' },
  ],
  '/electrodes': [{ path: '/electrodes', call: '/api/electrodes/search/' }],
  '/Interface_reaction': [
    {
      path: '/Interface_reaction?a=Li2O&b=TiO2&open=O&mu=-0.5',
      call: '/api/interface_reaction/interface_receive/',
    },
    { path: '/Interface_reaction?a=142&b=Li&from=142', call: '/api/interface_reaction/interface_receive/' },
  ],
  '/coatings': [{ path: '/coatings?a=LiCoO2&b=Li3PS4&with=Li,O&gap=3', call: '/api/coatings/search/' }],
  '/reaction': [{ path: '/reaction?from=TiO2,Mg&to=Ti,MgO&T=1000', call: '/api/stability/reaction/' }],
  '/ellingham': [{ path: '/ellingham', call: '/api/stability/ellingham/' }],
  '/stability': [{ path: '/stability?q=Ti+O', call: '/api/phase_diagram/phase_diagram_handle/' }],
  '/pourbaix': [{ path: '/pourbaix?el=Ti', call: '/api/stability/pourbaix/' }],
  '/design': [{ path: '/design?run=DESIGN', call: '/api/design/run/', isOwn: true }],
  '/predict': [{ path: '/predict?id=142', call: '/api/prediction/predict/' }],
  '/predict/model': [{ path: '/predict/model', call: '/api/prediction/model/' }],
  '/Tight_Binding': [{ path: '/Tight_Binding' }],
  '/releases': [{ path: '/releases', call: '/api/releases/' }],
};
/** Pages whose request is too long for a program. */
const LONG = ['/xrd'];
/**
 * Pages without an answer to show: texts, the account, the API description, and the operator's page, which
 * cannot be read with an API key.
 */
const WITHOUT =
  '/ /account /about /unitcell /team /milestone /advisory /publication /methods /operate /reference /protocal/user /protocal/private *';

it('every page of the site is tested here or listed as having no answer', () => {
  const looked = [...Object.keys(PAGES), ...LONG, ...WITHOUT.split(' ')];
  expect(looked.toSorted()).toEqual(pages.map(({ path }) => path).toSorted());
});

describe('copy as code', () => {
  /**
   * Data of the browser's account that replace these names in addresses: the id and the sharing key of a
   * collection, and the id of a search for new compounds.
   */
  let own: Readonly<Record<'OWN' | 'SHARED' | 'DESIGN', string>>;
  beforeAll(async () => {
    await started.unitcell('release', 'publish');
    const call = async (name: string, body: object) => {
      const answer = await fetch(`${started.site.url}/api/${name}/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
        body: JSON.stringify(body),
      });
      return answer.json();
    };
    const { id } = (await call('collections/save', { name: 'Oxides', add: [142, 143] })).collection;
    const { share_key: key } = await call('collections/share', { id, is_shared: true });
    const design = await call('design/start', {
      elements: ['Li', 'O', 'Zr'],
      required: ['Li'],
      nelements: 3,
      candidates: 10,
    });
    const isFinished = async () => (await call('design/run', { id: design.id })).run.status === 'finished';
    while (!(await isFinished())) await delay(500);
    own = { OWN: String(id), SHARED: key, DESIGN: String(design.id) };
  });

  it.each(Object.values(PAGES).flat())('gets the answer of $path in three languages', async (looked) => {
    const { call, isOwn } = looked;
    const path = looked.path.replace(/OWN|SHARED|DESIGN/, (word) => own[word as keyof typeof own]);
    const { page, shown } = call
      ? await openSeeing(path, call)
      : { page: await open(path), shown: undefined };
    // The tested Code button is the last one on predictions, where the button of the embedded diagram comes
    // before that of the page, and for `compound=`, where the button of the section comes after that of the
    // page.
    const buttons = page.getByRole('button', { name: 'Code', exact: true });
    await (/^\/predict|compound=/.test(path) ? buttons.last() : buttons.first()).click();
    const dialog = page.getByRole('dialog');
    const got: unknown[] = [];
    for (const [language, name] of [
      ['curl', 'curl'],
      ['python', 'Python'],
      ['typescript', 'TypeScript'],
    ] as const) {
      await dialog.getByRole('button', { name, exact: true }).click();
      const code = (await dialog.locator(`pre[data-language=${language}]`).textContent()) ?? '';
      const answer = timeless(await answerOf(language, code, isOwn && token));
      expect([language, answer]).toEqual([language, shown ?? got[0] ?? answer]);
      got.push(answer);
    }
    await page.context().close();
  });

  it('gets the bands that the tight-binding page calculates by itself', async () => {
    const page = await open('/Tight_Binding?grid=kgm&t2=-0.3');
    await page.getByRole('button', { name: 'Code', exact: true }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'curl', exact: true }).click();
    const code = (await dialog.locator('pre[data-language=curl]').textContent()) ?? '';
    const { plotly_data: bands } = (await answerOf('curl', code)) as { plotly_data: { y: number[] }[] };
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Export' }).click();
    const [saved] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'Bands (CSV)' }).click(),
    ]);
    const [, ...rows] = readFileSync(await saved.path(), 'utf8')
      .split(/\r?\n/)
      .filter((line) => /^[^#\u{feff}]/u.test(line));
    const shown = rows.map((row) => row.split(',').slice(4).map(Number));
    expect(shown.length).toBeGreaterThan(50);
    expect(bands.map(({ y }) => y.length)).toEqual(bands.map(() => shown.length));
    for (const [point, energies] of shown.entries())
      for (const [band, energy] of energies.entries()) expect(bands[band]?.y[point]).toBeCloseTo(energy, 9);
    await page.context().close();
  });

  it.each(['/xrd?sample', '/xrd?sample&from=142'])(
    'saves a long request beside the program of %s',
    async (path) => {
      const page = await open(path);
      const seen = page.waitForResponse((response) => response.url().endsWith('/api/xrd/xrd_match/'));
      await page.getByRole('button', { name: 'Match', exact: true }).click();
      const shown = timeless(await (await seen).json());
      await page.getByRole('button', { name: 'Code' }).first().click();
      const dialog = page.getByRole('dialog');
      const [saved] = await Promise.all([
        page.waitForEvent('download'),
        dialog.getByRole('button', { name: 'request.json' }).click(),
      ]);
      writeFileSync(join(folder, 'request.json'), readFileSync(await saved.path()));
      await dialog.getByRole('button', { name: 'curl', exact: true }).click();
      const code = (await dialog.locator('pre[data-language=curl]').textContent()) ?? '';
      expect(timeless(await answerOf('curl', code))).toEqual(shown);
      await page.context().close();
    },
  );
});
