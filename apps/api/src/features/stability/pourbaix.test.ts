import { pourbaixResult, type PourbaixResult } from '@unitcell/contract/stability';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../../testing/build-test-app.ts';
import { element, importLineOf, rockSalt, rutile, storeMaterials } from '../../testing/material-factory.ts';

let test: TestApp;
let token: string;

beforeAll(async () => {
  test = await buildTestApp();
  token = await test.signIn();
  await storeMaterials(test.database, [
    element('Ti', 2.9, { struct_id: 11 }),
    element('Mg', 3.2, { struct_id: 13 }),
    element('O', 3.4, { struct_id: 14 }),
    element('H', 3.4, { struct_id: 15 }),
    element('Fe', 2.8, { struct_id: 16 }),
    rutile('Ti', 4.594, 2.959, { struct_id: 21, formation_energy_per_atom: -3.25 }),
    rockSalt('Mg', 'O', 4.212, { struct_id: 23, formation_energy_per_atom: -3.1 }),
    rockSalt('Ti', 'O', 4.18, { struct_id: 24, formation_energy_per_atom: -2.4 }),
    element('Cl', 3.1, { struct_id: 17 }),
    rutile('Cl', 5.1, 3.4, { struct_id: 25, formation_energy_per_atom: -0.58 }),
    rockSalt('Na', 'Cl', 5.6, { struct_id: 26, formation_energy_per_atom: -2.1 }),
  ]);
});
afterAll(() => test.close());

const draw = async (body: object, language = 'en'): Promise<PourbaixResult & { code?: string }> =>
  (await test.post('/api/stability/pourbaix/', body, { token, language })).json();

/** Names of the stable species at a point, found from the planes as a client would find them. */
function stableAt({ regions, species }: PourbaixResult, pH: number, volts: number): string[] {
  const energy = ({ plane }: PourbaixResult['regions'][number]) =>
    plane.constant + plane.ph * pH + plane.potential * volts;
  const [lowest] = regions.toSorted((a, b) => energy(a) - energy(b));
  return (lowest?.species ?? []).map(({ index }) => species[index]?.formula ?? '');
}

