/** What `unitcell model train` refuses; the training itself needs torch. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { buildTestApp, type TestApp } from '../testing/build-test-app.ts';
import { element, rockSalt, storeMaterials } from '../testing/material-factory.ts';
import { otherModel } from '../testing/other-model.ts';
import { runUnitcell } from '../testing/run-unitcell.ts';
import { trainModel, type TrainOptions } from './train-model.ts';

let test: TestApp;
let home: string;
beforeAll(async () => {
  home = await mkdtemp(join(tmpdir(), 'unitcell-'));
  test = await buildTestApp({ env: { UNITCELL_HOME: home } });
  const scale = { functional: 'PBE (MP 2018)' };
  await storeMaterials(test.database, [
    element('Mg', 3.2, { struct_id: 13, ...scale }),
    rockSalt('Mg', 'O', 4.212, { struct_id: 23, formation_energy_per_atom: -3.04, ...scale }),
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

it.each([
  ['no name', {}, /a name of letters, digits and hyphens was expected/],
  ['own', { members: '0' }, /--members "0": a whole number from 1 to 9 was expected/],
  ['own', { epochs: 'many' }, /--epochs "many": a whole number from 1 to 1000 was expected/],
  ['own', {}, /\d crystals of the catalogue have a formation energy on PBE \(MP 2018\); .* at least 500/],
])('refuses %s %j in words', async (name, options, sentence) => {
  await expect(train(name, options)).rejects.toThrow(sentence);
});

it('does not train over the model that predicts', async () => {
  const name = await otherModel(home, 'own');
  expect(await runUnitcell(test.config, ['model', 'use', 'own'])).toContain(name);
  await expect(train('own')).rejects.toThrow(/predicts now: train under another name/);
});
