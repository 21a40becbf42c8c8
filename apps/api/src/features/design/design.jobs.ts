/** Design, the side of the workers: what is composed in worker.ts. */
import { runDesign } from '@unitcell/contract';
import type { Config } from '../../config/config.ts';
import { requireModel } from '../../domain/prediction/models.ts';
import { phaseEntries } from '../../domain/thermodynamics/phase-entries.ts';
import { phaseEntriesRepository } from '../../domain/thermodynamics/phase-entries.repository.ts';
import type { CatalogueCaches } from '../../infra/catalogue-cache.ts';
import type { Database } from '../../infra/database.ts';
import { handles, type JobRegistration } from '../../infra/queue.ts';
import { openThreadPool } from '../../infra/thread-pool.ts';
import { AppError } from '../../messages/app-error.ts';
import { designRepository } from './design.repository.ts';
import type * as designThread from './design.thread.ts';
import { runDesignWith } from './run-design.ts';

/** A task of a search takes seconds; one that takes this long never ends. */
const TASK_SECONDS = 120;

export interface DesignJobsOptions {
  readonly config: Config;
  readonly database: Database;
  readonly caches: CatalogueCaches;
}

export function designJobs({ config, database, caches }: DesignJobsOptions): JobRegistration[] {
  const repository = designRepository(database);
  const entries = phaseEntries(phaseEntriesRepository(database), caches, config.defaultFunctional);
  return [
    handles(runDesign, async ({ runId }, { signal, log }) => {
      const run = await repository.byId(runId, null);
      if (run === null) return;
      const pool = openThreadPool({ taskSeconds: TASK_SECONDS });
      try {
        const model = await requireModel(database, config.home);
        if (!(await repository.begin(runId, model.name))) return;
        const door = pool.open<typeof designThread>(new URL('./design.thread.ts', import.meta.url));
        const search = runDesignWith({
          repository,
          entries,
          threads: { ...door, size: pool.size },
          model,
          signal,
        });
        await search(runId, run.request);
      } catch (error) {
        // A worker that stops leaves the search to another; everything else ends it, with a sentence.
        if (signal.aborted) throw error;
        const told = error instanceof AppError;
        if (!told) log.error({ err: error, runId }, 'search for new compounds failed');
        await repository.fail(runId, told ? error.code : 'design.failed');
      } finally {
        await pool.close();
      }
    }),
  ];
}