describe('POST /api/stability/pourbaix/', () => {
  it('draws chlorine without a passive layer of molecules, and gives Cl2 gas a Gibbs energy of formation of zero', async () => {
    const answer = await draw({ elements: 'Cl' });
    expect(answer.regions.map(({ kind }) => kind)).not.toContain('passivation');
    expect(answer.species.map(({ formula }) => formula)).not.toContain('ClO2');
    expect(answer.species.find(({ formula }) => formula === 'Cl2')?.gibbs).toBe(0);
  });

  it('writes the formulas of measured hydroxides in the usual way', async () => {
    const { species } = await draw({ elements: 'Mg', energies: 'measured' });
    expect(species.flatMap(({ formula, phase }) => (phase === 'solid' ? [formula] : [])).toSorted()).toEqual([
      'Mg',
      'Mg(OH)2',
      'MgH2',
      'MgO',
    ]);
  });

  it('draws iron from measured energies, with the ions of the table', async () => {
    const answer = await draw({ elements: 'Fe', energies: 'measured' });
    expect(pourbaixResult.parse(answer)).toEqual(answer);
    expect(answer).toMatchObject({
      elements: ['Fe'],
      ratio: [1],
      concentrations: [1e-6],
      temperature: 298.15,
    });
    // M. Pourbaix, Atlas (1974): immunity, corrosion and passivation of iron at 25 °C.
    expect(stableAt(answer, 7, -1)).toEqual(['Fe']);
    expect(stableAt(answer, 4, -0.3)).toEqual(['Fe[2+]']);
    expect(stableAt(answer, 9, 0.2)).toEqual(['Fe2O3']);
    const kinds = new Map(
      answer.regions.map((region) => [answer.species[region.species[0]?.index ?? 0]?.formula, region.kind]),
    );
    expect([kinds.get('Fe'), kinds.get('Fe[2+]'), kinds.get('Fe2O3')]).toEqual([
      'immunity',
      'corrosion',
      'passivation',
    ]);
    const ferrous = answer.species.find(({ formula }) => formula === 'Fe[2+]');
    expect(ferrous?.gibbs).toBeCloseTo(-78.874 / 96.48533, 5);
    expect(ferrous).toMatchObject({ kind: 'measured', shift: null, reference: 'Fe2O3' });
    expect(ferrous?.source).toMatch(/NBS Technical Note 270/);
  });

  it('calls the region of a metal hydride neither immunity nor passivation', async () => {
    const { regions, species } = await draw({ elements: 'Ti', energies: 'measured' });
    const kindOf = (formula: string) =>
      regions.find((region) => region.species.every(({ index }) => species[index]?.formula === formula))
        ?.kind;
    // M. Pourbaix, Atlas (1974): the hydride below the oxides of titanium.
    expect([kindOf('TiH2'), kindOf('TiO2')]).toEqual(['hydride', 'passivation']);
  });

  it('shifts the ions of computed diagrams to the energy of their computed reference solid', async () => {
    const answer = await draw({ elements: 'Ti' });
    // Rutile: 3 × −3.25 eV in the catalogue, plus the entropy term of O2; −888.8 kJ/mol in the ion table.
    const solid = 3 * -3.25 + 2 * 0.31696;
    const titanium = answer.species.find(({ formula }) => formula === 'Ti[3+]');
    expect(titanium?.shift).toBeCloseTo(solid + 888.8 / 96.48533, 2);
    expect(answer.species.find(({ formula }) => formula === 'TiO2')).toMatchObject({
      kind: 'computed',
      struct_id: 21,
    });
    expect(answer.missing.solids).toContain('Ti2O3');
    expect(answer.missing.solids).not.toContain('TiO2');
  });

  it('names elements whose ions it cannot use', async () => {
    const { missing, species } = await draw({ elements: 'Fe' });
    expect(missing.references).toEqual([
      { element: 'Fe', solid: 'Fe2O3' },
      { element: 'H', solid: 'H2O' },
    ]);
    expect(species.every(({ phase }) => phase === 'solid')).toBe(true);
  });

  it('places a material with its decomposition energy, at its own ratio of elements', async () => {
    const answer = await draw({ struct_id: 21 });
    expect(answer.elements).toEqual(['Ti']);
    const { compound } = answer;
    expect(compound).toMatchObject({ formula: 'TiO2', struct_id: 21, formation_energy: -3.25 });
    const at = ({ constant, ph, potential }: { constant: number; ph: number; potential: number }) =>
      constant + 7 * ph + 0.2 * potential;
    const lowest = Math.min(...(compound?.regions ?? []).map(({ plane }) => at(plane)));
    expect(compound && at(compound.plane) - lowest).toBeCloseTo(0, 7);
    const unstable = await draw({ compound: 'TiMgO3', compound_energy: -2.5 });
    expect(unstable.elements).toEqual(['Ti', 'Mg']);
    expect(unstable.ratio).toEqual([0.5, 0.5]);
  });

  it('gives at pH 7 and 0 V the decomposition energy that the catalogue stores', async () => {
    const { rows } = await test.database.pool.query<{ struct_id: number; energy: number | null }>(
      `SELECT struct_id, decomposition_energy_in_water AS energy FROM material_energy
        WHERE energy_above_hull <= 0.1 ORDER BY struct_id`,
    );
    const stored = new Map(rows.map((row) => [row.struct_id, row.energy]));
    // The catalogue of this test lacks Fe2O3, the reference solid of the ions of iron. The elements O and H
    // get no energy in water.
    expect([14, 15, 16].map((id) => stored.get(id))).toEqual([null, null, null]);
    for (const id of [11, 13, 21, 23, 24]) {
      const { compound } = await draw({ struct_id: id });
      const at = (plane: { constant: number; ph: number; potential: number }) =>
        plane.constant + 7 * plane.ph;
      const lowest = Math.min(...(compound?.regions ?? []).map(({ plane }) => at(plane)));
      expect(stored.get(id), `#${id}`).toBeCloseTo((compound ? at(compound.plane) : Number.NaN) - lowest, 6);
    }
    // M. Pourbaix, Atlas (1974): titania is stable, magnesia and both metals dissolve or oxidise.
    expect(stored.get(21)).toBeCloseTo(0, 7);
    for (const id of [11, 13, 23]) expect(stored.get(id), `#${id}`).toBeGreaterThan(0.1);
  });

  it('uses ions, ratios, concentrations and potentials given by the user', async () => {
    const own = await draw({
      elements: 'Fe Mg',
      energies: 'measured',
      ratio: { Fe: 3 },
      concentrations: { Mg: 0.01 },
      potential_min: -1,
      potential_max: 1,
      ions: [
        { formula: 'Fe[2+]', gibbs: -91.5 },
        { formula: 'Fe(OH)4[-]', gibbs: -842 },
      ],
    });
    expect(own.ratio).toEqual([0.75, 0.25]);
    expect(own.concentrations).toEqual([1e-6, 0.01]);
    expect(own.window).toMatchObject({ potential_min: -1, potential_max: 1 });
    const ferrous = own.species.filter(({ formula }) => formula === 'Fe[2+]');
    expect(ferrous).toEqual([expect.objectContaining({ kind: 'own' })]);
    expect(ferrous[0]?.gibbs).toBeCloseTo(-91.5 / 96.48533, 5);
    expect(own.species.some(({ formula }) => formula === 'Fe(OH)4[-]')).toBe(true);
  });

  it('shifts computed hydroxides by the error of the computed water, including a placed hydroxide', async () => {
    const atoms = (...symbols: string[]) =>
      symbols.map((symbol, i) => [symbol, i / symbols.length, 0.1, 0.2] as const);
    await storeMaterials(test.database, [
      importLineOf({ a: 6, b: 3, c: 3 }, atoms('O', 'H', 'H'), { formation_energy_per_atom: -1.39083 }),
      importLineOf({ a: 9, b: 3, c: 3 }, atoms('Mg', 'O', 'H', 'O', 'H'), {
        formation_energy_per_atom: -2.0784,
      }),
    ]);
    const placed = { compound: 'Mg(OH)2', compound_energy: -2.0784 };
    const answer = await draw({ elements: 'Mg', concentrations: { Mg: 1 }, ...placed });
    expect(answer.missing.references).toEqual([]);
    // Shift per formula unit: measured Gibbs energy of water, −2.4583 eV, minus the computed one with the
    // entropy terms of O2 and H2.
    const shift = -2.4583 - (3 * -1.39083 + 0.31696 + 2 * 0.20191);
    const hydroxide = answer.species.find(({ formula }) => formula === 'Mg(HO)2');
    expect(hydroxide).toMatchObject({ kind: 'computed', reference: 'H2O' });
    expect(hydroxide?.shift).toBeCloseTo(shift, 5);
    expect(hydroxide?.gibbs).toBeCloseTo(5 * -2.0784 + 2 * (0.31696 + 0.20191) + shift, 5);
    expect(stableAt(answer, 12, 0)).toEqual(['Mg(HO)2']);
    const at = ({ constant, ph }: { constant: number; ph: number }) => constant + 12 * ph;
    const { plane, regions } = answer.compound!;
    expect(at(plane)).toBeCloseTo(Math.min(...regions.map((region) => at(region.plane))), 7);
  });

  it.each([
    [{ elements: 'O H' }, 'pourbaix.no-elements', /one to three elements/],
    [{ elements: 'Fe Ti Mg Ca' }, 'pourbaix.too-many-elements', /Fe, Ti, Mg, Ca/],
    [{ elements: 'Xx' }, 'stability.unknown-element', /Xx is not/],
    [{ elements: 'Fe', concentrations: { Fe: 0 } }, 'pourbaix.bad-amount', /Fe is 0/],
    [{ elements: 'Fe', ratio: { Fe: -1 } }, 'pourbaix.bad-amount', /Fe is -1/],
    [{ elements: 'Fe', ions: [{ formula: 'Cr[2+]', gibbs: 1 }] }, 'pourbaix.foreign-ion', /Cr\[2\+\].*Fe/],
    [{ elements: 'Fe', ions: [{ formula: 'Fe', gibbs: 1 }] }, 'pourbaix.bad-ion', /Fe cannot be read/],
    [{ elements: 'Fe', potential_min: 2, potential_max: 1 }, 'pourbaix.bad-range', /2 to 1 V/],
    [{ compound: 'Xx' }, 'pourbaix.bad-compound', /Xx cannot/],
    [{ compound: 'Fe2O3' }, 'pourbaix.no-energy', /Fe2O3 has no energy/],
    [{ struct_id: 99 }, 'pourbaix.no-energy', /#99/],
    [{ struct_id: 21, energies: 'measured' }, 'pourbaix.measured-compound', /computed energies/],
  ])('refuses %j with a message that says why', async (body, code, sentence) => {
    for (const language of ['en', 'zh']) {
      const answer = await draw(body, language);
      expect(answer).toMatchObject({ error: 'true', code });
      expect(answer.message).toMatch(language === 'en' ? sentence : /[一-鿿]/);
    }
  });
});
