/**
 * Time of the XRD search over 300,000 patterns (or as many as asked for), on two threads that share the index, and a check against
 * brute force. One JSON line per query and method.
 *
 *   npm run bench -- xrd-search [PATTERNS]
 *
 * Patterns: the 154,925 of datasets/mp-structures, then the same again and again with every cell scaled by up to ± 4 %. Queries:
 * measured files, of which the last two match nothing well, and three that are worse: corundum with noise of a tenth of its
 * highest peak, corundum with its background left in, and lines at random angles. `coldMs` is the first search of the
 * threads; brute force is spread over as many threads; `cpuTimesFaster` compares processor time and bears a busy machine.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import {
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
  profile,
  REFERENCE_WAVELENGTH,
  readMeasuredPattern,
  removeBackground,
  renderedReference,
  type SearchHit,
  searchPatterns,
  strainPenalty,
  unpackPattern,
  updatedPatternIndex,
} from '@unitcell/diffraction';
import { seededRandom } from '@unitcell/numerics';
import { sharedPath } from '@unitcell/tools/shared-data';
import { mpPatterns } from './mp-patterns.ts';

const SIZE = Number(process.argv.slice(2).find((word) => Number(word) > 0) ?? 300_000);
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

/** Patterns put on the grid at a time, as the site does it: what is gathered for a page lies on the heap. */
const PAGE = 50_000;

function buildIndex(): PatternIndex {
  const { packed } = mpPatterns();
  const random = seededRandom(300);
  function* entries(from: number, to: number) {
    for (let i = from; i < to; i++) {
      const bytes = packed[i % packed.length] ?? new Uint8Array();
      if (i < packed.length) yield { id: i, packed: bytes };
      else {
        const scale = 1 + 0.08 * (random() - 0.5);
        const { dSpacings, intensities } = unpackPattern(bytes);
        yield { id: i, packed: packPattern({ dSpacings: dSpacings.map((d) => d * scale), intensities }) };
      }
    }
  }
  let index: PatternIndex | undefined;
  for (let from = 0; from < SIZE; from += PAGE)
    index = updatedPatternIndex(index, { add: entries(from, Math.min(SIZE, from + PAGE)) }, { shared: true });
  return index!;
}

interface Case {
  name: string;
  x: Float64Array;
  y: Float64Array;
}

function cases(): Case[] {
  const random = seededRandom(8);
  const read = (file: string) => {
    const { x, y } = readMeasuredPattern(readFileSync(sharedPath('datasets', 'xrd-exp', `${file}.txt`)));
    return { x: Float64Array.from(x), y: Float64Array.from(y) };
  };
  const measured = FILES.map((name) => ({ name, ...read(name) }));
  const { x, y } = read('corundum');
  const highest = y.reduce((best, value) => Math.max(best, value), 0);
  const noisy = y.map((value) => value + 0.3 * highest * (random() + random() + random() - 1.5));
  const strange = profile(
    Array.from({ length: 25 }, () => ({ twoThetaDeg: 8 + 55 * random(), intensity: random() })),
    { crystalliteSizeNm: 40, wavelength: REFERENCE_WAVELENGTH, grid: x },
  );
  return [
    ...measured.map((one) => ({ ...one, y: removeBackground(one.x, one.y) })),
    {
      name: 'corundum, noise',
      x,
      y: removeBackground(
        x,
        noisy.map((value) => Math.max(0, value + highest)),
      ),
    },
    { name: 'corundum, background left in', x, y },
    { name: 'random lines', x, y: strange },
  ];
}

const cpuMs = (): number => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

/** Distances of the first candidates by drawing each at every strain; returns them with the time of one. */
function bruteForce(index: PatternIndex, query: PatternQuery, positions: Uint32Array) {
  const started = performance.now();
  const startedCpu = cpuMs();
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
    cpuMsEach: (cpuMs() - startedCpu) / positions.length,
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
  const candidates = Uint32Array.from({ length: 1000 }, (_, i) => Math.floor((i * SIZE) / 1000));
  const sample = Uint32Array.from({ length: BRUTE_SAMPLE }, (_, i) => Math.floor((i * SIZE) / BRUTE_SAMPLE));
  for (const { name, x, y } of cases()) {
    const query = preparePatternQuery(x, y);
    for (const method of ['Euclidean', 'DTW'] as const) {
      const coldMs = await onThreads(query, method);
      const beforeCpu = cpuMs();
      const warmMs = await onThreads(query, method);
      const warmCpuMs = cpuMs() - beforeCpu;
      const filteredMs = await onThreads(query, method, candidates);
      const row = {
        bench: 'xrd-search',
        query: name,
        method,
        threads: THREADS,
        coldMs: Math.round(coldMs),
        warmMs: Math.round(warmMs),
        warmCpuMs: Math.round(warmCpuMs),
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
            cpuTimesFaster: Math.round((brute.cpuMsEach * index.count) / warmCpuMs),
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
