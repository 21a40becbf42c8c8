/** Derives the data of the catalogue: first hulls, then the windows and electrodes that depend on them. */
import { rederiveCatalogue } from '@unitcell/contract/jobs';
import type { Database } from '../../infra/database.ts';
import type { JobQueue } from '../../infra/queue.ts';
import type { CatalogueThreads } from '../open-catalogue-threads.ts';
import type { ElectrodeWork } from './derive-electrodes.ts';
import type { WindowWork } from './derive-windows.ts';
import { hullRepository } from './hull.repository.ts';
import { type ElectrodeReport, rederiveElectrodes } from './rederive-electrodes.ts';
import { type RederiveOptions, type RederiveReport, rederiveHulls } from './rederive-hulls.ts';
import { rederiveWindows, type WindowReport } from './rederive-windows.ts';

export interface CatalogueReport {
  readonly hulls: readonly RederiveReport[];
  readonly windows: readonly WindowReport[];
  readonly electrodes: readonly ElectrodeReport[];
}

export const windowsInThreads =
  (threads: Pick<CatalogueThreads, 'run'>): WindowWork =>
  (request) =>
    threads.run('deriveWindows', request);

export const electrodesInThreads =
  (threads: Pick<CatalogueThreads, 'run'>): ElectrodeWork =>
  (hosts) =>
    threads.run('deriveElectrodes', hosts);

/** Where the slow parts run; by default in this thread. */
interface Work {
  readonly windowWork?: WindowWork;
  readonly electrodeWork?: ElectrodeWork;
}

export const workInThreads = (threads: Pick<CatalogueThreads, 'run'>): Work => ({
  windowWork: windowsInThreads(threads),
  electrodeWork: electrodesInThreads(threads),
});

const LATER_SECONDS = 10;

/**
 * Lets a worker derive later. A derivation that already runs in another process does not include marks set
 * after it began.
 */
export const deriveLater = (queue: Pick<JobQueue, 'enqueue'>): Promise<void> =>
  queue.enqueue(rederiveCatalogue, {}, { delaySeconds: LATER_SECONDS });

/**
 * Derives everything that is marked. Returns null if another process holds the lock. That process derives only the marks
 * that it found when it began: see `deriveLater`.
 */
export async function rederiveAll(
  database: Pick<Database, 'db' | 'pool'>,
  { windowWork, electrodeWork, ...options }: RederiveOptions & Work = {},
): Promise<CatalogueReport | null> {
  const repository = hullRepository(database);
  const hulls = await rederiveHulls(repository).run(options);
  if (hulls === null) return null;
  const windows = await rederiveWindows(database, repository, windowWork).run(options);
  if (windows === null) return null;
  const electrodes = await rederiveElectrodes(database, repository, electrodeWork).run(options);
  return electrodes === null ? null : { hulls, windows, electrodes };
}
