import { rederiveCatalogue } from '@unitcell/contract/jobs';
import pino from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Database } from '../../infra/database.ts';
import type { JobQueue } from '../../infra/queue.ts';
import { openTestDatabase } from '../../testing/open-test-database.ts';
import { element, rockSalt, rutile, storeMaterials } from '../../testing/material-factory.ts';
import { catalogueJobs } from '../catalogue.jobs.ts';
import { inSequence } from './derive-in-parallel.ts';
import { hullRepository } from './hull.repository.ts';
import { rederiveHulls } from './rederive-hulls.ts';

let database: Database;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.pool.query('TRUNCATE material, material_energy, dirty_system CASCADE');
});

const SCALE = { functional: 'PBE (MP 2018)' };
const service = () => rederiveHulls(hullRepository(database));

async function energies(): Promise<
  Record<number, { form: number | null; above: number | null; into: string }>
> {
  const { rows } = await database.pool.query<{
    struct_id: number;
    formation_energy_per_atom: number | null;
    energy_above_hull: number | null;
    decomposition: { structId: number; fraction: number }[] | null;
  }>(
    'SELECT struct_id, formation_energy_per_atom, energy_above_hull, decomposition FROM material_energy WHERE functional = $1',
    [SCALE.functional],
  );
  return Object.fromEntries(
    rows.map((row) => [
      row.struct_id,
      {
        form: row.formation_energy_per_atom,
        above: row.energy_above_hull,
        into: (row.decomposition ?? [])
          .map((part) => part.structId)
          .sort((a, b) => a - b)
          .join(),
      },
    ]),
  );
}

