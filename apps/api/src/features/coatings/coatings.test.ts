/** Tests the search for coatings and the matrix of reactions, on the materials of the seed data. */
import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import {
  type CoatingMatrix,
  coatingMatrix,
  type CoatingSearch,
  searchCoatings,
} from '@unitcell/contract/coatings';
import { searchWindowsByElements, type WindowRow } from '@unitcell/contract/ecwindow';
import { type InterfaceResult, interfaceReceive } from '@unitcell/contract/interface-reaction';
import { type CompactCell, fromCompactCell, parseFormula, reducedFormula } from '@unitcell/crystal';
import { seededRandom } from '@unitcell/numerics';
import { hasSharedData, sharedPath } from '@unitcell/tools/shared-data';
import { DISORDERED_CIF } from '@unitcell/tools/testing/test-crystals';
import { createSeededDatabase } from '@unitcell/tools/test-database';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../../testing/build-test-app.ts';
import { rankCandidates, reactPairs } from './coatings.thread.ts';

let test: TestApp;
let token: string;
beforeAll(async () => {
  test = await buildTestApp({ openDatabaseOf: createSeededDatabase });
  token = await test.signIn();
});
afterAll(() => test.close());

type Refused = { readonly error: string; readonly code?: string; readonly message: string };
const post = async <T>({ path }: { readonly path: string }, body: object, language = 'en'): Promise<T> =>
  (await test.post(path, body, { token, language })).json<T>();
const find = (body: object, language?: string) =>
  post<CoatingSearch & Refused>(searchCoatings, { a: 'LiCoO2', b: 'Li3PS4', ...body }, language);
const matrix = (body: object, language?: string) =>
  post<CoatingMatrix & Refused>(coatingMatrix, body, language);

/** The lowest mutual reaction energy that the page of interface reactions shows. */
async function mutualEnergy(first: string, second: string, options: object = {}): Promise<number> {
  const { interface_table_data: rows } = await post<InterfaceResult>(interfaceReceive, {
    reactant1: first,
    reactant2: second,
    use_hull_energy: true,
    ...options,
  });
  return Math.min(...rows.map(({ reaction_energy_total: energy }) => energy));
}

/** A made-up crystal whose formula is not in the catalogue. */
const POSCAR =
  'own\n1\n4 0 0\n0 4 0\n0 0 6\nLi Ti Co O\n1 1 1 4\nDirect\n0 0 0\n.5 .5 .5\n.5 .5 0\n0 .5 .2\n.5 0 .8\n0 .5 .8\n.5 0 .2\n';

const FILTERS = {
  window_min: 2,
  window_max: 3,
  min_band_gap: 3,
  max_energy_above_hull: 0.03,
  exclude_elements: 'Co',
  include_elements: 'Li O',
  observed_only: true,
};

