/** Electrodes: found by voltage and capacity, compared by their profiles, and linked from a material. */
import { describe, expect, it } from 'vitest';
import { closeWithoutErrors, newVisitor } from './support/browser.ts';
import { CHART } from './support/charts.ts';
import { openSite } from './support/open-site.ts';
import { overflowOf } from './support/page-checks.ts';
import { tokenFor } from './support/sign-in.ts';

const { site, browser } = await openSite();
const token = await tokenFor(site, '13900000143');

describe('the electrodes', () => {
  it('are found by voltage and capacity, compared, and lead to their materials', async () => {
    const visitor = await newVisitor(browser, { token });
    const { page } = visitor;
    await page.goto(`${site.url}/electrodes`);
    await page.getByRole('heading', { name: /electrodes of Li$/ }).waitFor();
    await page.getByRole('textbox', { name: 'Average voltage (V): from' }).fill('3.2');
    await page.getByRole('textbox', { name: 'Capacity (mAh/g): from' }).fill('160');
    await page.getByRole('button', { name: 'Search', exact: true }).click();
    await page.getByRole('heading', { name: '2 electrodes of Li' }).waitFor();
    await page.getByRole('checkbox', { name: 'Compare LiFePO₄' }).check();
    await page.getByRole('checkbox', { name: 'Compare LiCoO₂' }).check();
    await page.getByRole('heading', { name: 'Voltage profile' }).scrollIntoViewIfNeeded();
    await page.locator(CHART).first().waitFor();
    const states = page.getByRole('table', { name: 'States of charge of LiFePO₄ with Li' });
    await expect.poll(() => states.getByRole('row').count()).toBe(3);
    expect(new URL(page.url()).search).toBe('?vmin=3.2&qmin=160&show=Li-95,Li-87');
    // A refusal says what is missing, and the search stays.
    await page.goto(`${site.url}/electrodes?show=Li-92`);
    await page.getByText(/without an energy on this scale: LiMnO2 \(90\), MnO2 \(107\)/).waitFor();
    await page.getByRole('heading', { name: /electrodes of Li$/ }).waitFor();
    await page.goto(`${site.url}/matdatades/95#electrodes`);
    await page
      .getByRole('table', { name: 'Electrodes with this material' })
      .getByRole('link', { name: 'LiFePO4' })
      .click();
    await page.waitForURL(/\/electrodes\?ion=Li&show=Li-95$/);
    await closeWithoutErrors(visitor);
  });

  it('fit a phone in Chinese, and name the ions that have electrodes', async () => {
    const visitor = await newVisitor(browser, {
      token,
      language: 'zh',
      viewport: { width: 360, height: 760 },
    });
    const { page } = visitor;
    await page.goto(`${site.url}/electrodes?show=Li-95`);
    await page.getByRole('heading', { name: '电压曲线' }).scrollIntoViewIfNeeded();
    await page.locator(CHART).first().waitFor();
    await expect.poll(() => overflowOf(page)).toBe('');
    await page.getByRole('combobox', { name: '工作离子' }).selectOption('Mg');
    await page.getByRole('button', { name: '检索', exact: true }).click();
    await page.getByText(/没有 Mg 的嵌入型电极.*有电极的离子：Ca, Li, Na/).waitFor();
    await closeWithoutErrors(visitor);
  });
});
