/**
 * The operator's page: the first administrator signs in by a link, blocks an account, cancels a submission,
 * edits a text and reads the log. Also tests that imported phonons are shown.
 */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { springBorn, springForceSets, springYaml, TRANSVERSE } from '@unitcell/potential/testing';
import { builtProgram } from '@unitcell/tools/bundle';
import { withClient } from '@unitcell/tools/database';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violations } from './support/axe.ts';
import { expectNoErrors, newVisitor, oneUnlessNightly, type Visitor } from './support/browser.ts';
import { overflowOf } from './support/page-checks.ts';
import { open, settled, switchTo } from './support/page-state.ts';
import { tokenFor } from './support/sign-in.ts';
import { openSite } from './support/open-site.ts';

const SECRET = 'a-secret-of-the-operator-journeys-long-enough';
const { site, browser } = await openSite({ env: { JWT_SECRET: SECRET, RUN4U_SLOTS: '0' }, keepsPages: true });
const home = mkdtempSync(join(tmpdir(), 'unitcell-operate-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** Folder for screenshots to inspect by eye. */
const shots = process.env.OPERATE_SHOTS;
const SECTIONS = [
  'health',
  'people',
  'submissions',
  'reports',
  'imports',
  'queue',
  'texts',
  'keys',
  'budgets',
  'storage',
  'backups',
  'audit',
];

async function shoot(page: Page, name: string): Promise<void> {
  if (!shots) return;
  mkdirSync(shots, { recursive: true });
  await page.screenshot({ path: `${shots}/${name}.png`, fullPage: true });
}

/** Runs the operator's command-line tool on the site's database. */
async function unitcell(...words: string[]): Promise<string> {
  const env = {
    ...process.env,
    DATABASE_URL: site.databaseUrl,
    JWT_SECRET: SECRET,
    UNITCELL_HOME: home,
    PUBLIC_URL: site.url,
  };
  const { stdout } = await promisify(execFile)(process.execPath, [builtProgram('cli'), ...words], { env });
  return stdout.trim();
}

const section = (page: Page, name: string) =>
  page.getByRole('navigation', { name: 'Sections of the admin page' }).getByRole('link', { name });
const profileStatus = async (token: string): Promise<number> =>
  (await fetch(`${site.url}/api/arkid/get_user_infor/`, { headers: { authorization: `token ${token}` } }))
    .status;

let administrator: Visitor;
beforeAll(async () => {
  const link = await unitcell('user', 'invite', '--administrator', '--name', 'Ada Lovelace');
  administrator = await newVisitor(browser, { language: 'en' });
  await administrator.page.goto(link);
  await administrator.page.getByRole('link', { name: 'Admin' }).click();
  await settled(administrator.page);
});

describe('an administrator who signed in by a link', () => {
  it('blocks a person, cancels a submission, changes a text, and reads all this in the log', async () => {
    const memberToken = await tokenFor(site, '13900000091');
    const submission = await withClient(site.databaseUrl, async (client) => {
      const { rows } = await client.query(
        `INSERT INTO submission (account_id, status, formula, space_group, structure, nsites)
         SELECT id, 'queued', 'Na3PS4', 'P-42_1c', '{"lattice":[4,0,0,0,4,0,0,0,4],"species":[["Na",1]],"coords":[0,0,0]}', 16
         FROM account WHERE mobile = '13900000091' RETURNING id`,
      );
      return (rows as { id: number }[])[0]?.id;
    });
    const { page, complaints } = administrator;
    await section(page, 'Users').click();
    await page.getByRole('searchbox').fill('13900000091');
    await page.getByRole('button', { name: /^Open: user_/ }).click();
    const person = page.getByRole('dialog').first();
    await person.getByRole('button', { name: /^Block:/ }).click();
    await page.getByRole('dialog').last().getByRole('button', { name: 'Block', exact: true }).click();
    await page.getByText('Account blocked.').waitFor();
    await expect.poll(() => profileStatus(memberToken)).toBe(401);
    await page.keyboard.press('Escape');

    await section(page, 'Submissions').click();
    await page.getByRole('button', { name: `Cancel: ${submission} Na3PS4` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel', exact: true }).first().click();
    await page.getByRole('button', { name: `Retry: ${submission} Na3PS4` }).waitFor();

    await section(page, 'Texts').click();
    await page.getByRole('combobox', { name: 'Text', exact: true }).selectOption('terms');
    await page.getByLabel('Language', { exact: true }).selectOption('en');
    const markdown = page.getByRole('textbox', { name: 'Markdown' });
    await markdown.fill(`${await markdown.inputValue()}\n\nNobody may sell crystals here.\n`);
    await page.getByRole('region', { name: 'Preview' }).getByText('Nobody may sell crystals here.').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Saved and published.').waitFor();
    const reader = await newVisitor(browser, { language: 'en' });
    await open(reader.page, `${site.url}/protocal/user`);
    await reader.page.getByText('Nobody may sell crystals here.').waitFor();
    await reader.page.context().close();

    await section(page, 'Audit log').click();
    const log = page.getByRole('region', { name: 'Audit log' });
    for (const event of ['account-blocked', 'submission-cancelled', 'content-changed'])
      await expect
        .poll(() => log.getByRole('row').filter({ hasText: event }).first().innerText())
        .toContain('Ada Lovelace');
    const written = await unitcell('audit', '--event', 'account-blocked');
    expect(written).toMatch(/account-blocked\t[\d.]+\tby \d+/);
    expect(complaints.filter((line) => !line.includes('401'))).toEqual([]);
  });

  it('answers a report of a problem with an entry, and the reporting user sees the answer on that page', async () => {
    const token = await tokenFor(site, '13900000095');
    const reader = await newVisitor(browser, { language: 'en', token });
    await open(reader.page, `${site.url}/matdatades/142`);
    await reader.page.getByRole('button', { name: 'Report a problem with this entry' }).click();
    await reader.page
      .getByRole('textbox', { name: 'What is wrong, and how do you know?' })
      .fill('The measured gap of rutile is 3.03 eV.');
    await reader.page.getByRole('button', { name: 'Send' }).click();
    const own = reader.page.locator('#notes li');
    await own.filter({ hasText: '3.03 eV' }).filter({ hasText: 'open' }).waitFor();

    const { page } = administrator;
    await section(page, 'Reports').click();
    await page.getByRole('button', { name: /^Answer: \d+ TiO2$/ }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('textbox', { name: 'Answer' }).fill('It is listed below the PBE value.');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('No reports.').waitFor();
    await reader.page.reload();
    await own.filter({ hasText: 'answered' }).getByText('It is listed below the PBE value.').waitFor();
    expectNoErrors(reader);
    await reader.page.context().close();
  });
});

/** The settings of the sweep over all pages: a phone in English and dark, a desktop in Chinese and light. */
describe.each(
  oneUnlessNightly([
    ['a phone in English', { language: 'en', colorScheme: 'dark', viewport: { width: 360, height: 780 } }],
    [
      'a desktop in Chinese',
      { language: 'zh', colorScheme: 'light', viewport: { width: 1440, height: 900 } },
    ],
  ]),
)('the page of an administrator on %s', (_where, visitor) => {
  let page: Page;
  beforeAll(async () => {
    const token = await administrator.page.evaluate(() => localStorage.getItem('userToken') ?? '');
    ({ page } = await newVisitor(browser, { ...visitor, token }));
    await open(page, `${site.url}/operate`);
  });
  afterAll(() => page.context().close());

  it.each(SECTIONS)('has no accessibility violations and no overflow in the section %s', async (name) => {
    await page.locator(`main nav a[href$="section=${name}"]`).click();
    await page.waitForURL(new RegExp(`section=${name}$`));
    await settled(page);
    await shoot(page, `${name}-${visitor.language}-${visitor.viewport.width}-${visitor.colorScheme}`);
    const overflow = await overflowOf(page);
    const axe = await violations(page);
    expect({ axe, overflow }).toEqual({ axe: [], overflow: '' });
  });
});

it('a stored text with malformed Markdown is rendered, and no script in it runs', async () => {
  const markdown =
    '# Terms\n\n[open](https://example.org\n\n**bold\n\n| a | b\n|--\n| 1\n\n```\n<script>hacked = 1</script>';
  await withClient(site.databaseUrl, (client) =>
    client.query("UPDATE content SET body = $1 WHERE slug = 'privacy' AND locale = 'en'", [
      JSON.stringify({ markdown }),
    ]),
  );
  const { page, complaints } = await newVisitor(browser);
  await open(page, `${site.url}/protocal/private`);
  await page.getByRole('article').getByText('bold').waitFor();
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false);
  expect(complaints).toEqual([]);
});

describe('the operator’s page for anyone else', () => {
  it('says that it is only for administrators, and shows nothing else, in both languages', async () => {
    const { page } = await newVisitor(browser, { token: await tokenFor(site, '13900000092') });
    await open(page, `${site.url}/operate`);
    for (const [language, sentence] of [
      ['en', 'Only administrators of this site may do this'],
      ['zh', '仅限本站管理员操作'],
    ] as const) {
      if (language === 'zh') await switchTo(page, language);
      await page.getByRole('alert').getByText(sentence).waitFor();
      await expect
        .poll(() =>
          page.getByRole('navigation', { name: /Sections of the admin page|管理后台的各部分/ }).count(),
        )
        .toBe(0);
    }
  });
});

describe('imported phonons', () => {
  let structId: number | undefined;
  beforeAll(async () => {
    const folder = join(home, 'phonons');
    mkdirSync(folder);
    for (const [name, text] of [
      ['phonopy_disp.yaml', springYaml()],
      ['FORCE_SETS', springForceSets()],
      ['BORN', springBorn()],
    ] as const)
      writeFileSync(join(folder, name), text);
    await unitcell('import', '--scale', 'PBEsol', '--source', 'Group X', '--licence', 'CC BY 4.0', folder);
    structId = await withClient(site.databaseUrl, async (client) => {
      const { rows } = await client.query('SELECT struct_id FROM material WHERE has_phonons');
      return (rows as { struct_id: number }[])[0]?.struct_id;
    });
  });

  it('are shown with their source, move the atoms, are saved as JSON, and fit a phone in Chinese', async () => {
    const visitor = await newVisitor(browser, { token: await tokenFor(site, '13900000083') });
    const { page } = visitor;
    await page.goto(`${site.url}/matdatades/${structId}#phonons`);
    const part = page.locator('#phonons');
    await part.getByRole('heading', { name: 'Calculated, PBEsol' }).waitFor();
    await part.getByText('Group X').first().waitFor();
    await part.getByText('are split by Born charges').waitFor();
    await part
      .getByRole('img', { name: /^Phonon bands along Γ – X/ })
      .first()
      .waitFor();
    await part
      .getByRole('img', { name: /^Free energy, entropy and heat capacity/ })
      .first()
      .waitFor();

    // The first mode that is not acoustic is selected.
    const mode = part.getByLabel('Mode', { exact: true });
    await mode.waitFor();
    expect(await mode.locator('option:checked').innerText()).toBe(`4: ${TRANSVERSE.toFixed(2)} THz`);
    const crystal = part.getByRole('img', { name: /NaCl/ }).last();
    await crystal.waitFor();
    const before = await crystal.screenshot();
    await part.getByRole('button', { name: 'Animate' }).click();
    await part.getByRole('button', { name: 'Stop' }).waitFor();
    await expect.poll(async () => (await crystal.screenshot()).equals(before)).toBe(false);
    await part.getByRole('button', { name: 'Stop' }).click();
    await part.getByLabel('Wave vector').selectOption('X');
    await expect.poll(() => mode.locator('option:checked').innerText()).toMatch(/^1: \d\.\d\d THz$/);

    // A click on a branch shows its mode at a wave vector without a name.
    const chart = part.getByRole('img', { name: /^Phonon bands along Γ – X/ }).first();
    await chart.hover();
    const plot = chart.locator('.js-plotly-plot');
    await plot.waitFor();
    const { x, y } = await plot.evaluate((element) => {
      const { data, _fullLayout: layout } = element as unknown as {
        readonly data: readonly { readonly x: readonly number[]; readonly y: readonly number[] }[];
        readonly _fullLayout: Record<'xaxis' | 'yaxis', { _offset: number; l2p(value: number): number }>;
      };
      const at = 10;
      return {
        x: layout.xaxis._offset + layout.xaxis.l2p(data[0]!.x[at]!),
        y: layout.yaxis._offset + layout.yaxis.l2p(data[0]!.y[at]!),
      };
    });
    await plot.click({ position: { x, y } });
    await expect
      .poll(() => part.getByLabel('Wave vector').locator('option:checked').innerText())
      .toMatch(/^\(0\.25, /);
    await part.getByRole('button', { name: 'Stop' }).click();
    // The two transverse acoustic modes have the same frequency, so the selected mode is either of them.
    await expect.poll(() => mode.locator('option:checked').innerText()).toMatch(/^[12]: \d\.\d\d THz$/);

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      part.getByRole('button', { name: 'JSON' }).click(),
    ]);
    const { phonons, sources } = JSON.parse(await readFile(await download.path(), 'utf8'));
    expect(phonons[0]).toMatchObject({ functional: 'PBEsol', has_modes: true });
    expect(sources[0].statement).toContain('Group X');
    expect(await violations(page, { within: '#phonons' })).toEqual([]);

    await switchTo(page, 'zh');
    await page.setViewportSize({ width: 360, height: 740 });
    await part.getByRole('heading', { name: '计算，PBEsol' }).waitFor();
    await part.getByRole('button', { name: '播放动画' }).waitFor();
    await expect.poll(() => overflowOf(page)).toBe('');
    expectNoErrors(visitor);
    await page.context().close();
  });
});
