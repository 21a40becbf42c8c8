import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parseFormula } from '@unitcell/crystal';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../testing/build-test-app.ts';
import { element, rockSalt, storeMaterials } from '../testing/material-factory.ts';
import { writeTrainingSet } from './training-set.ts';

let test: TestApp;
let folder: string;
const SCALE = { functional: 'PBE (MP 2018)' };

beforeAll(async () => {
  test = await buildTestApp();
  folder = await mkdtemp(join(tmpdir(), 'unitcell-training-'));
  await storeMaterials(test.database, [
    element('Mg', 3.2, { struct_id: 13, ...SCALE }),
    rockSalt('Mg', 'O', 4.212, { struct_id: 23, formation_energy_per_atom: -3.04, ...SCALE }),
    rockSalt('Na', 'Cl', 5.64, { struct_id: 24, formation_energy_per_atom: -1.9, functional: 'PBE (other)' }),
  ]);
});
afterAll(async () => {
  await test.close();
  await rm(folder, { recursive: true });
});

it('writes every crystal with an energy on the scale of the model as the generator reads it', async () => {
  const path = join(folder, 'catalogue.jsonl.gz');
  const written = await writeTrainingSet(test.database, path);
  const rows = gunzipSync(await readFile(path))
    .toString()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(rows).toHaveLength(written);
  const oxide = rows.find(({ id }) => id === 'unitcell-23');
  expect(oxide).toMatchObject({ formula: 'MgO', ef: -3.04, es: 'id' });
  expect(rows.some(({ id }) => id === 'unitcell-24')).toBe(false);
  for (const { cell, n, sp, x } of rows) {
    // The content of the cell, from which the network for formulas and the hulls are made.
    const amounts = parseFormula(cell);
    expect(Object.values(amounts).reduce((sum, count) => sum + count, 0)).toBe(n);
    expect(sp.filter((entry: unknown) => typeof entry === 'string').sort()).toEqual(
      Object.keys(amounts).sort(),
    );
    expect(x).toHaveLength(3 * n);
  }
});
