import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { builtProgram } from '@unitcell/tools/bundle';
import { createTestDatabase, type TestDatabase } from '@unitcell/tools/test-database';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { derivePotentialValues } from '../../domain/potential/derived-values.ts';
import { NO_VALUES } from '../../domain/potential/stored-values.ts';
import { type Database, openDatabase } from '../../infra/database.ts';
import { runUnitcell } from '../../testing/run-unitcell.ts';
import { element, importLineOf, rockSalt, storeMaterials } from '../../testing/material-factory.ts';
import {
  addPotentialTasks,
  countPotentialTasks,
  derivePotential,
  type PotentialThread,
} from './derive-potential.ts';

let testDatabase: TestDatabase;
let database: Database;

/** Runs in the test process. A real worker thread has low priority and would be slow on a busy machine. */
const inProcess: PotentialThread = { run: async (_, cells) => derivePotentialValues(cells) };

beforeAll(async () => {
  testDatabase = await createTestDatabase();
  database = openDatabase(
    { databaseUrl: testDatabase.url, databaseReadUrl: testDatabase.url },
    () => undefined,
  );
});
afterAll(async () => {
  await database.close();
  await testDatabase.drop();
});

const SILICON = [
  [0, 0, 0],
  [0.25, 0.25, 0.25],
  [0.5, 0.5, 0],
  [0.75, 0.75, 0.25],
  [0.5, 0, 0.5],
  [0.75, 0.25, 0.75],
  [0, 0.5, 0.5],
  [0.25, 0.75, 0.75],
] as const;

const derive = (signal = new AbortController().signal) =>
  derivePotential({ db: database.db, thread: inProcess, signal });

interface Stored {
  readonly struct_id: number;
  readonly model: string | null;
  readonly max_force: number;
  readonly volume_change: number;
  readonly bulk_modulus: number;
  readonly debye_temperature: number;
  readonly lowest_frequency: number;
  readonly heat_capacity: number;
  readonly details: {
    readonly elastic_tensor: number[][];
    readonly phonons: { readonly thermal: unknown[] };
  };
  readonly refusal: string;
  readonly made_at: Date;
}

async function stored(): Promise<Map<number, Stored>> {
  const { rows } = await database.pool.query<Stored>('SELECT * FROM potential_prediction ORDER BY struct_id');
  return new Map(rows.map((row) => [row.struct_id, row]));
}

