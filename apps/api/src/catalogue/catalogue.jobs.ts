import {
  derivePotential,
  shareCatalogueWork,
  predictMaterials,
  rederiveCatalogue,
  migrateMaterials,
} from '@unitcell/contract/jobs';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { type CatalogueCaches, openCatalogueCaches } from '../infra/catalogue-cache.ts';
import type { Database } from '../infra/database.ts';
import { handles, type JobQueue, type JobRegistration } from '../infra/queue.ts';
import { doNext, type DoTask, type PieceKind, workProgress } from '../infra/work-rows.ts';
import {
  addPotentialTasks,
  countPotentialTasks,
  derivePotential as deriveByPotential,
  openPotentialThread,
} from './derive/derive-potential.ts';
import { withWorkers } from './derive/derive-in-parallel.ts';
import { hullPieces, HULLS } from './derive/hull-pieces.ts';
import { hullRepository } from './derive/hull.repository.ts';
import { predictMaterials as predictAll } from './derive/predict-materials.ts';
import {
  deriveLater,
  electrodesInThreads,
  rederiveAll,
  windowsInThreads,
  workInThreads,
} from './derive/rederive-catalogue.ts';
import { electrodePieces, ELECTRODES } from './derive/rederive-electrodes.ts';
import { windowPieces, WINDOWS } from './derive/window-pieces.ts';
import { standardisePiece } from './import/standardise-in-parallel.ts';
import { openCatalogueThreads } from './open-catalogue-threads.ts';
import { type DataMigrationReport, migrateMaterials as migrate } from './data-migrations/migrate.ts';
import { DATA_MIGRATIONS } from './data-migrations/migrations.ts';

/** Pause before new materials are predicted, so that one job predicts several batches of an import. */
const GATHER_SECONDS = 5;
/** Name of the job. Only one worker runs it at a time, and it calculates one material at a time. */
const POTENTIAL_JOB = 'catalogue-potential';

export function catalogueJobs(
  database: Database,
  queue: Pick<JobQueue, 'enqueue'>,
  { home, derivesPotential }: Pick<Config, 'home' | 'derivesPotential'>,
): JobRegistration[] {
  const help = processCatalogueWork(database);
  return [
    handles(shareCatalogueWork, async ({ kind }, { signal, log }) => {
      const pieces = await help(kind, signal);
      if (pieces > 0) log.info({ kind, pieces }, 'took part in an import or derivation');
    }),
    handles(rederiveCatalogue, async (_payload, { signal, log, progress }) => {
      const shown = workProgress(database.db, 'derive');
      const threads = openCatalogueThreads();
      try {
        const report = await rederiveAll(database, {
          ...workInThreads(threads),
          signal,
          distribute: withWorkers(database, queue),
          onProgress(done, total) {
            shown.note('', done, total);
            progress(done / total);
          },
        });
        log.info({ report }, report ? 'catalogue derived' : 'another process is deriving the catalogue');
        if (report === null) await deriveLater(queue);
      } finally {
        await threads.close();
        await shown.end();
      }
    }),
    handles(migrateMaterials, async (_payload, { signal, log, progress }) => {
      const threads = openCatalogueThreads();
      const migrated: DataMigrationReport[] = [];
      try {
        for (const migration of DATA_MIGRATIONS) {
          const report = await migrate(database, threads, migration, {
            signal,
            onProgress(done, total) {
              if (done === total || done % 10_000 === 0)
                log.info({ done, total }, `migrating ${migration.kind} from an older version`);
              progress(done / total);
            },
          });
          if (report) migrated.push(report);
        }
        if (migrated.length > 0) log.info({ migrated }, 'data migration finished');
      } finally {
        await threads.close();
      }
    }),
    handles(predictMaterials, async (_payload, { signal, log, progress }) => {
      const threads = openCatalogueThreads();
      try {
        const report = await predictAll({
          database,
          threads,
          home,
          signal,
          onProgress: (done, total) => progress(done / Math.max(1, total)),
        });
        if (report.predicted > 0) log.info(report, 'materials predicted');
      } finally {
        await threads.close();
      }
    }),
    handles(derivePotential, async (_payload, { signal, log, progress }) => {
      const { db } = database;
      if (derivesPotential) await addPotentialTasks(db);
      if ((await countPotentialTasks(db)) === 0) return;
      const potential = openPotentialThread();
      const shown = workProgress(db, 'potential');
      try {
        const materials = await deriveByPotential({
          db,
          thread: potential.thread,
          signal,
          onFault: (error) =>
            log.error({ err: error }, 'a material could not be calculated by the potential'),
          onProgress(done, left) {
            shown.note('', done, done + left);
            progress(done / (done + left));
          },
        });
        log.info({ materials }, 'values of the interatomic potential derived');
      } finally {
        await shown.end();
        await potential.close();
      }
    }),
  ];
}

