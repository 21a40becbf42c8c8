import { gunzipSync } from 'node:zlib';
import {
  type ChemicalPotentials,
  chemicalPotentials,
  energyScales,
  type PhaseDiagramData,
  phaseDiagramData,
  placedCompound,
  type PlacedCompound,
  type StablePhases,
  type UnstablePhases,
} from '@unitcell/contract/phase-diagram';
import { atomCount, parseFormula } from '@unitcell/crystal';
import { buildHull, energiesAboveHull } from '@unitcell/phase-equilibria';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../../testing/build-test-app.ts';
import { element, rockSalt, rutile, storeMaterials } from '../../testing/material-factory.ts';

let test: TestApp;
let token: string;

const TOTAL = 'PBE (totals)';
const MEASURED_SCALE = 'experiment-298K';
const measured = { energies: [{ functional: MEASURED_SCALE, formation_energy_per_atom: 0 }] };
const totals = (energy: number) => ({ functional: TOTAL, formation_energy_per_atom: undefined, energy });

beforeAll(async () => {
  test = await buildTestApp();
  token = await test.signIn();
  // Cells of COD, formation energies near the Materials Project values of 2018.
  await storeMaterials(test.database, [
    element('Ti', 2.9, { struct_id: 11, ...measured }),
    element('O', 3.0, { struct_id: 12, ...measured }),
    element('Mg', 3.2, { struct_id: 13, ...measured }),
    element('Mg', 3.6, { struct_id: 14, formation_energy_per_atom: 0.05 }),
    rutile('Ti', 4.594, 2.959, { struct_id: 21, formation_energy_per_atom: -3.48 }),
    rutile('Ti', 4.7, 3.1, { struct_id: 26, formation_energy_per_atom: -3.4 }),
    rockSalt('Ti', 'O', 4.177, { struct_id: 22, formation_energy_per_atom: -2.6 }),
    rockSalt('Mg', 'O', 4.212, { struct_id: 23, formation_energy_per_atom: -3.0 }),
    rockSalt('Co', 'O', 4.26, { struct_id: 24, formation_energy_per_atom: -1.2 }),
    rockSalt('Xe', 'F', 5.0, { struct_id: 25 }),
    element('Na', 3.5, { struct_id: 31, ...totals(-1.3) }),
    element('Cl', 3.9, { struct_id: 32, ...totals(-1.8) }),
    element('C', 3.6, { struct_id: 34 }),
    // Eight atoms, -3.5 eV/atom: formation energy -3.5 + (1.3 + 1.8) / 2 = -1.95.
    rockSalt('Na', 'Cl', 5.64, { struct_id: 33, ...totals(-28) }),
  ]);
});
afterAll(() => test.close());

const call = async <T>(path: string, body: object, language = 'en'): Promise<T & { code?: string }> =>
  (await test.post(path, body, { token, language })).json();

const diagram = (include: string, extra: object = {}) =>
  call<PhaseDiagramData>('/api/phase_diagram/phase_diagram_handle/', { include, ...extra });

const stableOf = ({ data }: PhaseDiagramData) => data.at(-1) as StablePhases;
const unstableOf = ({ data }: PhaseDiagramData) => data.at(-2) as UnstablePhases;

