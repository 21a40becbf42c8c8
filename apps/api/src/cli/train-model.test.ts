/**
 * Tests which training sets `unitcell model train` writes and what it refuses. The training itself needs
 * torch.
 */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parseFormula } from '@unitcell/crystal';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../testing/build-test-app.ts';
import { element, rockSalt, storeMaterials } from '../testing/material-factory.ts';
import { otherModel } from '../testing/other-model.ts';
import { runUnitcell } from '../testing/run-unitcell.ts';
import { trainModel, type TrainOptions, writeTrainingSet } from './model-command.ts';

const SCALE = { functional: 'PBE (MP 2018)' };

let test: TestApp;
let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'unitcell-'));
  test = await buildTestApp({ env: { UNITCELL_HOME: home } });
  await storeMaterials(test.database, [
    element('Mg', 3.2, { struct_id: 13, ...SCALE }),
    rockSalt('Mg', 'O', 4.212, { struct_id: 23, formation_energy_per_atom: -3.04, ...SCALE }),
    rockSalt('Na', 'Cl', 5.64, { struct_id: 24, formation_energy_per_atom: -1.9, functional: 'PBE (other)' }),
  ]);
});
afterAll(async () => {
  await test.close();
  await rm(home, { recursive: true, force: true });
});

const train = (name: string, options: Partial<TrainOptions> = {}): Promise<void> =>
  trainModel(
    { config: test.config, database: test.database, print: () => undefined, remark: () => undefined },
    name,
    { members: '3', ...options },
  );

it("unitcell model train writes every crystal with an energy on the model's scale in the generator's format", async () => {
  const path = join(home, 'catalogue.jsonl.gz');
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
    // The cell's content, from which the formula network and the hulls are calculated.
    const amounts = parseFormula(cell);
    expect(Object.values(amounts).reduce((sum, count) => sum + count, 0)).toBe(n);
    expect(sp.filter((entry: unknown) => typeof entry === 'string').sort()).toEqual(
      Object.keys(amounts).sort(),
    );
    expect(x).toHaveLength(3 * n);
  }
});

it.each([
  ['no name', {}, /a name of letters, digits and hyphens was expected/],
  ['own', { members: '0' }, /--members "0": a whole number from 1 to 9 was expected/],
  ['own', { epochs: 'many' }, /--epochs "many": a whole number from 1 to 1000 was expected/],
  ['own', {}, /\d crystals of the catalogue have a formation energy on PBE \(MP 2018\); .* at least 500/],
])('unitcell model train refuses %s %j with a message', async (name, options, sentence) => {
  await expect(train(name, options)).rejects.toThrow(sentence);
});

it('unitcell model train does not overwrite the active model', async () => {
  const name = await otherModel(home, 'own');
  expect(await runUnitcell(test.config, ['model', 'use', 'own'])).toContain(name);
  await expect(train('own')).rejects.toThrow(/is in use: train under another name/);
});
