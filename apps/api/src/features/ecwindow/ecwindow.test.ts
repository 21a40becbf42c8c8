import {
  searchWindowsByElements,
  searchWindowsByFormula,
  windowDetail,
  type WindowDetail,
  type WindowRow,
} from '@unitcell/contract/ecwindow';
import { seededRandom } from '@unitcell/numerics';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../../testing/build-test-app.ts';
import { element, importLineOf, rockSalt, rutile, storeMaterials } from '../../testing/material-factory.ts';

let test: TestApp;
let token: string;

/** Anti-fluorite Li2O (a = 4.62 Å). */
const lithia = importLineOf(
  { a: 4.62 },
  [0, 0.5].flatMap((x) => [
    ['O', x, x, 0] as const,
    ['O', x, 0.5 - x, 0.5] as const,
    ...[0.25, 0.75].flatMap((y) => [['Li', x + 0.25, y, 0.25] as const, ['Li', x + 0.25, y, 0.75] as const]),
  ]),
  { struct_id: 20, formation_energy_per_atom: -2, band_gap: 5 },
);

beforeAll(async () => {
  test = await buildTestApp();
  token = await test.signIn();
  await storeMaterials(test.database, [
    element('Li', 3.4, { struct_id: 11 }),
    element('O', 3.0, { struct_id: 12 }),
    element('Ti', 2.9, { struct_id: 13 }),
    element('Mg', 3.2, { struct_id: 14 }),
    lithia,
    rutile('Ti', 4.594, 2.959, { struct_id: 21, formation_energy_per_atom: -3.2, band_gap: 1.78 }),
    rutile('Ti', 4.65, 3.0, { struct_id: 22, formation_energy_per_atom: -3.15 }),
    rutile('Ti', 4.8, 3.2, { struct_id: 23, formation_energy_per_atom: -3.0 }),
    rockSalt('Mg', 'O', 4.212, { struct_id: 24, formation_energy_per_atom: -3.0, band_gap: 4.45 }),
    rockSalt('Na', 'Cl', 5.64, { struct_id: 25, energies: [] }),
  ]);
});
afterAll(() => test.close());

interface SearchAnswer {
  readonly error: string;
  readonly message: string;
  readonly code?: string;
  readonly len: number;
  readonly results: WindowRow[];
  readonly formula?: string;
}

const search = async (kind: string, include: unknown, filters: object = {}): Promise<SearchAnswer> =>
  (await test.post(`/api/ecwindow/search_by_${kind}/`, { include, ...filters }, { token })).json();

const ids = ({ results }: SearchAnswer): number[] => results.map((row) => row[0]);