describe('POST /api/coatings/search/', () => {
  it.each([
    ['closed', {}, {}],
    ['open to lithium at 3 V', { potential: 3 }, { open_element: 'Li', chemical_potential: -3 }],
  ])('gives the ranking of brute force over windows and reactions (system %s)', async (_, open, single) => {
    const found = await find({ ...FILTERS, ...open, limit: 200 });
    expect(searchCoatings.answer.parse(found)).toEqual(found);
    const windows = await post<{ results: WindowRow[] }>(searchWindowsByElements, {
      include: 'Li-O-*',
      collapse_excluded_elements: 'Co',
      collapse_Reduction: [-1, 2],
      collapse_ehull: [0, 0.03],
      collapse_bandgap: [3, 100],
    });
    const { rows: observed } = await test.database.pool.query<{ struct_id: number }>(
      `SELECT struct_id FROM material WHERE observed = 'observed'`,
    );
    const known = new Set(observed.map(({ struct_id }) => struct_id));
    const passing = windows.results.filter(
      ([id, , , oxidation]) => known.has(id) && (oxidation === null || oxidation >= 3),
    );
    const formulas = new Map<string, WindowRow>();
    for (const row of passing) {
      const reduced = reducedFormula(parseFormula(row[1]));
      const other = formulas.get(reduced);
      if (other === undefined || row[5]! < other[5]!) formulas.set(reduced, row);
    }
    expect(formulas.size).toBeGreaterThan(15);
    const expected = [];
    for (const [id, formula, , , , ehull] of formulas.values()) {
      const energies = [
        await mutualEnergy(formula, 'LiCoO2', single),
        await mutualEnergy(formula, 'Li3PS4', single),
      ];
      expected.push({ struct_id: id, worst: Math.min(...energies), energies, ehull });
    }
    expected.sort(
      (one, other) => other.worst - one.worst || one.ehull! - other.ehull! || one.struct_id - other.struct_id,
    );
    expect(
      found.results.map(({ struct_id, worst, with_a, with_b }) => ({
        struct_id,
        worst,
        energies: [with_a.energy, with_b.energy],
      })),
    ).toEqual(expected.map(({ struct_id, worst, energies }) => ({ struct_id, worst, energies })));
    expect(found.counts).toEqual({
      materials: passing.length,
      formulas: formulas.size,
      price: 0,
      calculated: formulas.size,
      left: 0,
    });
    expect(found.direct.energy).toBe(await mutualEnergy('LiCoO2', 'Li3PS4', single));
  });

  it('lists no gases, no liquids and no molecular crystals', async () => {
    const elements = (await find({ max_elements: 1, limit: 200 })).results.map(({ formula }) => formula);
    expect(elements).toEqual(expect.arrayContaining(['C', 'Si']));
    const pairs = (await find({ max_elements: 2, limit: 200 })).results.map(({ formula }) => formula);
    expect(
      [...elements, ...pairs].filter((name) => /^(?:N2|O2|F2|Cl2|H2|He|Ne|Ar|H2O|CO2|SO3)$/.test(name)),
    ).toEqual([]);
  });

  it('ranks known coatings between LiCoO2 and Li3PS4 in the better half of the lithium oxides', async () => {
    const { results, counts } = await find({ include_elements: 'Li O', limit: 200 });
    const median = Math.ceil(counts.calculated / 2);
    const better = results.slice(0, median).map(({ formula }) => formula);
    expect(better).toEqual(expect.arrayContaining(['LiNbO3', 'Li3PO4', 'LiTaO3', 'Li2ZrO3']));
  });

  it('states price, measured conductivity, probability and missing compounds of a coating', async () => {
    const { results, direct, a } = await find({ include_elements: 'Li P O', max_elements: 3 });
    expect(a).toMatchObject({ formula: 'LiCoO2', struct_id: 87, energy_above_hull: 0 });
    expect(direct.energy).toBeLessThan(-0.3);
    const phosphate = results.find(({ formula }) => formula === 'Li3PO4')!;
    // Li 20.82, O 63.99, P 30.97 u at 81.4, 0.154 and 2.69 USD/kg.
    expect(phosphate.price).toBeCloseTo((20.82 * 81.4 + 63.99 * 0.154 + 30.97 * 2.69) / 115.79, 1);
    expect(phosphate.price_unknown).toEqual([]);
    expect(phosphate.conductivity[0]).toMatchObject({ value: 1.75e-13, space_group_number: 62 });
    expect(phosphate.literature).toContainEqual({
      text: expect.stringMatching(/128 mAh\/g/),
      reference: 'Liang et al., Nat. Commun. 14, 146 (2023)',
      doi: '10.1038/s41467-022-35667-7',
    });
    expect(phosphate.other_forms).toBeGreaterThan(0);
    expect(phosphate.with_b.missing).not.toBeNull();
    for (const { probability, with_a, with_b } of results)
      expect(probability).toBe(Math.min(with_a.probability!, with_b.probability!));
    // A stronger reaction is less likely to be within the limit.
    const likely = (limit: number) => find({ include_elements: 'Li P O', reaction_limit: limit });
    const [strict, lenient] = [await likely(0), await likely(0.2)];
    expect(lenient.results[0]!.probability!).toBeGreaterThan(strict.results[0]!.probability!);
  });

  it('places a crystal by its predicted energy, and includes the prediction error in energies and probabilities', async () => {
    const answer = await find({ ...FILTERS, a: POSCAR, b: 'Li3PS4' });
    expect(searchCoatings.answer.parse(answer)).toEqual(answer);
    const { value, low, high } = answer.a.predicted!.formation_energy;
    expect([low < value, value < high]).toEqual([true, true]);
    const above = answer.a.predicted!.energy_above_hull;
    expect(answer.a).toMatchObject({ formula: 'LiTiCoO4', struct_id: null, energy_above_hull: above.value });
    expect(above.value - above.low).toBeCloseTo(value - low, 6);
    // Formula and predicted energy give the same answer, so the page address stores only these two.
    const again = await find({ ...FILTERS, a: 'LiTiCoO4', a_energy: { value, low, high } });
    expect({ ...again, a: null }).toEqual({ ...answer, a: null });
  });

  it('uses the entry of the catalogue for a crystal that the catalogue contains, also in another cell', async () => {
    const { rows } = await test.database.pool.query<{ given: CompactCell }>(
      'SELECT given FROM material_structure WHERE struct_id = 87',
    );
    const { latticeVectors, sites } = fromCompactCell(rows[0]!.given);
    const [first, ...others] = latticeVectors;
    // A supercell, doubled along the first vector and scaled by 1.01.
    const cell = [first.map((x) => 2 * x), ...others].map((vector) => vector.map((x) => 1.01 * x));
    const twice = [0, 0.5].flatMap((shift) =>
      sites.map(({ fractionalCoords: [x, y, z], species }) => ({
        element: species[0]!.element,
        line: `${x / 2 + shift} ${y} ${z}`,
      })),
    );
    const elements = [...new Set(twice.map(({ element }) => element))];
    const inOrder = elements.map((symbol) => twice.filter(({ element }) => element === symbol));
    const poscar = [
      'LiCoO2\n1.0',
      ...cell.map((vector) => vector.join(' ')),
      elements.join(' '),
      inOrder.map((group) => group.length).join(' '),
      'Direct',
      ...inOrder.flat().map(({ line }) => line),
    ].join('\n');
    const answer = await find({ ...FILTERS, a: poscar });
    expect(searchCoatings.answer.parse(answer)).toEqual(answer);
    expect(answer.a).toEqual({ formula: 'LiCoO2', struct_id: 87, energy_above_hull: 0, matched: true });
    expect(answer.results).toEqual((await find({ ...FILTERS, a: 87 })).results);
  });

  it('adds a compound below the hull to the phases, and its error to the energies that depend on it', async () => {
    const at = (value: number, error: number) =>
      find({
        ...FILTERS,
        a: 'LiTiCoO4',
        a_energy: { value, low: value - error, high: value + error },
      });
    const base = (await at(-1, 0)).a.energy_above_hull! + 1;
    // Above the hull, the compound's own energy and error do not matter: reactions start from the equilibrium.
    const high = await at(-base + 0.3, 0.1);
    expect(high.direct.interval).toEqual({ low: high.direct.energy, high: high.direct.energy });
    const stable = await at(-base - 0.1, 0.08);
    expect(stable.a.energy_above_hull).toBeCloseTo(-0.1, 6);
    expect(stable.direct.energy).toBeGreaterThan(high.direct.energy);
    const { low, high: weakest } = stable.direct.interval!;
    expect([low < stable.direct.energy, stable.direct.energy < weakest]).toEqual([true, true]);
    // For the same reaction, a prediction error moves the probability towards one half.
    const sure = await at(-base - 0.1, 0);
    const [unsureRow, sureRow] = [stable, sure].map(({ results }) => results[0]!.with_a);
    expect(unsureRow!.energy).toBe(sureRow!.energy);
    expect(unsureRow!.probability!).toBeLessThanOrEqual(sureRow!.probability!);
  });

  it('states why a crystal has no predicted energy, and uses its composition', async () => {
    const disordered = await find({ ...FILTERS, a: DISORDERED_CIF });
    expect(disordered.a).toMatchObject({
      struct_id: null,
      not_placed: expect.stringMatching(/disorder|occup/i),
    });
    expect(disordered.a.predicted).toBeUndefined();
  });

  it('leaves out materials above the price limit or of unknown price, and counts them', async () => {
    const all = await find({ ...FILTERS, limit: 200 });
    const cheap = await find({ ...FILTERS, max_price: 20, limit: 200 });
    expect(cheap.results).toEqual(all.results.filter(({ price }) => price !== null && price <= 20));
    expect(cheap.counts.price).toBe(all.results.length - cheap.results.length);
    expect((await find({ ...FILTERS, max_price: 0.001 })).message).toMatch(
      /price limit leaves nothing.* cheapest costs [\d.]+ USD/,
    );
  });

  it('finds affordable formulas behind thousands of expensive ones with wider windows', async () => {
    const cheap = { max_price: 20, include_elements: 'Cl' };
    const before = await find({ ...cheap, limit: 199 });
    const { pool } = test.database;
    const copies = (table: string, changes: string) =>
      pool.query(
        `INSERT INTO ${table} SELECT (jsonb_populate_record(row, ${changes} || jsonb_build_object('struct_id', 900000 + n))).*
         FROM ${table} row, generate_series(1, 3001) n WHERE row.struct_id = 87`,
      );
    await copies(
      'material',
      `jsonb_build_object('formula_reduced', 'ClRh' || n, 'elements', ARRAY['Cl', 'Rh'], 'content_hash', md5(n::text))`,
    );
    await copies('material_energy', `'{"chemical_system": "Cl-Rh", "energy_above_hull": 0.1}'`);
    await copies('electrochemical_window', `'{"reduction_onset": 0, "oxidation_onset": null}'`);
    try {
      const after = await find({ ...cheap, limit: 200 });
      expect(after.results).toEqual(before.results);
      expect(after.results.length).toBeGreaterThan(3);
      expect(after.counts).toEqual({
        ...before.counts,
        materials: before.counts.materials + 3001,
        formulas: before.counts.formulas + 3001,
        price: before.counts.price + 3001,
      });
    } finally {
      await pool.query('DELETE FROM material WHERE struct_id > 900000');
    }
  });

  it('names the filters to drop when no material passes', async () => {
    const none = await find({ min_band_gap: 19, window_min: 2 });
    expect(none).toMatchObject({ results: [], counts: { materials: 0 } });
    expect(none.without[0]).toMatchObject({ filter: 'min_band_gap' });
    expect(none.message).toMatch(/Without “band gap”, \d+ would pass/);
    expect((await find({ min_band_gap: 19 }, 'zh')).message).toMatch(/去掉“带隙”/);
    // Here no material passes unless two filters are dropped.
    expect((await find({ min_band_gap: 19, include_elements: 'Rn', window_min: 4 })).message).toMatch(
      /Without “band gap” and “with elements”, \d+ would pass/,
    );
  });

  it.each([
    [{ b: 'LiCoO2' }, 'coatings.same', /A and B are both LiCoO2/],
    [{ b: ' ' }, 'coatings.no-partner', /both A and B/],
    [{ a: 'Xx2' }, 'interface.bad-reactant', /Xx2/],
    [{ a: 999_999 }, 'interface.no-material', /999999/],
    [{ a: 'LiRnO2' }, 'phase.no-data', /no energies of Rn/],
    [{ a: 'data_x\n_cell_length_a oops\n' }, 'coatings.bad-structure', /cannot be read/],
    [{ a: 'LiNiO2', a_energy: { value: -1, low: -0.9, high: -0.8 } }, 'coatings.bad-energy', /within it/],
    [{ window_min: 4, window_max: 2 }, 'coatings.bad-window', /lower one/],
    [{ exclude_elements: 'Q' }, 'search.unknown-elements', /Q/],
    [{ working_ion: 'Cs' }, 'ecwindow.unknown-ion', /Cs/],
    [{ a: 'LiNaKRbCsMgCaO' }, 'phase.too-many-elements', /at most 7/],
    [{ a: 'FeMnCoNiVCrO9', b: 'ZrNbTaZnBSrBa' }, 'phase.too-many-elements', /14.*at most 12/],
    [{ a: 'Li', potential: 1 }, 'phase.reactant', /Li is open/],
  ])('refuses %j with %s', async (body, code, message) => {
    expect(await find(body)).toMatchObject({ error: 'true', code, message: expect.stringMatching(message) });
    expect((await find(body, 'zh')).message).toMatch(/[一-龥]/);
  });
});