describe('derivePotential', () => {
  beforeAll(async () => {
    await storeMaterials(database, [
      importLineOf(
        { a: 5.431 },
        SILICON.map(([x, y, z]) => ['Si', x, y, z]),
        { struct_id: 14 },
      ),
      rockSalt('Na', 'Cl', 5.64, { struct_id: 17 }),
      // Nickel aluminide with aluminium displaced by 0.3 Å.
      importLineOf(
        { a: 2.887 },
        [
          ['Ni', 0, 0, 0],
          ['Al', 0.5, 0.5, 0.604],
        ],
        { struct_id: 22 },
      ),
      // The potential has no parameters for californium.
      rockSalt('Cf', 'O', 5.0, { struct_id: 98 }),
      // The Xe atoms have no neighbours within 5 Å.
      element('Xe', 9, { struct_id: 54 }),
    ]);
  });
  beforeEach(() => database.pool.query('TRUNCATE potential_prediction, potential_task, submission CASCADE'));

  it('stores values that agree with the original SevenNet program, or the reason why a material has none', async () => {
    expect(await addPotentialTasks(database.db)).toBe(5);
    expect(await derive()).toBe(5);
    expect(await countPotentialTasks(database.db)).toBe(0);
    const rows = await stored();
    // sevenn 0.13.0 in float64, cells relaxed to 0.5 meV/Å, strains of 0.005: C11, C12, C44 in GPa.
    const known: readonly (readonly [number, ...number[]])[] = [
      [14, 154.496, 69.753, 57.89],
      [17, 48.966, 13.897, 11.833],
    ];
    for (const [id, c11 = 0, c12 = 0, c44 = 0] of known) {
      const { details, bulk_modulus, refusal, model, max_force } = rows.get(id)!;
      const [first, , , fourth] = details.elastic_tensor;
      const found = [
        first![0]! / c11,
        first![1]! / c12,
        fourth![3]! / c44,
        bulk_modulus / ((c11 + 2 * c12) / 3),
      ];
      for (const ratio of found) expect(Math.abs(ratio - 1)).toBeLessThan(0.03);
      expect({ refusal, model }).toEqual({ refusal: '', model: 'SevenNet-0 (11July2024)' });
      // Zero by symmetry.
      expect(max_force).toBeLessThan(0.001);
      expect(details.phonons.thermal.length).toBeGreaterThan(20);
    }
    // Lattice constants of Si and NaCl from sevenn 0.13.0: 5.4632 Å and 5.6876 Å.
    expect(rows.get(14)!.volume_change).toBeCloseTo(100 * ((5.463198 / 5.431) ** 3 - 1), 0);
    expect(rows.get(17)!.volume_change).toBeCloseTo(100 * ((5.687623 / 5.64) ** 3 - 1), 0);
    // Silicon at 300 K: 19.8 J/(mol·K) measured (JANAF tables); the potential's phonon frequencies are 15 %
    // too low, which raises the heat capacity.
    expect(rows.get(14)!.heat_capacity).toBeGreaterThan(19.8);
    expect(rows.get(14)!.heat_capacity).toBeLessThan(21.8);
    expect(rows.get(14)!.lowest_frequency).toBeGreaterThan(2);
    expect(rows.get(22)!.max_force).toBeGreaterThan(1);
    expect(rows.get(98)).toMatchObject({ model: null, refusal: 'unknown-element', details: null });
    expect(rows.get(54)).toMatchObject({ refusal: 'isolated-atom', max_force: null, bulk_modulus: null });
  });

  it('calculates only materials without values, unless recalculation is requested', async () => {
    await addPotentialTasks(database.db, { ids: [54, 98] });
    expect(await derive()).toBe(2);
    const first = await stored();
    expect([...first.keys()]).toEqual([54, 98]);
    expect(await addPotentialTasks(database.db, { ids: [54, 98] })).toBe(0);
    expect(await addPotentialTasks(database.db, { ids: [54, 98], again: true })).toBe(2);
    await derive();
    expect((await stored()).get(54)!.made_at > first.get(54)!.made_at).toBe(true);
  });

  it('discards the values if the structure was replaced during the calculation, and calculates the new structure', async () => {
    await addPotentialTasks(database.db, { ids: [54] });
    let isReplaced = false;
    const thread: PotentialThread = {
      run: async (...request) => {
        if (isReplaced) return inProcess.run(...request);
        await database.pool.query('UPDATE material_structure SET symprec = symprec WHERE struct_id = 54');
        isReplaced = true;
        return { ...NO_VALUES, refusal: 'of the old structure' };
      },
    };
    const { signal } = new AbortController();
    expect(await derivePotential({ db: database.db, thread, signal })).toBe(2);
    expect((await stored()).get(54)!.refusal).toBe('isolated-atom');
  });

  it('records a failed calculation and continues with the next material', async () => {
    await addPotentialTasks(database.db, { ids: [54, 98] });
    const faults: unknown[] = [];
    const thread: PotentialThread = {
      run: (...request) =>
        faults.length === 0 ? Promise.reject(new RangeError('out of memory')) : inProcess.run(...request),
    };
    const { signal } = new AbortController();
    const onFault = (error: unknown) => faults.push(error);
    expect(await derivePotential({ db: database.db, thread, signal, onFault })).toBe(2);
    expect(faults).toHaveLength(1);
    const rows = await stored();
    expect([rows.get(54)!.refusal, rows.get(98)!.refusal]).toEqual(['failed', 'unknown-element']);
  });

  it('stops when the signal is aborted and keeps the task', async () => {
    await addPotentialTasks(database.db, { ids: [17] });
    const stopped = new AbortController();
    stopped.abort(new Error('stop'));
    await expect(derive(stopped.signal)).rejects.toThrow('stop');
    expect(await countPotentialTasks(database.db)).toBe(1);
  });

  it('waits while a user prediction is queued', async () => {
    await addPotentialTasks(database.db, { ids: [54] });
    const { rows } = await database.pool.query<{ id: number }>(
      `WITH person AS (INSERT INTO account (username, created_at) VALUES ('p', now()) RETURNING id)
       INSERT INTO submission (account_id, status, formula, space_group, structure, method)
       SELECT id, 'queued', 'Si', 'Fd-3m', '{}', 'prediction' FROM person RETURNING id`,
    );
    let hasEnded = false;
    const done = derive().finally(() => (hasEnded = true));
    await expect.poll(() => database.pool.query('SELECT 1 FROM submission')).toMatchObject({ rowCount: 1 });
    expect([hasEnded, await countPotentialTasks(database.db)]).toEqual([false, 1]);
    await database.pool.query(`UPDATE submission SET status = 'finished' WHERE id = $1`, [rows[0]!.id]);
    expect(await done).toBe(1);
  });
});

describe('a worker process', () => {
  const workers: ChildProcess[] = [];
  afterEach(() => workers.splice(0).forEach((worker) => worker.kill('SIGKILL')));

  it('that is killed loses only the material it was calculating, and another process continues', async () => {
    await database.pool.query('TRUNCATE material, dirty_system CASCADE');
    // The potential refuses the first and the last material at once.
    await storeMaterials(database, [
      element('Xe', 9, { struct_id: 1 }),
      rockSalt('Li', 'F', 4, { struct_id: 2 }),
      rockSalt('Na', 'F', 4.6, { struct_id: 3 }),
      rockSalt('Cf', 'O', 5, { struct_id: 4 }),
    ]);
    const config = {
      databaseUrl: testDatabase.url,
      jwtSecret: randomBytes(32).toString('hex'),
      home: '.unitcell',
    };
    const printed = await runUnitcell(config, ['derive', 'potential']);
    expect(printed).toBe('4 materials added; 4 wait for the worker');
    const worker = spawn(process.execPath, [builtProgram('worker')], {
      env: {
        ...process.env,
        DATABASE_URL: config.databaseUrl,
        JWT_SECRET: config.jwtSecret,
        LOG_LEVEL: 'error',
        WORKER_ROLES: 'derive',
      },
      stdio: 'ignore',
    });
    workers.push(worker);
    await expect.poll(async () => (await stored()).size).toBeGreaterThan(0);
    worker.kill('SIGKILL');
    await expect.poll(() => worker.signalCode).toBe('SIGKILL');
    const before = await stored();
    expect(before.size + (await countPotentialTasks(database.db))).toBe(4);
    expect(before.size).toBeLessThan(4);
    expect(await derive()).toBe(4 - before.size);
    const after = await stored();
    expect(after.size).toBe(4);
    for (const [id, { made_at: at }] of before) expect(after.get(id)!.made_at).toEqual(at);
    await runUnitcell(config, ['derive', 'potential', '--again']);
    expect(await runUnitcell(config, ['derive', 'potential', '--stop'])).toBe(
      '4 materials taken off the list; values found so far stay',
    );
  });
});
