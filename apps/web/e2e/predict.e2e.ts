/** Predictions from a sample, a file, a formula and a material, refusals, and the model's card; in both languages. */
import { DISORDERED_CIF } from '@unitcell/tools/testing/test-crystals';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { newVisitor, oneUnlessNightly } from './support/browser.ts';
import { CHART } from './support/charts.ts';
import { tokenFor } from './support/sign-in.ts';
import { openSite } from './support/open-site.ts';

const { site, browser } = await openSite({ keepsPages: true });
const token = await tokenFor(site, '13900000063');

const LANGUAGES = [
  {
    language: 'en',
    sample: 'Try SrTiO3',
    predict: 'Predict',
    energy: 'Formation energy',
    inside: 'Within the model’s domain.',
    origin: /Predicted by Unitcell’s graph neural network .*Neither measured nor calculated/,
    refused: /a site is shared by several elements/,
    named: 'A formula or a material',
    fromFormula: /From the formula alone/,
    measured: 'Measured band gap',
    card: 'Model card: data, accuracy and limits',
    title: 'Model card',
    badFormula: /The formula cannot be read/,
    chalcogenides: 'chalcogenides',
    limits: 'Limits',
    leftOut: 'Material 142 itself is left out of these phases',
  },
  {
    language: 'zh',
    sample: '以 SrTiO3 为例',
    predict: '预测',
    energy: '形成能',
    inside: '位于模型适用域内。',
    origin: /由 Unitcell 图神经网络.*既非实测/,
    refused: /有位点由多种元素共占或部分空缺/,
    named: '化学式或材料',
    fromFormula: /仅由化学式预测/,
    measured: '实测带隙',
    card: '模型卡：数据、指标与局限',
    title: '模型卡',
    badFormula: /无法读取该化学式/,
    chalcogenides: '硫族化合物',
    limits: '局限',
    leftOut: '这些相不包括材料 142 本身',
  },
] as const;

describe.each(oneUnlessNightly(LANGUAGES))('the prediction page in $language', ({ language, ...texts }) => {
  let page: Page;
  beforeAll(async () => {
    ({ page } = await newVisitor(browser, { token, language }));
  });

  it('predicts the sample with intervals, evidence and provenance', async () => {
    await page.goto(`${site.url}/predict`);
    await page.getByRole('button', { name: texts.sample }).click();
    await page.getByRole('heading', { name: 'SrTiO3' }).waitFor();
    await page.getByText(texts.energy, { exact: true }).waitFor();
    await page.getByText(texts.origin).waitFor();
    await page.getByText(texts.inside).waitFor();
    await expect.poll(() => page.getByText(/^mp-\d+$/).count()).toBe(5);
  });

  it('predicts a material named in the address and links to competing phases', async () => {
    // Rutile in the seed data.
    await page.goto(`${site.url}/predict?id=142`);
    await page.getByRole('heading', { name: 'TiO2' }).waitFor();
    await expect
      .poll(() => page.getByRole('form', { name: texts.named }).getByRole('textbox').inputValue())
      .toBe('142');
    await page.getByText(texts.leftOut).waitFor();
    const phases = page.getByRole('link', { name: /^(TiO2|TiO|Ti3O5|O2|Ti2O3|Ti4O7)/ });
    await phases.first().click();
    await page.waitForURL(/matdatades\/\d+/);
  });

  it('predicts from a formula alone, with the measured band gap, and keeps the formula in the address', async () => {
    await page.goto(`${site.url}/predict`);
    const form = page.getByRole('form', { name: texts.named });
    await form.getByRole('textbox').fill('LiFePO4');
    await form.getByRole('button').click();
    await page.getByRole('heading', { name: 'LiFePO4' }).waitFor();
    await page.getByText(texts.fromFormula).waitFor();
    await page.getByText(texts.measured, { exact: true }).waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get('formula')).toBe('LiFePO4');
    await form.getByRole('textbox').fill('LiFePO)4');
    await form.getByRole('button').click();
    await page.getByText(texts.badFormula).waitFor();
  });

  it('links to the model card with metrics by class, probabilities and limits', async () => {
    await page.goto(`${site.url}/predict`);
    await page.getByRole('link', { name: texts.card }).first().click();
    await page.getByRole('heading', { level: 1, name: texts.title }).waitFor();
    await page.getByRole('cell', { name: texts.chalcogenides }).waitFor();
    await page.getByRole('heading', { name: texts.limits }).waitFor();
    await page.locator(CHART).first().waitFor();
  });

  it('explains why a disordered crystal cannot be predicted', async () => {
    await page.goto(`${site.url}/predict`);
    await page
      .locator('input[type="file"]')
      .setInputFiles({ name: 'shared.cif', mimeType: 'text/plain', buffer: Buffer.from(DISORDERED_CIF) });
    await page.getByText(texts.refused).waitFor();
  });
});
