import { rederiveCatalogue, renewMaterials } from '@unitcell/contract';
import type { Database } from '../infra/database.ts';
import { handles, type JobQueue, type JobRegistration } from '../infra/queue.ts';
import { rederiveAll } from './derive/rederive-catalogue.ts';
import { openCatalogueThreads } from './open-catalogue-threads.ts';
import { type RenewalReport, renewMaterials as renew } from './renew/renewal.ts';
import { RENEWALS } from './renew/renewals.ts';

export function catalogueJobs(database: Database): JobRegistration[] {
  return [
    handles(rederiveCatalogue, async (_payload, { signal, log, progress }) => {
      const report = await rederiveAll(database, {
        signal,
        onProgress: (done, total) => void progress(done / total),
      });
      log.info({ report }, report ? 'catalogue derived' : 'another process is deriving the catalogue');
    }),
    handles(renewMaterials, async (_payload, { signal, log, progress }) => {
      const threads = openCatalogueThreads();
      const renewed: RenewalReport[] = [];
      try {
        for (const renewal of RENEWALS) {
          const report = await renew(database, threads, renewal, {
            signal,
            onProgress(done, total) {
              if (done === total || done % 10_000 === 0)
                log.info({ done, total }, `${renewal.kind} of an older version`);
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
  ];
}

/** Starts what a crash, an import or an upgrade left to do; the jobs find nothing when there is nothing. */
export async function resumeCatalogueJobs(queue: JobQueue): Promise<void> {
  await queue.enqueue(rederiveCatalogue, {}, { jobId: 'catalogue-rederive-at-boot' });
  await queue.enqueue(renewMaterials, {}, { jobId: 'catalogue-renew-at-boot' });
}
