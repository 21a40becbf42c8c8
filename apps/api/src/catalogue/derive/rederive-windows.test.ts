import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../infra/database.ts';
import { openTestDatabase } from '../../testing/open-test-database.ts';
import { element, importLineOf, rockSalt, storeMaterials } from '../../testing/material-factory.ts';
import { hullRepository } from './hull.repository.ts';
import { hydrousAround, rederiveWindows, systemsAround } from './rederive-windows.ts';
import { systemIndex } from './system-index.ts';

let database: Database;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.pool.query('TRUNCATE material, material_energy, dirty_system, dirty_window CASCADE');
});

const service = () => rederiveWindows(database, hullRepository(database));

/** Anti-fluorite Li2O, a = 4.62 Å. */
const lithia = importLineOf(
  { a: 4.62 },
  [0, 0.5].flatMap((x) => [
    ['O', x, x, 0] as const,
    ['O', x, 0.5 - x, 0.5] as const,
    ...[0.25, 0.75].flatMap((y) => [['Li', x + 0.25, y, 0.25] as const, ['Li', x + 0.25, y, 0.75] as const]),
  ]),
  { struct_id: 3, formation_energy_per_atom: -2 },
);
const elements = [element('Li', 3.4, { struct_id: 1 }), element('O', 3, { struct_id: 2 })];

interface StoredWindow {
  readonly struct_id: number;
  readonly working_ion: string;
  readonly reduction_onset: number;
  readonly oxidation_onset: number | null;
  readonly release_id: number;
}

async function windows(): Promise<Map<string, StoredWindow>> {
  const { rows } = await database.pool.query<StoredWindow>(
    'SELECT struct_id, working_ion, reduction_onset, oxidation_onset, release_id FROM electrochemical_window',
  );
  return new Map(rows.map((row) => [`${row.struct_id} ${row.working_ion}`, row]));
}

const values = (stored: Map<string, StoredWindow>) =>
  Object.fromEntries([...stored].map(([key, row]) => [key, [row.reduction_onset, row.oxidation_onset]]));

