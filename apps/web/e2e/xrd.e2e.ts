/** XRD matcher: upload → remove background → match → overlay → explain the rest, and files that are not patterns. */
import { xrdGet } from '@unitcell/contract/calls';
import type { ReferencePattern } from '@unitcell/contract/xrd';
import { describe, expect, it } from 'vitest';
import { patternText, samplePattern } from '../src/features/xrd/sample-pattern.ts';
import { violationsInBoth } from './support/axe.ts';
import { newVisitor } from './support/browser.ts';
import { CHART, makeChartLive } from './support/charts.ts';
import { tokenFor } from './support/sign-in.ts';
import { openSite } from './support/open-site.ts';

/** Materials of the seed data: quartz, and the corundum that is mixed with quartz. */
const QUARTZ = 138;
const CORUNDUM = 137;

const { site, browser } = await openSite({ keepsPages: true });
const token = await tokenFor(site, '13900000019');
const { page, complaints } = await newVisitor(browser, { token });
await page.goto(`${site.url}/xrd`);

/** Reflections of a material with a cell enlarged by 0.4 %, because measured and calculated cells differ. */
async function reflectionsOf(id: number, share: number) {
  const answer = await fetch(`${site.url}${xrdGet.path}`, {
    method: 'POST',
    headers: { authorization: `token ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ struct_id: id, strain: 0.004 }),
  });
  const [peaks] = ((await answer.json()) as ReferencePattern).data;
  return (peaks?.x ?? []).map((twoThetaDeg, index) => ({
    twoThetaDeg,
    intensity: share * (peaks?.y[index] ?? 0),
  }));
}

const upload = (name: string, content: string | Buffer, mimeType = 'text/plain') =>
  page.locator('input[name=xrd-file]').setInputFiles({ name, mimeType, buffer: Buffer.from(content) });
const button = (name: string) => page.getByRole('button', { name, exact: true });
/** Names of the curves as plotly stores them. */
const curves = () =>
  page
    .locator('.js-plotly-plot')
    .evaluate((plot) =>
      (plot as unknown as { data: { name?: string; mode?: string }[] }).data
        .filter(({ mode }) => mode === 'lines')
        .map(({ name }) => name),
    );
const results = () => page.getByRole('table', { name: 'Matches, best first' });

describe('the XRD page without a pattern', () => {
  it('says what is missing, and disables everything that needs a pattern', async () => {
    await page.getByText('Upload a pattern first, or try the sample.').waitFor();
    for (const name of ['Normalize', 'Remove background', 'Undo', 'Match'])
      await expect.poll(() => button(name).isDisabled()).toBe(true);
  });

  it.each([
    ['one column', 'column.txt', '12\n13\n14\n'.repeat(50), /Line 1 has the wrong number of columns/],
    ['a web page', 'page.txt', '<!doctype html><html><body>404</body></html>', /web page or XML/],
    ['a picture', 'scan.txt', Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), /is a picture/],
    ['three points', 'short.xy', '10 5\n11 90\n12 4\n', /only 3 different angles/],
    ['a constant', 'flat.dat', Array.from({ length: 99 }, (_, i) => `${i} 7`).join('\n'), /needs peaks/],
    [
      'angles beyond 180',
      'far.csv',
      Array.from({ length: 99 }, (_, i) => `${i * 3},${i}`).join('\n'),
      /angle 18[0-9]/,
    ],
    ['more than 2 MB', 'long.txt', '10.00 5\n'.repeat(300_000), /the limit is 2 MB/],
  ])('refuses %s with a reason', async (_, name, content, sentence) => {
    await upload(name, content);
    await page.getByRole('alert').getByText(sentence).waitFor();
    await expect.poll(() => page.locator(CHART).count()).toBe(0);
    await expect.poll(() => page.getByText('Upload', { exact: true }).isVisible()).toBe(true);
  });
});

describe('a mixture of quartz and corundum', () => {
  it('is drawn after the upload', async () => {
    const peaks = [...(await reflectionsOf(QUARTZ, 1)), ...(await reflectionsOf(CORUNDUM, 0.25))];
    await upload('mixture.xy', `# two theta, counts\n${patternText(samplePattern(peaks))}`);
    await page.getByText('3,501 points, 10.00°–80.00°').waitFor();
    await page.getByText('Header, comment or odd lines skipped: 1.').waitFor();
    await page.getByText('Choose another file', { exact: true }).waitFor();
    await makeChartLive(page);
    await expect.poll(curves).toEqual(['Measured']);
  });

  it('loses its background, can be compared with the original, and gets the background back by “Undo”', async () => {
    await button('Normalize').click();
    await page.getByText(/→ normalized$/).waitFor();
    await button('Remove background').click();
    await page.getByText(/→ normalized → background removed$/).waitFor();
    await expect.poll(curves).toEqual(['Before', 'Measured']);
    await page.getByRole('switch', { name: 'Show before' }).click({ force: true });
    await expect.poll(curves).toEqual(['Measured']);
    await button('Undo').click();
    await button('Undo').click();
    await page.getByText(/80\.00°$/).waitFor();
    await expect.poll(() => button('Undo').isDisabled()).toBe(true);
    await button('Remove background').click();
    await page.getByText(/° → background removed$/).waitFor();
  });

  it('can be matched with any of 24 sources, whose wavelength is shown, or neutrons, whose wavelength is typed', async () => {
    const source = page.getByRole('combobox', { name: 'Radiation' });
    const wavelength = page.getByRole('textbox', { name: 'Wavelength' });
    await expect.poll(() => source.getByRole('option').count()).toBe(25);
    await source.selectOption('MoKα1');
    await expect.poll(() => wavelength.inputValue()).toBe('0.7093');
    await expect.poll(() => wavelength.getAttribute('readonly')).not.toBeNull();
    await source.selectOption({ label: 'Neutrons, constant wavelength' });
    await wavelength.fill('15');
    await page.getByText('0.1 to 10 Å').waitFor();
    await expect.poll(() => button('Match').isDisabled()).toBe(true);
    await wavelength.fill('1,594');
    await expect.poll(() => wavelength.inputValue()).toBe('1.594');
    await expect.poll(() => button('Match').isDisabled()).toBe(false);
    await source.selectOption('CuKα');
    await expect.poll(() => wavelength.inputValue()).toBe('1.54184');
  });

  it('can be matched with one of two exclusive methods', async () => {
    const [dtw, euclidean] = [
      page.getByRole('checkbox', { name: 'DTW' }),
      page.getByRole('checkbox', { name: 'Euclidean' }),
    ];
    await expect
      .poll(async () => [await dtw.isChecked(), await euclidean.isChecked()])
      .toEqual([true, false]);
    await euclidean.click();
    await expect
      .poll(async () => [await dtw.isChecked(), await euclidean.isChecked()])
      .toEqual([false, true]);
    await euclidean.click();
    await expect
      .poll(async () => [await dtw.isChecked(), await euclidean.isChecked()])
      .toEqual([true, false]);
  });

  it('can be matched within given elements, which are checked while they are typed', async () => {
    const elements = page.getByRole('textbox', { name: 'Elements' });
    await elements.fill('only: Xx');
    await page.getByText('“Xx” is not an element').waitFor();
    await expect.poll(() => button('Match').isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'How to write the elements' }).click();
    await page.getByRole('button', { name: 'include: Al N *' }).click();
    await expect.poll(() => elements.inputValue()).toBe('include: Al N *');
    await page.getByText('At least Al, N.').waitFor();
    await elements.fill('');
    await page.getByText('All materials are compared.').waitFor();
  });

  it('matches quartz best, which is drawn over the measurement with the unexplained peaks', async () => {
    await button('Match').click();
    await results().waitFor();
    const rows = results().getByRole('row');
    await expect.poll(() => rows.count()).toBe(11);
    await expect.poll(() => rows.nth(1).innerText()).toContain(String(QUARTZ));
    await expect.poll(curves).toEqual(['Measured', `SiO₂ (${QUARTZ})`, 'Difference']);
    await page.getByText(/^Not explained: /).waitFor();
    await expect
      .poll(() =>
        page.getByRole('link', { name: `Open material ${QUARTZ} in a new tab` }).getAttribute('href'),
      )
      .toBe(`/matdatades/${QUARTZ}`);
  });

  it('has results without accessibility violations in both colour schemes', async () => {
    await page.getByText(/measured peaks?$/).click();
    await page.getByRole('table', { name: 'Measured peaks' }).waitFor();
    expect(await violationsInBoth(page)).toEqual([]);
  });

  it('has hits that can be sorted, and drawn over the measurement by a click', async () => {
    await results().getByRole('button', { name: 'Distance' }).click();
    // Clicks on the formula, because numbers open their provenance.
    const formulaOf = (row: number) => results().getByRole('row').nth(row).getByRole('cell').nth(1);
    await formulaOf(2).click();
    await expect
      .poll(async () => (await curves()).some((name) => name?.startsWith('SiO₂ (138)')))
      .toBe(false);
    await formulaOf(1).click();
    await expect.poll(curves).toContain(`SiO₂ (${QUARTZ})`);
  });

  it('is saved as drawn in the chart', async () => {
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('group', { name: 'Download the chart' }).getByRole('button', { name: 'CSV' }).click(),
    ]);
    expect(file.suggestedFilename()).toBe(`mixture-${QUARTZ}.csv`);
  });

  it('matches corundum after quartz is subtracted', async () => {
    await button('Find a second phase').click();
    await page.getByRole('heading', { name: 'Possible second phase' }).waitFor();
    await expect.poll(curves).toContain(`Al₂O₃ (${CORUNDUM})`);
    await expect.poll(() => results().getByRole('row').nth(1).innerText()).toContain(String(CORUNDUM));
    await page.getByText(/Subtracted: /).waitFor();
    await button('Back').click();
    await page.getByRole('heading', { name: 'Matching materials' }).waitFor();
  });

  it('shows its queue position while waiting, and can be cancelled', async () => {
    await page.route('**/api/xrd/xrd_progress/', (route) =>
      route.fulfill({
        json: {
          error: 'false',
          message: 'Waiting: 3 of your matches come first.',
          state: 'waiting',
          position: 3,
          progress: 0,
        },
      }),
    );
    // An answer that never arrives: the match waits until it is cancelled.
    await page.route('**/api/xrd/xrd_match/', () => undefined);
    await button('Match').click();
    await page.getByText('Waiting: 3 of your matches come first.').waitFor();
    await expect.poll(() => button('Matching…').isDisabled()).toBe(true);
    const [cancelled] = await Promise.all([
      page.waitForRequest('**/api/xrd/xrd_cancel/'),
      button('Cancel').click(),
    ]);
    expect(cancelled.postDataJSON()).toHaveProperty('match_id');
    await button('Match').waitFor();
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  it('shows why the server refuses to match it, and can be matched again', async () => {
    const message = '5 of your matches are already waiting.';
    await page.route('**/api/xrd/xrd_match/', (route) => route.fulfill({ json: { error: 'true', message } }));
    await button('Match').click();
    await page.getByRole('alert').filter({ hasText: message }).first().waitFor();
    await expect.poll(() => button('Match').isEnabled()).toBe(true);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  it('is removed with its results when the next pattern is uploaded', async () => {
    await button('Try with a sample: quartz').click();
    await page.getByText('quartz-sample.xy').waitFor();
    await results().waitFor({ state: 'detached' });
    expect(complaints).toEqual([]);
  });
});

describe('the file of an instrument', () => {
  const file = (axis: string): string => `*RAS_DATA_START
*RAS_HEADER_START
*HW_XG_TARGET_NAME "Co"
*HW_XG_WAVE_LENGTH_ALPHA1 "1.788965"
*HW_XG_WAVE_LENGTH_ALPHA2 "1.792850"
*MEAS_SCAN_AXIS_X_INTERNAL "${axis}"
*RAS_HEADER_END
*RAS_INT_START
${Array.from({ length: 99 }, (_, i) => `${20 + i / 50} ${i === 50 ? 900 : 10} 1.0000`).join('\n')}
*RAS_INT_END
`;
  const source = page.getByRole('combobox', { name: 'Radiation' });

  it('sets the radiation of the form on a fresh page, and the page shows its format and wavelength', async () => {
    await page.reload();
    await upload('scan.dat', file('TwoThetaTheta'));
    await page.getByText('Rigaku RAS').waitFor();
    await page.getByText('1.788965 Å').waitFor();
    await expect.poll(() => source.inputValue()).toBe('CoKα');
  });

  it('offers its radiation if another one is selected', async () => {
    await source.selectOption('MoKα');
    await page.getByText('The file was measured with CoKα, but MoKα is selected.').waitFor();
    expect(await violationsInBoth(page)).toEqual([]);
    await button('Use CoKα').click();
    await expect.poll(() => source.inputValue()).toBe('CoKα');
    await expect.poll(() => button('Use CoKα').count()).toBe(0);
  });

  it('is refused with a reason if it is not a scan over 2θ', async () => {
    await upload('rocking.dat', file('Omega'));
    await page
      .getByRole('alert')
      .getByText(/a scan over Omega, not over 2θ/)
      .waitFor();
    expect(complaints).toEqual([]);
  });
});
