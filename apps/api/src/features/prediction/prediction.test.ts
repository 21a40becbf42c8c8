import { prediction, type PredictionResult } from '@unitcell/contract';
import { writePoscar } from '@unitcell/crystal';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../../testing/build-test-app.ts';
import { element, rockSalt, rutile, storeMaterials } from '../../testing/material-factory.ts';

let test: TestApp;
let token: string;

const SCALE = { functional: 'PBE (MP 2018)' };

beforeAll(async () => {
  test = await buildTestApp();
  token = await test.signIn();
  await storeMaterials(test.database, [
    element('Mg', 3.2, { struct_id: 13, ...SCALE }),
    element('O', 3.0, { struct_id: 12, ...SCALE }),
    rockSalt('Mg', 'O', 4.212, { struct_id: 23, formation_energy_per_atom: -3.04, ...SCALE }),
    rutile('Ti', 4.594, 2.959, { struct_id: 21, formation_energy_per_atom: -3.5, ...SCALE }),
  ]);
});
afterAll(() => test.close());

const ask = async (body: object, language = 'en'): Promise<PredictionResult & { code?: string }> =>
  (await test.post('/api/prediction/predict/', body, { token, language })).json();

/** MgO in rock salt, a = 4.212 Å (primitive cell). */
const MGO = `MgO
1.0
0.0 2.106 2.106
2.106 0.0 2.106
2.106 2.106 0.0
Mg O
1 1
direct
0 0 0
0.5 0.5 0.5
`;