describe('POST /api/phase_diagram/phase_diagram_handle/', () => {
  it('returns hull lines, then unstable phases, then stable phases', async () => {
    const answer = await diagram('Ti O');
    expect(phaseDiagramData.parse(answer)).toEqual(answer);
    expect(answer).toMatchObject({ title: 'Ti-O', components: ['Ti', 'O'], functional: 'PBE (MP 2018)' });
    expect(answer.release?.id).toBeGreaterThan(0);
    expect(stableOf(answer)).toMatchObject({
      name: 'Stable',
      id: [11, 12, 21],
      formula: ['Ti', 'O2', 'TiO2'],
    });
    const unstable = unstableOf(answer);
    expect(unstable).toMatchObject({
      name: 'Unstable',
      tid: [22, 26],
      formula: ['TiO', 'TiO2'],
      decomposition: ['0.750 TiO2 + 0.250 Ti', 'TiO2'],
    });
    expect(unstable.eAboveHull).toEqual([expect.closeTo(0.01, 9), expect.closeTo(0.08, 9)]);
  });

  it('places a binary at the fraction of its second component and its formation energy', async () => {
    const { data } = await diagram('Ti O');
    expect(data[0]).toEqual({
      name: 'Hull',
      x: [0, expect.closeTo(2 / 3, 12), 1],
      y: [0, expect.closeTo(-3.48, 12), 0],
    });
    const swapped = stableOf(await diagram('O Ti'));
    expect(swapped.x).toEqual([1, 0, expect.closeTo(1 / 3, 12)]);
  });

  it('draws three components on a triangle and four in a tetrahedron', async () => {
    const three = await diagram('Mg Ti O');
    expect(three.annotations.map(({ x, y }) => [x, y])).toEqual([
      [0, 0],
      [1, 0],
      [0.5, expect.closeTo(Math.sqrt(3) / 2, 12)],
    ]);
    const lines = three.data.slice(0, -2);
    expect(lines.length).toBeGreaterThanOrEqual(6);
    for (const line of lines) expect(line.x).toHaveLength(2);
    const four = await diagram('Mg Ti Co O');
    expect(phaseDiagramData.parse(four)).toEqual(four);
    expect(four.annotations[3]?.z).toBeCloseTo(Math.sqrt(6) / 3, 12);
    expect(stableOf(four).z).toHaveLength(stableOf(four).x.length);
    // Cobalt has no entry, so its corner is the zero of the published scale.
    expect(stableOf(four).id).toContain(null);
  });

  it('accepts compounds as corners', async () => {
    const answer = await diagram('MgO TiO2');
    expect(answer).toMatchObject({ title: 'MgO-TiO2', components: ['MgO', 'TiO2'] });
    expect(stableOf(answer).id).toEqual([21, 23]);
    expect(unstableOf(answer)).toMatchObject({ tid: [26], fEnergy: [expect.closeTo(0.08, 9)] });
  });

  it('returns energies from which the returned hulls can be recomputed', async () => {
    const answer = await diagram('Mg Ti O');
    const parts = [stableOf(answer), unstableOf(answer)];
    const entries = parts.flatMap((part, p) =>
      part.formula.map((formula, i) => ({
        id: `${p}-${i}`,
        composition: parseFormula(formula),
        energy: part.fEnergy[i]! * atomCount(parseFormula(formula)),
      })),
    );
    const above = parts.flatMap((part) => part.eAboveHull);
    energiesAboveHull(buildHull(entries)).forEach((energy, index) => {
      expect(energy).toBeCloseTo(above[index]!, 9);
    });
  });

  it('uses the requested scale and never mixes scales', async () => {
    const answer = await diagram('Na Cl', { functional: TOTAL });
    expect(answer.functional).toBe(TOTAL);
    expect(stableOf(answer)).toMatchObject({ id: [31, 32, 33] });
    expect(stableOf(answer).fEnergy[2]).toBeCloseTo(-1.95, 9);
    expect(await diagram('Na Cl')).toMatchObject({ error: 'true', code: 'phase.no-data' });
    expect(await diagram('Na Cl', { functional: 'LDA' })).toMatchObject({
      code: 'phase.unknown-scale',
      message: expect.stringMatching(/LDA.*PBE \(MP 2018\), PBE \(totals\)/),
    });
  });

  it('sends a cached answer compressed and equal to the first answer', async () => {
    for (const round of ['made', 'remembered']) {
      const response = await test.app.inject({
        method: 'POST',
        url: '/api/phase_diagram/phase_diagram_handle/',
        headers: { authorization: `token ${token}`, 'accept-encoding': 'gzip', 'accept-language': 'en' },
        payload: { include: 'Mg O' },
      });
      expect({ round, ...response.headers }).toMatchObject({
        round,
        'content-encoding': 'gzip',
        vary: 'Accept-Encoding',
      });
      expect(JSON.parse(gunzipSync(response.rawPayload).toString())).toEqual(await diagram('Mg O'));
    }
  });

  it('has the oxides as corners if the system is open to oxygen in air at 1,000 K', async () => {
    const air = { gas: 'O2', temperature: 1000, pressure: 0.21 };
    const answer = await diagram('Mg Ti O', { reservoir: air });
    expect(phaseDiagramData.parse(answer)).toEqual(answer);
    expect(answer).toMatchObject({ components: ['Mg', 'Ti'], reservoir: { ...air, element: 'O' } });
    // Reuter & Scheffler 2001: −1.10 eV at 1 atm; ½ kT ln 0.21 is added for 0.21 atm.
    expect(answer.reservoir?.chemical_potential).toBeCloseTo(-1.17, 2);
    expect(stableOf(answer).formula).toEqual(expect.arrayContaining(['MgO', 'TiO2']));
    const unstable = unstableOf(answer);
    // MgO has 2 × −3 eV, so magnesium is 6 − 1.17 eV above the hull.
    const metal = unstable.formula.indexOf('Mg');
    expect(unstable.eAboveHull[metal]).toBeCloseTo(6 - 1.17, 2);
    expect(unstable.decomposition[metal]).toBe('MgO');
    expect(await diagram('Mg Ti', { reservoir: air })).toEqual(answer);
  });

  it('is open to the oxygen and carbon of a mixture of CO2 and CO', async () => {
    const gas = { gas: 'CO2', temperature: 1000, pressure: 0.5, second: { gas: 'CO', pressure: 0.5 } };
    const answer = await diagram('Mg Ti O C', { reservoir: gas });
    expect(phaseDiagramData.parse(answer)).toEqual(answer);
    expect(answer.components).toEqual(['Mg', 'Ti']);
    // NIST-JANAF, 1,000 K: ΔfG(CO2) − ΔfG(CO) = −395.886 + 200.275 kJ/mol is the potential of oxygen in the mixture.
    const oxygen = (await diagram('Mg Ti O', { reservoir: { gas: 'O2', temperature: 1000, pressure: 1 } }))
      .reservoir;
    const inMixture = (answer.reservoir?.potentials.O ?? 0) - (oxygen?.potentials.O ?? 0);
    expect(inMixture).toBeCloseTo((-395.886 + 200.275) / 96.48533, 3);
  });

  it.each([
    // NIST-JANAF, O2 at 1,000 K: G − H(298.15 K) = −220.875 kJ/mol; H(298.15 K) − H(0 K) = 8.683 kJ/mol.
    ['PBE (MP 2018)', 0, (-220.875 + 8.683) / 2],
    [MEASURED_SCALE, 298.15, -220.875 / 2],
  ])('refers oxygen potentials to the zero of the scale %s, %d K', async (functional, zero, kiloJoules) => {
    const answer = await diagram('Mg Ti', {
      functional,
      reservoir: { gas: 'O2', temperature: 1000, pressure: 1 },
    });
    expect(answer.reservoir).toMatchObject({
      counted_from: zero,
      chemical_potential: expect.closeTo(kiloJoules / 96.48533, 4),
    });
  });

  it('equals the closed diagram of the other elements if almost no oxygen is present', async () => {
    const vacuum = { gas: 'O2', temperature: 3000, pressure: 1e-200 };
    const open = await diagram('Mg Ti O', { reservoir: vacuum });
    const closed = await diagram('Mg Ti');
    expect(stableOf(open).formula).toEqual(stableOf(closed).formula);
    expect(stableOf(open).y).toEqual(stableOf(closed).y);
  });

  it.each([
    ['Mg Ti', { gas: 'O3', temperature: 900, pressure: 1 }, 'phase.unknown-gas', /O2, H2/],
    ['Mg Ti', { gas: 'H2O', temperature: 900, pressure: 1 }, 'phase.undetermined-gas', /H2O with H2/],
    ['Mg Ti', { gas: 'O2', temperature: -1, pressure: 1 }, 'stability.bad-temperature', /-1 K/],
    ['Mg Ti', { gas: 'O2', temperature: 900, pressure: 0 }, 'stability.bad-pressure', /0 bar/],
    ['MgO Ti', { gas: 'O2', temperature: 900, pressure: 1 }, 'phase.open-compounds', /MgO is a compound/],
    ['Mg O', { gas: 'O2', temperature: 900, pressure: 1 }, 'phase.nothing-left', /fixes O, which leaves 1/],
  ])('%j open to %j is refused with a message', async (include, reservoir, code, message) => {
    expect(await diagram(include, { reservoir })).toMatchObject({
      error: 'true',
      code,
      message: expect.stringMatching(message),
    });
  });

  it('has Gibbs energies at a temperature, each with a source, so that oxides lose oxygen when heated', async () => {
    const cold = await diagram('Ti O');
    expect(await diagram('Ti O', { temperature: 0 })).toEqual(cold);
    expect(await diagram('Ti O', { temperature: 299 })).toEqual(cold);
    const hot = await diagram('Ti O', { temperature: 1000 });
    expect(phaseDiagramData.parse(hot)).toEqual(hot);
    expect(hot.gibbs).toEqual({ temperature: 1000, unknown: [], replaced: [] });
    const stable = stableOf(hot);
    const titania = stable.formula.indexOf('TiO2');
    expect(stable.gibbs_source?.[titania]).toBe('measured');
    // NIST-JANAF: ΔfG(1,000 K) − ΔfH(298.15 K) of TiO2 is −762.81 + 944.75 kJ/mol; the scale gives −3.48 eV/atom.
    expect(stable.fEnergy[titania]).toBeCloseTo(-3.48 + (944.75 - 762.81) / 96.48533 / 3, 2);
  });

  it('uses the temperature of the phases for a gas to which the diagram is open', async () => {
    const air = { gas: 'O2', temperature: 1000, pressure: 0.21 };
    const answer = await diagram('Mg Ti', { reservoir: air, temperature: 1000 });
    expect(phaseDiagramData.parse(answer)).toEqual(answer);
    // ½ kT ln 0.21, relative to oxygen of 1 bar at 1,000 K.
    expect(answer.reservoir?.potentials.O).toBeCloseTo((8.617333e-5 * 1000 * Math.log(0.21)) / 2, 6);
    expect(await diagram('Mg Ti', { reservoir: air, temperature: 900 })).toMatchObject({
      code: 'phase.two-temperatures',
      message: expect.stringMatching(/900 K.*1000 K/),
    });
    expect(await diagram('Mg Ti', { temperature: 2500 })).toMatchObject({ code: 'phase.bad-temperature' });
  });

  it('changes at once when the catalogue changes', async () => {
    expect(stableOf(await diagram('Co O')).id).not.toContain(41);
    await storeMaterials(test.database, [
      rutile('Co', 4.5, 3.0, { struct_id: 41, formation_energy_per_atom: -1.5 }),
    ]);
    await expect.poll(async () => stableOf(await diagram('Co O')).id).toContain(41);
  });

  it.each([
    ['Ti', 'phase.component-number', /two to four.*1/],
    ['Ti Ti O2 O', '', /^$/],
    ['', 'phase.component-number', /not 0\./],
    ['H He Li Be B', 'phase.component-number', /not 5\./],
    ['H He Li Be B C N O F Ne Na Mg', 'phase.component-number', /not 12\./],
    ['Xx O', 'phase.bad-component', /Xx is neither/],
    ['ti o', 'phase.bad-component', /neither/],
    ['Ti U', 'phase.no-data', /no energies of U/],
    ['Ti Kr', 'phase.no-data', /no energies of Kr/],
    ['Xe F', 'phase.no-data', /no energies of Xe, F/],
    ['Mg2O5 TiO2', 'phase.missing-reference', /no energy of Mg2O5/],
    ['MgO Mg O', 'phase.dependent-components', /mixture of the others/],
    ["<script>alert('x')</script> O", 'phase.bad-component', /neither/],
  ])('answers %j with a message', async (include, code, message) => {
    const answer = await diagram(include);
    expect(answer.code ?? '').toBe(code);
    expect(answer.message).toMatch(message);
  });
});

