import { rederiveCatalogue } from '@unitcell/contract';
import type { Database } from '../../plugins/database.ts';
import { handles, type JobRegistration } from '../../plugins/queue.ts';
import { hullRepository } from './hull.repository.ts';
import { rederiveHulls } from './rederive-hulls.service.ts';

export function catalogueJobs(database: Database): JobRegistration[] {
  const hulls = rederiveHulls(hullRepository(database));
  return [
    handles(rederiveCatalogue, async (_payload, { signal, log, progress }) => {
      const reports = await hulls.run({ signal, onProgress: (done, total) => void progress(done / total) });
      log.info({ reports }, reports ? 'catalogue derived' : 'another process is deriving the catalogue');
    }),
  ];
}
