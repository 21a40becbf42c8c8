/** Threads that standardise imported materials and make their patterns. */
import { type ThreadHandle, openThreadPool, type ThreadPool } from '../infra/thread-pool.ts';
import type * as catalogueThread from './catalogue.thread.ts';

export type CatalogueThreads = ThreadHandle<typeof catalogueThread> & Pick<ThreadPool, 'size' | 'close'>;

/** A batch takes seconds; after this time it counts as hung. */
const BATCH_SECONDS = 900;

export function openCatalogueThreads(size?: number): CatalogueThreads {
  // Every run opens its own threads. They stay open between the parts of the run and close at its end.
  const pool = openThreadPool({
    isKeptWarm: true,
    taskSeconds: BATCH_SECONDS,
    ...(size === undefined ? {} : { size }),
  });
  const handle = pool.open<typeof catalogueThread>(new URL('./catalogue.thread.ts', import.meta.url));
  return { ...handle, size: pool.size, close: pool.close };
}