/** Enqueues predictions after new materials arrive or another model is chosen. */
export async function followCatalogue(
  { databaseUrl, derivesPotential }: Pick<Config, 'databaseUrl' | 'derivesPotential'>,
  queue: JobQueue,
  log: Logger,
): Promise<CatalogueCaches> {
  const follower = await openCatalogueCaches(databaseUrl, (error) =>
    log.error({ err: error }, 'catalogue listener lost'),
  );
  const enqueue = (job: typeof predictMaterials, changeId: string): void =>
    void queue
      .enqueue(job, {}, { changeId, delaySeconds: GATHER_SECONDS })
      .catch((error: unknown) =>
        log.warn({ err: error, job: job.name }, 'job not queued: the next change will queue it'),
      );
  follower.onChange(() => {
    enqueue(predictMaterials, 'catalogue-predict');
    if (derivesPotential) enqueue(derivePotential, POTENTIAL_JOB);
  });
  return follower;
}

/** Wakes a worker to process the tasks of the interatomic potential. */
export const enqueuePotential = (queue: Pick<JobQueue, 'enqueue'>): Promise<void> =>
  queue.enqueue(derivePotential, {}, { changeId: POTENTIAL_JOB });

/**
 * Enqueues the jobs that finish work left by a crash, an import or an upgrade. The jobs end at once if there
 * is nothing to do.
 */
export async function resumeCatalogueJobs(queue: JobQueue): Promise<void> {
  await queue.enqueue(rederiveCatalogue, {}, { jobId: 'catalogue-rederive-at-boot' });
  await queue.enqueue(migrateMaterials, {}, { jobId: 'catalogue-renew-at-boot' });
  await queue.enqueue(predictMaterials, {}, { changeId: 'catalogue-predict' });
  await enqueuePotential(queue);
}

/** Helps other processes: processes shared pieces of work of one kind until none is left. */
export function processCatalogueWork(database: Pick<Database, 'db' | 'pool'>) {
  const hulls = hullRepository(database);

  async function helpOnce(kind: PieceKind, signal: AbortSignal): Promise<number> {
    let done = 0;
    const doAll = async <Input extends object, Result extends object>(
      doTask: DoTask<Input, Result>,
    ): Promise<void> => {
      // In sequence, because only the end of a piece shows whether another follows.
      // oxlint-disable-next-line no-await-in-loop
      while (!signal.aborted && (await doNext(database.db, kind, doTask))) done++;
    };
    if (kind === HULLS) {
      await doAll(hullPieces(hulls));
      return done;
    }
    const threads = openCatalogueThreads();
    try {
      if (kind === ELECTRODES) await doAll(electrodePieces(database, electrodesInThreads(threads)));
      else if (kind === WINDOWS) await doAll(windowPieces(database, hulls, windowsInThreads(threads)));
      else await Promise.all(Array.from({ length: threads.size }, () => doAll(standardisePiece(threads))));
    } finally {
      await threads.close();
    }
    return done;
  }

  /** A process runs one helper per kind. A call during its run makes it search for pieces once more. */
  const helping = new Map<PieceKind, { isCalledAgain: boolean }>();
  /** @returns the number of pieces done */
  return async (kind: PieceKind, signal: AbortSignal): Promise<number> => {
    const other = helping.get(kind);
    if (other) {
      other.isCalledAgain = true;
      return 0;
    }
    const own = { isCalledAgain: true };
    helping.set(kind, own);
    let done = 0;
    try {
      while (own.isCalledAgain && !signal.aborted) {
        own.isCalledAgain = false;
        // oxlint-disable-next-line no-await-in-loop
        done += await helpOnce(kind, signal);
      }
    } finally {
      helping.delete(kind);
    }
    return done;
  };
}