const phases = (energies: Readonly<Record<string, number>>) =>
  Object.entries(energies).map(([formula, formationEnergyPerAtom], index) => ({
    structId: index + 1,
    formulaReduced: reducedFormula(parseFormula(formula)),
    formationEnergyPerAtom,
    spaceGroup: '',
  }));

it('a phase that is missing from the catalogue can make a reaction stronger or weaker', () => {
  const energyOf = (energies: Readonly<Record<string, number>>): number =>
    reactPairs({ pairs: [['Li2O2', 'Li']], phases: phases({ Li: 0, O2: 0, ...energies }), open: null })[0]!
      .energy;
  expect(energyOf({})).toBe(0);
  expect(energyOf({ Li2O: -2 })).toBeCloseTo(-1, 6);
  expect(energyOf({ Li2O: -2, Li2O2: -1.65 })).toBeCloseTo(-0.9, 6);
});

describe('rankCandidates', () => {
  const request = {
    own: [],
    open: null,
    deviations: { byClass: {}, all: 0.1 },
    reactionLimit: 0.05,
    count: 1,
  };
  const candidate = (formula: string) => ({
    structId: 1,
    formulaReduced: reducedFormula(parseFormula(formula)),
    energyAboveHull: 0,
  });

  it('counts the atoms of the open ion in the error of a reaction', () => {
    const { ranked } = rankCandidates({
      ...request,
      a: 'Co3O4',
      b: 'CoO',
      candidates: [candidate('Li2O')],
      phases: phases({ Li2O: -2, CoO: -1.3, Co3O4: -10.1 / 7 }),
      open: { element: 'Li', chemicalPotential: -2.8 },
    });
    // 0.25 Li2O + 0.75 CoO → 0.25 Co3O4 + 0.5 Li with 1.75 atoms other than lithium. Per such atom, 3/7 of the atoms
    // are in Li2O, 6/7 in CoO and 1 in Co3O4, so σ is 0.174 eV.
    expect(ranked[0]!.b.energy).toBeCloseTo((0.25 * -10.1 + 0.25 * 0.4 + 0.75 * 2.6) / 1.75, 6);
    expect(ranked[0]!.b.probability).toBe(0.101);
  });

  it('states the lower energy of an interval first if the predicted partner is a product', () => {
    const { ranked } = rankCandidates({
      ...request,
      a: 'ClLi',
      b: 'Li',
      candidates: [candidate('CoCl2')],
      phases: phases({ Li: 0, CoCl2: -1 }),
      own: [{ formula: 'ClLi', energy: { value: -2, low: -2.2, high: -1.8 } }],
    });
    // CoCl2 + 2 Li → 2 LiCl + Co: the reaction of five atoms releases four times the energy of LiCl per atom.
    const { energy, interval } = ranked[0]!.b;
    expect([energy, interval!.low, interval!.high]).toEqual(
      [-1, -1.16, -0.84].map((each) => expect.closeTo(each, 6)),
    );
  });
});

