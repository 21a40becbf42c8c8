/** Tests where stored values of the interatomic potential are shown: material page, screening, downloads. */
import { getStructDetail } from '@unitcell/contract/matdata';
import { predictedFieldsBy } from '@unitcell/material';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addPotentialTasks, derivePotential } from '../../catalogue/derive/derive-potential.ts';
import { derivePotentialValues } from '../../domain/potential/derived-values.ts';
import { buildTestApp, type TestApp } from '../../testing/build-test-app.ts';
import { element, rockSalt, storeMaterials } from '../../testing/material-factory.ts';

let test: TestApp;
let token: string;

beforeAll(async () => {
  test = await buildTestApp();
  token = await test.signIn();
  await storeMaterials(test.database, [
    rockSalt('Na', 'Cl', 5.64, { struct_id: 17 }),
    rockSalt('Mg', 'O', 4.212, { struct_id: 23 }),
    // The atoms of this crystal have no neighbours within 5 Å.
    element('Xe', 9, { struct_id: 54 }),
    rockSalt('Li', 'F', 4.03, { struct_id: 28 }),
  ]);
  await addPotentialTasks(test.database.db, { ids: [17, 23, 54] });
  // Runs in the test process. A real worker thread has low priority and would be slow on a busy machine.
  await derivePotential({
    db: test.database.db,
    thread: { run: async (_, cells) => derivePotentialValues(cells) },
    signal: new AbortController().signal,
  });
});
afterAll(() => test.close());

const post = (path: string, body: object) => test.post(path, body, { token });
const potentialOf = async (id: number) =>
  getStructDetail.answer.parse((await post('/api/matdata/get_struct_detail/', { struct_id: id })).json())
    .potential;

const NAMES = predictedFieldsBy('potential').map(({ name }) => name);

describe('values of the interatomic potential', () => {
  it('are in the detail answer with tensor and phonons, or null without values', async () => {
    const salt = await potentialOf(17);
    expect(salt).toMatchObject({ model: 'SevenNet-0 (11July2024)', refusal: '' });
    // sevenn 0.13.0 in float64: C44 = 11.83 GPa.
    expect(Math.abs(salt!.elastic_tensor![3]![3]! - 11.83)).toBeLessThan(0.4);
    const { frequencies, density, thermal } = salt!.phonons!;
    const step = frequencies[1]! - frequencies[0]!;
    // The density has three states for each of the two atoms.
    expect(density.reduce((sum, value) => sum + value * step, 0)).toBeCloseTo(6, 1);
    expect(thermal.at(-1)!.heat_capacity).toBeCloseTo(3 * 8.617e-5, 5);
    expect(await potentialOf(54)).toBeNull();
    expect(await potentialOf(28)).toBeNull();
  });

  it('can be used to filter, sort and count', async () => {
    const screened = await post('/api/matdata/screen/', {
      filter: 'predicted_bulk_modulus_sevennet > 20',
      sort: '-predicted_debye_temperature',
      fields: ['struct_id', ...NAMES],
      facets: ['predicted_lowest_frequency'],
    });
    const { rows, facets } = screened.json();
    expect(rows.map(([id]: [number]) => id)).toEqual([23, 17]);
    const salt = await potentialOf(17);
    expect(rows[1]).toEqual([17, ...predictedFieldsBy('potential').map(({ column }) => salt![column])]);
    expect(facets.predicted_lowest_frequency).toMatchObject({ kind: 'histogram', total: 2 });
    const few = await post('/api/matdata/screen/', {
      filter: 'predicted_heat_capacity < 40 AND nelements = 1',
    });
    expect(few.json().total).toBe(0);
  });

  it('are columns of downloads', async () => {
    const { body } = await post('/api/matdata/screen/download/', {
      filter: 'nelements > 0',
      format: 'jsonl',
    });
    const rows = body
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    const of = (id: number) => rows.find(({ struct_id }) => struct_id === id)!;
    expect(of(17).predicted_debye_temperature).toBe((await potentialOf(17))!.debye_temperature);
    expect(NAMES.map((name) => of(28)[name])).toEqual(NAMES.map(() => null));
  });
});
