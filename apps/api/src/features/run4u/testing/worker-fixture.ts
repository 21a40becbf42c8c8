/** A worker's runner on a test database, with a fake engine whose behaviour each test sets. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { CompactCell } from '@unitcell/crystal';
import pino from 'pino';
import { calculatedMaterials } from '../../../catalogue/calculated-materials.ts';
import { readConfig } from '../../../config/config.ts';
import { type Database, openDatabase } from '../../../infra/database.ts';
import { createTestDatabase, type TestDatabase } from '@unitcell/tools/test-database';
import { openPotential } from '../engines/engine.ts';
import { detectEngine } from '../engines/detect-engine.ts';
import type { Executor } from '../executors/executor.ts';
import { localExecutor } from '../executors/local-executor.ts';
import { leasesRepository } from '../pipeline/leases.repository.ts';
import { type Runner, type RunnerOptions, startRunner } from '../pipeline/runner.ts';
import { readRun4uSettings } from '../run4u-settings.ts';
import type { SubmissionState } from '../../../infra/stored-json.ts';
import type { Submission } from '../submission.ts';
import { submissionsRepository } from '../submissions.repository.ts';

const FAKE_ENGINE = fileURLToPath(new URL('./fake-engine.mjs', import.meta.url));
const SEARCH_PATH = process.env.PATH ?? '';

/** Rock-salt LiF. Structures with different lattice constants count as different crystals. */
export const LITHIUM_FLUORIDE: CompactCell = {
  lattice: [0, 2.0135, 2.0135, 2.0135, 0, 2.0135, 2.0135, 2.0135, 0],
  species: ['Li', 'F'],
  coords: [0, 0, 0, 0.5, 0.5, 0.5],
};

/** One thread for all runners: every new thread loads the code and the network again. It ends when idle. */
const potential = { ...openPotential(1), close: async () => undefined };

type Behaviour = 'hang' | 'wait' | 'crash' | 'hungry' | 'refuse' | 'scf' | 'broken';

export interface WorkerFixture {
  readonly database: Database;
  readonly env: Readonly<Record<string, string>>;
  readonly scratch: string;
  /** Sets the behaviour of the engine at each step. */
  behave(
    plan: Readonly<Partial<Record<'relax' | 'static' | 'bands' | 'dos', Behaviour>>> & {
      /** Energy of the cell, eV. */
      readonly energy?: number;
      /** Site moments are not written, or ferromagnetic starts lose their moment or do not converge. */
      readonly moments?: 'none' | 'lost' | 'unconverged';
    },
  ): void;
  /** Starts of the engine so far, with step and process. */
  begun(): { step: string; pid: number }[];
  /** The steps of `begun`. */
  stepsBegun(): string[];
  /** Waits until the engine was started `times` times for a step. */
  untilBegun(step: string, times?: number): Promise<void>;
  startRunner(options?: Partial<RunnerOptions> & { readonly env?: Readonly<Record<string, string>> }): Runner;
  submit(
    cell?: CompactCell,
    wish?: Pick<Submission, 'method'> & Pick<SubmissionState, 'tasks' | 'ion' | 'physics' | 'startVolume'>,
  ): Promise<number>;
  row(id: number): Promise<Submission & { leaseUntil: Date | null }>;
  /** All materials by id. */
  materials(): Promise<unknown[]>;
  /** Waits until the row satisfies `isWanted`. */
  until(id: number, isWanted: (row: Submission) => boolean, seconds?: number): Promise<Submission>;
  /** Waits for three more polls of the runners, and for three heartbeats of the leases they hold. */
  untilLooked(options?: { readonly beats?: boolean }): Promise<void>;
  /** Expires the leases of dead workers at once. */
  expireLeases(): Promise<void>;
  /** Ends the pauses of waiting submissions at once. */
  expireWaiting(): Promise<void>;
  close(): Promise<void>;
}

/**
 * @param openDatabaseOf opens a database on a server of the test's own, or the database of an earlier
 *   fixture, whose rows are then deleted
 */
