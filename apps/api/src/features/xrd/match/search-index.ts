/** One search of the index, shared out over the threads. */
import { openPatternIndex, type PatternQuery, type SearchHit } from '@unitcell/diffraction';
import type { MatchWay } from '@unitcell/contract';
import type { Door, ThreadPool } from '../../../infra/thread-pool.ts';
import type { Ticket } from './match-queue.ts';
import type { SearchRequest } from './search-part.ts';
import type * as xrdThread from '../xrd.thread.ts';

/** Candidates below which a second thread costs more than it saves. */
const WORTH_A_THREAD = 2_000;
/** Candidates between two counted steps (see CHUNK of searchPatterns). */
const STEP = 512;

/** The threads of the search, which share out one match. */
export type MatchThreads = Door<typeof xrdThread> & Pick<ThreadPool, 'size'>;

export interface IndexSearch {
  readonly index: SharedArrayBuffer;
  readonly query: PatternQuery;
  readonly method: MatchWay;
  readonly top: number;
  readonly maxStrain: number;
  /** Positions, rising; all when null. */
  readonly candidates: Uint32Array | null;
}

/**
 * The nearest materials, nearest first; the same whatever the number of threads.
 * @throws AppError xrd.cancelled
 */
export async function searchIndex(
  threads: MatchThreads,
  ticket: Ticket,
  { candidates, ...search }: IndexSearch,
): Promise<SearchHit[]> {
  const size = candidates?.length ?? openPatternIndex(search.index).count;
  const parts = Math.max(1, Math.min(threads.size, Math.floor(size / WORTH_A_THREAD)));
  const bounds = Array.from({ length: parts + 1 }, (_, i) => Math.floor((size * i) / parts));
  const ranges = bounds.slice(1).map((to, i): [number, number] => [bounds[i]!, to]);
  const passes = search.method === 'DTW' ? 2 : 1;
  ticket.steps = ranges.reduce((sum, [from, to]) => sum + passes * Math.ceil((to - from) / STEP), 0);
  ticket.state = 'running';
  const found = await Promise.all(
    ranges.map(async (range) => {
      const request: SearchRequest = {
        ...search,
        control: ticket.control,
        range,
        ...(candidates ? { candidates } : {}),
      };
      return await threads.run('searchPart', request);
    }),
  );
  return found
    .flat()
    .sort((a, b) => a.distance - b.distance || a.position - b.position)
    .slice(0, search.top);
}
