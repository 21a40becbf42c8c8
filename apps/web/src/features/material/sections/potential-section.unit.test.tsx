// @vitest-environment happy-dom
import { cleanup, screen, within } from '@testing-library/react';
import type { MaterialDetail } from '@unitcell/contract/matdata';
import { afterEach, expect, it } from 'vitest';
import { recordedMaterial } from '../../../testing/recorded-material.ts';
import { renderInApp } from '../../../testing/render.tsx';
import { potentialSection } from './potential-section.tsx';

afterEach(cleanup);

type Potential = NonNullable<MaterialDetail['potential']>;

const potential: Potential = {
  model: 'SevenNet-0 (11July2024)',
  max_force: 0.02,
  volume_change: 1.7,
  bulk_modulus: 201.3,
  shear_modulus: 104.2,
  debye_temperature: 741,
  lowest_frequency: 2.91,
  heat_capacity: 18.42,
  refusal: '',
  elastic_tensor: null,
  phonons: null,
};

const show = (values: Partial<Potential> = {}, language: 'en' | 'zh' = 'en') =>
  renderInApp(
    <potentialSection.Component material={{ ...recordedMaterial, potential: { ...potential, ...values } }} />,
    { language },
  );

const cellsOf = (name: RegExp) =>
  within(screen.getByRole('row', { name }))
    .getAllByRole('cell')
    .map(({ textContent }) => textContent);

it('shows predicted values beside those of the measured tensor', async () => {
  await show();
  const { k_vrh: bulk } = recordedMaterial.elastic_dict.elastic_property!;
  expect(cellsOf(/^Bulk modulus/)).toEqual(['201', bulk.toFixed(0)]);
  expect(cellsOf(/^Heat capacity/)).toEqual(['18.4', '-']);
  expect(screen.queryByText(/disagrees/)).toBeNull();
});

it.each([
  ['en', /disagrees with the stored structure.*1\.84 eV\/Å/],
  ['zh', /与所存结构不一致.*1\.84 eV\/Å/],
] as const)(
  'states, with the value, that the potential disagrees with the stored structure (%s)',
  async (language, text) => {
    await show({ max_force: 1.84 }, language);
    expect(screen.getByText(text)).toBeTruthy();
  },
);

it('says why values are missing', async () => {
  await show({ lowest_frequency: -2.1, heat_capacity: null });
  expect(screen.getByText(/Imaginary phonons/)).toBeTruthy();
  expect(cellsOf(/^Heat capacity/)).toEqual(['-', '-']);
  cleanup();
  await show({ refusal: 'volume-change', volume_change: null, bulk_modulus: null });
  expect(screen.getByText(/changed its volume by more than 30 %/)).toBeTruthy();
  cleanup();
  await show({ refusal: 'symmetry' });
  expect(screen.getByText(/could not calculate them \(symmetry\)/)).toBeTruthy();
});

it('is absent for a material without values', () => {
  expect(potentialSection.isPresent?.(recordedMaterial, undefined)).toBe(false);
});