export async function openWorkerFixture(
  extraEnv: Readonly<Record<string, string>> = {},
  openDatabaseOf: () => Promise<TestDatabase> = createTestDatabase,
): Promise<WorkerFixture> {
  const testDatabase = await openDatabaseOf();
  const scratch = mkdtempSync(join(tmpdir(), 'unitcell-run4u-'));
  const env: Record<string, string> = {
    DATABASE_URL: testDatabase.url,
    JWT_SECRET: 'a-secret-of-the-tests-that-is-long-enough',
    RUN4U_ENGINE: 'template',
    RUN4U_TEMPLATE_COMMAND: `${process.execPath} ${FAKE_ENGINE}`,
    RUN4U_SCRATCH: scratch,
    RUN4U_PRESET: 'ci',
    RUN4U_SLOTS: '2',
    RUN4U_MEMORY_MB: '400',
    RUN4U_MINIMUM_FREE_MB: '1',
    ...extraEnv,
  };
  const database = openDatabase(readConfig(env), () => undefined);
  for (const table of ['account', 'material', 'dirty_system', 'run4u_worker', 'run4u_control'])
    await database.pool.query(`DELETE FROM ${table}`);
  const { rows } = await database.pool.query<{ id: number }>(
    "INSERT INTO account (username, mobile) VALUES ('tester', '13800000000') RETURNING id",
  );
  const accountId = rows[0]!.id;
  const runners = new Set<Runner>();
  const wakeRunners = (): void => runners.forEach((runner) => runner.wake());
  const asked = { claims: 0, beats: 0 };
  const repository = leasesRepository(database);
  /** The lease repository, with its calls counted. */
  const leases: typeof repository = {
    ...repository,
    claim: (owner, methods) => repository.claim(owner, methods).finally(() => void asked.claims++),
    extend: (lease) => repository.extend(lease).finally(() => void asked.beats++),
  };

  const fixture: WorkerFixture = {
    database,
    env,
    scratch,
    behave: (plan) => writeFileSync(join(scratch, 'FAKE.json'), JSON.stringify(plan)),
    begun() {
      try {
        return readFileSync(join(scratch, 'begun.log'), 'utf8')
          .trim()
          .split('\n')
          .map((line) => {
            const [step = '', pid] = line.split(' ');
            return { step, pid: Number(pid) };
          });
      } catch {
        return [];
      }
    },
    stepsBegun: () => fixture.begun().map(({ step }) => step),
    async untilBegun(step, times = 1) {
      while (fixture.stepsBegun().filter((one) => one === step).length < times) await sleep(20);
    },
    startRunner({ env: more = {}, ...options } = {}) {
      const config = readConfig({ ...env, ...more });
      const settings = readRun4uSettings(config);
      const executor: Executor = options.executor ?? localExecutor(SEARCH_PATH);
      const runner = startRunner({
        leases,
        materials: { ...submissionsRepository(database), missingCompounds: async () => null },
        catalogue: calculatedMaterials(
          database,
          { enqueue: async () => undefined },
          config.defaultFunctional,
        ),
        executor,
        detectEngine: () => detectEngine(settings, SEARCH_PATH),
        potential,
        settings,
        log: pino({ level: 'silent' }),
        pollMilliseconds: 300,
        heartbeatMilliseconds: 200,
        programMilliseconds: 0,
        ...options,
      });
      runners.add(runner);
      return runner;
    },
    async submit(cell = LITHIUM_FLUORIDE, { method, ...state } = { method: '' }) {
      const made = await database.pool.query<{ id: number }>(
        `INSERT INTO submission (account_id, status, formula, space_group, structure, nsites, method, state)
         VALUES ($1, 'queued', 'LiF', 'Fm-3m', $2, 2, $3, $4) RETURNING id`,
        [accountId, JSON.stringify(cell), method, JSON.stringify(state)],
      );
      wakeRunners();
      return made.rows[0]!.id;
    },
    async row(id) {
      const found = await database.pool.query(
        `SELECT *, struct_id AS "structId", reason_code AS "reasonCode", lease_owner AS "leaseOwner",
           lease_until AS "leaseUntil" FROM submission WHERE id = $1`,
        [id],
      );
      return found.rows[0];
    },
    async materials() {
      const found = await database.pool.query(
        'SELECT struct_id, source_id, has_band, band_gap FROM material ORDER BY struct_id',
      );
      return found.rows;
    },
    async untilLooked({ beats = false } = {}) {
      const before = { ...asked };
      const hasLooked = () =>
        asked.claims >= before.claims + 6 && (!beats || asked.beats >= before.beats + 3);
      while (!hasLooked()) await sleep(20);
    },
    async until(id, isWanted, seconds = 240) {
      const end = performance.now() + seconds * 1000;
      for (;;) {
        const row = await fixture.row(id).catch(() => null);
        if (row && isWanted(row)) return row;
        if (performance.now() > end) throw new Error(`still ${JSON.stringify(row)}`);
        await sleep(100);
      }
    },
    async expireLeases() {
      await database.pool.query(
        "UPDATE submission SET lease_until = now() - interval '1 s' WHERE lease_until IS NOT NULL",
      );
      wakeRunners();
    },
    async expireWaiting() {
      await database.pool.query("UPDATE submission SET lease_until = NULL WHERE status = 'queued'");
      wakeRunners();
    },
    async close() {
      await Promise.all([...runners].map((runner) => runner.close()));
      await database.close();
      await testDatabase.drop();
      rmSync(scratch, { recursive: true, force: true });
    },
  };
  fixture.behave({});
  return fixture;
}

export const isFinished = (row: { readonly status: string }): boolean => row.status === 'finished';

/** True while a process with that id runs (zombies do not count). */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
