/** What every feature may build on. app.ts makes it once; a feature takes what it needs. */
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { ThreadPool } from '../threads/thread-pool.ts';
import type { Database } from './database.ts';
import type { JobQueue } from './queue.ts';

export interface Services {
  readonly config: Config;
  readonly log: Logger;
  readonly database: Database;
  readonly queue: JobQueue;
  /** Threads of crystal.thread.ts: single calculations somebody waits for. */
  readonly crystalThreads: ThreadPool;
}
