/** One search of the index, divided among the threads. */
import { openPatternIndex, type PatternQuery, type SearchHit } from '@unitcell/diffraction';
import type { MatchWay } from '@unitcell/contract/xrd';
import type * as xrdThread from '../xrd.thread.ts';
import type { ThreadHandle, ThreadPool } from '../../../infra/thread-pool.ts';
import type { Match } from './match-queue.ts';
import { newControl, type SearchRequest, stepsDone, stopSearch } from './search-part.ts';

/** With fewer candidates a second thread takes more time than it saves. */
const WORTH_A_THREAD = 2_000;
/** Candidates between two counted steps (see CHUNK of searchPatterns). */
const STEP = 512;

/** Largest progress until the hits are reported. */
export const MOST_PROGRESS = 0.99;

/** The search threads, which share one match. */
export type MatchThreads = ThreadHandle<typeof xrdThread> & Pick<ThreadPool, 'size'>;

export interface IndexSearch {
  readonly index: SharedArrayBuffer;
  readonly query: PatternQuery;
  readonly method: MatchWay;
  readonly top: number;
  readonly maxStrain: number;
  /** Rising positions of the candidates; all when null. */
  readonly candidates: Uint32Array | null;
}

/**
 * The nearest materials, nearest first; independent of the number of threads.
 * @throws AppError xrd.cancelled
 */
export async function searchIndex(
  threads: MatchThreads,
  match: Pick<Match, 'signal' | 'status'>,
  { candidates, ...search }: IndexSearch,
): Promise<SearchHit[]> {
  const size = candidates?.length ?? openPatternIndex(search.index).count;
  const parts = Math.max(1, Math.min(threads.size, Math.floor(size / WORTH_A_THREAD)));
  const bounds = Array.from({ length: parts + 1 }, (_, i) => Math.floor((size * i) / parts));
  const ranges = bounds.slice(1).map((to, i): [number, number] => [bounds[i]!, to]);
  const passes = search.method === 'DTW' ? 2 : 1;
  const steps = ranges.reduce((sum, [from, to]) => sum + passes * Math.ceil((to - from) / STEP), 0);
  const control = newControl();
  match.status = () => ({
    state: 'running',
    progress: steps === 0 ? 0 : Math.min(MOST_PROGRESS, stepsDone(control) / steps),
  });
  match.signal.addEventListener('abort', () => stopSearch(control), { once: true });
  if (match.signal.aborted) stopSearch(control);
  const found = await Promise.all(
    ranges.map(async (range) => {
      const request: SearchRequest = {
        ...search,
        control,
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

/** Rising positions of rising ids, without ids that are not in the index. Threads share the result. */
export function positionsOf(ids: Uint32Array, indexed: Uint32Array): Uint32Array {
  const found = new Uint32Array(new SharedArrayBuffer(4 * Math.min(ids.length, indexed.length)));
  let count = 0;
  let at = 0;
  for (const id of ids) {
    // Few ids are found by binary search, many by a merge.
    if (ids.length * 20 < indexed.length) at = firstAtLeast(indexed, id, at);
    else while (at < indexed.length && indexed[at]! < id) at++;
    if (indexed[at] === id) found[count++] = at;
  }
  return found.subarray(0, count);
}

function firstAtLeast(sorted: Uint32Array, value: number, from: number): number {
  let low = from;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
