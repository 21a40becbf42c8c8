import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTestDatabase, type TestDatabase } from '@unitcell/tools/test-database';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { chooseModel, knownModels, shippedModel } from '../../domain/prediction/models.ts';
import { type Database, openDatabase } from '../../infra/database.ts';
import { element, importLineOf, rockSalt, rutile, storeMaterials } from '../../testing/material-factory.ts';
import { otherModel } from '../../testing/other-model.ts';
import { type CatalogueThreads, openCatalogueThreads } from '../open-catalogue-threads.ts';
import { predictMaterials } from './predict-materials.ts';
import { disagreementLines, predictionDisagreements } from './prediction-disagreements.ts';

let testDatabase: TestDatabase;
let database: Database;
let threads: CatalogueThreads;
let home: string;

const SCALE = { functional: 'PBE (MP 2018)' };
const SHIPPED = fileURLToPath(new URL('../../../../../packages/prediction/model/', import.meta.url));

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = openDatabase(
    { databaseUrl: testDatabase.url, databaseReadUrl: testDatabase.url },
    () => undefined,
  );
  threads = openCatalogueThreads(2);
  home = await mkdtemp(join(tmpdir(), 'unitcell-models-'));
});
afterAll(async () => {
  await threads.close();
  await database.close();
  await testDatabase.drop();
  await rm(home, { recursive: true });
});
beforeEach(async () => {
  await database.pool.query('TRUNCATE material, material_energy, dirty_system, prediction_control CASCADE');
  await storeMaterials(database, [
    element('Mg', 3.2, { struct_id: 13, ...SCALE }),
    element('O', 3.0, { struct_id: 12, ...SCALE }),
    rockSalt('Mg', 'O', 4.212, { struct_id: 23, formation_energy_per_atom: -3.04, ...SCALE }),
    rutile('Ti', 4.594, 2.959, { struct_id: 21, formation_energy_per_atom: -1.5, ...SCALE }),
    // The training data contain no californium.
    rockSalt('Cf', 'O', 5.0, { struct_id: 30, formation_energy_per_atom: -2, ...SCALE }),
    importLineOf({ a: 4 }, [['Cu', 0, 0, 0]], {
      struct_id: 31,
      structure: {
        lattice: {
          matrix: [
            [4, 0, 0],
            [0, 4, 0],
            [0, 0, 4],
          ],
        },
        sites: [
          {
            species: [
              { element: 'Cu', occu: 0.5 },
              { element: 'Au', occu: 0.5 },
            ],
            abc: [0, 0, 0],
          },
        ],
      },
      formation_energy_per_atom: -0.05,
      ...SCALE,
    }),
  ]);
});

const predictAll = (ids?: readonly number[]) =>
  predictMaterials({ database, threads, home, ...(ids ? { ids } : {}) });

async function stored(): Promise<Record<number, { model: string; energy: number | null; refusal: string }>> {
  const { rows } = await database.pool.query<{
    struct_id: number;
    model: string;
    energy: number | null;
    refusal: string;
  }>(
    'SELECT struct_id, model, formation_energy_per_atom AS energy, refusal FROM material_prediction ORDER BY 1',
  );
  return Object.fromEntries(rows.map(({ struct_id, ...row }) => [struct_id, row]));
}

describe('predictMaterials', () => {
  it('predicts every material once and records the model, or the reason why there is no prediction', async () => {
    const report = await predictAll();
    expect(report).toEqual({ model: shippedModel().name, predicted: 6, refused: 2 });
    const rows = await stored();
    expect(new Set(Object.values(rows).map(({ model }) => model))).toEqual(new Set([shippedModel().name]));
    // Materials Project, release of 2018 (mp-1265): −3.04 eV/atom.
    expect(Math.abs(rows[23]!.energy! + 3.04)).toBeLessThan(0.15);
    expect(rows[30]).toMatchObject({ energy: null, refusal: 'unknown-element' });
    expect(rows[31]).toMatchObject({ energy: null, refusal: 'disordered' });
    expect(await predictAll()).toMatchObject({ predicted: 0 });
  });

  it('resumes after an interruption', async () => {
    await predictAll([12, 13]);
    expect(Object.keys(await stored())).toEqual(['12', '13']);
    expect(await predictAll()).toMatchObject({ predicted: 4 });
    const stopped = new AbortController();
    stopped.abort(new Error('stop'));
    await database.pool.query('TRUNCATE material_prediction');
    await expect(predictMaterials({ database, threads, home, signal: stopped.signal })).rejects.toThrow(
      'stop',
    );
  });

  it('predicts all materials again for another model, and deletes predictions when they are switched off', async () => {
    await predictAll();
    const name = await otherModel(home, 'own');
    expect(name).not.toBe(shippedModel().name);
    expect(knownModels(home).map((model) => model.name)).toEqual([shippedModel().name, name]);
    await chooseModel(database, { model: name, folder: 'own' });
    expect(await predictAll()).toMatchObject({ model: name, predicted: 6 });
    expect(new Set(Object.values(await stored()).map(({ model }) => model))).toEqual(new Set([name]));
    await chooseModel(database, 'off');
    expect(await predictAll()).toEqual({ model: null, predicted: 0, refused: 0 });
    expect(await stored()).toEqual({});
    await chooseModel(database, 'shipped');
    expect(await predictAll()).toMatchObject({ model: shippedModel().name, predicted: 6 });
  });

  it('rejects a model whose files are missing or were replaced', async () => {
    const name = await otherModel(home, 'gone');
    await chooseModel(database, { model: name, folder: 'gone' });
    await cp(SHIPPED, join(home, 'models', 'gone'), { recursive: true });
    await expect(predictAll()).rejects.toThrow(name);
    await rm(join(home, 'models', 'gone'), { recursive: true });
    await expect(predictAll()).rejects.toMatchObject({ code: 'prediction.model-missing' });
  });

  it('reports stored values outside the prediction intervals, largest deviation first', async () => {
    await predictAll();
    const report = await predictionDisagreements(database);
    // TiO2 was stored at −1.5 eV/atom; mp-2657 has −3.48.
    expect(report.largest[0]).toMatchObject({ structId: 21, property: 'formation_energy_per_atom' });
    expect(report.largest[0]!.calculated).toBe(-1.5);
    const lines = disagreementLines(report).join('\n');
    expect(lines).toContain('TiO2 (21): formation energy -1.5 eV/atom');
    expect((await predictionDisagreements(database, [12])).largest).not.toContainEqual(report.largest[0]);
  });
});
