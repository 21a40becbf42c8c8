/**
 * Search of the whole index for the patterns nearest to a measured one: exact Euclidean or banded DTW distance,
 * the smallest over isotropic strains of up to ± 2 %.
 *
 * Both vectors have unit length (pattern-query.ts); the distance is √ Σ (q − r)² along the diagonal (Euclidean) or
 * along the best warping path in a Sakoe–Chiba band (DTW, squared cost), so it lies between 0 and √2 and DTW is
 * never above Euclidean. Lower bounds and early abandoning (see distances.ts) skip work, never change a result:
 * the tests compare with brute force.
 */
import { DiffractionError } from './diffraction-error.ts';
import { GRID_STEP, type PatternIndex } from './pattern-index.ts';
import type { PatternQuery } from './pattern-query.ts';
import { Candidate } from './search-candidate.ts';
import { searchTables, shiftsForStrain } from './search-tables.ts';
import { Warping } from './search-warping.ts';

export type MatchMethod = 'DTW' | 'Euclidean';

/** Isotropic strain allowed by default: ± 2 %. */
export const DEFAULT_MAX_STRAIN = 0.02;

/** Hits returned when no number is given. */
export const DEFAULT_TOP = 10;

/** Candidates between two looks at `shouldStop` and `knownBound`: about a millisecond of work. */
const CHUNK = 512;

/** Candidates whose DTW distance is computed first to have a tight bound for all others, per wanted hit. */
const SEEDS_PER_HIT = 4;

export interface SearchOptions {
  /** Default DTW. */
  readonly method?: MatchMethod;
  /** Number of hits wanted; default 10. */
  readonly top?: number;
  /** Positions in the index to consider, ascending; default all. */
  readonly candidates?: ArrayLike<number>;
  /** Part of the candidates this call works on, [from, to); default all. For several threads. */
  readonly range?: readonly [number, number];
  /** Largest |relative strain| of the reference cell; 0 switches the allowance off. Default DEFAULT_MAX_STRAIN. */
  readonly maxStrain?: number;
  /** Asked about every millisecond; true ends the search with DiffractionError `cancelled`. */
  readonly shouldStop?: () => boolean;
  /** A distance that another thread has found to be enough for the top list: nothing above it is needed. */
  readonly knownBound?: () => number;
  /** Told of every improvement of this thread's last place. */
  readonly onBound?: (distance: number) => void;
}

export interface SearchHit {
  readonly id: number;
  /** Position in the index. */
  readonly position: number;
  readonly distance: number;
  /**
   * Relative change of the reference's lattice parameters at which it lies best on the measurement (largest scalar
   * product, for both methods): +0.01 is a cell 1 % larger.
   */
  readonly strain: number;
}

/** Relative strain of a shift by whole cells: a shift towards larger angles is a smaller cell. */
export const strainOfShift = (shift: number): number => Math.expm1(0 - shift * GRID_STEP);

/** The hits so far, best first; ties go to the smaller position so that the result does not depend on threads. */
class TopList {
  readonly hits: { position: number; squared: number; shift: number }[] = [];

  constructor(
    private readonly size: number,
    private readonly options: SearchOptions,
  ) {}

  /** Squared distance that a new hit must not exceed. */
  get bound(): number {
    return this.hits.length < this.size ? Number.POSITIVE_INFINITY : this.hits.at(-1)!.squared;
  }

  add(position: number, squared: number, shift: number): void {
    if (this.hits.some((hit) => hit.position === position)) return;
    let at = this.hits.length;
    while (at > 0) {
      const before = this.hits[at - 1];
      if (before.squared < squared || (before.squared === squared && before.position < position)) break;
      at -= 1;
    }
    if (at >= this.size) return;
    this.hits.splice(at, 0, { position, squared, shift });
    if (this.hits.length > this.size) this.hits.pop();
    if (this.hits.length === this.size) this.options.onBound?.(Math.sqrt(this.bound));
  }
}

/** Asks about cancelling, then for the square of what other threads know. */
function outerBound(options: SearchOptions): () => number {
  return () => {
    if (options.shouldStop?.()) throw new DiffractionError('cancelled', 'the search was cancelled');
    return (options.knownBound?.() ?? Number.POSITIVE_INFINITY) ** 2;
  };
}