/** Coatings that publications name (docs/methods/coatings.md). */
const KNOWN = ['LiNbO3', 'Li3PO4', 'LiTaO3', 'Li2ZrO3', 'LiAlO2', 'Li4Ti5O12', 'Li2SiO3', 'Li3BO3'];

const count = process.env.NIGHTLY ? 1000 : 200;

describe.skipIf(!hasSharedData)('ranking among the compositions of the Materials Project of 2018', () => {
  it(`ranks known coatings between LiCoO2 and Li3PS4 in the better half of ${count} random oxides`, () => {
    const rows = gunzipSync(readFileSync(sharedPath('datasets', 'mp2018-energies', 'ground_states.csv.gz')))
      .toString()
      .trim()
      .split('\n')
      .slice(1)
      .map((line, index) => {
        const [formula = '', energy, decomposition] = line.split(',');
        return {
          structId: index + 1,
          formulaReduced: reducedFormula(parseFormula(formula)),
          formationEnergyPerAtom: Number(energy),
          energyAboveHull: Math.max(0, Number(decomposition)),
          spaceGroup: '',
        };
      });
    const oxides = rows.filter(
      ({ formulaReduced, energyAboveHull }) =>
        /O\d*$/.test(formulaReduced) &&
        energyAboveHull <= 0.03 &&
        (formulaReduced.match(/[A-Z]/g) ?? []).length <= 5,
    );
    const random = seededRandom(1000);
    const drawn = new Set(KNOWN.map((formula) => reducedFormula(parseFormula(formula))));
    while (drawn.size < count + KNOWN.length)
      drawn.add(oxides[Math.floor(random() * oxides.length)]!.formulaReduced);
    const { ranked } = rankCandidates({
      a: 'LiCoO2',
      b: 'Li3PS4',
      candidates: rows.filter(({ formulaReduced }) => drawn.has(formulaReduced)),
      phases: rows.filter(({ energyAboveHull }) => energyAboveHull === 0),
      own: [],
      open: null,
      deviations: { byClass: {}, all: null },
      reactionLimit: 0.05,
      count: drawn.size / 2,
    });
    const better = ranked.map(({ structId }) => rows[structId - 1]!.formulaReduced);
    expect(better).toEqual(
      expect.arrayContaining(KNOWN.map((formula) => reducedFormula(parseFormula(formula)))),
    );
  });
});

