/** Design in the worker; worker.ts registers it. */
import type { DesignStatus } from '@unitcell/contract/design';
import { runDesign } from '@unitcell/contract/jobs';
import type { Config } from '../../config/config.ts';
import { requireModel } from '../../domain/prediction/models.ts';
import { phaseEntries } from '../../domain/thermodynamics/phase-entries.ts';
import type { CatalogueCaches } from '../../infra/catalogue-cache.ts';
import type { Database, Db } from '../../infra/database.ts';
import { handles, type JobQueue, type JobRegistration } from '../../infra/queue.ts';
import { json, now } from '../../infra/sql.ts';
import { openThreadPool } from '../../infra/thread-pool.ts';
import { AppError } from '../../messages/app-error.ts';
import type * as designThread from './design.thread.ts';
import { type DesignResult, designSearch } from './run-design.ts';

/** A search task takes seconds; after this time it counts as hung. */
const TASK_SECONDS = 120;

const COLUMNS = [
  'id',
  'account_id as accountId',
  'request',
  'status',
  'progress',
  'counts',
  'model',
  'reason',
  'reason_parameters as reasonParameters',
  'created_at as createdAt',
  'finished_at as finishedAt',
] as const;

/** A search that has not ended. */
export const OPEN_STATES = ['queued', 'running'] as const satisfies readonly DesignStatus[];

/** Queues a search. The same search is queued once. */
export const enqueueDesign = (queue: Pick<JobQueue, 'enqueue'>, runId: number): Promise<void> =>
  queue.enqueue(runDesign, { runId }, { jobId: jobIdOf(runId) });

/** Queues all unfinished searches again: their jobs may have been lost with the queue or a worker. */
export async function resumeDesigns(db: Db, queue: Pick<JobQueue, 'enqueue'>): Promise<void> {
  const open = await db.selectFrom('design_run').select('id').where('status', 'in', OPEN_STATES).execute();
  for (const { id } of open) await enqueueDesign(queue, id);
}

export const jobIdOf = (id: number): string => `design-${id}`;

export const storedRuns = (db: Db) => db.selectFrom('design_run').select(COLUMNS);
export type DesignRunRow = Awaited<ReturnType<ReturnType<typeof storedRuns>['executeTakeFirstOrThrow']>>;

const isTimeOut = (reason: unknown): boolean => reason instanceof Error && reason.name === 'TimeoutError';

interface DesignJobsOptions {
  readonly config: Config;
  readonly database: Database;
  readonly caches: CatalogueCaches;
}

export function designJobs({ config, database, caches }: DesignJobsOptions): JobRegistration[] {
  const { db, readDb } = database;
  const entries = phaseEntries(database, caches, config.defaultFunctional);

  /** Starts a search, or continues one that another worker has left. @returns false when it has ended */
  async function begin(id: number, model: string): Promise<boolean> {
    const { numUpdatedRows } = await db
      .updateTable('design_run')
      .set({ status: 'running', model, progress: 0, started_at: now })
      .where('id', '=', id)
      .where('status', 'in', OPEN_STATES)
      .executeTakeFirst();
    return numUpdatedRows > 0n;
  }

  return [
    handles(runDesign, async ({ runId }, { signal, log }) => {
      const run = await storedRuns(db).where('id', '=', runId).executeTakeFirst();
      if (!run) return;
      const pool = openThreadPool({ taskSeconds: TASK_SECONDS });
      try {
        const model = await requireModel(database, config.home);
        if (!(await begin(runId, model.name))) return;
        const handle = pool.open<typeof designThread>(new URL('./design.thread.ts', import.meta.url));
        const search = designSearch({
          readDb,
          entries,
          threads: { ...handle, size: pool.size },
          model,
          signal,
          report: async (progress, counts) => {
            const { numUpdatedRows } = await db
              .updateTable('design_run')
              .set({ progress, counts: json(counts) })
              .where('id', '=', runId)
              .where('status', '=', 'running')
              .executeTakeFirst();
            return numUpdatedRows > 0n;
          },
        });
        const result = await search(run.request);
        if (result) await store(db, runId, result);
      } catch (error) {
        // If the worker stops, another one continues the search; any other error, including the time limit,
        // ends the search with a message.
        if (signal.aborted && !isTimeOut(signal.reason)) throw error;
        const isExpected = error instanceof AppError;
        if (!isExpected) log.error({ err: error, runId }, 'search for new compounds failed');
        await db
          .updateTable('design_run')
          .set({ status: 'failed', finished_at: now })
          .set(
            isExpected
              ? { reason: error.code, reason_parameters: json(error.parameters) }
              : { reason: 'design.failed' },
          )
          .where('id', '=', runId)
          .where('status', 'in', OPEN_STATES)
          .execute();
      } finally {
        await pool.close();
      }
    }),
  ];
}

/** Stores all results, or nothing if the search was cancelled meanwhile. */
async function store(db: Db, runId: number, { counts, found }: DesignResult): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('design_run')
      .set({ status: 'finished', progress: 1, counts: json(counts), finished_at: now })
      .where('id', '=', runId)
      .where('status', '=', 'running')
      .executeTakeFirst();
    if (numUpdatedRows === 0n || found.length === 0) return;
    await tx
      .insertInto('design_candidate')
      .values(
        found.map(({ candidate, cell }) => ({
          run_id: runId,
          rank: candidate.rank,
          candidate: json(candidate),
          cell: json(cell),
        })),
      )
      .execute();
  });
}
