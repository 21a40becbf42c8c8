import {
  ellinghamResult,
  type EllinghamResult,
  reactionResult,
  type ReactionResult,
} from '@unitcell/contract/stability';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../../testing/build-test-app.ts';
import { element, rockSalt, rutile, storeMaterials } from '../../testing/material-factory.ts';

let test: TestApp;
let token: string;

beforeAll(async () => {
  test = await buildTestApp();
  token = await test.signIn();
  await storeMaterials(test.database, [
    element('Ti', 2.9, { struct_id: 11 }),
    element('Mg', 3.2, { struct_id: 13 }),
    rutile('Ti', 4.594, 2.959, { struct_id: 21, formation_energy_per_atom: -3.25 }),
    rutile('Ti', 4.7, 3.1, { struct_id: 22, formation_energy_per_atom: -3.1 }),
    rockSalt('Mg', 'O', 4.212, { struct_id: 23, formation_energy_per_atom: -3.1 }),
    rockSalt('Ti', 'O', 4.18, { struct_id: 24, formation_energy_per_atom: -2.7 }),
    rockSalt('Mn', 'O', 4.44, { struct_id: 25 }),
    rockSalt('Nb', 'N', 4.4, { struct_id: 26, formation_energy_per_atom: -1.1 }),
    rockSalt('Mg', 'N', 4.4, { struct_id: 27, formation_energy_per_atom: -0.1 }),
  ]);
});
afterAll(() => test.close());

async function ask<Answer>(
  path: string,
  body: object,
  language: string,
): Promise<Answer & { code?: string }> {
  return (await test.post(`/api/stability/${path}/`, body, { token, language })).json();
}
const react = (reactants: string, products: string, options: object = {}, language = 'en') =>
  ask<ReactionResult>('reaction', { reactants, products, ...options }, language);
const draw = (elements: string, options: object = {}, language = 'en') =>
  ask<EllinghamResult>('ellingham', { elements, ...options }, language);