describe('rederiveHulls', () => {
  it('calculates formation energies from total energies and the lowest element entries, independent of the cell size', async () => {
    await storeMaterials(database, [
      element('Mg', 3.2, { struct_id: 1, formation_energy_per_atom: undefined, energy: -1.5 }),
      element('Mg', 3.5, { struct_id: 2, formation_energy_per_atom: undefined, energy: -1.0 }),
      element('O', 3, { struct_id: 3, formation_energy_per_atom: undefined, energy: -5 }),
      // Eight atoms (4 MgO): E/N = -6.25 and the references give -3.25, so the formation energy is -3.
      rockSalt('Mg', 'O', 4.2, { struct_id: 4, energy: -50 }),
    ]);
    const found = await energies();
    expect(found[4]).toEqual({ form: expect.closeTo(-3, 12), above: 0, into: '4' });
    expect(found[2]).toEqual({ form: 0.5, above: 0.5, into: '1' });
  });

  it('leaves energies empty while an element has no reference and fills them when a reference is added', async () => {
    await storeMaterials(database, [
      element('Mg', 3.2, { struct_id: 1, formation_energy_per_atom: undefined, energy: -1.5 }),
      rockSalt('Mg', 'O', 4.2, { struct_id: 4, energy: -50 }),
    ]);
    expect((await energies())[4]).toEqual({ form: null, above: null, into: '' });
    await storeMaterials(database, [
      element('O', 3, { struct_id: 3, formation_energy_per_atom: undefined, energy: -5 }),
    ]);
    expect((await energies())[4]).toMatchObject({ form: expect.closeTo(-3, 12), above: 0 });
  });

  it('a new stable phase changes only the larger systems that contain its elements', async () => {
    await storeMaterials(database, [
      element('Ti', 2.9, { struct_id: 1 }),
      element('O', 3, { struct_id: 2 }),
      element('Mg', 3.2, { struct_id: 3 }),
      rockSalt('Ti', 'O', 4.18, { struct_id: 4, formation_energy_per_atom: -2 }),
      rockSalt('Mg', 'O', 4.2, { struct_id: 5, formation_energy_per_atom: -3 }),
    ]);
    const before = await database.pool.query('SELECT release_id FROM material_energy WHERE struct_id = 5');
    await storeMaterials(database, [
      rutile('Ti', 4.594, 2.959, { struct_id: 6, formation_energy_per_atom: -3.48 }),
    ]);
    const found = await energies();
    // TiO decomposes into TiO2 and Ti: hull at x(O) = 1/2 is 3/4 of -3.48.
    expect(found[4]).toEqual({ form: -2, above: expect.closeTo(0.61, 9), into: '1,6' });
    const after = await database.pool.query('SELECT release_id FROM material_energy WHERE struct_id = 5');
    expect(after.rows).toEqual(before.rows);
  });

  it('derives each energy scale separately', async () => {
    await storeMaterials(database, [
      element('Na', 3.5, {
        struct_id: 1,
        energies: [{ functional: 'experiment-298K', formation_energy_per_atom: 0 }],
      }),
      element('Cl', 3.5, {
        struct_id: 2,
        energies: [{ functional: 'experiment-298K', formation_energy_per_atom: 0 }],
      }),
      rockSalt('Na', 'Cl', 5.64, {
        struct_id: 3,
        formation_energy_per_atom: -1.86,
        energies: [{ functional: 'experiment-298K', formation_energy_per_atom: -2.13 }],
      }),
      rockSalt('Na', 'Cl', 5.9, { struct_id: 4, formation_energy_per_atom: -1.8 }),
    ]);
    expect((await energies())[4]?.above).toBeCloseTo(0.06, 9);
    const { rows } = await database.pool.query(
      "SELECT struct_id, energy_above_hull FROM material_energy WHERE functional = 'experiment-298K' ORDER BY 1",
    );
    expect(rows.map((row) => row.energy_above_hull)).toEqual([0, 0, 0]);
  });

  it('keeps the element corner of a published scale at 0 even if no element entry has that energy', async () => {
    await storeMaterials(database, [
      element('Mg', 3.2, { struct_id: 1, formation_energy_per_atom: 0.01 }),
      rockSalt('Mg', 'O', 4.2, { struct_id: 2, formation_energy_per_atom: -3 }),
    ]);
    const found = await energies();
    expect(found[1]).toMatchObject({ form: 0.01, above: 0.01 });
    expect(found[2]).toMatchObject({ form: -3, above: 0 });
  });

  it('derives the same energies for any order of imports', async () => {
    const lines = [
      element('Ti', 2.9, { struct_id: 1 }),
      element('O', 3, { struct_id: 2 }),
      element('Mg', 3.2, { struct_id: 3 }),
      rockSalt('Ti', 'O', 4.18, { struct_id: 4, formation_energy_per_atom: -2 }),
      rutile('Ti', 4.594, 2.959, { struct_id: 6, formation_energy_per_atom: -3.48 }),
      rockSalt('Mg', 'O', 4.2, { struct_id: 5, formation_energy_per_atom: -3 }),
    ];
    await storeMaterials(database, lines);
    const atOnce = await energies();
    await database.pool.query('TRUNCATE material, material_energy, dirty_system CASCADE');
    for (const line of [...lines].reverse()) await storeMaterials(database, [line]);
    expect(await energies()).toEqual(atOnce);
    await service().markAll([SCALE.functional]);
    await service().run();
    expect(await energies()).toEqual(atOnce);
  });

  it('derives a system again if a material is stored in it after its derivation', async () => {
    await storeMaterials(database, [
      element('Mg', 3.2, { struct_id: 1 }),
      element('O', 3, { struct_id: 2 }),
      rockSalt('Mg', 'O', 4.2, { struct_id: 3, formation_energy_per_atom: -3 }),
    ]);
    await service().markAll([SCALE.functional]);
    await service().run({
      async distribute(pieces) {
        const results = await inSequence(pieces);
        const isCompound = pieces.inputs.some((input) => JSON.stringify(input).includes('Mg-O'));
        // Another process stores a phase; its own derivation finds the lock taken.
        if (isCompound)
          await storeMaterials(database, [
            rockSalt('Mg', 'O', 4.3, { struct_id: 4, formation_energy_per_atom: -3.2 }),
          ]);
        return results;
      },
    });
    await service().run();
    const found = await energies();
    expect(found[4]).toMatchObject({ above: 0, into: '4' });
    expect(found[3]).toMatchObject({ above: expect.closeTo(0.2, 9), into: '4' });
    expect((await database.pool.query('SELECT FROM dirty_system')).rowCount).toBe(0);
  });

  it('runs in only one process at a time, and a job waits for its turn', async () => {
    const repository = hullRepository(database);
    const unlock = await repository.tryLock();
    expect(await service().run()).toBeNull();
    const enqueue = vi.fn<JobQueue['enqueue']>(async () => undefined);
    const config = { home: '', derivesPotential: false };
    const derive = catalogueJobs(database, { enqueue }, config).find(
      ({ job }) => job.name === rederiveCatalogue.name,
    );
    const context = {
      signal: AbortSignal.any([]),
      log: pino({ level: 'silent' }),
      progress: () => undefined,
    };
    await derive!.handler({}, context);
    expect(enqueue).toHaveBeenCalledExactlyOnceWith(rederiveCatalogue, {}, expect.anything());
    await unlock?.();
    await derive!.handler({}, context);
    expect(enqueue).toHaveBeenCalledOnce();
    expect(await service().run()).toEqual([]);
  });
});
