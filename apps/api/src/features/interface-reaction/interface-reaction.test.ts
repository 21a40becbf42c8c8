import { interfaceResult, type InterfaceResult } from '@unitcell/contract/interface-reaction';
import { type Composition, parseFormula } from '@unitcell/crystal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../../testing/build-test-app.ts';
import { element, rockSalt, rutile, storeMaterials } from '../../testing/material-factory.ts';
import { reactAtInterface } from './interface-reaction.thread.ts';

let test: TestApp;
let token: string;

beforeAll(async () => {
  test = await buildTestApp();
  token = await test.signIn();
  await storeMaterials(test.database, [
    element('Ti', 2.9, { struct_id: 11 }),
    element('O', 3.0, { struct_id: 12 }),
    element('Mg', 3.2, { struct_id: 13 }),
    rutile('Ti', 4.594, 2.959, { struct_id: 21, formation_energy_per_atom: -3.0 }),
    rutile('Ti', 4.7, 3.1, { struct_id: 22, formation_energy_per_atom: -2.9 }),
    rockSalt('Mg', 'O', 4.212, { struct_id: 23, formation_energy_per_atom: -3.1 }),
    rockSalt('Na', 'Cl', 5.64, { struct_id: 25 }),
  ]);
});
afterAll(() => test.close());

const react = async (
  reactant1: unknown,
  reactant2: unknown,
  options: object = {},
  language = 'en',
): Promise<InterfaceResult & { code?: string }> =>
  (
    await test.post(
      '/api/interface_reaction/interface_receive/',
      { reactant1, reactant2, ...options },
      { token, language },
    )
  ).json();

/** Atoms on one side of an equation such as `0.5 TiO2 + Mg`. */
function atomsOf(side: string): Composition {
  const atoms: Record<string, number> = {};
  for (const term of side.split(' + ')) {
    const [, amount = '', formula = ''] = /^(?:([\d.]+) )?(\S+)$/.exec(term) ?? [];
    for (const [symbol, count] of Object.entries(parseFormula(formula)))
      atoms[symbol] = (atoms[symbol] ?? 0) + Number(amount || 1) * count;
  }
  return atoms;
}

