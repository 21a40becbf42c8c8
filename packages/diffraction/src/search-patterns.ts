/**
 * Searches the whole index for the patterns nearest to a measured one: exact Euclidean or banded DTW
 * distance, the smallest over isotropic strains of up to ± 2 %.
 *
 * Both vectors have unit length (pattern-query.ts); the squared distance is Σ (q − r)² along the diagonal (Euclidean)
 * or along the best warping path in a Sakoe–Chiba band (DTW) plus the penalty of the strain (search-candidate.ts).
 * Lower bounds and early abandoning (see distances.ts) save work and never change the result; the tests compare it with
 * brute force.
 */
import { DiffractionError } from './diffraction-error.ts';
import { GRID_STEP, type PatternIndex } from './pattern-index.ts';
import type { PatternQuery } from './pattern-query.ts';
import { BOUND_CHUNK, BOUND_SLACK, BoundKernel } from './search-bounds.ts';
import { Candidate, searchTables, shiftsForStrain } from './search-candidate.ts';
import { Warping } from './search-warping.ts';

export type MatchMethod = 'DTW' | 'Euclidean';

/** Default limit of isotropic strain: ± 2 %. */
export const DEFAULT_MAX_STRAIN = 0.02;

/** Default number of hits. */
export const DEFAULT_TOP = 10;

export interface SearchOptions {
  /** DTW by default. */
  readonly method?: MatchMethod;
  /** Maximum number of hits; default 10. */
  readonly top?: number;
  /** Positions in the index to consider, ascending; default all. */
  readonly candidates?: ArrayLike<number>;
  /** Part of the candidates that this call processes, [from, to); default all. Used by several threads. */
  readonly range?: readonly [number, number];
  /** Largest |relative strain| of the reference cell; 0 disables strain. Default DEFAULT_MAX_STRAIN. */
  readonly maxStrain?: number;
  /** Called about every millisecond; true ends the search with DiffractionError `cancelled`. */
  readonly shouldStop?: () => boolean;
  /** Bound of the top list known from other threads; worse candidates are not needed. */
  readonly knownBound?: () => number;
  /** Called whenever the bound of this thread's top list improves. */
  readonly onBound?: (distance: number) => void;
}

export interface SearchHit {
  readonly id: number;
  /** Position in the index. */
  readonly position: number;
  readonly distance: number;
  /**
   * Relative change of the reference's lattice parameters at the best overlap with the measurement (largest scalar
   * product, for both methods): +0.01 means a cell that is 1 % larger.
   */
  readonly strain: number;
}

/** Relative strain of a shift by whole cells; a shift towards larger angles means a smaller cell. */
export const strainOfShift = (shift: number): number => Math.expm1(0 - shift * GRID_STEP);

/**
 * The hits so far, best first. For ties the smaller position is first, so that the result does not depend on threads.
 */
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

/** Checks for cancellation; then returns the square of the bound known from other threads. */
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

/** The candidates of this call: returns the position of the n-th. */
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
 * Work: a lower bound (search-bounds.ts) for every candidate, then the exact distance for the few that
 * remain, in order of their bounds. A material without a visible line in the measured range is never a hit.
 * @throws DiffractionError `cancelled` when `shouldStop` returns true.
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
  const warping = method === 'DTW' ? new Warping(query, tables) : undefined;
  const kernel = new BoundKernel(index, query, tables);
  const work = workOf(index, options);
  const outer = outerBound(options);
  const list = new TopList(top, options);

  const consider = (position: number, limit: number): void => {
    if (!candidate.load(position)) return;
    candidate.computeSquaredNorm();
    if (candidate.squaredNorm === 0) return;
    const warped = warping?.best(candidate, limit);
    if (warped !== undefined && warped > limit) return;
    // Also needed for DTW, because it determines the reported strain.
    const euclidean = candidate.squaredEuclidean();
    list.add(position, warped ?? euclidean, candidate.bestShift);
  };

  for (let from = 0; from < work.size; from += BOUND_CHUNK) {
    const known = outer();
    const count = Math.min(BOUND_CHUNK, work.size - from);
    const limit = Math.min(list.bound, known);
    const bounds = kernel.run(count, (n) => work.at(from + n), limit);
    const left: number[] = [];
    for (let n = 0; n < count; n++) if (bounds[n] <= limit + BOUND_SLACK) left.push(n);
    left.sort((a, b) => bounds[a] - bounds[b]);
    for (const n of left) {
      const nearer = Math.min(list.bound, known);
      if (bounds[n] > nearer + BOUND_SLACK) break;
      consider(work.at(from + n), nearer);
    }
  }
  return list.hits.map(({ position, squared, shift }) => ({
    id: index.ids[position],
    position,
    distance: Math.sqrt(squared),
    strain: strainOfShift(shift),
  }));
}
