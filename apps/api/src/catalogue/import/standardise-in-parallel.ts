/** Distributes the batches of an import over several workers. */
import { deserialize, serialize } from 'node:v8';
import { shareCatalogueWork } from '@unitcell/contract/jobs';
import type { Database } from '../../infra/database.ts';
import type { JobQueue } from '../../infra/queue.ts';
import { type DoTask, openSharedLine } from '../../infra/work-rows.ts';
import type { CatalogueThreads } from '../open-catalogue-threads.ts';
import type { StandardiseRequest, UnitOutcome } from './standardise-units.ts';

/** Name of this kind of work in the table of work pieces. */
const STANDARDISE = 'standardise';
/** Batches offered to other workers at once: enough for a few machines while earlier batches are stored. */
const BATCHES_OFFERED = 24;
/** Batches between two calls for helpers. Calls are repeated because a helper ends when it finds no work. */
const CALLED_EACH = 12;

/** Packs results for JSON, which cannot contain bytes such as patterns and hashes. */
interface Packed {
  readonly packed: string;
}

export const standardisePiece =
  (threads: CatalogueThreads): DoTask<StandardiseRequest, Packed> =>
  async (request) => ({
    packed: serialize(await threads.run('standardiseUnits', request)).toString('base64'),
  });

const unpack = ({ packed }: Packed): UnitOutcome[] =>
  deserialize(Buffer.from(packed, 'base64')) as UnitOutcome[];

/** How the batches of an import are standardised. */
export interface Standardiser {
  readonly standardise: (request: StandardiseRequest) => Promise<UnitOutcome[]>;
  /** Batches in progress at once. */
  readonly atOnce: number;
}

/** Batches queued in addition to those in the threads. */
const BATCHES_AHEAD = 2;

export const ownThreads = (threads: CatalogueThreads): Standardiser => ({
  standardise: (request) => threads.run('standardiseUnits', request),
  atOnce: threads.size + BATCHES_AHEAD,
});

export async function threadsAndWorkers(
  { db }: Pick<Database, 'db'>,
  threads: CatalogueThreads,
  queue: Pick<JobQueue, 'enqueue'>,
): Promise<Standardiser> {
  const offer = await openSharedLine(db, STANDARDISE, standardisePiece(threads), threads.size);
  let offered = 0;
  return {
    atOnce: threads.size + BATCHES_OFFERED,
    async standardise(request) {
      const outcomes = offer(request);
      // Errors are handled below, after the call for helpers.
      outcomes.catch(() => undefined);
      if (offered++ % CALLED_EACH === 0) await queue.enqueue(shareCatalogueWork, { kind: STANDARDISE });
      return unpack(await outcomes);
    },
  };
}
