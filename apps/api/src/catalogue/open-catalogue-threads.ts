/** Threads that standardise imported materials and derive their patterns. */
import { type ThreadHandle, openThreadPool, type ThreadPool } from '../infra/thread-pool.ts';
import type * as catalogueThread from './catalogue.thread.ts';

export type CatalogueThreads = ThreadHandle<typeof catalogueThread> & Pick<ThreadPool, 'size' | 'close'>;

/** A batch takes seconds; one that takes this long never ends. */
const BATCH_SECONDS = 900;

export function openCatalogueThreads(size?: number): CatalogueThreads {
  const pool = openThreadPool({ taskSeconds: BATCH_SECONDS, ...(size === undefined ? {} : { size }) });
  const handle = pool.open<typeof catalogueThread>(new URL('./catalogue.thread.ts', import.meta.url));
  return { ...handle, size: pool.size, close: pool.close };
}
