import { helpCatalogue, predictMaterials, rederiveCatalogue, renewMaterials } from '@unitcell/contract/jobs';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { type CatalogueCaches, openCatalogueCaches } from '../infra/catalogue-cache.ts';
import type { Database } from '../infra/database.ts';
import { handles, type JobQueue, type JobRegistration } from '../infra/queue.ts';
import { doNext, type DoTask, type PieceKind, workProgress } from '../infra/work-rows.ts';
import { type DataMigrationReport, renewMaterials as renew } from './data-migrations/migrate.ts';
import { DATA_MIGRATIONS } from './data-migrations/migrations.ts';
import { hullPieces, HULLS } from './derive/hull-pieces.ts';
import { hullRepository } from './derive/hull.repository.ts';
import { predictMaterials as predictAll } from './derive/predict-materials.ts';
import { rederiveAll, windowsInThreads } from './derive/rederive-catalogue.ts';
import { withWorkers } from './derive/rederive-hulls.ts';
import { windowPieces, WINDOWS } from './derive/window-pieces.ts';
import { standardisePiece } from './import/standardise-together.ts';
import { openCatalogueThreads } from './open-catalogue-threads.ts';

/** An import announces every batch. Waiting this long lets one job predict several batches. */
const GATHER_SECONDS = 5;

export function catalogueJobs(
  database: Database,
  queue: Pick<JobQueue, 'enqueue'>,
  { home }: Pick<Config, 'home'>,
): JobRegistration[] {
  const help = catalogueHelp(database);
  return [
    handles(helpCatalogue, async ({ kind }, { signal, log }) => {
      const pieces = await help(kind, signal);
      if (pieces > 0) log.info({ kind, pieces }, 'helped with an import or a derivation');
    }),
    handles(rederiveCatalogue, async (_payload, { signal, log, progress }) => {
      const shown = workProgress(database.db, 'derive');
      try {
        const report = await rederiveAll(database, {
          signal,
          distribute: withWorkers(database, queue),
          onProgress(done, total) {
            shown.note('', done, total);
            void progress(done / total);
          },
        });
        log.info({ report }, report ? 'catalogue derived' : 'another process is deriving the catalogue');
      } finally {
        await shown.end();
      }
    }),
    handles(renewMaterials, async (_payload, { signal, log, progress }) => {
      const threads = openCatalogueThreads();
      const renewed: DataMigrationReport[] = [];
      try {
        for (const migration of DATA_MIGRATIONS) {
          const report = await renew(database, threads, migration, {
            signal,
            onProgress(done, total) {
              if (done === total || done % 10_000 === 0)
                log.info({ done, total }, `${migration.kind} of an older version`);
              void progress(done / total);
            },
          });
          if (report) renewed.push(report);
        }
        if (renewed.length > 0) log.info({ renewed }, 'what an older version stored is in the form of today');
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
          onProgress: (done, total) => void progress(done / Math.max(1, total)),
        });
        if (report.predicted > 0) log.info(report, 'materials predicted');
      } finally {
        await threads.close();
      }
    }),
  ];
}

/** Enqueues predictions after new materials arrive or another model is chosen. */
export async function followCatalogue(
  { databaseUrl }: Pick<Config, 'databaseUrl'>,
  queue: JobQueue,
  log: Logger,
): Promise<CatalogueCaches> {
  const follower = await openCatalogueCaches(databaseUrl, (error) =>
    log.error({ err: error }, 'catalogue listener lost'),
  );
  follower.onChange(() => {
    queue
      .enqueue(predictMaterials, {}, { jobId: 'catalogue-predict', delaySeconds: GATHER_SECONDS })
      .catch((error: unknown) => log.warn({ err: error }, 'prediction not queued: the next change does it'));
  });
  return follower;
}

/**
 * Resumes what a crash, an import or an upgrade left undone. The jobs end at once if there is nothing to do.
 */
export async function resumeCatalogueJobs(queue: JobQueue): Promise<void> {
  await queue.enqueue(rederiveCatalogue, {}, { jobId: 'catalogue-rederive-at-boot' });
  await queue.enqueue(renewMaterials, {}, { jobId: 'catalogue-renew-at-boot' });
  await queue.enqueue(predictMaterials, {}, { jobId: 'catalogue-predict' });
}

/** Processes shared pieces of a kind until none is left. */
export function catalogueHelp(database: Pick<Database, 'db' | 'pool'>) {
  const hulls = hullRepository(database);

  async function helpOnce(kind: PieceKind, signal: AbortSignal): Promise<number> {
    let done = 0;
    const doAll = async <Input extends object, Result extends object>(
      doTask: DoTask<Input, Result>,
    ): Promise<void> => {
      // In sequence: every piece may be the last.
      // oxlint-disable-next-line no-await-in-loop
      while (!signal.aborted && (await doNext(database.db, kind, doTask))) done++;
    };
    if (kind === HULLS) {
      await doAll(hullPieces(hulls));
      return done;
    }
    const threads = openCatalogueThreads();
    try {
      if (kind === WINDOWS) await doAll(windowPieces(database, hulls, windowsInThreads(threads)));
      else await Promise.all(Array.from({ length: threads.size }, () => doAll(standardisePiece(threads))));
    } finally {
      await threads.close();
    }
    return done;
  }

  /** A process runs one helper per kind. A call while the helper runs makes it look for pieces once more. */
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