describe('POST /api/stability/reaction/', () => {
  it('balances the decomposition of CaCO3 and finds its temperature in 1 bar CO2', async () => {
    const answer = await react('CaCO3', 'CaO + CO2', { temperature: 1164 });
    expect(reactionResult.parse(answer)).toEqual(answer);
    const [only] = answer.balances;
    expect(only).toMatchObject({ equation: 'CaCO3 → CaO + CO2', coefficients: [1, 1, 1], computed: null });
    // 1,164 K if the data of CaO are also from FREED; 1,171 K (898 °C) in textbooks.
    expect(Math.abs((only?.measured?.turning[0] ?? 0) - 1164)).toBeLessThan(3);
    expect(Math.abs(only?.measured?.at?.log_k ?? 9)).toBeLessThan(0.03);
    expect(answer.species.map(({ phase, measured }) => [phase, measured?.source])).toEqual([
      ['condensed', 'FREED'],
      ['condensed', 'NIST-JANAF'],
      ['gas', 'NIST-JANAF'],
    ]);
  });

  it('shows measured and computed energies side by side', async () => {
    const { balances, species } = await react('TiO2 + 2 Mg', 'Ti + MgO', { temperature: 1000 });
    const [only] = balances;
    expect(only?.equation).toBe('TiO2 + 2 Mg → Ti + 2 MgO');
    // NIST-JANAF at 1,000 K: 2 × −492.952 + 762.428 kJ/mol.
    expect(only?.measured?.at?.gibbs).toBeCloseTo(2 * -492.952 + 762.428, 0);
    // ΔfH(298.15 K) is −944.747 kJ/mol for TiO2 and −601.241 for MgO; the catalogue has 3 × −3.25 and 2 × −3.1 eV.
    const shift = 2 * (2 * -3.1 * 96.48533 + 601.241) - (3 * -3.25 * 96.48533 + 944.747);
    expect((only?.computed?.at?.gibbs ?? 0) - (only?.measured?.at?.gibbs ?? 0)).toBeCloseTo(shift, 2);
    expect(species[0]?.computed).toMatchObject({
      struct_id: 21,
      formation_energy: -3.25,
      thermal: 'measured',
    });
    expect(species[1]?.computed).toBeNull();
  });

  it('uses the descriptor for a compound that was not measured', async () => {
    const { balances, species } = await react('Mg + N2', 'MgN', { temperature: 900 });
    expect(balances[0]?.measured).toBeNull();
    expect(balances[0]?.computed?.at?.gibbs).toBeGreaterThan(balances[0]?.computed?.at?.enthalpy ?? 0);
    expect(species[2]?.computed).toMatchObject({ struct_id: 27, thermal: 'descriptor' });
  });

  it('uses the pressures of the gases', async () => {
    const at = async (pressure: number) =>
      (await react('Fe2O3', 'Fe3O4, O2', { pressures: { O2: pressure } })).balances[0]?.measured
        ?.turning[0] ?? 0;
    // 1,737 K in 1 bar of O2 and near 1,670 K in air.
    expect(Math.abs((await at(1)) - 1737.4)).toBeLessThan(2);
    expect(Math.abs((await at(0.21)) / 1670 - 1)).toBeLessThan(0.03);
  });

  it('lists every balance with the fewest substances if the equation is not unique', async () => {
    const { independent, balances } = await react('C + O2 + H2', 'CO2 + H2O');
    expect(independent).toBe(2);
    expect(balances.map(({ equation }) => equation).sort()).toEqual(['C + O2 → CO2', 'O2 + 2 H2 → 2 H2O']);
  });

  it('reads phases and typed coefficients, and reads a single O as O2', async () => {
    const { balances, species } = await react('2Zn(g) + O', '2 ZnO');
    expect(balances[0]?.equation).toBe('2 Zn + O2 → 2 ZnO');
    expect(species[0]).toMatchObject({ formula: 'Zn', phase: 'gas', pressure: 1 });
  });

  it('treats an element and its vapour as two substances', async () => {
    const { balances, species } = await react('Zn', 'Zn(g)', { pressures: { 'Zn(g)': 1 } });
    expect(balances[0]?.equation).toBe('Zn → Zn(g)');
    expect(species.map(({ formula, phase }) => [formula, phase])).toEqual([
      ['Zn', 'element'],
      ['Zn(g)', 'gas'],
    ]);
    // Boiling point of zinc at 1 bar.
    expect(balances[0]?.measured?.turning.map(Math.round)).toEqual([1180]);
  });

  it.each([
    ['', 'CaO', {}, 'stability.no-species', /at least one reactant/],
    ['CaCO3', ' + ', {}, 'stability.no-species', /at least one/],
    ['Xx2', 'CaO', {}, 'stability.bad-formula', /Xx2 cannot be read/],
    ['<b>', 'CaO', {}, 'stability.bad-formula', /cannot be read/],
    ['Fe + Fe', 'FeO', {}, 'stability.same-species', /Fe is in the equation twice/],
    ['W(g)', 'WO3', {}, 'stability.no-gas', /no gas W/],
    ['N2O4', 'NO2', {}, 'stability.no-gas', /no gas N2O4.*N2O4\(s\)/],
    ['CaO', 'CaCO3 + CO2', {}, 'stability.wrong-side', /CO2 on the other side/],
    ['Fe + O2 + NaCl', 'Fe2O3', {}, 'stability.idle-species', /NaCl cannot take part/],
    ['Fe', 'Fe2O3', {}, 'stability.one-sided', /one side only: O/],
    ['NaCl + H2O', 'Na2O + HCl2', {}, 'stability.impossible', /cannot be balanced/],
    ['A + B', 'C', {}, 'stability.bad-formula', /A cannot be read/],
    ['CaCO3', 'CaO + CO2', { temperature: -1 }, 'stability.bad-temperature', /-1 K/],
    ['CaCO3', 'CaO + CO2', { temperature: 3001 }, 'stability.bad-temperature', /3001 K/],
    ['CaCO3', 'CaO + CO2', { pressures: { CO2: 0 } }, 'stability.bad-pressure', /CO2 is 0 bar/],
    ['CaCO3', 'CaO + CO2', { pressures: { O2: 1 } }, 'stability.unknown-gas', /no gas O2.*CO2/],
    ['Li + Na + K + Rb + Cs + Mg', 'Li2O + Na2O + K2O + MgO + O2', {}, 'stability.too-many-species', /11/],
  ])(
    'refuses %j → %j %j with a message that says why',
    async (reactants, products, options, code, sentence) => {
      for (const language of ['en', 'zh']) {
        const answer = await react(reactants, products, options, language);
        expect(answer).toMatchObject({ error: 'true', code });
        expect(answer.message).toMatch(language === 'en' ? sentence : /[一-鿿]/);
      }
    },
  );
});

