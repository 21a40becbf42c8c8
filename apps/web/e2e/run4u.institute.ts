/** Run4U with the real engine: upload a CIF → predict → calculate → watch → open the new material with its bands. */
import { getStructDetail, run4uSubmit } from '@unitcell/contract/calls';
import type { MaterialDetail } from '@unitcell/contract/matdata';
import { determinant3 } from '@unitcell/numerics';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { withClient } from '@unitcell/tools/database';
import { needProgram } from '@unitcell/tools/system-programs';
import { startTestSite, type TestSite } from '@unitcell/tools/test-site';
import { SILICON_CIF } from '../src/features/run4u/view-model.ts';
import { launchBrowser, newVisitor } from './support/browser.ts';
import { tokenFor } from './support/sign-in.ts';

needProgram('abinit gpaw-data libopenblas0-pthread');

describe('Run4U', () => {
  let site: TestSite;
  let browser: Browser;
  beforeAll(async () => {
    site = await startTestSite({ env: { RUN4U_PRESET: 'ci', RUN4U_SLOTS: '1' } });
    // Removes silicon, which is in the seed data, so that the submission is calculated and not recognised.
    await withClient(site.databaseUrl, (client) =>
      client.query("DELETE FROM material WHERE formula_reduced = 'Si'"),
    );
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser?.close();
    await site?.stop();
  });

  it('predicts silicon from an uploaded CIF, calculates it from the relaxed cell and shows its bands', async () => {
    const token = await tokenFor(site);
    const { page, complaints } = await newVisitor(browser, { token });
    await page.goto(`${site.url}/run4u`);
    const history = page.getByRole('table').filter({ hasText: 'Submitted' });

    await page.getByRole('button', { name: 'Submit', exact: true }).click();
    await page.getByText('Please upload a structure first!').waitFor();

    const file = (name: string, text: string) => ({
      name,
      mimeType: 'text/plain',
      buffer: Buffer.from(text),
    });
    await page.locator('input[type=file]').setInputFiles(file('notes.txt', 'nothing of the kind'));
    await page.getByText('Only CIF or VASP files are valid!').first().waitFor();
    await page.locator('input[type=file]').setInputFiles(file('si.cif', SILICON_CIF));
    await page.getByText('Your structure has been uploaded successfully!').waitFor();
    await page.getByText('Choose another file').waitFor();
    await page.getByText('5.4310').first().waitFor();

    // The calculation continues from the cell that the potential has relaxed.
    const method = page.getByLabel('Method', { exact: true });
    await method.selectOption('prediction');
    await page.getByRole('button', { name: 'Submit', exact: true }).click();
    const calculated = history.getByRole('row').filter({ hasText: /20{8}\d/ });
    const submission = page.locator('#submission');
    const [request] = await Promise.all([
      page.waitForRequest((asked) => asked.url().endsWith(run4uSubmit.path)),
      submission.getByRole('button', { name: 'Calculate from first principles' }).click(),
    ]);
    const { lattice, sites } = JSON.parse(request.postData() ?? '').structure;
    const volume = Math.abs(determinant3(lattice.matrix)) / sites.length;
    // The uploaded cell has 20.02 Å³ per atom.
    expect(volume).toBeCloseTo(20.38, 1);
    await method.selectOption('first-principles');
    await page.getByText('2 of 3 submissions left today').waitFor();
    // The page receives every step; nothing is reloaded.
    await history.getByText('running').waitFor();
    await calculated.getByText('finished').waitFor();
    await submission.getByText('In the database').waitFor();

    const [material] = await Promise.all([
      page.context().waitForEvent('page'),
      calculated.getByRole('link').click(),
    ]);
    await material.getByRole('heading', { level: 1 }).waitFor();
    const structId = Number(new URL(material.url()).pathname.split('/').at(-1));
    expect(structId).toBeGreaterThanOrEqual(2_000_000_001);

    const answer = await fetch(`${site.url}${getStructDetail.path}`, {
      method: 'POST',
      headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ struct_id: structId }),
    });
    const detail = (await answer.json()) as MaterialDetail;
    expect(detail).toMatchObject({
      formula: 'Si',
      symmetry_data: { space_group: 'Fd-3m' },
      band_gap_type: 'indirect',
    });
    // PBE silicon: 5.47 Å, and a gap of 0.61 eV.
    expect(Math.abs(detail.lattice.a / 5.431 - 1)).toBeLessThan(0.02);
    expect(Math.abs((detail.band_gap ?? 0) - 0.61)).toBeLessThan(0.1);
    expect(detail.elec_diagram.band_structures[0]?.labels.map(({ label }) => label)).toContain('Γ');
    expect(detail.elec_diagram.densities_of_states).toHaveLength(1);

    // The same crystal is recognised at once when it is submitted again, and compared side by side.
    await page.locator('input[type=file]').setInputFiles(file('si.cif', SILICON_CIF));
    await page.getByText('Your structure has been uploaded successfully!').last().waitFor();
    await page.getByRole('button', { name: 'Submit', exact: true }).click();
    await history.getByText('already in database').waitFor();
    await history
      .getByRole('row')
      .filter({ hasText: 'already in database' })
      .getByRole('button', { name: 'Compare' })
      .click();
    await page.getByText(`In the database: ${structId}`).waitFor();
    expect(complaints).toEqual([]);
  });
});
