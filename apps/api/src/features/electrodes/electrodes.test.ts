import {
  type Electrode,
  type ElectrodeRow,
  getConversion,
  getElectrodes,
  searchElectrodes,
} from '@unitcell/contract/electrodes';
import { ELECTRODE_SORTS } from '@unitcell/contract/electrodes/rules';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { electrodeSystems, rederiveElectrodes } from '../../catalogue/derive/rederive-electrodes.ts';
import { hullRepository } from '../../catalogue/derive/hull.repository.ts';
import { buildTestApp, type TestApp } from '../../testing/build-test-app.ts';
import {
  element,
  lithiated,
  mergeMaterials,
  rockSalt,
  rutile,
  storeMaterials,
} from '../../testing/material-factory.ts';

let test: TestApp;
let token: string;

/** Energies in eV per TiO2: −9.6 without Li, −10.7 with 0.5 Li, −11.6 with 1 Li, so 2.2 V and then 1.8 V. */
const titania = rutile('Ti', 4.594, 2.959, { struct_id: 21, formation_energy_per_atom: -9.6 / 3 });
const lithiations = [
  lithiated(rutile('Ti', 4.62, 2.97, { struct_id: 22, formation_energy_per_atom: -10.7 / 3.5 }), 1),
  lithiated(rutile('Ti', 4.65, 2.98, { struct_id: 23, formation_energy_per_atom: -11.6 / 4 })),
];

beforeAll(async () => {
  test = await buildTestApp();
  token = await test.signIn();
  await storeMaterials(test.database, [
    element('Li', 3.4, { struct_id: 11 }),
    element('O', 3.0, { struct_id: 12 }),
    element('Ti', 2.9, { struct_id: 13 }),
    element('Mg', 3.2, { struct_id: 14 }),
    titania,
    ...lithiations,
    rockSalt('Mg', 'O', 4.212, { struct_id: 24, formation_energy_per_atom: -3.0 }),
    rockSalt('Na', 'Cl', 5.64, { struct_id: 25, energies: [] }),
    // A charged end without an energy.
    rutile('Mn', 4.4, 2.87, { struct_id: 26 }),
    lithiated(rutile('Mn', 4.5, 2.9, { struct_id: 27, formation_energy_per_atom: -2.1 })),
  ]);
});
afterAll(() => test.close());

interface Answer {
  readonly error: string;
  readonly code?: string;
  readonly message: string;
  readonly len: number;
  readonly counts: Record<string, number>;
  readonly results: ElectrodeRow[];
  readonly electrodes: Electrode[];
}
const ask = async (call: 'search' | 'get' | 'conversion', body: object): Promise<Answer> =>
  (await test.post(`/api/electrodes/${call}/`, body, { token })).json();