describe('POST /api/prediction/predict/', () => {
  it('predicts magnesium oxide near its known values', async () => {
    const answer = await ask({ structure: MGO, file_name: 'POSCAR' });
    expect(prediction.parse(answer)).toEqual(answer);
    expect(answer.formula).toBe('MgO');
    // Materials Project, release of 2018 (mp-1265): −3.04 eV/atom, PBE gap 4.45 eV, K = 151 GPa.
    expect(Math.abs(answer.formation_energy_per_atom.value + 3.04)).toBeLessThan(0.1);
    expect(answer.insulator_probability).toBeGreaterThan(0.9);
    expect(Math.abs(answer.band_gap.value - 4.45)).toBeLessThan(1.2);
    expect(answer.bulk_modulus.low).toBeLessThan(151);
    expect(answer.bulk_modulus.high).toBeGreaterThan(151);
    expect(answer.familiarity).not.toBe('outside');
  });

  it('places it against the phases of the catalogue, itself left out', async () => {
    const material = await ask({ struct_id: 23 });
    const { hull, formation_energy_per_atom: energy } = material;
    // Without MgO only the elements are left, at 0 eV/atom: the distance is the energy itself.
    expect(hull?.energy_above_hull).toBe(energy.value);
    expect(hull?.competing_phases.map(({ formula }) => formula).sort()).toEqual(['Mg', 'O2']);
    expect(hull?.probability_within_25_mev).toBeGreaterThan(0.99);
    // Given as a file it competes with the MgO that is stored, at −3.04.
    const file = await ask({ structure: MGO, file_name: 'POSCAR' });
    expect(file.hull?.energy_above_hull).toBeCloseTo(file.formation_energy_per_atom.value + 3.04, 9);
    expect(file.hull?.competing_phases.map(({ struct_id }) => struct_id)).toEqual([23]);
    expect(file.hull?.probability_within_50_mev).toBeGreaterThan(file.hull?.probability_within_25_mev ?? 1);
  });

  it('answers an id that was merged into another, and leaves that one out of its hull', async () => {
    await test.database.pool.query('INSERT INTO retired_id (struct_id, target_id) VALUES (99, 23)');
    const [old, today] = [await ask({ struct_id: 99 }), await ask({ struct_id: 23 })];
    expect(old).toEqual(today);
    expect(old.hull?.competing_phases.map(({ formula }) => formula).sort()).toEqual(['Mg', 'O2']);
  });

  it('takes the file where both are given, and leaves nothing out', async () => {
    const both = await ask({ structure: MGO, file_name: 'POSCAR', struct_id: 23 });
    expect(both.hull?.competing_phases.map(({ struct_id }) => struct_id)).toEqual([23]);
  });

  /** `cell` as three lines of a POSCAR, one atom at the origin. */
  const oneAtom = (symbol: string, cell: string): string =>
    `${symbol}\n1.0\n${cell}\n${symbol}\n1\ndirect\n0 0 0\n`;

  it.each([
    ['an atom alone in a box', oneAtom('Fe', '60 0 0\n0 60 0\n0 0 60')],
    ['a thread of atoms in a cell that is nearly flat', oneAtom('Fe', '20 0 0\n19 3 0\n0 0 20')],
    ['a sheet in a high box', oneAtom('Fe', '2.5 0 0\n0 2.5 0\n0 0 60')],
    ['atoms squeezed together', oneAtom('Fe', '1.2 0 0\n0 1.2 0\n0 0 1.2')],
    ['atoms out of reach of each other', oneAtom('Fe', '5.4 0 0\n0 5.4 0\n0 0 5.4')],
  ])('says of %s that it lies outside of what the network knows', async (_, structure) => {
    const answer = await ask({ structure, file_name: 'POSCAR' });
    expect([answer.error, answer.familiarity]).toEqual(['false', 'outside']);
  });

  it('tells no digits that its values do not carry', async () => {
    const answer = await ask({ structure: MGO, file_name: 'POSCAR' });
    const decimals = (x: number): number => String(x).split('.')[1]?.length ?? 0;
    const most = (values: readonly number[]): number => Math.max(...values.map(decimals));
    const { formation_energy_per_atom, band_gap, bulk_modulus, shear_modulus, hull } = answer;
    expect(most(Object.values(formation_energy_per_atom))).toBeLessThanOrEqual(3);
    expect(most(Object.values(band_gap))).toBeLessThanOrEqual(2);
    for (const modulus of [...Object.values(bulk_modulus), ...Object.values(shear_modulus)])
      expect(Number(modulus.toPrecision(3))).toBe(modulus);
    expect(
      most([
        answer.insulator_probability,
        hull!.energy_above_hull,
        hull!.probability_within_25_mev,
        hull!.probability_within_50_mev,
      ]),
    ).toBeLessThanOrEqual(3);
    expect(most(answer.nearest.map(({ distance }) => distance))).toBeLessThanOrEqual(2);
  });

  it('says why there is no hull, and still predicts', async () => {
    const answer = await ask({
      structure: MGO.replaceAll('Mg', 'Ca'),
      file_name: 'POSCAR',
    });
    expect(answer.hull).toBeNull();
    expect(answer.hull_message).toContain('Ca');
    expect(answer.formation_energy_per_atom.value).toBeLessThan(-2);
  });

  it.each([
    [{}, 'prediction.nothing-given'],
    [{ structure: '   ' }, 'prediction.nothing-given'],
    [{ structure: 'no crystal at all' }, 'prediction.unreadable'],
    [{ structure: MGO.replace('0.5 0.5 0.5', '0.01 0 0') }, 'prediction.overlapping-atoms'],
    [{ structure: MGO.replaceAll('Mg', 'Fm') }, 'prediction.unknown-element'],
    [{ struct_id: 424242 }, 'material.not-found'],
  ])('refuses %j', async (body, code) => {
    const answer = await ask(body);
    expect(answer).toMatchObject({ error: 'true', code });
    expect(answer.message.length).toBeGreaterThan(20);
    const chinese = await ask(body, 'zh');
    expect(chinese.message).toMatch(/[一-鿿]/);
  });

  it('refuses more atoms than it knows with both numbers', async () => {
    const { sites, latticeVectors } = bigCell();
    const answer = await ask({ structure: writePoscar({ sites, latticeVectors }), file_name: 'POSCAR' });
    expect(answer).toMatchObject({ error: 'true', code: 'prediction.too-large' });
    expect(answer.message).toContain('128');
    expect(answer.message).toContain('100');
  });
});

/** 128 atoms of MgO. */
function bigCell() {
  const count = 4;
  const a = 4.212 * count;
  const sites = [];
  for (let i = 0; i < 2 * count; i++)
    for (let j = 0; j < 2 * count; j++)
      for (let k = 0; k < count / 2; k++)
        sites.push({
          species: [{ element: (i + j + k) % 2 ? 'O' : 'Mg', occupancy: 1 }],
          fractionalCoords: [i / (2 * count), j / (2 * count), (2 * k) / (2 * count)] as const,
        });
  return {
    latticeVectors: [
      [a, 0, 0],
      [0, a, 0],
      [0, 0, a],
    ] as const,
    sites,
  };
}