describe('POST /api/interface_reaction/interface_receive/', () => {
  it('finds the reduction of TiO2 by magnesium', async () => {
    const answer = await react('TiO2', 'Mg');
    expect(interfaceResult.parse(answer)).toEqual(answer);
    const row = answer.interface_table_data[answer.min_re_index];
    // TiO2 + 2 Mg -> Ti + 2 MgO: 3 × 3.0 - 4 × 3.1 = -3.4 eV for five atoms, or for three formula units of the
    // reactants.
    expect(row).toMatchObject({
      molar_fraction: 0.33333333,
      atomic_fraction: 0.6,
      equilibrium_formula: 'MgO + Ti',
      reaction_function: '0.3333 TiO2 + 0.6667 Mg → 0.6667 MgO + 0.3333 Ti',
      reaction_energy_total: -0.68,
      reaction_energy: -0.68,
      decomposition_energy: 0,
      reaction_energy_kj: expect.closeTo((-3.4 / 3) * 96.48533, 3),
    });
    expect(row?.phases).toEqual([
      { formula: 'MgO', struct_id: 23, coefficient: 0.66666667 },
      { formula: 'Ti', struct_id: 11, coefficient: 0.33333333 },
    ]);
    expect(answer).toMatchObject({
      atomic_title: 'Atomic fraction of TiO2',
      molar_title: 'Molar fraction of TiO2',
      open: null,
      functional: 'PBE (MP 2018)',
      reactants: [
        { formula: 'TiO2', struct_id: 21, energy_above_hull: 0 },
        { formula: 'Mg', struct_id: 13 },
      ],
    });
    expect(answer.atomic_fraction[0]).toBe(0);
    expect(answer.atomic_fraction.at(-1)).toBe(1);
    expect(answer.text).toHaveLength(answer.atomic_fraction.length);
    expect(answer.molar_text).toHaveLength(answer.atomic_fraction.length);
  });

  it('balances every equation', async () => {
    for (const [a, b] of [
      ['TiO2', 'Mg'],
      ['MgO', 'Ti'],
      ['O2', 'Mg'],
      ['Ti2O3', 'Mg'],
    ])
      for (const { reaction_function } of (await react(a, b)).interface_table_data) {
        const [left = '', right = ''] = reaction_function.split(' → ');
        const [before, after] = [atomsOf(left), atomsOf(right)];
        for (const symbol of Object.keys({ ...before, ...after }))
          expect(before[symbol]).toBeCloseTo(after[symbol] ?? 0, 3);
      }
  });

  it('uses the stored energy of a struct_id, and states the decomposition energy separately', async () => {
    const answer = await react('0000000022', 13);
    expect(answer.reactants[0]).toMatchObject({ struct_id: 22, energy_above_hull: 0.1 });
    const end = answer.interface_table_data.at(-1);
    expect(end).toMatchObject({
      reaction_energy_total: -0.1,
      decomposition_energy: -0.1,
      reaction_energy: 0,
    });
    const onHull = await react('0000000022', 13, { use_hull_energy: true });
    expect(onHull.interface_table_data.at(-1)?.reaction_energy_total).toBe(0);
  });

  it('gives a formula without an entry the energy of the hull', async () => {
    const answer = await react('Ti2O3', 'Mg');
    expect(answer.reactants[0]).toEqual({ formula: 'Ti2O3', struct_id: null, energy_above_hull: 0 });
  });

  it('has Gibbs energies at a temperature, each with its source and error', async () => {
    const cold = await react('TiO2', 'Mg');
    expect(await react('TiO2', 'Mg', { temperature: 20 })).toEqual(cold);
    const hot = await react('TiO2', 'Mg', { temperature: 1000 });
    expect(interfaceResult.parse(hot)).toEqual(hot);
    expect(hot.gibbs).toEqual({ temperature: 1000, unknown: [], replaced: [] });
    const row = hot.interface_table_data[hot.min_re_index];
    // TiO2 + 2 Mg → Ti + 2 MgO, five atoms. NIST-JANAF at 1,000 K, ΔfG − ΔfH(298.15 K) in kJ/mol: MgO −492.95 + 601.24,
    // TiO2 −762.81 + 944.75.
    const change = 2 * (601.24 - 492.95) - (944.75 - 762.81);
    expect(row?.reaction_energy_total).toBeCloseTo(-0.68 + change / 96.48533 / 5, 2);
    expect(row?.phases.map(({ formula, gibbs_source }) => [formula, gibbs_source])).toEqual([
      ['MgO', 'measured'],
      ['Ti', 'element'],
    ]);
    expect(row?.expected_error).toBeGreaterThan(0);
    expect(hot.interface_table_data[0]?.expected_error).toBe(0);
    expect(hot.reactants.map(({ struct_id, gibbs_source }) => [struct_id, gibbs_source])).toEqual([
      [21, 'measured'],
      [13, 'element'],
    ]);
    expect(await react('TiO2', 'Mg', { temperature: -1 })).toMatchObject({ code: 'phase.bad-temperature' });
  });

  it('opens the interface to a reservoir', async () => {
    // With a reservoir of pure magnesium (0 eV) TiO2 is reduced even if the other reactant contains no Mg.
    const answer = await react('TiO2', 'Ti', { open_element: 'Mg', chemical_potential: 0 });
    expect(answer.open).toEqual({ element: 'Mg', chemical_potential: 0 });
    const last = answer.interface_table_data.at(-1);
    expect(last?.reaction_function).toBe('TiO2 + 2 Mg → 2 MgO + Ti');
    expect(answer.text.at(-1)).toContain('eV per atom other than Mg, ');
    const poor = await react('TiO2', 'Ti', { open_element: 'Mg', chemical_potential: -6 });
    expect(poor.interface_table_data.at(-1)?.reaction_energy_total).toBe(0);
  });

  it.each([
    ['TiO2', 'Ti2O4', {}, 'interface.same-reactants', /Both reactants are TiO2/],
    ['TiO2', '', {}, 'interface.no-reactant', /both reactants/],
    ['Xx', 'TiO2', {}, 'interface.bad-reactant', /Xx/],
    ['TiO2', '999', {}, 'interface.no-material', /999/],
    ['TiO2', 25, {}, 'interface.no-energy', /25/],
    ['TiO2', 'UO2', {}, 'phase.no-data', /no energies of U/],
    ['H2LiNaKRbCsF', 'BeMgCaSrBaO', {}, 'phase.too-many-elements', /13/],
    ['TiO2', 'Mg', { open_element: 'Q' }, 'interface.unknown-element', /Q is not/],
    ['TiO2', 'Mg', { open_element: 'O', chemical_potential: 1 }, 'interface.bad-potential', /1 eV/],
    ['TiO2', 'Mg', { open_element: 'Mg' }, 'phase.reactant', /Mg is open/],
    ['TiO2', 'Mg', { open_element: 'Xe' }, 'phase.no-data', /no energies of Xe/],
    ['<b>x</b>', 'Mg', {}, 'interface.bad-reactant', /cannot be read/],
  ])('answers %j with %j %j and a message', async (a, b, options, code, message) => {
    const answer = await react(a, b, options);
    expect(answer).toMatchObject({ error: 'true', code, message: expect.stringMatching(message) });
  });

  it('returns messages in Chinese', async () => {
    expect((await react('TiO2', 'Mg', {}, 'zh')).atomic_title).toBe('TiO2 的原子分数');
  });
});