describe('POST /api/electrodes/search/', () => {
  it('finds the electrode formed by three materials of one host, with the capacity from Faraday’s law', async () => {
    const answer = await ask('search', {});
    expect(searchElectrodes.response.parse(answer)).toEqual(answer);
    expect(answer).toMatchObject({ len: 1, counts: { Li: 1 }, functional: 'PBE (MP 2018)' });
    expect(answer.results[0]).toMatchObject({
      struct_id: 23,
      formula: 'LiTiO2',
      charged_id: 21,
      charged_formula: 'TiO2',
      ion: 'Li',
      framework: 'TiO2',
      average_voltage: expect.closeTo(2, 6),
      min_voltage: expect.closeTo(1.8, 6),
      max_voltage: expect.closeTo(2.2, 6),
      plateaus: 2,
      // 96485 C/mol / 3.6 / 86.8 g/mol
      capacity: expect.closeTo(308.8, 1),
      charged_capacity: expect.closeTo(335.6, 1),
      specific_energy: expect.closeTo(617.5, 0),
      above_hull: 0,
      without_hubbard: false,
    });
    // 4.594² × 2.959 against 4.65² × 2.98 Å³.
    expect(answer.results[0]?.volume_change).toBeCloseTo(-3.08, 1);
  });

  it('applies ranges, elements, host and stability, and finds the electrodes of a material', async () => {
    const found = async (conditions: object) => (await ask('search', conditions)).len;
    expect(await found({ voltage: [1.5, 2.5], capacity: [300, null], volume_change: [-5, 5] })).toBe(1);
    expect(await found({ voltage: [2.1, null] })).toBe(0);
    expect(await found({ elements: 'Ti-O' })).toBe(1);
    expect(await found({ elements: 'Fe' })).toBe(0);
    expect(await found({ without: 'Ti' })).toBe(0);
    expect(await found({ framework: 'O4Ti2', above_hull: 0 })).toBe(1);
    expect(await found({ struct_id: '0000000022' })).toBe(1);
    expect(await found({ struct_id: 24 })).toBe(0);
    expect(await found({ offset: 5 })).toBe(1);
  });

  it.each([
    [{ ion: 'Cu' }, 'ecwindow.unknown-ion', /Cu is not a working ion.*Li, Na/],
    [{ ion: 'Na' }, 'electrodes.none-of-ion', /no host occurs with two different contents of Na.*: Li\.$/],
    [{ framework: 'LiTiO2' }, 'electrodes.ion-in-framework', /without the working ion: TiO2/],
    [{ framework: '0' }, 'search.formula-start', /0/],
    [{ framework: 'Ti(' }, 'search.bad-formula', /Ti\(/],
    [{ voltage: [4, 2] }, 'electrodes.bad-range', /\[4, 2\] of voltage/],
    [{ elements: 'Xx' }, 'search.unknown-elements', /Xx/],
    [{ functional: 'LDA' }, 'phase.unknown-scale', /LDA/],
  ])('refuses %j with a message that says why', async (conditions, code, message) => {
    expect(await ask('search', conditions)).toMatchObject({
      error: 'true',
      code,
      message: expect.stringMatching(message),
    });
  });
});

describe('POST /api/electrodes/get/', () => {
  it('returns the plateaus and all states of an electrode for the id of any of its states', async () => {
    const answer = await ask('get', {
      electrodes: [
        { struct_id: 22, ion: 'Li' },
        { struct_id: 23, ion: 'Li' },
      ],
    });
    expect(getElectrodes.response.parse(answer)).toEqual(answer);
    expect(answer.electrodes).toHaveLength(1);
    expect(answer.electrodes[0]?.steps).toEqual([
      { charged_id: 21, discharged_id: 22, from: 0, to: 0.5, voltage: expect.closeTo(2.2, 6) },
      { charged_id: 22, discharged_id: 23, from: 0.5, to: 1, voltage: expect.closeTo(1.8, 6) },
    ]);
    expect(
      answer.electrodes[0]?.states.map(({ struct_id, content, on_profile }) => [
        struct_id,
        content,
        on_profile,
      ]),
    ).toEqual([
      [21, 0, true],
      [22, 0.5, true],
      [23, 1, true],
    ]);
  });

  it.each([
    [24, 'Li', 'electrodes.no-partner', /MgO.*same host MgO and another content of Li within 0.2 eV/],
    [
      27,
      'Li',
      'electrodes.partner-without-energy',
      /host of the formula MnO2.*without an energy.*: MnO2 \(26\)/,
    ],
    [11, 'Li', 'electrodes.only-ion', /Li consists only of Li/],
    [25, 'Na', 'ecwindow.no-energy', /25 has no energy/],
    [999, 'Li', 'material.not-found', /999/],
  ])('explains why material %d is no electrode of %s', async (struct_id, ion, code, message) => {
    const answer = await ask('get', { electrodes: [{ struct_id, ion }] });
    expect(answer).toMatchObject({ error: 'true', code, message: expect.stringMatching(message) });
  });
});

describe('POST /api/electrodes/conversion/', () => {
  it('reduces TiO2 through lithium titanates to the phases that are stable with lithium metal', async () => {
    const answer = await ask('conversion', { struct_id: 21, ion: 'Li' });
    expect(getConversion.response.parse(answer)).toEqual(answer);
    expect(answer).toMatchObject({
      formula: 'TiO2',
      average_voltage: expect.closeTo(2, 6),
      steps: [
        { voltage: expect.closeTo(2.2, 6), from: 0, to: 0.5 },
        { voltage: expect.closeTo(1.8, 6), from: 0.5, to: 1, reaction: 'TiO2 + Li → LiTiO2' },
      ],
    });
    expect(await ask('conversion', { struct_id: 11, ion: 'Li' })).toMatchObject({
      code: 'electrodes.only-ion',
    });
  });
});

describe('rederiveElectrodes', () => {
  const service = () => rederiveElectrodes(test.database, hullRepository(test.database));
  const marks = async () => (await test.database.pool.query('SELECT FROM dirty_electrode')).rowCount;

  it('resumes after an interruption with the systems that are still marked', async () => {
    const before = await ask('get', { electrodes: [{ struct_id: 23, ion: 'Li' }] });
    expect(await marks()).toBe(0);
    await service().markAll();
    await expect(service().run({ signal: AbortSignal.abort(new Error('stopped')) })).rejects.toThrow(
      'stopped',
    );
    expect(await marks()).toBeGreaterThan(0);
    await service().run();
    expect(await marks()).toBe(0);
    expect((await ask('get', { electrodes: [{ struct_id: 23, ion: 'Li' }] })).electrodes).toEqual(
      before.electrodes,
    );
  });

  it('derives the electrodes of the discharged material’s system when the charged material changes', async () => {
    expect(electrodeSystems('O-Ti', new Set(['O-Ti', 'Li-O-Ti', 'Na-O']))).toEqual(['Li-O-Ti']);
    expect(electrodeSystems('Li-O-Ti', new Set(['Li-O-Ti', 'Li-Na-O-Ti']))).toEqual([
      'Li-O-Ti',
      'Li-Na-O-Ti',
    ]);
    expect(electrodeSystems('Li', new Set(['Li', 'Li-Na']))).toEqual(['Li-Na']);
    await storeMaterials(test.database, [
      rutile('Ti', 4.5, 2.9, { struct_id: 31, formation_energy_per_atom: -9.9 / 3 }),
    ]);
    expect((await ask('search', {})).results[0]).toMatchObject({ struct_id: 23, charged_id: 31 });
  });
});

describe('the order of the electrodes', () => {
  beforeAll(async () => {
    await storeMaterials(test.database, [
      element('Sn', 3.1, { struct_id: 51 }),
      rutile('Sn', 4.737, 3.186, { struct_id: 52, formation_energy_per_atom: -6 / 3 }),
      lithiated(rutile('Sn', 4.8, 3.2, { struct_id: 53, formation_energy_per_atom: -7.5 / 4 })),
    ]);
  });

  it.each(ELECTRODE_SORTS)('is that of %s, in both directions', async (sort) => {
    const orderOf = async (ascending: boolean) =>
      (await ask('search', { sort, ascending })).results.map((row) => row[sort]);
    const [first, second, ...more] = await orderOf(true);
    expect(more).toEqual([]);
    expect(first! <= second!).toBe(true);
    expect(await orderOf(false)).toEqual([second, first]);
  });
});

describe('without_hubbard', () => {
  const marks = async () =>
    (await ask('search', { elements: 'V' })).results.map(({ without_hubbard }) => without_hubbard);
  const charged = rutile('V', 4.55, 2.85, { struct_id: 41, formation_energy_per_atom: -7.5 / 3 });
  const discharged = lithiated(rutile('V', 4.6, 2.9, { struct_id: 42, formation_energy_per_atom: -10 / 4 }));

  it('is false only if both ends have an energy with U on the scale, whatever other sources used', async () => {
    await storeMaterials(test.database, [
      element('V', 3, { struct_id: 40 }),
      charged,
      { ...discharged, is_hubbard: true },
    ]);
    expect(await marks()).toEqual([true]);
    await mergeMaterials(test.database, [
      { ...charged, is_hubbard: true, functional: 'PBE+U (other)', source: { name: 'other', id: '1' } },
    ]);
    expect(await marks()).toEqual([true]);
    await mergeMaterials(test.database, [
      {
        ...charged,
        is_hubbard: true,
        formation_energy_per_atom: -7.6 / 3,
        source: { name: 'third', id: '1' },
      },
    ]);
    expect(await marks()).toEqual([false]);
  });
});
