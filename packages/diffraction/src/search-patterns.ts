/**
 * Searches the whole index for the patterns nearest to a measured one: exact Euclidean or banded DTW
 * distance, the smallest over isotropic strains of up to ± 2 %.
 *
 * Both vectors have unit length (pattern-query.ts); the squared distance is Σ (q − r)² along the diagonal (Euclidean)
 * or along the best warping path in a Sakoe–Chiba band (DTW) plus the penalty of the strain (search-candidates.ts).
 * Lower bounds and early abandoning (T. Rakthanmanon et al., KDD 2012, doi:10.1145/2339530.2339576) save work and never
 * change the result; the tests compare it with testing/brute-force-search.ts.
 */
import { DiffractionError } from './diffraction-error.ts';
import { GRID_STEP, type PatternIndex } from './pattern-index.ts';
import {
  BOUND_CHUNK,
  BOUND_SLACK,
  BoundKernel,
  Candidate,
  DTW_BAND_CELLS,
  searchTables,
  type SearchTables,
  shiftsForStrain,
  strainPenalty,
} from './search-candidates.ts';
import { GRID_MARGIN, MAX_STRAIN_CELLS, type PatternQuery, SHAPE_ROW } from './pattern-query.ts';

// Exact banded DTW of one candidate at all strains, for candidates that pass the lower bound.

/** Zeros around the drawn reference, so that a shifted band never leaves the array. */
const PADDING = MAX_STRAIN_CELLS + DTW_BAND_CELLS;

/** Cost of an unreachable cell. */
const FAR = Number.POSITIVE_INFINITY;

/** Tolerance for rounding in the bounds, so that a hit exactly on the limit is not lost. */
const ROUNDING = 1e-12;

class Warping {
  /** Reference at zero strain on the grid of the query, with PADDING zeros at both ends. */
  private readonly reference: Float64Array;
  /** Running maximum of `reference` over the band. */
  private readonly ceiling: Float64Array;
  /** Lower bound on the cost of the query rows i, i + 1, … */
  private readonly rowsLeft: Float64Array;
  /** Lower bound on the cost of the reference columns j, j + 1, … */
  private readonly columnsLeft: Float64Array;
  private readonly bounds: Float64Array;
  private readonly order: number[] = [];
  /** Cells in which the query is not zero, the highest first, because most candidates fail on a few of them. */
  private readonly support: Int32Array;
  /** Amplitudes of the query in the order of `support`. */
  private readonly heights: Float64Array;

  constructor(
    private readonly query: PatternQuery,
    private readonly tables: SearchTables,
  ) {
    const size = query.amplitudes.length;
    this.reference = new Float64Array(size + 2 * PADDING);
    this.ceiling = new Float64Array(size + 2 * PADDING);
    this.rowsLeft = new Float64Array(size + 2);
    this.columnsLeft = new Float64Array(size + 2);
    this.bounds = new Float64Array(tables.dtwShifts.length);
    this.support = Int32Array.from(query.amplitudes.keys())
      .filter((i) => query.amplitudes[i] > 0)
      .sort((a, b) => query.amplitudes[b] - query.amplitudes[a]);
    this.heights = Float64Array.from(this.support, (i) => query.amplitudes[i]);
  }

  /** Draws the reference at zero strain and its running maximum over the band. */
  private draw(candidate: Candidate): void {
    const { shapes, reach, from, visible } = this.query;
    const { cells, amplitudes } = candidate.index;
    const { reference, ceiling } = this;
    const middle = (SHAPE_ROW - 1) / 2;
    reference.fill(0);
    const scale = 1 / Math.sqrt(candidate.squaredNorm);
    for (let k = candidate.first; k < candidate.last; k++) {
      const row = cells[k] - from;
      const own = reach[row];
      const amplitude = visible[amplitudes[k]] * scale;
      const shape = row * SHAPE_ROW + middle;
      const centre = PADDING + GRID_MARGIN + row;
      for (let j = -own; j <= own; j++) reference[centre + j] += amplitude * shapes[shape + j];
    }
    const end = reference.length - DTW_BAND_CELLS;
    let [before, same] = [reference[0], reference[1]];
    for (let i = DTW_BAND_CELLS; i < end; i++) {
      const after = reference[i + 1];
      const higher = before > same ? before : same;
      ceiling[i] = higher > after ? higher : after;
      before = same;
      same = after;
    }
  }

