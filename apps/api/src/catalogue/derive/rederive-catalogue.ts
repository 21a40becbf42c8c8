/** Derives the data of the catalogue: first hulls, then the windows that depend on them. */
import type { Database } from '../../infra/database.ts';
import type { CatalogueThreads } from '../open-catalogue-threads.ts';
import type { WindowWork } from './derive-windows.ts';
import { hullRepository } from './hull.repository.ts';
import { type RederiveOptions, type RederiveReport, rederiveHulls } from './rederive-hulls.ts';
import { rederiveWindows, type WindowReport } from './rederive-windows.ts';

export interface CatalogueReport {
  readonly hulls: readonly RederiveReport[];
  readonly windows: readonly WindowReport[];
}

export const windowsInThreads =
  (threads: Pick<CatalogueThreads, 'run'>): WindowWork =>
  (request) =>
    threads.run('deriveWindows', request);

/**
 * Derives everything that is marked. Returns null if another process holds the lock, because that process also
 * derives these marks.
 */
export async function rederiveAll(
  database: Pick<Database, 'db' | 'pool'>,
  { work, ...options }: RederiveOptions & { readonly work?: WindowWork } = {},
): Promise<CatalogueReport | null> {
  const repository = hullRepository(database);
  const hulls = await rederiveHulls(repository).run(options);
  if (hulls === null) return null;
  const windows = await rederiveWindows(database, repository, work).run(options);
  return windows === null ? null : { hulls, windows };
}
