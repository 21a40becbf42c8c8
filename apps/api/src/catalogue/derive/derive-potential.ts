/**
 * Values of the interatomic potential for the materials of the catalogue, one material at a time. Tasks are rows: a worker locks one,
 * calculates, stores the values and deletes the task in one transaction. If the worker dies, PostgreSQL unlocks the task.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { BUILT_IN_ENGINE } from '@unitcell/contract/run4u';
import { ScienceError } from '@unitcell/errors';
import { sql } from 'kysely';
import type { DeriveRequest } from '../../domain/potential/derived-values.ts';
import { type DerivedValues, NO_VALUES } from '../../domain/potential/stored-values.ts';
import { announceCatalogueChange } from '../../infra/catalogue-cache.ts';
import type { Db } from '../../infra/database.ts';
import { anyOf, batch, fromNow, now, rowVersion } from '../../infra/sql.ts';
import { type Caller, openThreadPool, TaskRefused } from '../../infra/thread-pool.ts';
import { firstFree } from '../../infra/work-rows.ts';
import type * as thread from './derive-potential.thread.ts';

/** Time limit of one material; 60 atoms take a minute of an idle core. */
const TASK_SECONDS = 1_800;
/**
 * Number of materials between two notifications. After each notification all processes reload the catalogue
 * that they keep in memory.
 */
const ANNOUNCED = 50;
/** Interval at which a waiting derivation checks whether the users' predictions have ended. */
const YIELD_MILLISECONDS = 2_000;
/** A Run4U worker that has not reported for this time counts as stopped. */
const WORKER_SECONDS = 90;

export interface PotentialThread {
  run(name: 'derivePotential', cells: DeriveRequest, caller?: Caller): Promise<DerivedValues>;
}

export function openPotentialThread(): { readonly thread: PotentialThread; close(): Promise<void> } {
  const pool = openThreadPool({ size: 1, taskSeconds: TASK_SECONDS });
  return {
    thread: pool.open<typeof thread>(new URL('./derive-potential.thread.ts', import.meta.url)),
    close: () => pool.close(),
  };
}

/**
 * Adds a task for each material without values.
 * @param again also adds tasks for materials with values; they keep the old values until the task is done
 * @param ids restricts the tasks to these materials
 * @returns the number of new tasks
 */
export async function addPotentialTasks(
  db: Db,
  { again = false, ids }: { readonly again?: boolean; readonly ids?: readonly number[] } = {},
): Promise<number> {
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('potential_task')
    .columns(['struct_id'])
    .expression(({ selectFrom }) =>
      selectFrom('material_structure as structure')
        .leftJoin('potential_prediction as known', 'known.struct_id', 'structure.struct_id')
        .select('structure.struct_id')
        .$if(!again, (query) => query.where('known.struct_id', 'is', null))
        .$if(ids !== undefined, (query) => query.where('structure.struct_id', '=', anyOf(ids ?? [], 'int'))),
    )
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  return Number(numInsertedOrUpdatedRows);
}

/** Removes the tasks, except one that is being calculated. @returns the number of removed tasks */
export async function dropPotentialTasks(db: Db): Promise<number> {
  const free = db.selectFrom('potential_task').select('struct_id').forUpdate().skipLocked();
  const { numDeletedRows } = await db
    .deleteFrom('potential_task')
    .where('struct_id', 'in', free)
    .executeTakeFirstOrThrow();
  return Number(numDeletedRows);
}

export const countPotentialTasks = async (db: Db): Promise<number> =>
  (
    await db
      .selectFrom('potential_task')
      .select(sql<number>`count(*)::int`.as('count'))
      .executeTakeFirstOrThrow()
  ).count;

/**
 * Waits while users' predictions are queued or running. Submissions without a chosen method count as
 * predictions unless a worker with a first-principles program is running.
 */
async function letPeopleFirst(db: Db, signal: AbortSignal): Promise<void> {
  const people = db
    .selectFrom('submission')
    .select('id')
    .where('status', 'in', ['queued', 'running'])
    .where((is) =>
      is.or([
        is('method', '=', 'prediction'),
        is.and([
          is('method', '=', ''),
          is.not(
            is.exists(
              is
                .selectFrom('run4u_worker')
                .select('run4u_worker.id')
                .where('engine', '<>', BUILT_IN_ENGINE)
                .where('seen_at', '>', fromNow(-WORKER_SECONDS)),
            ),
          ),
        ]),
      ]),
    )
    .limit(1);
  while ((await people.executeTakeFirst()) !== undefined)
    await sleep(YIELD_MILLISECONDS, undefined, { signal });
}

