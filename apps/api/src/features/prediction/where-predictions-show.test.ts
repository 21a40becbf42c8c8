/**
 * Tests where stored predictions are shown: material page, screening, report of an import, comparison with
 * later calculations.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getStructDetail } from '@unitcell/contract/matdata';
import { predictionScore } from '@unitcell/contract/prediction';
import { run4uExpect } from '@unitcell/contract/run4u';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { predictMaterials } from '../../catalogue/derive/predict-materials.ts';
import { type CatalogueThreads, openCatalogueThreads } from '../../catalogue/open-catalogue-threads.ts';
import { importRelease } from '../../catalogue/releases/import-release.ts';
import { releaseLines } from '../../cli/release-command.ts';
import { chooseModel, shippedModel } from '../../domain/prediction/models.ts';
import { buildTestApp, type TestApp } from '../../testing/build-test-app.ts';
import { element, rockSalt, rutile, storeMaterials } from '../../testing/material-factory.ts';

let test: TestApp;
let token: string;
let threads: CatalogueThreads;
let folder: string;

const SCALE = { functional: 'PBE (MP 2018)' };

beforeAll(async () => {
  test = await buildTestApp({ env: { RUN4U_PRESET: 'ci' } });
  token = await test.signIn();
  threads = openCatalogueThreads(1);
  folder = await mkdtemp(join(tmpdir(), 'unitcell-predictions-'));
  await storeMaterials(test.database, [
    element('Mg', 3.2, { struct_id: 13, ...SCALE }),
    element('O', 3.0, { struct_id: 12, ...SCALE }),
    rockSalt('Mg', 'O', 4.212, {
      struct_id: 23,
      formation_energy_per_atom: -1.0,
      band_gap: 4.45,
      band_gap_type: 'direct',
      ...SCALE,
    }),
    rutile('Ti', 4.594, 2.959, { struct_id: 21, formation_energy_per_atom: -3.48, ...SCALE }),
  ]);
  await predictMaterials({ database: test.database, threads, home: test.config.home, ids: [12, 13, 23] });
});
afterAll(async () => {
  await threads.close();
  await test.close();
  await rm(folder, { recursive: true });
});

const post = async (path: string, body: object) => (await test.post(path, body, { token })).json();
const detail = async (id: number) =>
  getStructDetail.answer.parse(await post('/api/matdata/get_struct_detail/', { struct_id: id }));

describe('the detail answer', () => {
  it('shows the prediction beside calculated values and marks values outside the interval', async () => {
    const { predicted } = await detail(23);
    expect(predicted?.model).toBe(shippedModel().name);
    expect(predicted?.calculated).toEqual({
      formation_energy_per_atom: -1,
      band_gap: 4.45,
      bulk_modulus: null,
      shear_modulus: null,
    });
    // The formation energy of this MgO was stored two eV/atom too high on purpose.
    expect(predicted?.disagreements).toContain('formation_energy_per_atom');
    const { low, value, high } = predicted!.formation_energy_per_atom;
    expect(low < value && value < high && high < -1).toBe(true);
  });

  it('shows no prediction for a material that has none yet', async () => {
    expect((await detail(21)).predicted).toBeNull();
  });
});

describe('screening', () => {
  const screen = (body: object) => post('/api/matdata/screen/', body);

  it('filters, sorts and counts by predicted values', async () => {
    const fields = ['struct_id', 'predicted_formation_energy', 'predicted_band_gap', 'has_predicted'];
    const known = await screen({
      filter: 'has_predicted = TRUE',
      sort: 'predicted_formation_energy',
      fields,
    });
    expect(known.rows.map(([id]: [number]) => id)).toEqual([
      23,
      ...known.rows.slice(1).map(([id]: [number]) => id),
    ]);
    expect(known.total).toBe(3);
    const { predicted } = await detail(23);
    expect(known.rows[0]).toEqual([
      23,
      predicted!.formation_energy_per_atom.value,
      predicted!.band_gap.value,
      true,
    ]);
    const deep = await screen({
      filter: 'predicted_formation_energy < -2',
      facets: ['predicted_bulk_modulus'],
    });
    expect(deep.total).toBe(1);
    expect(deep.facets.predicted_bulk_modulus).toMatchObject({ kind: 'histogram', total: 1 });
    const all = await screen({ facets: ['predicted_band_gap'] });
    expect(all.facets.predicted_band_gap.missing).toBe(1);
  });

  it('lists the predicted fields when one is mistyped', async () => {
    expect((await screen({ filter: 'predicted_bandgap > 1' })).message).toContain('predicted_band_gap');
  });
});

describe('an import', () => {
  it('is predicted, and its report lists values outside the intervals', async () => {
    const path = join(folder, 'import.jsonl');
    const lines = [
      rockSalt('Ca', 'O', 4.811, { formation_energy_per_atom: -3.29, ...SCALE }),
      rockSalt('Ba', 'O', 5.54, { formation_energy_per_atom: -0.2, ...SCALE }),
    ];
    await writeFile(path, lines.map((line) => JSON.stringify(line)).join('\n'));
    const report = await importRelease(test.database, {
      threads,
      defaultFunctional: SCALE.functional,
      hulls: true,
      home: test.config.home,
      paths: [path],
    });
    expect(report.predictions?.compared).toBe(2);
    expect(report.predictions?.largest[0]).toMatchObject({ formula: 'BaO', calculated: -0.2 });
    expect(releaseLines(report).join('\n')).toMatch(
      /BaO \(\d+\): formation energy -0\.2 eV\/atom, predicted -/,
    );
    const rows = await test.database.pool.query(
      `SELECT model FROM material_prediction JOIN material USING (struct_id) WHERE formula IN ('CaO', 'BaO')`,
    );
    expect(rows.rows).toEqual([{ model: shippedModel().name }, { model: shippedModel().name }]);
  });
});

const MGO = {
  lattice: {
    matrix: [
      [0, 2.106, 2.106],
      [2.106, 0, 2.106],
      [2.106, 2.106, 0],
    ],
  },
  sites: [
    { species: [{ element: 'Mg', occu: 1 }], abc: [0, 0, 0] },
    { species: [{ element: 'O', occu: 1 }], abc: [0.5, 0.5, 0.5] },
  ],
};
/** The structure of MgO with bonds a third longer. It matches no stored material. */
const STRETCHED = { ...MGO, sites: [MGO.sites[0], { ...MGO.sites[1], abc: [0.25, 0.25, 0.25] }] };