describe('POST /api/ecwindow/search_by_elements/', () => {
  it('returns rows in the field order of the contract, against lithium by default', async () => {
    const answer = await search('elements', 'Ti-O');
    expect(searchWindowsByElements.response.parse(answer)).toEqual(answer);
    expect(answer.results[0]).toEqual([
      21,
      'TiO2',
      // TiO2 + 4 Li → 2 Li2O + Ti: (2 × 6 - 3 × 3.2) eV over 4 electrons.
      0.6,
      null,
      'Li',
      0,
      1.78,
      6,
      'P4_2/mnm',
      'tetragonal',
      '4/mmm',
      '-P 4n 2n',
    ]);
    expect(ids(answer)).toEqual([21, 22]);
    expect(answer.len).toBe(2);
  });

  it('finds materials with at least these elements for an asterisk, and all that meet the options for an empty query', async () => {
    expect(ids(await search('elements', 'O-*'))).toEqual([12, 20, 21, 24, 22]);
    expect(ids(await search('elements', '', { collapse_included_elements: 'O-Mg' }))).toEqual([24]);
    expect(await search('elements', '')).toMatchObject({ error: 'true', code: 'search.no-elements' });
  });

  it('applies the options of the advanced panel', async () => {
    const found = async (filters: object) => ids(await search('elements', 'O-*', filters));
    expect(await found({ collapse_excluded_elements: 'Ti-Mg' })).toEqual([12, 20]);
    expect(await found({ collapse_included_elements: 'Ti' })).toEqual([21, 22]);
    expect(await found({ collapse_ehull: [0, 0.01] })).toEqual([12, 20, 21, 24]);
    expect(await found({ collapse_bandgap: [4, 5] })).toEqual([20, 24]);
    expect(await found({ collapse_Reduction: [2.5, 7] })).toEqual([12]);
    expect(await found({ collapse_Oxidation: ['2.5', '3.5'] })).toEqual([20]);
  });

  it('sets no maximum at the end of a slider, so that windows without an upper limit are found', async () => {
    const found = async (filters: object) => ids(await search('elements', 'O-*', filters));
    // Only Li2O (20) contains lithium and has an oxidation onset, at 3 V.
    expect(await found({ collapse_Oxidation: [4, 7] })).toEqual([12, 21, 24, 22]);
    expect(await found({ collapse_Oxidation: [2.5, 7] })).toEqual([12, 20, 21, 24, 22]);
    expect(await found({ collapse_Oxidation: [2.5, 6.9] })).toEqual([20]);
    await test.database.pool.query('UPDATE material SET band_gap = 12 WHERE struct_id = 24');
    expect(await found({ collapse_bandgap: [9, 10] })).toEqual([24]);
    expect(await found({ collapse_bandgap: [9, 11] })).toEqual([]);
    await test.database.pool.query('UPDATE material SET band_gap = 4.45 WHERE struct_id = 24');
  });

  it('ignores sliders that still cover their whole range', async () => {
    const all = ids(await search('elements', 'O-*'));
    const untouched = [
      { collapse_bandgap: '', collapse_Oxidation: '', collapse_ehull: '', collapse_Reduction: '' },
      { collapse_bandgap: 0, collapse_Oxidation: null },
      {
        collapse_bandgap: [0, 10],
        collapse_Oxidation: [0, 7],
        collapse_Reduction: [0, 7],
        collapse_ehull: [0, 0.5],
      },
      { collapse_bandgap: [], collapse_work_ion: '', collapse_included_elements: '' },
      {
        collapse_bandgap: '0',
        collapse_work_ion: 0,
        collapse_included_elements: [],
        collapse_excluded_elements: '0',
      },
    ];
    for (const filters of untouched) expect(ids(await search('elements', 'O-*', filters))).toEqual(all);
  });

  it('never finds more rows when a filter is added', async () => {
    const random = seededRandom(20261121);
    const ranges = {
      collapse_bandgap: 10,
      collapse_Oxidation: 7,
      collapse_ehull: 0.5,
      collapse_Reduction: 7,
    };
    const filters: Record<string, unknown> = {};
    let before = ids(await search('elements', 'O-*'));
    for (const [field, max] of Object.entries(ranges)) {
      filters[field] = [random() * max * 0.1, max * (0.5 + random() / 2)];
      const after = ids(await search('elements', 'O-*', filters));
      expect(before).toEqual(expect.arrayContaining(after));
      before = after;
    }
  });

  it('returns windows for other working ions', async () => {
    const answer = await search('elements', 'O-*', { collapse_work_ion: 'Mg' });
    expect(answer.results.every((row) => row[4] === 'Mg')).toBe(true);
    // MgO: 6 eV over 2 electrons.
    expect(answer.results.find((row) => row[0] === 24)?.[3]).toBeCloseTo(3, 9);
    expect((await search('elements', 'O-*', { collapse_work_ion: 'Li-Mg' })).len).toBeGreaterThan(answer.len);
  });

  it.each([
    ['O-*', { collapse_work_ion: 'Cu' }, 'ecwindow.unknown-ion', /Cu is not a working ion.*Li, Na/],
    ['O-*', { collapse_work_ion: 'K' }, 'ecwindow.no-ion', /no energy of K/],
    ['O-*', { collapse_excluded_elements: 'Xx' }, 'search.unknown-elements', /Xx/],
    ['O-*', { collapse_bandgap: [5, 1] }, 'ecwindow.bad-range', /\[5,1\]/],
    ['O-*', { collapse_bandgap: 'wide' }, 'ecwindow.bad-range', /wide/],
    ['Xx', {}, 'search.unknown-elements', /Xx/],
    ['TiO2', {}, 'search.formula-in-element-mode', /by Formula/],
    ["O'; DROP TABLE material; --", {}, 'search.unknown-elements', /not an element/],
    ['A'.repeat(5000), {}, 'search.too-long', /5000/],
    ['O-*', { functional: 'LDA' }, 'phase.unknown-scale', /LDA/],
  ])('answers %j with %j and a message', async (include, filters, code, message) => {
    const answer = await search('elements', include, filters);
    expect(answer).toMatchObject({ error: 'true', code });
    expect(answer.message).toMatch(message);
    expect(answer.message.length).toBeLessThan(400);
  });
});

