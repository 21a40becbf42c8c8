import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { orderedSite, type Structure, supercell, writeCif, writePoscar } from '@unitcell/crystal';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runUnitcell } from '../testing/run-unitcell.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'unitcell-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Two atoms in a face-centred cell, Å. */
const crystal = (first: string, second: string, a: number, shift = 0.5): Structure => ({
  latticeVectors: [
    [0, a / 2, a / 2],
    [a / 2, 0, a / 2],
    [a / 2, a / 2, 0],
  ],
  sites: [orderedSite(first, [0, 0, 0]), orderedSite(second, [shift, shift, shift])],
});

async function calculate(text: string, ...flags: readonly string[]): Promise<string> {
  const file = join(folder, 'crystal');
  await writeFile(file, text);
  return runUnitcell({ databaseUrl: '', jwtSecret: '', home: folder }, ['calculate', file, ...flags]);
}

it('unitcell calculate prints a line for each task', async () => {
  const printed = await calculate(writePoscar(crystal('Mg', 'O', 4.3)), '--tasks', 'relax,elastic');
  expect(printed.split('\n').map((line) => line.split(':')[0])).toEqual(['MgO', 'relaxed', 'elastic']);
});

it('unitcell calculate reads a CIF and prints JSON', async () => {
  const answer = JSON.parse(
    await calculate(writeCif(crystal('Mg', 'O', 4.25)), '--tasks', 'energy', '--json'),
  ) as {
    energy_per_atom: number;
    forces: readonly unknown[];
  };
  // sevenn 0.13.0: −5.97744461 eV/atom in the primitive cell.
  expect(answer.energy_per_atom).toBeCloseTo(-5.977444, 5);
  expect(answer.forces).toHaveLength(2);
});

it.each([
  ['no structure', 'a text about crystals', 'neither a CIF'],
  ['an element without weights', writePoscar(crystal('Po', 'O', 5.6)), 'no weights for Po'],
  ['overlapping atoms', writePoscar(crystal('Mg', 'O', 4.3, 0.05)), 'apart; expected at least'],
  ['an isolated atom', writePoscar(crystal('Ar', 'Ar', 16)), 'no neighbour within 5 Å'],
  ['too many atoms', writePoscar(supercell(crystal('Si', 'Si', 5.47, 0.25), [7, 6, 6])), 'at most 500'],
  ['a cell far from its minimum', writePoscar(crystal('Mg', 'O', 5.6)), 'the volume changed by'],
])('unitcell calculate refuses %s', async (_, text, reason) => {
  await expect(calculate(text)).rejects.toThrow(reason);
});

it('unitcell calculate lists the available tasks', async () => {
  const text = writePoscar(crystal('Mg', 'O', 4.3));
  await expect(calculate(text, '--tasks', 'bands')).rejects.toThrow(
    'energy,relax,eos,elastic,phonons,expansion,barrier',
  );
  await expect(calculate(text, '--tasks', 'barrier', '--ion', 'Fe')).rejects.toThrow('Li,Na,K,Mg,Ca,Zn,Al');
  await expect(calculate(text, '--tasks', 'barrier', '--ion', 'Li')).rejects.toThrow('contains no Li');
});
