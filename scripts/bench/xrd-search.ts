/**
 * Time of the XRD search over 300,000 patterns, on one thread and on two that share the index, and a check against
 * brute force. One JSON line per query and method.
 *
 *   npx tsx scripts/bench/xrd-search.ts
 *
 * Patterns: the 154,925 of datasets/mp-structures, then the same again with every cell scaled by up to ± 4 %. Queries:
 * measured files, of which the last two match nothing well (the slow case). `coldMs` is the first search of the threads.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import {
  buildPatternIndex,
  DTW_BAND_CELLS,
  DTW_SHIFT_STEP,
  dtwDistance,
  type MatchMethod,
  MAX_STRAIN_CELLS,
  openPatternIndex,
  packPattern,
  type PatternIndex,
  type PatternQuery,
  preparePatternQuery,
  readMeasuredPattern,
  removeBackground,
  renderedReference,
  type SearchHit,
  searchPatterns,
  strainPenalty,
  unpackPattern,
} from '@unitcell/diffraction';
import { seededRandom } from '@unitcell/numerics';
import { sharedPath } from '../../testing/shared-data.ts';
import { mpPatterns } from './mp-patterns.ts';

const SIZE = 300_000;
const THREADS = 2;
const BRUTE_SAMPLE = 2_000;
const FILES = ['corundum', 'halite', 'anorthite', 'brucite', 'pvlab_cs3bi2br9'];

interface Task {
  query: PatternQuery;
  method: MatchMethod;
  range: [number, number];
  candidates?: Uint32Array;
}

function serve(): void {
  const { buffer, bound } = workerData as { buffer: SharedArrayBuffer; bound: SharedArrayBuffer };
  const index = openPatternIndex(buffer);
  // Every thread's last place is a valid bound for all, so an overwritten value costs time, never a hit.
  const known = new Float64Array(bound);
  parentPort?.on('message', ({ query, method, range, candidates }: Task) => {
    const hits = searchPatterns(index, query, {
      method,
      range,
      ...(candidates && { candidates }),
      knownBound: () => known[0] ?? Number.POSITIVE_INFINITY,
      onBound: (distance) => {
        if (distance < (known[0] ?? 0)) known[0] = distance;
      },
    });
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread has no origin
    parentPort?.postMessage(hits);
  });
}

function buildIndex(): PatternIndex {
  const { packed } = mpPatterns();
  const random = seededRandom(300);
  return buildPatternIndex(
    (function* () {
      for (let i = 0; i < SIZE; i++) {
        const bytes = packed[i % packed.length] ?? new Uint8Array();
        if (i < packed.length) yield { id: i, packed: bytes };
        else {
          const scale = 1 + 0.08 * (random() - 0.5);
          const { dSpacings, intensities } = unpackPattern(bytes);
          yield { id: i, packed: packPattern({ dSpacings: dSpacings.map((d) => d * scale), intensities }) };
        }
      }
    })(),
    { shared: true },
  );
}

/** Distances of the first candidates by drawing each at every strain; returns them with the time of one. */
function bruteForce(index: PatternIndex, query: PatternQuery, positions: Uint32Array) {
  const started = performance.now();
  const distances: number[] = [];
  for (const position of positions) {
    const [from, to] = [index.start[position], index.start[position + 1]];
    const drawn = renderedReference(
      query,
      index.cells.subarray(from, to),
      index.amplitudes.subarray(from, to),
    );
    if (!drawn) continue;
    let best = Number.POSITIVE_INFINITY;
    const most = MAX_STRAIN_CELLS - (MAX_STRAIN_CELLS % DTW_SHIFT_STEP);
    for (let shift = -most; shift <= most; shift += DTW_SHIFT_STEP) {
      const shifted = drawn.map((_, i) => drawn[i - shift] ?? 0);
      const warped = dtwDistance(query.amplitudes, shifted, { cost: 'squared', band: DTW_BAND_CELLS });
      best = Math.min(best, Math.sqrt(warped ** 2 + strainPenalty(shift)));
    }
    distances.push(best);
  }
  return {
    distances: distances.sort((a, b) => a - b),
    msEach: (performance.now() - started) / positions.length,
  };
}

async function main(): Promise<void> {
  const started = performance.now();
  const index = buildIndex();
  const buildS = (performance.now() - started) / 1000;
  const bound = new SharedArrayBuffer(8);
  // A worker does not inherit the loader that lets Node run TypeScript.
  const bootstrap = `import('tsx/esm/api').then(({ register }) => (register(), import(${JSON.stringify(import.meta.url)})));`;
  const workers = Array.from(
    { length: THREADS },
    () => new Worker(bootstrap, { eval: true, workerData: { buffer: index.buffer, bound } }),
  );
  const onThreads = async (
    query: PatternQuery,
    method: MatchMethod,
    candidates?: Uint32Array,
  ): Promise<number> => {
    new Float64Array(bound)[0] = Number.POSITIVE_INFINITY;
    const size = candidates?.length ?? index.count;
    const begun = performance.now();
    await Promise.all(
      workers.map((worker, i) => {
        const range: [number, number] = [
          Math.floor((size * i) / THREADS),
          Math.floor((size * (i + 1)) / THREADS),
        ];
        const done = once(worker, 'message') as Promise<[SearchHit[]]>;
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker thread has no origin
        worker.postMessage({ query, method, range, ...(candidates && { candidates }) } satisfies Task);
        return done;
      }),
    );
    return performance.now() - begun;
  };
  console.log(
    JSON.stringify({
      bench: 'xrd-search',
      patterns: index.count,
      bytesPerMaterial: Math.round(index.buffer.byteLength / index.count),
      buildS: Number(buildS.toFixed(1)),
    }),
  );
  const candidates = Uint32Array.from({ length: 1000 }, (_, i) => i * 300);
  const sample = Uint32Array.from({ length: BRUTE_SAMPLE }, (_, i) => i * 150);
  for (const file of FILES) {
    const { x, y } = readMeasuredPattern(readFileSync(sharedPath('datasets', 'xrd-exp', `${file}.txt`)));
    const query = preparePatternQuery(x, removeBackground(x, y));
    for (const method of ['Euclidean', 'DTW'] as const) {
      const coldMs = await onThreads(query, method);
      const warmMs = await onThreads(query, method);
      const filteredMs = await onThreads(query, method, candidates);
      const row = {
        bench: 'xrd-search',
        file,
        method,
        threads: THREADS,
        coldMs: Math.round(coldMs),
        warmMs: Math.round(warmMs),
        filtered1000Ms: Math.round(filteredMs),
      };
      if (method === 'Euclidean') console.log(JSON.stringify(row));
      else {
        const brute = bruteForce(index, query, sample);
        const hits = searchPatterns(index, query, { method, candidates: sample, top: 50 });
        const worst = Math.max(...hits.map((hit, i) => Math.abs(hit.distance - (brute.distances[i] ?? 9))));
        const bruteAllS = (brute.msEach * index.count) / 1000 / THREADS;
        console.log(
          JSON.stringify({
            ...row,
            bruteForceS: Math.round(bruteAllS),
            timesFaster: Math.round((1000 * bruteAllS) / warmMs),
            largestDifference: worst,
          }),
        );
      }
    }
  }
  await Promise.all(workers.map((worker) => worker.terminate()));
}

if (isMainThread) await main();
else serve();
