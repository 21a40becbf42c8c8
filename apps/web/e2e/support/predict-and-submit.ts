/** A CIF dropped on Predict: values with intervals, the diagram, and the submission to Run4U. */
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { CHART } from './charts.ts';
import { scrollToCentre } from './page-state.ts';

/** Zinc blende silicon carbide, a = 4.3596 Å (measured). */
const CARBIDE = `data_SiC
_cell_length_a 4.3596
_cell_length_b 4.3596
_cell_length_c 4.3596
_cell_angle_alpha 90
_cell_angle_beta 90
_cell_angle_gamma 90
_symmetry_space_group_name_H-M 'F -4 3 m'
loop_
_atom_site_label
_atom_site_type_symbol
_atom_site_fract_x
_atom_site_fract_y
_atom_site_fract_z
Si1 Si 0 0 0
C1 C 0.25 0.25 0.25
`;

export const PREDICT_WORDS = {
  en: {
    energy: 'Formation energy',
    interval: /90 % interval: \S*\d/,
    diagram: 'Phase diagram',
    submit: 'Submit to Run4U',
    sent: '1 structure submitted; its result will be shown in Run4U.',
    existed: '1 is already in the database.',
    history: 'Submitted',
    finished: 'finished',
    score: 'Predicted and calculated values',
    gap: 'band gap',
  },
  zh: {
    energy: '形成能',
    interval: /90 % 区间：\S*\d/,
    diagram: '相图',
    submit: '提交到 Run4U',
    sent: '已提交 1 个结构，结果将显示在 Run4U 中。',
    existed: '1 个已在数据库中。',
    history: '提交时间',
    finished: '已完成',
    score: '预测值与计算值',
    gap: '带隙',
  },
} as const;
export type PredictWords = (typeof PREDICT_WORDS)[keyof typeof PREDICT_WORDS];

/** Drops the file, reads the values, sees the diagram and submits. */
export async function predictAndSubmit(page: Page, siteUrl: string, texts: PredictWords): Promise<void> {
  await page.goto(`${siteUrl}/predict`);
  const transfer = await page.evaluateHandle((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], 'carbide.cif', { type: 'text/plain' }));
    return data;
  }, CARBIDE);
  await page.locator('input[name="structure-file"]').dispatchEvent('drop', { dataTransfer: transfer });
  await page.getByRole('heading', { name: 'SiC', exact: true }).waitFor();
  await page.getByText(texts.energy, { exact: true }).waitFor();
  await expect.poll(() => page.getByText(texts.interval).count()).toBe(4);
  const diagram = page.getByRole('region', { name: texts.diagram, exact: true }).first();
  await scrollToCentre(diagram);
  await diagram.locator(CHART).first().waitFor();
  await page.getByRole('button', { name: texts.submit }).click();
}
