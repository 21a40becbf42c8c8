/**
 * The XRD search over 300,000 patterns (or the given number) in one thread, cold and warm, over all and over
 * 1,000 candidates, and a comparison of the hits with brute force, which calculates the pattern of each
 * candidate at every strain. Patterns: packedPatterns, then repetitions with every cell scaled by up to ± 4 %.
 * Queries: a pattern of the index, the same pattern with noise of a tenth of its highest peak, and lines at
 * random angles.
 */
import {
  DTW_BAND_CELLS,
  DTW_SHIFT_STEP,
  MAX_STRAIN_CELLS,
  packPattern,
  type PatternIndex,
  type PatternQuery,
  preparePatternQuery,
  profile,
  REFERENCE_WAVELENGTH,
  searchPatterns,
  strainPenalty,
  unpackPattern,
  updatedPatternIndex,
} from '@unitcell/diffraction';
import { dtwDistance, renderedReference } from '@unitcell/diffraction/testing';
import { seededRandom } from '@unitcell/numerics';
import { packedPatterns } from './data.ts';
import { measure, print } from './harness.ts';

const SIZE = Number(process.argv[2] ?? 300_000);
const SAMPLE = 2_000;
/** Patterns indexed at a time, as on the site: a page is collected on the heap. */
const PAGE = 50_000;
const packed = await packedPatterns();

function buildIndex(): PatternIndex {
  const random = seededRandom(300);
  function* entries(from: number, to: number) {
    for (let id = from; id < to; id++) {
      const bytes = packed[id % packed.length] ?? new Uint8Array();
      const scale = id < packed.length ? 1 : 1 + 0.08 * (random() - 0.5);
      const { dSpacings, intensities } = unpackPattern(bytes);
      yield {
        id,
        packed:
          scale === 1 ? bytes : packPattern({ dSpacings: dSpacings.map((d) => d * scale), intensities }),
      };
    }
  }
  let index: PatternIndex | undefined;
  for (let from = 0; from < SIZE; from += PAGE)
    index = updatedPatternIndex(index, { add: entries(from, Math.min(SIZE, from + PAGE)) }, { shared: true });
  if (index === undefined) throw new Error('no patterns');
  return index;
}

function queries(): Record<string, PatternQuery> {
  const random = seededRandom(8);
  const grid = Float64Array.from({ length: 3500 }, (_, i) => 10 + i / 50);
  const drawn = (peaks: { twoThetaDeg: number; intensity: number }[]) =>
    profile(peaks, { crystalliteSizeNm: 40, wavelength: REFERENCE_WAVELENGTH, grid });
  const { dSpacings, intensities } = unpackPattern(packed[packed.length >> 1] ?? new Uint8Array());
  const known = drawn(
    [...dSpacings].flatMap((d, i) => {
      const sine = REFERENCE_WAVELENGTH / (2 * d);
      return sine < 1
        ? [{ twoThetaDeg: (360 / Math.PI) * Math.asin(sine), intensity: intensities[i] ?? 0 }]
        : [];
    }),
  );
  const highest = known.reduce((best, value) => Math.max(best, value), 0);
  const noisy = known.map((value) =>
    Math.max(0, value + 0.3 * highest * (random() + random() + random() - 1.5)),
  );
  const strange = drawn(
    Array.from({ length: 25 }, () => ({ twoThetaDeg: 12 + 55 * random(), intensity: random() })),
  );
  return {
    known: preparePatternQuery(grid, known),
    noisy: preparePatternQuery(grid, noisy),
    'random lines': preparePatternQuery(grid, strange),
  };
}

/** Distances of candidates, shortest first, from the pattern of each candidate at every strain. */
function bruteForce(index: PatternIndex, query: PatternQuery, positions: Uint32Array): number[] {
  const most = MAX_STRAIN_CELLS - (MAX_STRAIN_CELLS % DTW_SHIFT_STEP);
  return [...positions]
    .flatMap((position) => {
      const [from, to] = [index.start[position], index.start[position + 1]];
      const drawn = renderedReference(
        query,
        index.cells.subarray(from, to),
        index.amplitudes.subarray(from, to),
      );
      if (!drawn) return [];
      let best = Number.POSITIVE_INFINITY;
      for (let shift = -most; shift <= most; shift += DTW_SHIFT_STEP) {
        const shifted = drawn.map((_, i) => drawn[i - shift] ?? 0);
        const warped = dtwDistance(query.amplitudes, shifted, { cost: 'squared', band: DTW_BAND_CELLS });
        best = Math.min(best, Math.sqrt(warped ** 2 + strainPenalty(shift)));
      }
      return [best];
    })
    .sort((a, b) => a - b);
}

const begun = performance.now();
const index = buildIndex();
print({
  case: 'index',
  patterns: index.count,
  bytesPerMaterial: Math.round(index.buffer.byteLength / index.count),
  buildMs: Math.round(performance.now() - begun),
});
const spread = (count: number): Uint32Array =>
  Uint32Array.from({ length: count }, (_, i) => Math.floor((i * SIZE) / count));
for (const [name, query] of Object.entries(queries())) {
  for (const method of ['Euclidean', 'DTW'] as const) {
    const few = { method, candidates: spread(1000) };
    await measure(`${name}, ${method}`, () => searchPatterns(index, query, { method }), {
      rounds: 5,
      warmUp: 1,
    });
    await measure(`${name}, ${method}, 1000 candidates`, () => searchPatterns(index, query, few), {
      rounds: 20,
    });
  }
  const candidates = spread(SAMPLE);
  const started = performance.now();
  const brute = bruteForce(index, query, candidates);
  const bruteMs = (performance.now() - started) / SAMPLE;
  const hits = searchPatterns(index, query, { method: 'DTW', candidates, top: 50 });
  const largestDifference = Math.max(...hits.map((hit, i) => Math.abs(hit.distance - (brute[i] ?? 9))));
  print({
    case: `${name}, brute force`,
    msEach: bruteMs,
    wouldTakeS: (bruteMs * SIZE) / 1000,
    largestDifference,
  });
}
