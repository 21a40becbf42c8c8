import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { getXrdHandle, getXrdHandle2 } from '@unitcell/contract/calls';
import { examples } from '@unitcell/contract/examples';
import type { MaterialDetail, MaterialRecord, RecordComparison } from '@unitcell/contract/matdata';
import { expect, it, vi } from 'vitest';
import { recordedMaterial } from '../../../testing/recorded-material.ts';
import { renderInApp } from '../../../testing/render.tsx';
import { serve } from '../../../testing/serve.ts';
import { piezoelectricSection } from './dielectric-section.tsx';
import { elasticSection } from './elastic-section.tsx';
import { potentialSection } from './potential-section.tsx';
import { recordsSection } from './records-section.tsx';
import { xrdSection } from './xrd-section.tsx';
import { orderedSite, type Structure } from '@unitcell/crystal';
import { IDENTITY3 } from '@unitcell/numerics';
import { RelaxButton } from '../../../viz/relaxation/relax-here.tsx';

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

it('the section of the potential shows predicted values beside those of the measured tensor', async () => {
  await show();
  const { k_vrh: bulk } = recordedMaterial.elastic_dict.elastic_property!;
  expect(cellsOf(/^Bulk modulus/)).toEqual(['201', bulk.toFixed(0)]);
  expect(cellsOf(/^Heat capacity/)).toEqual(['18.4', '-']);
  expect(screen.queryByText(/disagrees/)).toBeNull();
});

it('the section of elasticity shows the minimum thermal conductivity of rutile', async () => {
  await renderInApp(<elasticSection.Component material={recordedMaterial} />);
  // With n = 6 atoms in 62.42 Å³, E = 285.07 GPa, ρ = 4249 kg/m³, v_l = 9227 m/s and v_t = 5126 m/s:
  // 0.87 k n^(2/3) √(E/ρ), D. R. Clarke, Surf. Coat. Technol. 163 (2003) 67, and ½(π/6)^(1/3) k n^(2/3) (v_l + 2 v_t),
  // D. G. Cahill et al., Phys. Rev. B 46 (1992) 6131.
  expect(cellsOf(/Clarke/)).toEqual(['2.06 W/(m·K)']);
  expect(cellsOf(/Cahill/)).toEqual(['2.27 W/(m·K)']);
});

it('the largest piezoelectric response of a polar crystal adds up the strains along all axes', async () => {
  // Like ZnO: a strain along (e31, e31, e33) causes a polarisation of √(2 e31² + e33²) along z.
  const piezo_total_tensor = [
    [0, 0, 0, 0, -0.5, 0],
    [0, 0, 0, -0.5, 0, 0],
    [-0.6, -0.6, 1.3, 0, 0, 0],
  ];
  const epsilon_piezo_data = { ...recordedMaterial.epsilon_piezo.epsilon_piezo_data, piezo_total_tensor };
  const epsilon_piezo = { ...recordedMaterial.epsilon_piezo, has_piezo: true, epsilon_piezo_data };
  await renderInApp(<piezoelectricSection.Component material={{ ...recordedMaterial, epsilon_piezo }} />);
  expect(cellsOf(/Largest component/)).toEqual(['1.3 C/m²']);
  expect(cellsOf(/Largest response/)).toEqual(['1.6 C/m²']);
});