describe('POST /api/matdata/get_phase_diagram/', () => {
  it('accepts the element list of a material as list or text', async () => {
    const list = await call('/api/matdata/get_phase_diagram/', { include: ['O', 'Ti'], n: '2' });
    expect(list).toEqual(await diagram('O Ti'));
    expect(await call('/api/matdata/get_phase_diagram/', { include: 'O-Ti', n: 2 })).toEqual(list);
  });

  it('reports that one element is not enough for a diagram', async () => {
    expect(await call('/api/matdata/get_phase_diagram/', { include: ['O'], n: '1' }, 'zh')).toMatchObject({
      error: 'true',
      message: expect.stringMatching(/相图需要二至四个组分/),
    });
  });
});

describe('GET /api/phase_diagram/energy_scales/', () => {
  const scales = async () =>
    energyScales.parse((await test.get('/api/phase_diagram/energy_scales/', { token })).json());

  it("lists scales with their materials and the release of their hulls, the site's default first", async () => {
    const answer = await scales();
    expect(answer.default).toBe('PBE (MP 2018)');
    expect(answer.scales.map(({ functional, counted_from }) => [functional, counted_from])).toEqual([
      ['PBE (MP 2018)', 0],
      [TOTAL, 0],
      [MEASURED_SCALE, 298.15],
    ]);
    expect(answer.scales[1]?.materials).toBe(3);
    for (const { functional, release } of answer.scales.slice(0, 2))
      expect((await diagram(functional === TOTAL ? 'Na Cl' : 'Ti O', { functional })).release).toEqual(
        release,
      );
  });

  it('lists a new scale at once', async () => {
    await storeMaterials(test.database, [
      element('K', 4.5, { struct_id: 51, functional: 'r2SCAN', formation_energy_per_atom: 0 }),
    ]);
    await expect
      .poll(async () => (await scales()).scales.at(-1))
      .toMatchObject({
        functional: 'r2SCAN',
        materials: 1,
      });
  });
});