describe('POST /api/coatings/matrix/', () => {
  const NAMES = ['LiCoO2', 'Li3PS4', 'LiNbO3', 'Li3PO4', 'Li'];

  it('contains for every pair the same reaction as a calculation of this pair alone', async () => {
    const answer = await matrix({ materials: NAMES });
    expect(coatingMatrix.answer.parse(answer)).toEqual(answer);
    expect(answer.materials.map(({ formula }) => formula)).toEqual(NAMES);
    expect(answer.cells).toHaveLength(10);
    for (const { row, column, energy, equation } of answer.cells) {
      expect(energy).toBe(await mutualEnergy(NAMES[row]!, NAMES[column]!));
      expect(equation === '').toBe(energy === 0);
    }
  });

  it('calculates the reaction of one material with every material of a list, each formula only once', async () => {
    const answer = await matrix({ materials: [...NAMES, 'CoLiO2', 87], against: 'Li2O' });
    expect(answer.against).toMatchObject({ formula: 'Li2O', energy_above_hull: 0 });
    expect(answer.cells.map(({ row, column }) => [row, column])).toEqual(NAMES.map((_, row) => [row, 0]));
  });

  it.each([
    [{ materials: ['LiCoO2', 87] }, 'coatings.too-few', /two different/],
    [{ materials: Array.from({ length: 41 }, (_, n) => n + 1) }, 'coatings.too-many', /41 .* at most 40/],
    [{ materials: ['LiCoO2', 'Zz'] }, 'interface.bad-reactant', /Zz/],
    [{ materials: ['H2LiNaKRbCsF', 'BeMgCaSrBaO'] }, 'phase.too-many-elements', /13/],
    [{ materials: ['RnF2', 'Li'] }, 'phase.no-data', /Rn/],
  ])('refuses %j with %s', async (body, code, message) => {
    expect(await matrix(body)).toMatchObject({
      error: 'true',
      code,
      message: expect.stringMatching(message),
    });
    expect((await matrix(body, 'zh')).message).toMatch(/[一-龥]/);
  });
});
