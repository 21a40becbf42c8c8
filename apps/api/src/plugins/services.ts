/** What every feature may build on. app.ts makes it once; a feature takes what it needs. */
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { ThreadPool } from '../threads/thread-pool.ts';
import type { CatalogueCaches } from './catalogue-cache.ts';
import type { Database } from './database.ts';
import type { PhaseEntries } from './phase-entries.ts';
import type { JobQueue } from './queue.ts';

export interface Services {
  readonly config: Config;
  readonly log: Logger;
  readonly database: Database;
  readonly queue: JobQueue;
  /** Caches that live as long as the catalogue stays as it is. */
  readonly catalogueCaches: CatalogueCaches;
  /** Threads of crystal.thread.ts: single calculations somebody waits for. */
  readonly crystalThreads: ThreadPool;
  /** Threads of phase.thread.ts: phase diagrams and what stands on them. */
  readonly phaseThreads: ThreadPool;
  readonly phaseEntries: PhaseEntries;
}