describe('POST /api/phase_diagram/place_compound/', () => {
  const place = (body: object) => call<PlacedCompound>('/api/phase_diagram/place_compound/', body);

  it('places a compound by its formation energy, above the hull', async () => {
    const answer = await place({ include: 'Ti O', formula: 'Ti2O3', energy_per_atom: -3.0 });
    expect(placedCompound.parse(answer)).toEqual(answer);
    // x(O) = 3/5 is 0.9 of the way from Ti to TiO2 (x = 2/3).
    expect(answer).toMatchObject({ formula: 'Ti2O3', x: 0.6, y: -3 });
    expect(answer.eAboveHull).toBeCloseTo(0.9 * 3.48 - 3, 9);
    expect(answer.decomposition).toEqual([
      { formula: 'TiO2', id: 21, fraction: expect.closeTo(0.9, 9) },
      { formula: 'Ti', id: 11, fraction: expect.closeTo(0.1, 9) },
    ]);
  });

  it('states the distance of a compound below the hull', async () => {
    const answer = await place({ include: 'Mg Ti O', formula: 'MgTiO3', energy_per_atom: -3.5 });
    expect(answer.eAboveHull).toBeLessThan(0);
  });

  it('accepts total energies on a scale that has them', async () => {
    const body = { include: 'Na Cl', formula: 'NaCl', energy_per_atom: -3.4, energy_kind: 'total' };
    const answer = await place({ ...body, functional: TOTAL });
    expect(answer.fEnergy).toBeCloseTo(-1.85, 9);
    expect(answer.eAboveHull).toBeCloseTo(0.1, 9);
    expect(
      await place({ include: 'Ti O', formula: 'TiO', energy_per_atom: -3, energy_kind: 'total' }),
    ).toMatchObject({ code: 'phase.no-total-energies', message: expect.stringMatching(/Ti, O|O, Ti/) });
  });

  it('refuses compounds outside the diagram', async () => {
    expect(await place({ include: 'Ti O', formula: 'MgO', energy_per_atom: -3 })).toMatchObject({
      code: 'phase.outside-system',
    });
    expect(await place({ include: 'Ti O', formula: '((', energy_per_atom: -3 })).toMatchObject({
      code: 'phase.bad-component',
    });
    const nan = await test.post(
      '/api/phase_diagram/place_compound/',
      '{"include":"Ti O","formula":"TiO","energy_per_atom":NaN}',
      { token },
    );
    expect(nan.statusCode).toBe(400);
  });

  it('refuses an energy of 1e308 eV/atom', async () => {
    const huge = { include: 'Ti O', formula: 'TiO', energy_per_atom: 1e308 };
    expect((await test.post('/api/phase_diagram/place_compound/', huge, { token })).statusCode).toBe(400);
  });
});

