import { rederiveCatalogue } from '@unitcell/contract';
import type { Database } from '../infra/database.ts';
import { handles, type JobRegistration } from '../infra/queue.ts';
import { rederiveAll } from './derive/rederive-catalogue.ts';

export function catalogueJobs(database: Database): JobRegistration[] {
  return [
    handles(rederiveCatalogue, async (_payload, { signal, log, progress }) => {
      const report = await rederiveAll(database, {
        signal,
        onProgress: (done, total) => void progress(done / total),
      });
      log.info({ report }, report ? 'catalogue derived' : 'another process is deriving the catalogue');
    }),
  ];
}