it('the smallest positive temperature is treated as 0 K', async () => {
  const coldest = Number.MIN_VALUE;
  expect((await react('CaCO3', 'CaO + CO2', { temperature: coldest })).temperature).toBe(0);
  expect((await draw('Fe', { temperature_min: coldest })).temperature_min).toBe(0);
});

describe('POST /api/stability/ellingham/', () => {
  it('draws the oxides of Fe, Ti, Al and C with phase changes and gas scales', async () => {
    const answer = await draw('Fe Ti Al C');
    expect(ellinghamResult.parse(answer)).toEqual(answer);
    expect(answer).toMatchObject({ kind: 'oxide', gas: 'O2', without: [] });
    const aluminium = answer.lines.find(({ element: symbol }) => symbol === 'Al');
    expect(aluminium).toMatchObject({ equation: '1.3333 Al + O2 → 0.6667 Al2O3', sources: ['NIST-JANAF'] });
    expect(aluminium?.transitions[0]).toMatchObject({ formula: 'Al', temperature: 933.45, kind: 'melting' });
    // NIST-JANAF, ΔfG(1,000 K) = −1,361.44 kJ/mol of Al2O3.
    const at = aluminium?.temperatures.indexOf(1000) ?? -1;
    expect(aluminium?.gibbs[at]).toBeCloseTo((2 / 3) * -1361.44, 0);
    expect(answer.couples?.co_co2).toHaveLength(answer.couples?.temperatures.length ?? -1);
    for (const line of answer.lines) expect(line.gibbs).toHaveLength(line.temperatures.length);
  });

  it('adds a line from energies of the catalogue if the catalogue has every compound of the reaction step', async () => {
    const { lines } = await draw('Mg');
    const shift = 2 * (2 * -3.1 * 96.48533 + 601.241);
    expect(lines[0]?.computed?.struct_ids).toEqual([23]);
    expect((lines[0]?.computed?.gibbs[0] ?? 0) - (lines[0]?.gibbs[0] ?? 0)).toBeCloseTo(shift, 2);
    expect((await draw('Ca')).lines[0]?.computed).toBeNull();
  });

  it.each(['sulfide', 'nitride', 'chloride', 'carbonate'])('draws %ss', async (kind) => {
    const { lines, without, couples } = await draw('Ca Mg C', { kind });
    expect(lines.length).toBeGreaterThan(1);
    expect(without).toContain('C');
    expect(couples).toBeNull();
  });

  it.each([
    ['', {}, 'stability.no-elements', /Fe Ti Al C/],
    ['Fe Xx', {}, 'stability.unknown-element', /Xx is not/],
    ['Fe', { kind: 'selenide' }, 'stability.unknown-kind', /selenide/],
    ['Au', {}, 'stability.no-lines', /Ag Al/],
    ['Li Na K Rb Cs Be Mg Ca Sr Ba Ti V Cr', {}, 'stability.too-many-elements', /13/],
    ['Fe', { temperature_min: -5 }, 'stability.bad-temperature', /-5 K/],
    ['Fe', { temperature_min: 900, temperature_max: 400 }, 'stability.bad-range', /900/],
  ])('refuses %j %j with a message that says why', async (elements, options, code, sentence) => {
    for (const language of ['en', 'zh']) {
      const answer = await draw(elements, options, language);
      expect(answer).toMatchObject({ error: 'true', code });
      expect(answer.message).toMatch(language === 'en' ? sentence : /[一-鿿]/);
    }
  });
});