it('predicted phonons can be sent to Run4U, where their modes move', async () => {
  const sent = serve({ '/run4u_submit/': { error: 'false', message: 'Success', id: 7 } });
  const phonons = { supercell: [2, 2, 3], frequencies: [0, 5, 10], density: [0, 1, 0], thermal: [] };
  await show({ phonons });
  fireEvent.click(screen.getByRole('button', { name: 'Animate the modes in Run4U' }));
  expect(await screen.findByText(/1 structure submitted; its result will be shown in Run4U/)).toBeTruthy();
  expect(sent.at(-1)).toMatchObject({
    method: 'prediction',
    tasks: ['phonons'],
    structure: recordedMaterial.structures.primitive,
  });
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

it('the section of the potential says why values are missing', async () => {
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

it('the section of the potential is absent for a material without values', () => {
  expect(potentialSection.isPresent?.(recordedMaterial, undefined)).toBe(false);
});

const record = (id: number, name: string, spaceGroup: string, shown: readonly string[]): MaterialRecord => ({
  id,
  own_id: null,
  source: { name, id: `${name}-1`, licence: id === 1 ? 'CC BY 4.0' : '', url: null },
  imported_at: '2026-11-20T12:00:00Z',
  space_group: spaceGroup,
  shown: [...shown],
});
const gap: RecordComparison = {
  property: 'band_gap',
  of: '',
  unit: 'eV',
  values: [1.781, 3.3],
  spread: 1.519,
  bound: 0.3,
  is_relative: false,
  is_disagreement: true,
};
const material = (second: string) =>
  ({
    struct_id: 142,
    sources: [],
    records: [record(1, 'MP', 'P4_2/mnm', ['bandGap', 'structure']), record(2, 'JARVIS', second, [])],
    comparison: [
      gap,
      { ...gap, property: 'k_vrh', unit: 'GPa', values: [213, null], is_disagreement: false },
    ],
  }) as unknown as MaterialDetail;
const { Component } = recordsSection;

it('the table compares values of two sources, marks large differences, and omits single values', async () => {
  await renderInApp(<Component material={material('P4_2/mnm')} />);
  const row = screen.getByRole('row', { name: /^Band gap/ });
  expect(row.textContent).toContain('differ by 1.5 eV: more than the tolerance of 0.3 eV');
  const [shown, other] = [...row.querySelectorAll('td')];
  expect([shown?.textContent, shown?.dataset.shown]).toEqual(['1.78', 'true']);
  expect([other?.textContent, other?.dataset.shown]).toEqual(['3.30+1.52 eV', 'false']);
  expect(screen.queryByRole('row', { name: /Bulk modulus/ })).toBeNull();
  expect(screen.getByText(/Values from a single source \(1 here\)/)).toBeDefined();
  expect(screen.getByRole('row', { name: /^Licence/ }).textContent).toBe('LicenceCC BY 4.0not stated');
  expect(screen.getByRole('row', { name: /^Imported/ }).textContent).toContain('20 Nov 2026');
  expect(screen.getByRole('row', { name: /^Space group/ }).textContent).not.toContain('differ');
});

it('the table says in Chinese that the space groups differ', async () => {
  await renderInApp(<Component material={material('Pnnm')} />, { language: 'zh' });
  expect(screen.getByRole('row', { name: /^空间群/ }).textContent).toContain('不一致');
});

const shared: Structure = {
  latticeVectors: IDENTITY3,
  sites: [
    {
      species: [
        { element: 'Au', occupancy: 0.5 },
        { element: 'Cu', occupancy: 0.5 },
      ],
      fractionalCoords: [0, 0, 0],
    },
  ],
};
const of = (element: string, count = 1): Structure => ({
  latticeVectors: IDENTITY3,
  sites: Array.from({ length: count }, () => orderedSite(element, [0, 0, 0])),
});
const renderButton = (structure: Structure, language: 'en' | 'zh') =>
  renderInApp(<RelaxButton structure={structure} isOpen={false} onToggle={() => undefined} />, { language });

it.each([
  ['en', shared, /shared by elements/],
  ['zh', shared, /共占/],
  ['en', of('Po'), /no weights for Po/],
  ['zh', of('Po'), /没有 Po 的参数/],
  ['en', of('Si', 201), /201 atoms, more than 200/],
  ['zh', of('Si', 201), /201 个原子，超过 200 个/],
] as const)(
  'shows why a crystal cannot be relaxed, instead of a button (%s)',
  async (language, structure, words) => {
    await renderButton(structure, language);
    expect(screen.getByText(words)).toBeDefined();
    expect(screen.queryByRole('button')).toBeNull();
  },
);

it('the relaxation is offered by a button if the crystal can be relaxed', async () => {
  await renderButton(of('Si', 200), 'en');
  expect(screen.getByRole('button', { name: 'Relax here' }).getAttribute('aria-expanded')).toBe('false');
});

it('the files of a powder pattern name its radiation and wavelength', async () => {
  const pattern = examples['getXrdHandle2']?.response as object;
  serve({ [getXrdHandle.path]: pattern, [getXrdHandle2.path]: { ...pattern, wavelength: 1.54 } });
  const saved: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    saved.push(this.download);
  });
  await renderInApp(<xrdSection.Component material={recordedMaterial} />);
  const save = async () =>
    fireEvent.click(await screen.findByRole('button', { name: 'Download the table as CSV' }));
  await save();
  fireEvent.change(screen.getByLabelText('Radiation'), { target: { value: 'Neutrons' } });
  fireEvent.click(screen.getByRole('button', { name: 'Generate' }));
  await expect
    .poll(async () => {
      await save();
      return saved;
    })
    .toContain('142-neutrons-1.54-reflections.csv');
  expect(saved[0]).toBe('142-xrd-0.71073-reflections.csv');
});
