/** Phonons as data: an operator imports the files of a calculation, and the page of the material shows them and moves the atoms. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { springBorn, springForceSets, springYaml, TRANSVERSE } from '@unitcell/potential/testing';
import { builtProgram } from '@unitcell/tools/bundle';
import { withClient } from '@unitcell/tools/database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { violations } from './support/axe.ts';
import { expectNoErrors, newVisitor } from './support/browser.ts';
import { openSite } from './support/open-site.ts';
import { overflowOf } from './support/page-checks.ts';
import { switchTo } from './support/page-state.ts';
import { tokenFor } from './support/sign-in.ts';

const SECRET = 'a-secret-of-the-phonon-journey-that-is-long-enough';
const { site, browser } = await openSite({ env: { JWT_SECRET: SECRET } });
const token = await tokenFor(site, '13900000083');
const home = mkdtempSync(join(tmpdir(), 'unitcell-phonons-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

let structId = 0;

beforeAll(async () => {
  for (const [name, text] of [
    ['phonopy_disp.yaml', springYaml()],
    ['FORCE_SETS', springForceSets()],
    ['BORN', springBorn()],
  ] as const)
    writeFileSync(join(home, name), text);
  const words = ['import', '--scale', 'PBEsol', '--source', 'Group X', '--licence', 'CC BY 4.0', home];
  await promisify(execFile)(process.execPath, [builtProgram('cli'), ...words], {
    env: {
      ...process.env,
      DATABASE_URL: site.databaseUrl,
      JWT_SECRET: SECRET,
      UNITCELL_HOME: home,
      PUBLIC_URL: site.url,
    },
  });
  structId = await withClient(site.databaseUrl, async (client) => {
    const { rows } = await client.query('SELECT struct_id FROM material WHERE has_phonons');
    return (rows as { struct_id: number }[])[0]?.struct_id ?? 0;
  });
});

describe('imported phonons', () => {
  it('are shown with their source, move the atoms, are saved as JSON, and fit a phone in Chinese', async () => {
    const visitor = await newVisitor(browser, { token });
    const { page } = visitor;
    await page.goto(`${site.url}/matdatades/${structId}#phonons`);
    const section = page.locator('#phonons');
    await section.getByRole('heading', { name: 'Calculated, PBEsol' }).waitFor();
    await section.getByText('Group X').first().waitFor();
    await section.getByText('are split by Born charges').waitFor();
    await section
      .getByRole('img', { name: /^Phonon bands along Γ – X/ })
      .first()
      .waitFor();
    await section
      .getByRole('img', { name: /^Free energy, entropy and heat capacity/ })
      .first()
      .waitFor();

    // The first mode that is not acoustic is selected.
    const mode = section.getByLabel('Mode', { exact: true });
    await mode.waitFor();
    expect(await mode.locator('option:checked').innerText()).toBe(`4: ${TRANSVERSE.toFixed(2)} THz`);
    const crystal = section.getByRole('img', { name: /NaCl/ }).last();
    await crystal.waitFor();
    const before = await crystal.screenshot();
    await section.getByRole('button', { name: 'Animate' }).click();
    await section.getByRole('button', { name: 'Stop' }).waitFor();
    await expect.poll(async () => (await crystal.screenshot()).equals(before)).toBe(false);
    await section.getByRole('button', { name: 'Stop' }).click();
    await section.getByLabel('Wave vector').selectOption('X');
    await expect.poll(() => mode.locator('option:checked').innerText()).toMatch(/^1: \d\.\d\d THz$/);

    // A click on a branch shows its mode at a wave vector without a name.
    const chart = section.getByRole('img', { name: /^Phonon bands along Γ – X/ }).first();
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
      .poll(() => section.getByLabel('Wave vector').locator('option:checked').innerText())
      .toMatch(/^\(0\.25, /);
    await section.getByRole('button', { name: 'Stop' }).click();
    // The two transverse sound waves are equally fast.
    await expect.poll(() => mode.locator('option:checked').innerText()).toMatch(/^[12]: \d\.\d\d THz$/);

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      section.getByRole('button', { name: 'JSON' }).click(),
    ]);
    const { phonons, sources } = JSON.parse(await readFile(await download.path(), 'utf8'));
    expect(phonons[0]).toMatchObject({ functional: 'PBEsol', has_modes: true });
    expect(sources[0].statement).toContain('Group X');
    expect(await violations(page, { within: '#phonons' })).toEqual([]);

    await switchTo(page, 'zh');
    await page.setViewportSize({ width: 360, height: 740 });
    await section.getByRole('heading', { name: '计算，PBEsol' }).waitFor();
    await section.getByRole('button', { name: '播放动画' }).waitFor();
    await expect.poll(() => overflowOf(page)).toBe('');
    expectNoErrors(visitor);
  });
});