describe('POST /api/ecwindow/search_by_formula/ and search_by_id/', () => {
  it('finds a formula in any notation', async () => {
    for (const include of ['TiO2', 'O2Ti', 'Ti2O4']) {
      const answer = await search('formula', include);
      expect(ids(answer)).toEqual([21, 22]);
      expect(answer.formula).toBe('TiO2');
      expect(searchWindowsByFormula.response.parse(answer)).toEqual(answer);
    }
    expect(await search('formula', '')).toMatchObject({ error: 'false', formula: 'Li(CoO2)2', len: 0 });
    expect(await search('formula', '2Ti')).toMatchObject({ code: 'search.formula-start' });
  });

  it('finds an id with leading zeros, and nothing for an id that does not exist', async () => {
    for (const include of [24, '24', '0000000024']) expect(ids(await search('id', include))).toEqual([24]);
    expect(await search('id', '99999999999')).toMatchObject({ error: 'false', len: 0 });
    expect(await search('id', 'abc')).toMatchObject({ code: 'search.bad-struct-id' });
  });
});

describe('POST /api/ecwindow/get_ecw_detail/', () => {
  const detail = async (body: object): Promise<WindowDetail & { code?: string }> =>
    (await test.post('/api/ecwindow/get_ecw_detail/', body, { token })).json();

  it('calculates a window open to oxygen gas, which oxidises lithium metal below the floor voltage', async () => {
    const reservoir = { gas: 'O2', temperature: 1000, pressure: 0.21 };
    const answer = await detail({ struct_id: 21, work_ion: 'Li', reservoir });
    expect(windowDetail.parse(answer)).toEqual(answer);
    const oxygen = answer.reservoir?.potentials.O ?? 0;
    // 2 Li + O → Li2O: (3 × 2 eV + μ(O)) over two electrons.
    const floor = (6 + oxygen) / 2;
    expect(answer).toMatchObject({
      floor_voltage: expect.closeTo(floor, 6),
      floor_phase: 'Li2O',
      reduction_onset: expect.closeTo(floor, 6),
      oxidation_onset: null,
      e_above_hull: 0,
    });
    expect(answer.voltage[0]).toBeCloseTo(floor, 6);
    expect(await detail({ struct_id: 20, work_ion: 'Li', reservoir })).toMatchObject({
      code: 'ecwindow.nothing-left',
    });
    expect(
      await detail({ struct_id: 21, work_ion: 'Li', reservoir: { ...reservoir, gas: 'O3' } }),
    ).toMatchObject({ code: 'phase.unknown-gas' });
  });

  it('calculates the window of a compound from a formula and formation energy entered by the user', async () => {
    const own = (energy: number) => detail({ compound: 'Ti2O4', compound_energy: energy, work_ion: 'Li' });
    // With the energy of the stored material the window equals that of the material.
    const { struct_id: _, ...stored } = await detail({ struct_id: 21, work_ion: 'Li' });
    const same = await own(-3.2);
    expect(windowDetail.parse(same)).toEqual(same);
    expect(same).toMatchObject({
      struct_id: null,
      reduction_onset: stored.reduction_onset,
      rxn_energy: stored.rxn_energy,
      e_above_hull: 0,
    });
    // TiO2 + 4 Li → 2 Li2O + Ti: (2 × 6 - 3 × 3.3) eV over 4 electrons.
    expect((await own(-3.3)).reduction_onset).toBeCloseTo(0.525, 6);
    expect((await own(-3)).e_above_hull).toBeCloseTo(0.2, 6);
    const reservoir = { gas: 'O2', temperature: 1000, pressure: 0.21 };
    const open = { compound: 'Li2O', compound_energy: -2, work_ion: 'Li', reservoir };
    expect(await detail(open)).toMatchObject({ code: 'ecwindow.nothing-left' });
    expect(await detail({ ...open, compound: 'TiO2' })).toMatchObject({ floor_phase: 'Li2O' });
    const hot = { compound: 'Li2O', compound_energy: -2, work_ion: 'Li', temperature: 1000 };
    expect(await detail(hot)).toMatchObject({ code: 'phase.no-gibbs-energy' });
    expect(await detail({ compound: 'TiO2', work_ion: 'Li' })).toMatchObject({
      code: 'ecwindow.no-material',
    });
  });

  it('writes voltage ranges that agree with the rounded onset', async () => {
    const compound = { compound: 'TiO2', compound_energy: -3.2006666667, work_ion: 'Li' };
    const { reduction_onset: onset, decomposition_table_data: rows } = await detail(compound);
    // TiO2 + 4 Li → 2 Li2O + Ti: (2 × 6 - 3 × 3.2006666667) eV over 4 electrons is 0.599499999975 V.
    expect(onset).toBe(0.5995);
    expect(rows[0]?.Voltage_range).toBe(`0.000 – ${onset.toFixed(3)}`);
  });

  it('has Gibbs energies at a temperature, each with its source and error', async () => {
    const cold = await detail({ struct_id: 20, work_ion: 'Li' });
    expect(await detail({ struct_id: 20, work_ion: 'Li', temperature: 299 })).toEqual(cold);
    const hot = await detail({ struct_id: 20, work_ion: 'Li', temperature: 1000 });
    expect(windowDetail.parse(hot)).toEqual(hot);
    expect(hot.gibbs).toEqual({ temperature: 1000, unknown: [], replaced: [] });
    // NIST-JANAF, Li2O: ΔfG(1,000 K) − ΔfH(298.15 K) = −466.40 + 598.73 kJ/mol; the scale gives −6 eV per formula.
    const energy = -6 + (598.73 - 466.4) / 96.48533;
    expect(hot.oxidation_onset).toBeCloseTo(-energy / 2, 2);
    const [own, oxidised] = hot.decomposition_table_data;
    expect(own).toMatchObject({ expected_error: 0, phases: [{ formula: 'Li2O', gibbs_source: 'measured' }] });
    expect(oxidised).toMatchObject({ phases: [{ formula: 'O2', gibbs_source: 'element' }] });
    expect(oxidised?.expected_error).toBeGreaterThan(0);
    const reservoir = { gas: 'O2', temperature: 1000, pressure: 0.21 };
    const open = await detail({ struct_id: 21, work_ion: 'Li', reservoir, temperature: 1000 });
    expect(windowDetail.parse(open)).toEqual(open);
    // ½ kT ln 0.21, relative to oxygen of 1 bar at 1,000 K.
    expect(open.reservoir?.potentials.O).toBeCloseTo((8.617333e-5 * 1000 * Math.log(0.21)) / 2, 6);
    expect(await detail({ struct_id: 21, work_ion: 'Li', reservoir, temperature: 900 })).toMatchObject({
      code: 'phase.two-temperatures',
    });
    expect(await detail({ struct_id: 21, work_ion: 'Li', temperature: 2100 })).toMatchObject({
      code: 'phase.bad-temperature',
    });
  });

  it('returns the window with its equilibria, reactions and highlighted rows', async () => {
    const answer = await detail({ struct_id: '0000000020', work_ion: 'Li' });
    expect(windowDetail.parse(answer)).toEqual(answer);
    expect(answer).toMatchObject({
      formula: 'Li2O',
      struct_id: 20,
      work_ion: 'Li',
      charge: 1,
      ref_miu: 0,
      reduction_onset: 0,
      oxidation_onset: 3,
      transition_indexes: { reduction_onset: null, oxidation_onset: 1 },
      functional: 'PBE (MP 2018)',
    });
    expect(answer.decomposition_table_data).toMatchObject([
      {
        Voltage_range: '0.000 – 3.000',
        Phase_equilibria: '<a href="/matdatades/0000000020">Li<sub>2</sub>O</a>',
        Reaction: 'Li2O → Li2O',
        ion_uptake: 0,
      },
      {
        Voltage_range: '> 3.000',
        Reaction: 'Li2O → 0.5 O2 + 2 Li',
        ion_uptake: -2,
        phases: [{ formula: 'O2', struct_id: 12, moles: 0.5 }],
      },
    ]);
    // One volt above the onset, two electrons per three atoms correspond to 2/3 eV.
    expect(answer.rxn_energy[answer.voltage.indexOf(5)]).toBe(-1.33333333);
    expect(answer.hovertext).toHaveLength(answer.voltage.length);
  });

  it('agrees with the search table', async () => {
    for (const row of (await search('elements', 'O-*', { collapse_work_ion: 'Li-Mg' })).results) {
      const answer = await detail({ struct_id: row[0], work_ion: row[4] });
      expect([row[0], answer.reduction_onset, answer.oxidation_onset]).toEqual([row[0], row[2], row[3]]);
      expect(answer.e_above_hull).toBe(row[5]);
    }
  });

  it('states the energy above hull of a metastable material as the driving force inside its window', async () => {
    const answer = await detail({ struct_id: 22 });
    expect(answer.e_above_hull).toBe(0.05);
    expect(answer.d_e_reduction_onset).toBe(-0.05);
  });

  it.each([
    [{ struct_id: 999 }, 'material.not-found', /999/],
    [{ struct_id: 11, work_ion: 'Li' }, 'phase.working-ion', /Li/],
    [{ struct_id: 24, work_ion: 'K' }, 'phase.no-data', /no energies of K/],
    [{ struct_id: 24, work_ion: 'Fe' }, 'ecwindow.unknown-ion', /Fe is not/],
    [{ struct_id: 25, work_ion: 'Li' }, 'ecwindow.no-energy', /25 has no energy/],
  ])('answers %j with a message', async (body, code, message) => {
    const answer = await detail(body);
    expect(answer).toMatchObject({ error: 'true', code, message: expect.stringMatching(message) });
  });
});