  /** Adds the cost of the query above the reference's ceiling to `sum`; stops above `limit`. */
  private queryExcess(shift: number, limit: number, sum: number): number {
    const { ceiling, support, heights } = this;
    const offset = PADDING - shift;
    for (let n = 0; n < support.length && sum <= limit; n++) {
      const excess = heights[n] - ceiling[support[n] + offset];
      if (excess > 0) sum += excess * excess;
    }
    return sum;
  }

  /** Adds the cost of the reference above the query's ceiling to `sum`; stops above `limit`. */
  private referenceExcess(shift: number, limit: number, sum: number): number {
    const { upper } = this.tables;
    const { reference } = this;
    const offset = PADDING - shift;
    for (let j = 0; j < upper.length && sum <= limit; j++) {
      const excess = reference[j + offset] - upper[j];
      if (excess > 0) sum += excess * excess;
    }
    return sum;
  }

  /**
   * Squared banded DTW distance between the query and the shifted reference; Infinity above `limit`. A lower bound on
   * the cost of the remaining rows and columns is added to every cell before it is compared with the limit.
   */
  private squaredDtw(shift: number, limit: number): number {
    const { amplitudes } = this.query;
    const { upper } = this.tables;
    const { reference, ceiling, rowsLeft, columnsLeft } = this;
    const size = amplitudes.length;
    const offset = PADDING - shift;
    for (let i = size - 1; i >= 0; i--) {
      const above = amplitudes[i] - ceiling[i + offset];
      rowsLeft[i] = rowsLeft[i + 1] + (above > 0 ? above * above : 0);
      const over = reference[i + offset] - upper[i];
      columnsLeft[i] = columnsLeft[i + 1] + (over > 0 ? over * over : 0);
    }
    // The cells of a row inside the band, columns i − 1, i and i + 1, are three variables, because an array takes twice
    // the time. In the next row the band moves by one column, so that the diagonal predecessor has the same name and
    // the cell above has the next name. Columns outside the grid are zeros, like the margins inside it.
    let [before, same, after] = [FAR, 0, FAR];
    for (let i = 0, r = offset - 1; i < size; i++, r++) {
      const value = amplitudes[i];
      let difference = value - reference[r];
      before = (before < same ? before : same) + difference * difference;
      difference = value - reference[r + 1];
      const step = same < after ? same : after;
      same = (before < step ? before : step) + difference * difference;
      difference = value - reference[r + 2];
      after = (same < after ? same : after) + difference * difference;
      // Checking only every eighth row costs nothing and stops nearly as early.
      if ((i & 7) !== 7) continue;
      const cheapest = Math.min(
        before + columnsLeft[i],
        same + columnsLeft[i + 1],
        after + columnsLeft[i + 2],
      );
      if (cheapest + rowsLeft[i + 1] > limit) return FAR;
    }
    return same <= limit ? same : FAR;
  }

  /**
   * Squared distance of a candidate, the smallest over the shifts, if it is at most `limit`; otherwise
   * Infinity. Requires computeSquaredNorm.
   */
  best(candidate: Candidate, limit: number): number {
    const { dtwShifts } = this.tables;
    const { bounds, order } = this;
    this.draw(candidate);
    let allowed = limit + ROUNDING;
    order.length = 0;
    for (let n = 0; n < dtwShifts.length; n++) {
      const shift = dtwShifts[n];
      bounds[n] = this.referenceExcess(
        shift,
        allowed,
        this.queryExcess(shift, allowed, strainPenalty(shift)),
      );
      if (bounds[n] <= allowed) order.push(n);
    }
    order.sort((a, b) => bounds[a] - bounds[b]);
    let smallest = FAR;
    for (const n of order) {
      if (bounds[n] > allowed) break;
      const penalty = strainPenalty(dtwShifts[n]);
      smallest = Math.min(smallest, this.squaredDtw(dtwShifts[n], allowed - penalty) + penalty);
      allowed = Math.min(allowed, smallest);
    }
    return smallest;
  }
}

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
  readonly candidates?: ArrayLike<number> | undefined;
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
 * Work: a lower bound for every candidate, then the exact distance for the few that
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
    // The Euclidean distance is also needed for DTW, because it determines the reported strain.
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
