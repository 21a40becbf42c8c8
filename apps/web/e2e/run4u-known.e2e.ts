/** Run4U on a fresh install: a crystal of the seed is known at once, without any engine. */
import { expect, it } from 'vitest';
import { newVisitor } from './support/browser.ts';
import { tokenFor } from './support/sign-in.ts';
import { openSite } from './support/open-site.ts';

/** struct_id of rock salt in the seed. */
const HALITE = 486;

/** Rock salt, its primitive cell 0.5 % too large, as VASP writes it. */
const POSCAR = `rock salt
2.834
0 1 1
1 0 1
1 1 0
Na Cl
1 1
Direct
0 0 0
0.5 0.5 0.5
`;

const { site, browser } = await openSite({ env: { RUN4U_ABINIT_COMMAND: 'no-engine-here' } });

it('knows rock salt, links to it and compares it side by side', async () => {
  const { page, complaints } = await newVisitor(browser, { token: await tokenFor(site) });
  await page.goto(`${site.url}/run4u`);
  const history = page.getByRole('table').filter({ hasText: 'Submit Time' });
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'POSCAR', mimeType: 'text/plain', buffer: Buffer.from(POSCAR) });
  await page.getByText('Your structure has been uploaded Successfully!').waitFor();
  await page.getByRole('button', { name: 'Submit', exact: true }).click();
  await page.getByText('This structure is in the database already.').first().waitFor();
  const row = history.getByRole('row').filter({ hasText: 'existed' });
  await row.getByRole('button', { name: 'Compare' }).click();
  await page.getByText(`In the database: ${HALITE}`).waitFor();
  const [material] = await Promise.all([
    page.context().waitForEvent('page'),
    row.getByRole('link').first().click(),
  ]);
  await material.getByRole('heading', { level: 1 }).waitFor();
  expect(Number(new URL(material.url()).pathname.split('/').at(-1))).toBe(HALITE);
  expect(complaints).toEqual([]);
});
