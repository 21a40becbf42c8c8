import { rederiveCatalogue, renewCells } from '@unitcell/contract';
import type { Database } from '../infra/database.ts';
import { handles, type JobQueue, type JobRegistration } from '../infra/queue.ts';
import { isCellUpgradeDue, rebuildCells } from './derive/rebuild-cells.service.ts';
import { rederiveAll } from './derive/rederive-catalogue.ts';
import { openCatalogueThreads } from './open-catalogue-threads.ts';

export function catalogueJobs(database: Database): JobRegistration[] {
  return [
    handles(rederiveCatalogue, async (_payload, { signal, log, progress }) => {
      const report = await rederiveAll(database, {
        signal,
        onProgress: (done, total) => void progress(done / total),
      });
      log.info({ report }, report ? 'catalogue derived' : 'another process is deriving the catalogue');
    }),
    handles(renewCells, async (_payload, { signal, log, progress }) => {
      if (!(await isCellUpgradeDue(database))) return;
      const threads = openCatalogueThreads();
      try {
        const { renewed, left } = await rebuildCells(database, threads, {
          signal,
          onProgress(done, total) {
            if (done === total || done % 10_000 === 0) log.info({ done, total }, 'cells of an older version');
            void progress(done / total);
          },
        });
        log.info({ renewed, left }, 'cells of an older version are in the settings of today');
      } finally {
        await threads.close();
      }
    }),
  ];
}

/** Starts what a crash, an import or an upgrade left to do; the jobs find nothing when there is nothing. */
export async function resumeCatalogueJobs(queue: JobQueue): Promise<void> {
  await queue.enqueue(rederiveCatalogue, {}, { jobId: 'catalogue-rederive-at-boot' });
  await queue.enqueue(renewCells, {}, { jobId: 'catalogue-renew-cells-at-boot' });
}
