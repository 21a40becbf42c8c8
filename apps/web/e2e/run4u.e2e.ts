/** Run4U without an engine: files are read, refused with a reason, or recognised as crystals of the catalogue. */
import { expect, it } from 'vitest';
import { newVisitor, oneUnlessNightly } from './support/browser.ts';
import { openSite } from './support/open-site.ts';
import { PREDICT_WORDS, predictAndSubmit } from './support/predict-and-submit.ts';
import { tokenFor } from './support/sign-in.ts';

/** struct_id of rock salt in the seed data. */
const HALITE = 486;

/** Rock salt as a POSCAR, with a primitive cell that is 0.5 % too large. */
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

const { site, browser } = await openSite();

it('Run4U recognises rock salt, links to it and compares it side by side', async () => {
  const { page, complaints } = await newVisitor(browser, { token: await tokenFor(site, '13900000067') });
  await page.goto(`${site.url}/run4u`);
  const history = page.getByRole('table').filter({ hasText: 'Submitted' });
  await page.getByRole('button', { name: 'Submit', exact: true }).click();
  await page.getByText('Please upload a structure first!').waitFor();
  const notes = { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('nothing of the kind') };
  await page.locator('input[type=file]').setInputFiles(notes);
  await page.getByText('Only CIF or VASP files are valid!').first().waitFor();
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'POSCAR', mimeType: 'text/plain', buffer: Buffer.from(POSCAR) });
  await page.getByText('Your structure has been uploaded successfully!').waitFor();
  await page.getByRole('button', { name: 'Submit', exact: true }).click();
  await page.getByText('This structure is already in the database.').first().waitFor();
  const row = history.getByRole('row').filter({ hasText: 'already in database' });
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

it.each(
  oneUnlessNightly([
    ['en', '13900000068'],
    ['zh', '13900000069'],
  ]),
)(
  'a structure is predicted, drawn on its diagram and recognised by Run4U, in %s',
  async (language, mobile) => {
    const texts = PREDICT_WORDS[language];
    const { page, complaints } = await newVisitor(browser, { language, token: await tokenFor(site, mobile) });
    await predictAndSubmit(page, site.url, texts);
    await page.getByText(texts.existed).waitFor();
    expect(complaints).toEqual([]);
  },
);