describe('POST /api/phase_diagram/chemical_potentials/', () => {
  const ask = (include: string, formula: string, extra: object = {}) =>
    call<ChemicalPotentials>('/api/phase_diagram/chemical_potentials/', { include, formula, ...extra });

  it('returns the range of potentials in which a compound is stable, and the adjacent phases', async () => {
    const answer = await ask('Ti O', 'Ti2O4');
    expect(chemicalPotentials.parse(answer)).toEqual(answer);
    expect(answer).toMatchObject({
      elements: ['Ti', 'O'],
      compound: { formula: 'TiO2', id: 21, amounts: [1, 2] },
      functional: 'PBE (MP 2018)',
    });
    // ΔH = 3 × -3.48 eV. TiO is above the hull and sets no limit.
    expect(answer.compound.formation_energy).toBeCloseTo(-10.44, 9);
    const corners = answer.corners.map(({ potentials, limits }) => [
      ...potentials,
      ...limits.map((limit) => answer.limits[limit]?.formula),
    ]);
    expect(corners).toHaveLength(2);
    expect(corners).toContainEqual([expect.closeTo(-10.44, 9), 0, 'O2']);
    expect(corners).toContainEqual([0, expect.closeTo(-5.22, 9), 'Ti']);
  });

  it('returns the limit of the potential of an element that the compound does not contain', async () => {
    const { elements, corners, limits } = await ask('Mg Ti O', 'TiO2');
    expect(elements).toEqual(['Mg', 'Ti', 'O']);
    // MgO with ΔH = -6 eV limits the potential of Mg: -6 eV in contact with O2, -6 + 5.22 eV in contact with
    // Ti.
    expect(corners.map(({ potentials }) => potentials)).toEqual(
      expect.arrayContaining([
        [expect.closeTo(-6, 9), expect.closeTo(-10.44, 9), 0],
        [expect.closeTo(-0.78, 9), 0, expect.closeTo(-5.22, 9)],
      ]),
    );
    expect(limits.map(({ formula }) => formula).sort()).toEqual(['MgO', 'O2', 'Ti']);
  });

  it('adds a compound entered by the user with a formation energy', async () => {
    // The line from Ti to TiO2 is at -1.305 eV/atom.
    const own = await ask('Ti O', 'Ti3O', { energy_per_atom: -1.5 });
    expect(own.compound).toMatchObject({ formula: 'Ti3O', id: null, formation_energy: -6 });
    expect(own.limits.map(({ formula }) => formula).sort()).toEqual(['Ti', 'TiO2']);
    expect(await ask('Ti O', 'Ti3O', { energy_per_atom: -1.2 })).toMatchObject({ code: 'phase.not-stable' });
    // A less stable form of a compound does not get the stability region of the stable form.
    expect(await ask('Ti O', 'TiO2', { energy_per_atom: -3.4 })).toMatchObject({ code: 'phase.not-stable' });
  });

  it('is computed again when the catalogue changes', async () => {
    expect((await ask('Ti O', 'TiO2')).limits.map(({ formula }) => formula)).not.toContain('TiO');
    await storeMaterials(test.database, [
      rockSalt('Ti', 'O', 4.18, { struct_id: 27, formation_energy_per_atom: -2.9 }),
    ]);
    await expect
      .poll(async () => (await ask('Ti O', 'TiO2')).limits.map(({ formula }) => formula))
      .toContain('TiO');
  });

  it.each([
    ['Mg O', 'MgO2', {}, 'phase.no-compound', /no energy of MgO2/],
    ['Mg O', 'TiO2', {}, 'phase.outside-system', /outside the diagram/],
    ['Mg O', '((', {}, 'phase.bad-component', /neither/],
    ['MgO TiO2', 'TiO2', {}, 'phase.not-of-elements', /MgO is a compound/],
    ['Mg', 'MgO', {}, 'phase.component-number', /1/],
    ['Mg O', 'MgO', { functional: 'LDA' }, 'phase.unknown-scale', /LDA/],
  ])('%j and %s with %j is refused with a message', async (include, formula, extra, code, message) => {
    const answer = await ask(include, formula, extra);
    expect(answer).toMatchObject({ error: 'true', code, message: expect.stringMatching(message) });
  });

  it('lists the stable products for a phase above the hull', async () => {
    await storeMaterials(test.database, [
      rockSalt('Mg', 'Ti', 4.4, { struct_id: 28, formation_energy_per_atom: 0.2 }),
    ]);
    await expect.poll(async () => (await ask('Mg Ti O', 'MgTi')).code).toBe('phase.not-stable');
    expect((await ask('Mg Ti O', 'MgTi')).message).toMatch(/MgTi lies 0\.200 eV.*(Mg \+ Ti|Ti \+ Mg)/);
  });
});
