/** Copy as code: the programs of the pages are run, and get the answers the pages got. */
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type PythonEnvironment, pythonEnvironment } from '@unitcell/dev/clients/python-environment';
import { type SiteWithKey, startSiteWithKey } from '@unitcell/dev/clients/site-with-key';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
}, 300_000);
afterAll(async () => {
  await browser.close();
  await started.site.stop();
  rmSync(folder, { recursive: true });
});

/** Runs a program as somebody would who pasted it, and prints the answer as JSON at its end. */
async function answerOf(language: string, code: string): Promise<unknown> {
  const env = { ...process.env, UNITCELL_KEY: started.key };
  const options = { env, cwd: folder, maxBuffer: MEGABYTES };
  if (language === 'curl') return JSON.parse((await run('bash', ['-c', code], options)).stdout);
  if (language === 'python') {
    writeFileSync(join(folder, 'program.py'), `${code}\nimport json\nprint(json.dumps(answer))\n`);
    const printed = await (python as PythonEnvironment).run('python', [join(folder, 'program.py')], {
      env: { UNITCELL_KEY: started.key },
      cwd: folder,
    });
    return JSON.parse(printed);
  }
  const file = join(folder, 'program.mts');
  writeFileSync(file, `${code}\nprocess.stdout.write(JSON.stringify(answer));\n`);
  const tsx = join(repository, 'node_modules/tsx/dist/cli.mjs');
  return JSON.parse((await run(process.execPath, [tsx, file], options)).stdout);
}

/** What depends on when it was asked, not on what. */
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

const PAGES: readonly [what: string, path: string, call: string][] = [
  ['a search', '/matdata?q=Ti-O', '/api/matdata/search_by_elements/'],
  ['a material', '/matdatades/101', '/api/matdata/get_struct_detail/'],
  ['a phase diagram', '/phase?q=Ti+O', '/api/phase_diagram/phase_diagram_handle/'],
  ['windows', '/Ec_window?q=Li-O-*', '/api/ecwindow/search_by_elements/'],
  ['a reaction', '/Interface_reaction?a=Li2O&b=TiO2', '/api/interface_reaction/interface_receive/'],
];

describe.skipIf('missing' in python)('copy as code', () => {
  it.each(PAGES)('gets the answer of %s in three languages', async (_, path, call) => {
    const page = await open(path);
    const seen = page.waitForResponse((response) => response.url().endsWith(call) && response.ok());
    await page.reload();
    const shown = timeless(await (await seen).json());
    await page.getByRole('button', { name: 'Code' }).first().click();
    const dialog = page.getByRole('dialog');
    for (const [language, name] of [
      ['curl', 'curl'],
      ['python', 'Python'],
      ['typescript', 'TypeScript'],
    ] as const) {
      await dialog.getByRole('button', { name, exact: true }).click();
      const code = (await dialog.locator(`pre[data-language=${language}]`).textContent()) ?? '';
      expect([language, timeless(await answerOf(language, code))]).toEqual([language, shown]);
    }
    await page.context().close();
  });

  it('saves a long request beside the program of a pattern match', async () => {
    const page = await open('/xrd?sample');
    const seen = page.waitForResponse((response) => response.url().endsWith('/api/xrd/xrd_match/'), {
      timeout: 120_000,
    });
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
  });
});
