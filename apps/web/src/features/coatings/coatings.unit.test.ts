import type { Coating, CoatingMatrix } from '@unitcell/contract/coatings';
import { describe, expect, it } from 'vitest';
import {
  badNumbers,
  interfacePath,
  matrixRequest,
  numberOf,
  readCoatings,
  searchRequest,
  writeCoatings,
} from './coatings-address.ts';
import { coatingColumns } from './components/coating-results.tsx';
import { heatOf, matrixFigure, matrixRows, matrixTable, pairColumns } from './components/matrix-result.tsx';

const read = (address: string) => readCoatings(new URLSearchParams(address));

describe('the address of the coatings page', () => {
  it('keeps every field', () => {
    const address =
      'mode=matrix&a=LiCoO2&b=87&ea=-1.7%2C-1.8%2C-1.6&ion=Na&vmin=2&vmax=4&gap=3&ehull=0.03&without=Co&with=Li%2C+O&n=4&price=20&at=3.5&limit=0.1&m=Li%2CLiCoO2&against=Li2O&observed=1&scale=PBE';
    expect(writeCoatings(read(address)).toString()).toBe(address);
    expect(writeCoatings(read('')).toString()).toBe('');
  });

  it('gives requests with the fields that are set, and reads a decimal comma', () => {
    const query = read('a=LiCoO2&b=Li3PS4&gap=2%2C5&observed=1&without=Co');
    expect(searchRequest(query).body).toEqual({
      a: 'LiCoO2',
      b: 'Li3PS4',
      min_band_gap: 2.5,
      observed_only: true,
      exclude_elements: 'Co',
    });
    expect(matrixRequest(read('m=Li,LiCoO2+87&at=3')).body).toEqual({
      materials: ['Li', 'LiCoO2', '87'],
      potential: 3,
    });
  });

  it('gives a request with the predicted energy of an uploaded crystal', () => {
    const query = read('a=LiTiCoO4&b=Li3PS4&ea=-1.7,-1.8,-1.6&eb=broken');
    expect(searchRequest(query).body).toEqual({
      a: 'LiTiCoO4',
      b: 'Li3PS4',
      a_energy: { value: -1.7, low: -1.8, high: -1.6 },
    });
  });

  it('lists fields whose values are not numbers within their limits', () => {
    const query = read('vmin=x&gap=30&n=2.5&vmax=3');
    expect(badNumbers(query)).toEqual(['from', 'gap', 'elements']);
    expect(numberOf(query, 'to')).toBe(3);
  });

  it('links a pair under the same conditions', () => {
    expect(interfacePath('MgO', 'Ti', { potential: null, working_ion: 'Li' }, null)).toBe(
      '/Interface_reaction?a=MgO&b=Ti&hull=1',
    );
    expect(interfacePath('MgO', 'Ti', { potential: 2, working_ion: 'Mg' }, 'PBE')).toBe(
      '/Interface_reaction?a=MgO&b=Ti&open=Mg&mu=-4&hull=1&scale=PBE',
    );
  });
});

describe('the matrix', () => {
  const phase = (formula: string) => ({ formula, struct_id: null, energy_above_hull: null });
  const cell = (row: number, column: number, energy: number) => ({
    row,
    column,
    energy,
    atomic_fraction: 0.5,
    equation: energy === 0 ? '' : 'A + B → C',
    missing: 0,
  });
  const answer: CoatingMatrix = {
    error: 'false',
    message: '',
    materials: ['Li', 'TiO2', 'MgO'].map(phase),
    against: null,
    cells: [cell(0, 1, -0.4), cell(0, 2, 0), cell(1, 2, -0.02)],
    working_ion: 'Li',
    potential: null,
    completeness: { status: 'known', incomplete: {}, source: null },
    functional: 'PBE',
    release: null,
  };

  it('is symmetric with an empty diagonal', () => {
    expect(matrixRows(matrixTable(answer))).toEqual([
      ['Li', '', -0.4, 0],
      ['TiO2', -0.4, '', -0.02],
      ['MgO', 0, -0.02, ''],
    ]);
    const against = { ...answer, against: phase('NiO'), cells: [0, 1, 2].map((row) => cell(row, 0, -0.1)) };
    expect(matrixTable(against)).toMatchObject({ columns: ['NiO'], rows: ['Li', 'TiO2', 'MgO'] });
  });

  it('is coloured on a scale from 0 to 0.5 eV/atom, and its figure contains every value', () => {
    expect([heatOf(0), heatOf(-0.125), heatOf(-0.5), heatOf(-2)]).toEqual([0, 0.5, 1, 1]);
    const { svg, width, height } = matrixFigure(matrixTable(answer), 'Title <1>', ['PBE']);
    const drawing = new DOMParser().parseFromString(svg, 'image/svg+xml');
    expect(drawing.querySelectorAll('rect')).toHaveLength(10);
    expect(svg).toContain('−0.40');
    expect(svg).toContain('Title &lt;1&gt;');
    expect([width, height].every((size) => size > 100)).toBe(true);
  });

  it('marks the energies that missing compounds may change with a star, in its figure and files', () => {
    const cells = answer.cells.map((of) => ({ ...of, missing: of.energy === -0.02 ? 0 : 1 }));
    const { svg } = matrixFigure(matrixTable({ ...answer, cells }), 'Title', ['PBE', '* incomplete']);
    for (const value of ['* −0.40', '* 0', '−0.02', 'PBE', '* incomplete'])
      expect(svg).toContain(`>${value}</text>`);
    expect(matrixRows(matrixTable({ ...answer, cells })).slice(1)).toEqual([
      ['TiO2', '* -0.4', '', -0.02],
      ['MgO', '* 0', -0.02, ''],
    ]);
    const columns = pairColumns(((key: string) => key) as never);
    const missing = cells.map((of) => columns.map(({ value }) => value?.({ ...of, a: 'A', b: 'B' })).at(-1));
    expect(missing).toEqual([1, 1, 0]);
  });
});

it('the CSV of the coatings has both ends of the window', () => {
  const phase = { formula: 'LiCoO2', struct_id: null, energy_above_hull: null };
  const answer = {
    a: phase,
    b: phase,
    reaction_limit: 0.05,
    potential: null,
    working_ion: 'Li',
    results: [],
  };
  const row = { reduction_onset: 0.7, oxidation_onset: 3.9 } as Coating;
  const values = coatingColumns(((key: string) => key) as never, answer, null).flatMap(({ method, value }) =>
    method === 'window' ? [value?.(row)] : [],
  );
  expect(values).toEqual([0.7, 3.9]);
});
