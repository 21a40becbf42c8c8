/**
 * The coatings page: finds coatings and says why, also for an uploaded crystal; exports a reaction matrix.
 */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { oneUnlessNightly } from './support/browser.ts';
import { openAsMember } from './support/open-site.ts';
import { overflowOf } from './support/page-checks.ts';

const { page, open } = await openAsMember('13900000071');
const parameter = (name: string) => new URL(page.url()).searchParams.get(name);
const saved = async (button: string): Promise<string> => {
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button, exact: true }).click(),
  ]);
  return readFile(await file.path(), 'utf8');
};

/** A made-up crystal whose formula is not in the catalogue. */
const POSCAR =
  'own\n1\n4 0 0\n0 4 0\n0 0 6\nLi Ti Co O\n1 1 1 4\nDirect\n0 0 0\n.5 .5 .5\n.5 .5 0\n0 .5 .2\n.5 0 .8\n0 .5 .8\n.5 0 .2\n';

/** LiCoO2 of the catalogue, in its hexagonal cell and with rounded figures. */
const KNOWN_POSCAR = [
  'known\n1\n2.85 0 0\n-1.425 2.468 0\n0 0 14.1\nLi Co O\n3 3 6\nDirect',
  ...[0.5, 0, 0.26, 0.74].flatMap((z) =>
    [0, 1, 2].map((layer) => `${(2 * layer) / 3} ${layer / 3} ${z + layer / 3}`),
  ),
].join('\n');

const IN_ENGLISH = {
  including: 'With elements',
  without: 'Without elements',
  gap: 'Band gap ≥ (eV)',
  search: 'Find',
  list: /^Coatings/,
  direct: 'Without a coating',
  literature: /Experiment: deposited on NMC811/,
  filters: 'Filters',
  file: 'CIF or POSCAR for A',
  predicted: /Predicted formation energy .* 90 % interval/,
  placed: /LiTiCoO₄ is placed by prediction/,
  known: /known\.vasp has the structure of LiCoO₂, material 87 in the database/,
  mode: 'Reaction matrix',
  materials: 'Materials',
  compute: 'Calculate',
  matrix: 'Reaction energies of all pairs in eV/atom',
  pair: /^LiCoO2 with Li3PS4/,
  next: /^LiCoO₂ with LiNbO₃: /,
  table: 'Table',
};
const IN_CHINESE: typeof IN_ENGLISH = {
  including: '包含元素',
  without: '排除元素',
  gap: '带隙 ≥ (eV)',
  search: '寻找',
  list: /^涂层/,
  direct: '无涂层时',
  literature: /实验：以原子层沉积于 NMC811/,
  filters: '筛选条件',
  file: 'A 的 CIF/POSCAR 文件',
  predicted: /预测形成能 .*90 % 区间/,
  placed: /LiTiCoO₄ 按预测值放置/,
  known: /known\.vasp 的结构与数据库中的材料 87（LiCoO₂）相同/,
  mode: '反应矩阵',
  materials: '材料',
  compute: '计算',
  matrix: '所有材料对的反应能 (eV/atom)',
  pair: /^LiCoO2 与 Li3PS4/,
  next: /^LiCoO₂ 与 LiNbO₃：/,
  table: '表格',
};

describe.each(
  oneUnlessNightly([
    ['Chinese at 360 px', 'zh', 360, IN_CHINESE],
    ['English at 1440 px', 'en', 1440, IN_ENGLISH],
  ]),
)('the coatings page in %s', (_, language, width, words) => {
  it('finds coatings with reasons, recognises or predicts an uploaded crystal, and exports a matrix', async () => {
    await page.setViewportSize({ width, height: 800 });
    await open('/coatings');
    await page.evaluate((set) => localStorage.setItem('languageSet', set), language);
    await page.reload();
    const field = (name: string) => page.getByRole('textbox', { name, exact: true });
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click();
    await field('A').fill('LiCoO2');
    await field('B').fill('Li3PS4');
    if (width < 800) await press(words.filters);
    await field(words.including).fill('Li, O');
    await field(words.without).fill('Co');
    await field(words.gap).fill('3');
    await press(words.search);
    const row = page.getByRole('table', { name: words.list }).getByRole('row', { name: /Li3PO4/ });
    await row.first().waitFor();
    await page.getByText(words.direct).waitFor();
    await row
      .first()
      .getByText(/Liang 2023/)
      .click();
    await row.first().getByText(words.literature).waitFor();
    expect(['a', 'b', 'with', 'without', 'gap'].map(parameter)).toEqual([
      'LiCoO2',
      'Li3PS4',
      'Li, O',
      'Co',
      '3',
    ]);
    // On a phone, the deciding reaction has a line of its own under the row.
    const reaction = width < 800 ? row.first().locator('+ tr') : row.first();
    const end = await reaction.locator('a[href^="/Interface_reaction"]').last().boundingBox();
    expect((end?.x ?? width) + (end?.width ?? 0)).toBeLessThanOrEqual(width);
    const links = await reaction
      .getByRole('link')
      .evaluateAll((all) => all.map((link) => link.getAttribute('href')));
    expect(links).toContainEqual(expect.stringMatching(/^\/Interface_reaction\?a=Li3PO4&b=LiCoO2&hull=1$/));
    await expect.poll(() => overflowOf(page)).toBe('');

    const give = (name: string, text: string) =>
      page.getByLabel(words.file).setInputFiles({ name, mimeType: 'text/plain', buffer: Buffer.from(text) });
    await give('known.vasp', KNOWN_POSCAR);
    await page.getByText(words.known).waitFor();
    expect(await field('A').inputValue()).toBe('87');
    await expect.poll(() => overflowOf(page)).toBe('');
    await give('own.vasp', POSCAR);
    await page.getByText(words.predicted).waitFor();
    await press(words.search);
    await page.getByText(words.placed).waitFor();
    await expect.poll(() => parameter('ea')).toMatch(/^-?[\d.]+,-?[\d.]+,-?[\d.]+$/);
    await expect.poll(() => overflowOf(page)).toBe('');

    await press(words.mode);
    await field(words.materials).fill('LiCoO2 Li3PS4 LiNbO3 Li3PO4');
    await press(words.compute);
    const matrix = page.getByRole('table', { name: words.matrix });
    await matrix.getByRole('link', { name: words.pair }).focus();
    await page.keyboard.press('ArrowRight');
    await page.getByText(words.next).waitFor();
    // A finger's first tap shows the reaction and opens no page.
    const pages = page.context().pages().length;
    const tapped = matrix.getByRole('link', { name: words.pair });
    await tapped.dispatchEvent('pointerdown', { pointerType: 'touch' });
    await tapped.dispatchEvent('click');
    await page.getByText(words.next).waitFor({ state: 'detached' });
    expect(page.context().pages()).toHaveLength(pages);
    expect(await saved('CSV')).toMatch(/eV\/atom,LiCoO2,Li3PS4,LiNbO3,Li3PO4/);
    expect(await saved('SVG')).toMatch(/^<\?xml[^]*LiCoO₂/);
    await expect.poll(() => overflowOf(page)).toBe('');
    await press(words.table);
    await page.getByRole('row', { name: /Li3PS4.*LiNbO3/ }).waitFor();
  });
});

describe('coating filters without any result', () => {
  it('name the filter to relax, and how many materials pass without it', async () => {
    await open('/coatings?a=LiCoO2&b=Li3PS4&gap=19');
    await page.getByText(/Without “band gap”, \d+ would pass/).waitFor();
  });
});