describe('Run4U', () => {
  it('shows the expected result before a structure is submitted', async () => {
    const answer = await post('/api/run4u/run4u_expect/', { structure: MGO });
    const { prediction, seconds } = run4uExpect.answer.parse(answer);
    expect(Math.abs(prediction!.formation_energy_per_atom.value + 3.04)).toBeLessThan(0.15);
    expect(prediction!.hull?.competing_phases.map(({ struct_id: id }) => id)).toEqual([23]);
    // No worker has registered yet.
    expect(seconds).toBeNull();
    await test.database.pool.query(
      `INSERT INTO run4u_worker (id, host, executor, engine, slots) VALUES ('w', 'here', 'local', 'abinit', 1)`,
    );
    const later = await post('/api/run4u/run4u_expect/', { structure: MGO });
    expect(later.seconds).toBeGreaterThan(1);
  });

  it('refuses input that cannot be calculated, with a message', async () => {
    const structure = { ...MGO, sites: [MGO.sites[0], { ...MGO.sites[1], abc: [0.01, 0, 0] }] };
    expect(await post('/api/run4u/run4u_expect/', { structure })).toMatchObject({ code: 'run4u.overlap' });
  });

  it('stores the prediction of a submission and compares it with the result after the calculation', async () => {
    const { id } = await post('/api/run4u/run4u_submit/', { submit: true, structure: STRETCHED });
    const { rows } = await test.database.pool.query(
      'SELECT model, "values" FROM submission_prediction WHERE submission_id = $1',
      [id],
    );
    expect(rows[0].model).toBe(shippedModel().name);
    const score = async () =>
      predictionScore.answer.parse((await test.get('/api/prediction/score/', { token })).json());
    expect((await score()).rows).toEqual([]);
    // This is the worker's final result: the material exists, and its energy names the submission.
    await test.database.pool.query(
      `UPDATE material_energy SET source = jsonb_build_object('id', 'run4u-' || $1::int) WHERE struct_id = 23`,
      [id],
    );
    await test.database.pool.query(
      `UPDATE submission SET status = 'finished', struct_id = 23, finished_at = now() WHERE id = $1`,
      [id],
    );
    const { rows: scored, summary } = await score();
    const predicted = rows[0].values.formation_energy_per_atom;
    expect(scored).toEqual([
      {
        struct_id: 23,
        formula: 'MgO',
        model: shippedModel().name,
        functional: SCALE.functional,
        property: 'formation_energy_per_atom',
        predicted,
        calculated: -1,
        is_within: -1 >= predicted.low && -1 <= predicted.high,
      },
    ]);
    expect(summary[0]).toMatchObject({ compared: 1, property: 'formation_energy_per_atom' });
    expect(summary[0]!.mean_absolute_error).toBeCloseTo(Math.abs(predicted.value + 1), 9);
  });

  it('accepts structures while predictions are off, and states why no result is predicted', async () => {
    await chooseModel(test.database, 'off');
    try {
      const answer = await post('/api/run4u/run4u_expect/', { structure: MGO });
      expect(answer).toMatchObject({ error: 'false', prediction: null });
      expect(answer.prediction_message).toContain('switched predictions off');
      expect(await post('/api/prediction/predict/', { struct_id: 23 })).toMatchObject({
        code: 'prediction.off',
      });
    } finally {
      await chooseModel(test.database, 'shipped');
    }
  });
});
