/** Electrodes: found by voltage and capacity, compared by their profiles, and linked from a material. */
import { describe, expect, it } from 'vitest';
import { expectNoErrors, newVisitor, oneUnlessNightly } from './support/browser.ts';
import { CHART } from './support/charts.ts';
import { openSite } from './support/open-site.ts';
import { overflowOf } from './support/page-checks.ts';
import { tokenFor } from './support/sign-in.ts';

const { site, browser } = await openSite();
const token = await tokenFor(site, '13900000143');

const IN_ENGLISH = {
  all: /electrodes of Li$/,
  voltage: 'Average voltage (V): from',
  capacity: 'Capacity (mAh/g): from',
  filters: 'Filters',
  search: 'Search',
  found: '2 electrodes of Li',
  compare: (formula: string) => `Compare ${formula}`,
  profile: 'Voltage profile',
  states: 'States of charge of LiFePO₄ with Li',
  withMaterial: 'Electrodes with this material',
  incomplete: /without an energy on this scale: LiMnO2 \(90\), MnO2 \(107\)/,
  noElectrode: /“LiFePO4” in the address is no electrode/,
  ion: 'Working ion',
  none: /no insertion electrode of Mg .*Ions with electrodes: Ca, Li, Na/,
};
const IN_CHINESE: typeof IN_ENGLISH = {
  all: /个 Li 电极$/,
  voltage: '平均电压 (V)：下限',
  capacity: '比容量 (mAh/g)：下限',
  filters: '筛选条件',
  search: '检索',
  found: '2 个 Li 电极',
  compare: (formula: string) => `对比 ${formula}`,
  profile: '电压曲线',
  states: 'LiFePO₄ 嵌入 Li 的荷电态',
  withMaterial: '含本材料的电极',
  incomplete: /LiMnO2.*90.*MnO2.*107/,
  noElectrode: /地址中的“LiFePO4”不是电极/,
  ion: '工作离子',
  none: /没有 Mg 的嵌入型电极.*有电极的离子：Ca, Li, Na/,
};

describe.each(
  oneUnlessNightly([
    ['English at 1440 px', 'en', 1440, IN_ENGLISH],
    ['Chinese at 360 px', 'zh', 360, IN_CHINESE],
  ]),
)('the electrodes in %s', (_, language, width, words) => {
  it('are found by voltage and capacity, can be compared, and link to their materials', async () => {
    const visitor = await newVisitor(browser, { token, language, viewport: { width, height: 800 } });
    const { page } = visitor;
    await page.goto(`${site.url}/electrodes`);
    await page.getByRole('heading', { name: words.all }).waitFor();
    if (width < 800) await page.getByRole('button', { name: words.filters }).click();
    await page.getByRole('textbox', { name: words.voltage }).fill('3.2');
    await page.getByRole('textbox', { name: words.capacity }).fill('160');
    await page.getByRole('button', { name: words.search, exact: true }).click();
    await page.getByRole('heading', { name: words.found }).waitFor();
    await page.getByRole('checkbox', { name: words.compare('LiFePO₄') }).check();
    await page.getByRole('checkbox', { name: words.compare('LiCoO₂') }).check();
    // Selects a third electrode in another search. The first two stay selected.
    await page.getByRole('textbox', { name: words.voltage }).fill('1.5');
    await page.getByRole('textbox', { name: words.capacity }).fill('200');
    await page.getByRole('button', { name: words.search, exact: true }).click();
    await page.getByRole('checkbox', { name: words.compare('LiTiS₂') }).check();
    await page.getByRole('heading', { name: words.profile }).scrollIntoViewIfNeeded();
    await page.locator(CHART).first().waitFor();
    const states = page.getByRole('table', { name: words.states });
    await expect.poll(() => states.getByRole('row').count()).toBe(3);
    await expect
      .poll(() => new URL(page.url()).search)
      .toMatch(/^\?vmin=1\.5&qmin=200&show=Li-95,Li-87,Li-\d+$/);
    await expect.poll(() => overflowOf(page)).toBe('');
    await page.goto(`${site.url}/matdatades/95#electrodes`);
    await page
      .getByRole('table', { name: words.withMaterial })
      .getByRole('link', { name: 'LiFePO4' })
      .click();
    await page.waitForURL(/\/electrodes\?ion=Li&show=Li-95$/);
    // For an incomplete electrode the page says what is missing, and the search stays.
    await page.goto(`${site.url}/electrodes?show=Li-92`);
    await page.getByText(words.incomplete).waitFor();
    await page.getByRole('heading', { name: words.all }).waitFor();
    // Wrong parts of the address are named, and the other profiles stay.
    await page.goto(`${site.url}/electrodes?show=Li-95,Li-92,LiFePO4`);
    await page.getByText(words.incomplete).waitFor();
    await page.getByText(words.noElectrode).waitFor();
    await states.waitFor();
    // A search without results names the ions that have electrodes.
    await page.getByRole('combobox', { name: words.ion }).selectOption('Mg');
    await page.getByRole('button', { name: words.search, exact: true }).click();
    await page.getByText(words.none).waitFor();
    await expect.poll(() => overflowOf(page)).toBe('');
    expectNoErrors(visitor);
  });
});
