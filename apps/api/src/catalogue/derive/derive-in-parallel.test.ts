/**
 * Several processes derive one catalogue. The stored result equals that of a single process, even if one of
 * the processes dies.
 */
import { shareCatalogueWork } from '@unitcell/contract/jobs';
import type pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '../../infra/database.ts';
import { openTestDatabase } from '../../testing/open-test-database.ts';
import { element, lithiated, rockSalt, rutile, storeMaterials } from '../../testing/material-factory.ts';
import { processCatalogueWork } from '../catalogue.jobs.ts';
import { openCatalogueThreads } from '../open-catalogue-threads.ts';
import { type Distribute, withWorkers } from './derive-in-parallel.ts';
import { hullRepository } from './hull.repository.ts';
import { rederiveAll, workInThreads } from './rederive-catalogue.ts';
import { rederiveHulls } from './rederive-hulls.ts';

const METALS = ['Li', 'Na', 'Mg', 'Ca', 'Ti', 'Mn', 'Fe', 'Zn'] as const;
const SCALE = 'PBE (MP 2018)';

let database: Database;
let expected: unknown;

/** All derived data except the release, which contains the time. */
async function derived() {
  const { rows: energies } = await database.pool.query<object>(
    `SELECT struct_id, formation_energy_per_atom, energy_above_hull, decomposition FROM material_energy ORDER BY 1`,
  );
  const { rows: windows } = await database.pool.query<object>(
    `SELECT struct_id, working_ion, reduction_onset, oxidation_onset FROM electrochemical_window ORDER BY 1, 2`,
  );
  const { rows: electrodes } = await database.pool.query<object>(
    `SELECT discharged_id, charged_id, working_ion, framework, steps, state_ids FROM electrode ORDER BY 1, 3`,
  );
  return { energies, windows, electrodes };
}

const rederive = (distribute?: Distribute) =>
  rederiveAll(database, { pieceSystems: 2, ...(distribute ? { distribute } : {}) });

beforeAll(async () => {
  database = await openTestDatabase();
  await storeMaterials(database, [
    element('O', 3, { struct_id: 1 }),
    ...METALS.flatMap((metal, at) => [
      element(metal, 3 + at / 10, { struct_id: 10 + at }),
      rockSalt(metal, 'O', 4 + at / 10, { struct_id: 20 + at, formation_energy_per_atom: -1 - at / 10 }),
      rutile(metal, 4.6, 2.95, { struct_id: 30 + at, formation_energy_per_atom: -1.2 + at / 20 }),
    ]),
    lithiated(rutile('Ti', 4.6, 3, { struct_id: 50, formation_energy_per_atom: -1.5 })),
  ]);
  expected = await derived();
});
afterAll(() => database.close());
beforeEach(async () => {
  await database.pool.query('UPDATE material_energy SET energy_above_hull = NULL, decomposition = NULL');
  await database.pool.query('UPDATE electrochemical_window SET oxidation_onset = 99');
  await database.pool.query('UPDATE electrode SET average_voltage = 99, steps = $1', ['[]']);
  await rederiveHulls(hullRepository(database)).markAll([SCALE]);
});

const kindOf = (payload: unknown) => shareCatalogueWork.payload.parse(payload).kind;
const leftTasks = async () => (await database.pool.query('SELECT FROM shared_task')).rowCount;

describe('derivation by several processes', () => {
  it('a derivation done entirely by a helper stores the same data as a single process', async () => {
    const help = processCatalogueWork(database);
    let pieces = 0;
    const distribute = withWorkers(database, {
      async enqueue(_job, payload) {
        pieces += await help(kindOf(payload), new AbortController().signal);
      },
    });
    const report = await rederive(distribute);
    const own = await derived();
    expect(own).toEqual(expected);
    expect(own.electrodes).toMatchObject([{ discharged_id: 50, charged_id: 34, framework: 'TiO2' }]);
    // A piece has two systems. Hulls: 5 pieces for nine elements, 4 for the sixteen oxides in eight systems;
    // the lithium titanate is a single piece, which is not shared. Windows: 9 pieces for all 18 systems.
    // Electrodes: 3 pieces for the six systems with an ion.
    expect(pieces).toBe(5 + 4 + 9 + 3);
    expect(report?.hulls.map(({ systems, materials }) => [systems, materials])).toEqual([[18, 26]]);
    expect(await leftTasks()).toBe(0);
  });

  it('a derivation shared by the caller and two helpers stores the same data as a single process', async () => {
    const helpers = [processCatalogueWork(database), processCatalogueWork(database)];
    const helping: Promise<number>[] = [];
    const distribute = withWorkers(database, {
      async enqueue(_job, payload) {
        helping.push(...helpers.map((help) => help(kindOf(payload), new AbortController().signal)));
      },
    });
    await rederive(distribute);
    await Promise.all(helping);
    expect(await derived()).toEqual(expected);
    expect(await leftTasks()).toBe(0);
  });

  it('windows derived in threads equal those derived in the main thread', async () => {
    const threads = openCatalogueThreads(2);
    try {
      const distribute = withWorkers(database, { enqueue: async () => undefined });
      await rederiveAll(database, { pieceSystems: 2, distribute, ...workInThreads(threads) });
    } finally {
      await threads.close();
    }
    expect(await derived()).toEqual(expected);
  });

  it('a derivation stays complete when a helper dies during a piece', async () => {
    const deaths: Promise<void>[] = [];
    // The helper dies when all other pieces are done and both loops of the caller wait for the helper's piece.
    const dieWhenAwaited = async (helper: pg.PoolClient): Promise<void> => {
      const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      try {
        await expect.poll(async () => (await database.pool.query(waiting)).rowCount).toBe(2);
      } finally {
        helper.release(true);
      }
    };
    const dieOver = async (): Promise<void> => {
      const helper = await database.pool.connect();
      await helper.query('BEGIN');
      await helper.query('SELECT FROM shared_task ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED');
      deaths.push(dieWhenAwaited(helper));
    };
    let calls = 0;
    const distribute = withWorkers(database, {
      enqueue: async () => {
        if (calls++ === 0) await dieOver();
      },
    });
    const report = await rederive(distribute);
    await Promise.all(deaths);
    expect(report?.hulls[0]?.systems).toBe(18);
    expect(await derived()).toEqual(expected);
    expect(await leftTasks()).toBe(0);
  });
});