const VALUES = [
  'model',
  'max_force',
  'volume_change',
  'bulk_modulus',
  'shear_modulus',
  'debye_temperature',
  'lowest_frequency',
  'heat_capacity',
  'details',
  'refusal',
  'seconds',
] as const;
const COLUMNS = ['struct_id', ...VALUES] as const;

/** @returns false when the structure was replaced during the calculation; nothing is stored then */
async function store(
  tx: Db,
  { structId, read }: { readonly structId: number; readonly read: string },
  values: DerivedValues & { readonly seconds: number },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows = 0n } = await tx
    .insertInto('potential_prediction')
    .columns(COLUMNS)
    .expression(({ selectFrom }) =>
      selectFrom(batch('made', 'potential_prediction', [{ struct_id: structId, ...values }]))
        .innerJoin('material_structure as structure', 'structure.struct_id', 'made.struct_id')
        .where(rowVersion('structure'), '=', read)
        .select(COLUMNS.map((column) => `made.${column}` as const)),
    )
    .onConflict((conflict) =>
      conflict.column('struct_id').doUpdateSet(({ ref }) => ({
        ...Object.fromEntries(VALUES.map((name) => [name, ref(`excluded.${name}`)])),
        made_at: now,
      })),
    )
    .executeTakeFirstOrThrow();
  return numInsertedOrUpdatedRows > 0n;
}

export interface DerivePotentialOptions {
  readonly db: Db;
  readonly thread: PotentialThread;
  readonly signal: AbortSignal;
  /** Called with errors that neither the crystal nor a time or cost limit explains. */
  readonly onFault?: (error: unknown) => void;
}

/**
 * An unexpected error of the calculation is returned as a refusal, so that the other materials are still
 * calculated.
 * @throws the abort reason of the signal; ScienceError `model-file`; TaskRefused when the threads are closing
 */
async function calculate(
  { thread: potential, signal, onFault }: DerivePotentialOptions,
  cells: DeriveRequest,
): Promise<DerivedValues> {
  try {
    return await potential.run('derivePotential', cells, { owner: '', signal });
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ScienceError && error.code === 'model-file') throw error;
    if (!(error instanceof TaskRefused)) onFault?.(error);
    else if (error.reason !== 'too-costly') throw error;
    return { ...NO_VALUES, refusal: error instanceof TaskRefused ? error.reason : 'failed' };
  }
}

/** Processes the first task that no other worker has locked. @returns whether there was a task */
function deriveNext(options: DerivePotentialOptions): Promise<boolean> {
  return options.db.transaction().execute(async (tx) => {
    const task = await firstFree(
      tx.selectFrom('potential_task').select('struct_id as structId').orderBy('struct_id'),
    ).executeTakeFirst();
    if (!task) return false;
    const crystal = await tx
      .selectFrom('material_structure as structure')
      .select(['structure.struct_id as structId', 'given', 'primitive', rowVersion('structure').as('read')])
      .where('struct_id', '=', task.structId)
      .executeTakeFirst();
    if (crystal) {
      const begun = performance.now();
      const values = await calculate(options, crystal);
      const seconds = Math.round(performance.now() - begun) / 1000;
      // If the structure was replaced during the calculation, the task stays.
      if (!(await store(tx, crystal, { ...values, seconds }))) return true;
    }
    await tx.deleteFrom('potential_task').where('struct_id', '=', task.structId).execute();
    return true;
  });
}

/**
 * Processes tasks until none is left. @param onProgress called after each material with the number of
 * materials done by this call and the number of tasks left
 * @returns the number of materials calculated
 */
export async function derivePotential(
  options: DerivePotentialOptions & { readonly onProgress?: (done: number, left: number) => void },
): Promise<number> {
  const { db, signal, onProgress } = options;
  let done = 0;
  try {
    for (;;) {
      signal.throwIfAborted();
      await letPeopleFirst(db, signal);
      if (!(await deriveNext(options))) return done;
      if (++done % ANNOUNCED === 0) await announceCatalogueChange(db);
      if (onProgress) onProgress(done, await countPotentialTasks(db));
    }
  } finally {
    if (done % ANNOUNCED !== 0) await announceCatalogueChange(db).catch(() => undefined);
  }
}