describe('rederiveWindows', () => {
  it('limits the window of Li2O by the formation of Li and O2: -(3 × -2 eV) / 2 electrons = 3 V', async () => {
    await storeMaterials(database, [...elements, lithia]);
    expect(values(await windows())).toEqual({
      '2 Li': [expect.closeTo(3, 9), null],
      '3 Li': [0, expect.closeTo(3, 9)],
    });
  });

  it('derives windows only for materials up to 0.1 eV/atom above the hull', async () => {
    await storeMaterials(database, [
      ...elements,
      lithia,
      rockSalt('Li', 'O', 4.2, { struct_id: 4, formation_energy_per_atom: -1.42 }),
      rockSalt('Li', 'O', 4.4, { struct_id: 5, formation_energy_per_atom: -1.39 }),
    ]);
    // The hull at LiO is at 3/4 of -2 eV/atom. A phase above the hull has a window of zero width.
    expect(values(await windows())).toMatchObject({
      '4 Li': [expect.closeTo(3, 9), expect.closeTo(3, 9)],
    });
    expect((await windows()).has('5 Li')).toBe(false);
  });

  it('a new stable phase changes only the windows of larger systems that contain its elements', async () => {
    await storeMaterials(database, [
      ...elements,
      lithia,
      element('Mg', 3.2, { struct_id: 6 }),
      rockSalt('Mg', 'O', 4.21, { struct_id: 7, formation_energy_per_atom: -3 }),
      element('Na', 3.5, { struct_id: 8 }),
      element('Cl', 3.6, { struct_id: 9 }),
      rockSalt('Na', 'Cl', 5.64, { struct_id: 10, formation_energy_per_atom: -2 }),
    ]);
    const before = await windows();
    expect(before.get('7 Li')).toMatchObject({ reduction_onset: 0, oxidation_onset: null });
    // LiO, 0.3 eV/atom below the tie line: oxygen is now reduced at 2 × 1.8 V.
    await storeMaterials(database, [
      rockSalt('Li', 'O', 4.2, { struct_id: 11, formation_energy_per_atom: -1.8 }),
    ]);
    const after = await windows();
    expect(after.get('2 Li')?.reduction_onset).toBeCloseTo(3.6, 9);
    expect(after.get('11 Li')).toMatchObject({ oxidation_onset: expect.closeTo(3.6, 9) });
    expect(after.get('7 Li')?.release_id).toBeGreaterThan(before.get('7 Li')!.release_id);
    expect(after.get('10 Li')).toEqual(before.get('10 Li'));
    // The window of MgO with magnesium or sodium does not depend on lithium.
    expect(after.get('7 Mg')).toEqual(before.get('7 Mg'));
    expect(after.get('7 Na')).toEqual(before.get('7 Na'));
    const incremental = values(after);
    await service().markAll();
    await service().run();
    expect(values(await windows())).toEqual(incremental);
  });

  it('a hydroxide above the hull changes the energies in water of systems that differ from it only in O and H', () => {
    const all = ['Mg', 'Mg-O', 'H-Mg-O', 'Fe-O'];
    expect([...hydrousAround(systemIndex(all), new Set(all), 'H-Mg-O').keys()]).toEqual([
      'Mg',
      'Mg-O',
      'H-Mg-O',
    ]);
    expect(hydrousAround(systemIndex(all), new Set(all), 'Mg-O')).toEqual(new Map());
  });

  it('stores oxygen potentials with the windows, and removes those of a phase that is now far above the hull', async () => {
    const potentials = async () =>
      (
        await database.pool.query<{ struct_id: number; low: number | null; high: number | null }>(
          `SELECT struct_id, oxygen_potential_min AS low, oxygen_potential_max AS high FROM material_energy ORDER BY 1`,
        )
      ).rows.map(({ struct_id: id, low, high }) => [id, low, high]);
    const peroxide = (id: number, energy: number) =>
      rockSalt('Li', 'O', 4 + id / 20, { struct_id: id, formation_energy_per_atom: energy });
    await storeMaterials(database, [...elements, lithia, peroxide(4, -1.6)]);
    // 2 Li + O → Li2O gains 3 × 2 eV; Li2O + O → 2 LiO gains 4 × 1.6 − 6 eV. Elemental oxygen has no
    // oxygen-potential interval.
    expect(await potentials()).toEqual([
      [1, null, expect.closeTo(-6, 9)],
      [2, null, null],
      [3, expect.closeTo(-6, 9), expect.closeTo(-0.4, 9)],
      [4, expect.closeTo(-0.4, 9), 0],
    ]);
    // The new polymorph is 1 eV/atom lower, so the old one is now 1 eV/atom above the hull.
    await storeMaterials(database, [peroxide(5, -2.6)]);
    expect((await potentials()).slice(2)).toEqual([
      [3, expect.closeTo(-6, 9), expect.closeTo(-4.4, 9)],
      [4, null, null],
      [5, expect.closeTo(-4.4, 9), 0],
    ]);
  });

  it('resumes after an interruption with the systems that are still marked', async () => {
    await storeMaterials(database, [...elements, lithia]);
    const complete = values(await windows());
    await service().markAll();
    const stop = AbortSignal.abort(new Error('stopped'));
    await expect(service().run({ signal: stop })).rejects.toThrow('stopped');
    expect((await database.pool.query('SELECT FROM dirty_window')).rowCount).toBe(3);
    await service().run();
    expect(values(await windows())).toEqual(complete);
    expect((await database.pool.query('SELECT FROM dirty_window')).rowCount).toBe(0);
    expect(await service().run()).toEqual([]);
  });

  it('derives no windows for an ion without energies on the scale', async () => {
    await storeMaterials(database, [element('O', 3, { struct_id: 2 })]);
    expect(await windows()).toEqual(new Map());
  });
});

describe('systemsAround', () => {
  it('finds the systems that contain all elements of the changed system, or all except a working ion', () => {
    const all = ['O', 'Li', 'Li-O', 'Fe-O', 'Fe-Li-O', 'Fe-P', 'Cl-Na'];
    const around = (system: string) =>
      Object.fromEntries(
        Array.from(systemsAround(systemIndex(all), new Set(all), system), ([name, ions]) => [
          name,
          [...ions].join(' '),
        ]),
      );
    const [every, others] = ['Li Na K Mg Ca Zn Al air and water', 'air and water'];
    expect(around('Li-O')).toEqual({ Li: others, 'Fe-Li-O': every, 'Fe-O': 'Li', 'Li-O': every, O: 'Li' });
    expect(around('Fe-O')).toEqual({ 'Fe-O': every, 'Fe-Li-O': every, 'Fe-P': others });
    // Energies of dissolved chlorine ions refer to solid NaCl, but no other system here contains Cl.
    expect(around('Cl-Na')).toEqual({ 'Cl-Na': every });
    expect(around('Li')).toEqual({
      ...Object.fromEntries(all.map((name) => [name, 'Li'])),
      Li: every,
      'Li-O': every,
      'Fe-Li-O': every,
    });
  });
});