interface Work {
  readonly size: number;
  readonly at: (n: number) => number;
}

/** The candidates of this call: position of the n-th. */
function workOf(index: PatternIndex, options: SearchOptions): Work {
  const { candidates } = options;
  const all = candidates?.length ?? index.count;
  const [from, to] = options.range ?? [0, all];
  const begin = Math.max(0, from);
  return {
    size: Math.max(0, Math.min(to, all) - begin),
    at: candidates ? (n) => candidates[begin + n] : (n) => begin + n,
  };
}

/**
 * The `top` nearest materials, nearest first.
 *
 * Work: (candidates) × (lines) × (shifts) multiplications for every candidate; DTW only for those that its bounds
 * cannot exclude. A material without a line in the measured range is never a hit.
 * @throws DiffractionError `cancelled` when `shouldStop` says so.
 * @example searchPatterns(index, preparePatternQuery(x, removeBackground(x, y)), { method: 'DTW', top: 10 })
 */
export function searchPatterns(
  index: PatternIndex,
  query: PatternQuery,
  options: SearchOptions = {},
): SearchHit[] {
  const { method = 'DTW', top = DEFAULT_TOP, maxStrain = DEFAULT_MAX_STRAIN } = options;
  const tables = searchTables(query, shiftsForStrain(maxStrain, GRID_STEP));
  const candidate = new Candidate(index, query, tables);
  const work = workOf(index, options);
  const outer = outerBound(options);

  const list = new TopList(
    method === 'DTW' ? Math.max(32, SEEDS_PER_HIT * top) : top,
    method === 'DTW' ? {} : options,
  );
  const norms = method === 'DTW' ? new Float64Array(work.size) : undefined;
  let known = Number.POSITIVE_INFINITY;
  for (let n = 0; n < work.size; n++) {
    if (n % CHUNK === 0) known = outer();
    const position = work.at(n);
    if (!candidate.loadLines(position)) continue;
    candidate.computeProducts();
    // Another thread's bound is one on DTW distances and says nothing about these seeds.
    const bound = method === 'DTW' ? list.bound : Math.min(list.bound, known);
    const excluded = 2 - (2 * candidate.bestProduct) / Math.sqrt(candidate.squaredNormBound()) > bound;
    if (excluded && !norms) continue;
    candidate.computeSquaredNorm();
    if (norms) norms[n] = candidate.squaredNorm;
    const squared = candidate.squaredEuclidean();
    if (squared <= bound) list.add(position, squared, candidate.bestShift);
  }
  const found = norms ? warpedHits(work, norms, candidate, new Warping(query, tables), list, options) : list;
  return found.hits.map(({ position, squared, shift }) => ({
    id: index.ids[position],
    position,
    distance: Math.sqrt(squared),
    strain: strainOfShift(shift),
  }));
}

/** Second pass for DTW: the nearest by Euclid first, for a tight bound, then all. */
function warpedHits(
  work: Work,
  norms: Float64Array,
  candidate: Candidate,
  warping: Warping,
  seeds: TopList,
  options: SearchOptions,
): TopList {
  const list = new TopList(options.top ?? DEFAULT_TOP, options);
  const consider = (position: number, squaredNorm: number, bound: number): void => {
    candidate.loadLines(position);
    candidate.squaredNorm = squaredNorm;
    const squared = warping.best(candidate, bound);
    if (squared > bound) return;
    candidate.computeProducts();
    list.add(position, squared, candidate.bestShift);
  };
  const tried = new Set<number>();
  for (const { position } of seeds.hits) {
    tried.add(position);
    candidate.loadLines(position);
    candidate.computeSquaredNorm();
    consider(position, candidate.squaredNorm, list.bound);
  }
  const outer = outerBound(options);
  let known = outer();
  for (let n = 0; n < work.size; n++) {
    if (n % CHUNK === 0) known = outer();
    const position = work.at(n);
    if (norms[n] > 0 && !tried.has(position)) consider(position, norms[n], Math.min(list.bound, known));
  }
  return list;
}