describe('an interface at a temperature', () => {
  /** Enthalpies of formation at 298.15 K (NIST-JANAF), eV/atom, and a compound that is in no table. */
  const phases = [
    ['CaO', -3.291, 3.34],
    ['CO2', -1.3595, 1.6],
    ['CaCO3', -2.5018, 2.71],
    ['CaC3O5', -1.9, undefined],
  ].map(([formulaReduced, formationEnergyPerAtom, density], structId) => ({
    structId,
    formulaReduced: String(formulaReduced),
    formationEnergyPerAtom: Number(formationEnergyPerAtom),
    spaceGroup: 'P1',
    ...(density === undefined ? {} : { density: Number(density) }),
  }));
  const reactAt = (temperature: number, first: number, second: number, isOfFormula = true) =>
    reactAtInterface({
      reactants: [
        { ...phases[first]!, isOfFormula },
        { ...phases[second]!, isOfFormula },
      ],
      elements: ['Ca', 'C', 'O'],
      phases,
      open: null,
      useHullEnergy: false,
      at: { temperature, deviations: { byClass: {}, all: null } },
    });

  it('uses measured energies for CO2 gas, which lime binds at 1,000 K but not at 1,300 K', () => {
    const bound = reactAt(1000, 0, 1);
    expect(bound.interface_table_data[bound.min_re_index]?.equilibrium_formula).toBe('CaCO3');
    expect(bound.reactants.map(({ struct_id, gibbs_source }) => [struct_id, gibbs_source])).toEqual([
      [0, 'measured'],
      [null, 'gas'],
    ]);
    expect(bound.gibbs).toEqual({ temperature: 1000, unknown: ['CaC3O5'], replaced: ['CO2'] });
    expect(Math.min(...reactAt(1300, 0, 1).reaction_energy)).toBe(0);
  });

  it('refuses a compound without a known Gibbs energy, and solid CO2 by its id', () => {
    const refused = expect.objectContaining({ code: 'no-gibbs-energy' });
    expect(() => reactAt(1000, 0, 3)).toThrow(refused);
    expect(() => reactAt(1000, 0, 1, false)).toThrow(refused);
  });
});
