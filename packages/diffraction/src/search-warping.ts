/**
 * Exact banded DTW of one candidate at all strains, behind a cascade of lower bounds.
 */
import { GRID_MARGIN, MAX_STRAIN_CELLS, type PatternQuery, SHAPE_ROW } from './pattern-query.ts';
import type { Candidate } from './search-candidate.ts';
import { DTW_BAND_CELLS, type SearchTables } from './search-tables.ts';

/** Zeros around the drawn reference, so that a shifted band never leaves the array. */
const PADDING = MAX_STRAIN_CELLS + DTW_BAND_CELLS;

/** Not reachable. */
const FAR = Number.POSITIVE_INFINITY;

/** Rounding in the bounds must never cost a hit that lies exactly on the limit. */
const BOUND_SLACK = 1e-12;

export class Warping {
  /** Reference at zero strain on the grid of the query, PADDING zeros at both ends. */
  private readonly reference: Float64Array;
  /** Running maximum of `reference` over the band. */
  private readonly ceiling: Float64Array;
  /** LB_Keogh of the query rows i, i + 1, … */
  private readonly suffix: Float64Array;
  private readonly sparse: Float64Array;
  /** What the lines of a candidate reach at every landmark and shift. */
  private readonly raised: Float64Array;
  private readonly bounds: Float64Array;
  private readonly order: number[] = [];
  /** Cells in which the query is not zero, the highest first: most candidates fail on a few of them. */
  private readonly support: Int32Array;

  constructor(
    private readonly query: PatternQuery,
    private readonly tables: SearchTables,
  ) {
    const size = query.amplitudes.length;
    this.reference = new Float64Array(size + 2 * PADDING);
    this.ceiling = new Float64Array(size + 2 * PADDING);
    this.suffix = new Float64Array(size + 1);
    this.sparse = new Float64Array(tables.dtwShifts.length);
    this.raised = new Float64Array(tables.landmarks.heights.length * tables.dtwShifts.length);
    this.bounds = new Float64Array(tables.dtwShifts.length);
    this.support = Int32Array.from(query.amplitudes.keys())
      .filter((i) => query.amplitudes[i] > 0)
      .sort((a, b) => query.amplitudes[b] - query.amplitudes[a]);
  }

  /**
   * LB_Keogh of the query at its highest cells, for all shifts at once and without drawing the reference: the
   * reference within the band of a cell is at most the sum of what each line alone reaches there. Returns the
   * smallest bound over the shifts.
   */
  private sparseBounds(candidate: Candidate): number {
    const { heights, start, slot, value } = this.tables.landmarks;
    const { raised, sparse } = this;
    raised.fill(0);
    const scale = 1 / Math.sqrt(candidate.squaredNorm);
    for (let k = 0; k < candidate.count; k++) {
      const row = candidate.rows[k];
      const amplitude = candidate.amplitudes[k] * scale;
      for (let entry = start[row]; entry < start[row + 1]; entry++)
        raised[slot[entry]] += amplitude * value[entry];
    }
    const columns = sparse.length;
    let smallest = FAR;
    for (let n = 0; n < columns; n++) {
      let sum = 0;
      for (let m = 0; m < heights.length; m++) {
        const missing = heights[m] - raised[m * columns + n];
        if (missing > 0) sum += missing * missing;
      }
      sparse[n] = sum;
      if (sum < smallest) smallest = sum;
    }
    return smallest;
  }

  /** Draws the reference at zero strain and its running maximum over the band. */
  private draw(candidate: Candidate): void {
    const { shapes, reach } = this.query;
    const { reference, ceiling } = this;
    const middle = (SHAPE_ROW - 1) / 2;
    reference.fill(0);
    const scale = 1 / Math.sqrt(candidate.squaredNorm);
    for (let k = 0; k < candidate.count; k++) {
      const row = candidate.rows[k];
      const own = reach[row];
      const amplitude = candidate.amplitudes[k] * scale;
      const shape = row * SHAPE_ROW + middle;
      const centre = PADDING + GRID_MARGIN + row;
      for (let j = -own; j <= own; j++) reference[centre + j] += amplitude * shapes[shape + j];
    }
    const end = reference.length - DTW_BAND_CELLS;
    for (let i = DTW_BAND_CELLS; i < end; i++)
      ceiling[i] = Math.max(reference[i - 1], reference[i], reference[i + 1]);
  }

  /** LB_Keogh of the query under the reference's ceiling shifted by `shift`; stops above `limit`. */
  private queryBound(shift: number, limit: number): number {
    const { amplitudes } = this.query;
    const { ceiling, support } = this;
    const offset = PADDING - shift;
    let sum = 0;
    for (let n = 0; n < support.length && sum <= limit; n++) {
      const i = support[n];
      const excess = amplitudes[i] - ceiling[i + offset];
      if (excess > 0) sum += excess * excess;
    }
    return sum;
  }

  /** LB_Keogh of the shifted reference under the query's ceiling; stops above `limit`. */
  private referenceBound(shift: number, limit: number): number {
    const { upper } = this.tables;
    const { reference } = this;
    const offset = PADDING - shift;
    let sum = 0;
    for (let i = 0; i < upper.length && sum <= limit; i++) {
      const excess = reference[i + offset] - upper[i];
      if (excess > 0) sum += excess * excess;
    }
    return sum;
  }

  /**
   * Squared banded DTW distance of the query and the reference shifted, Infinity above `limit`. What LB_Keogh
   * still expects from the rows to come is added to the row minimum before it is compared with the limit.
   */
  private squaredDtw(shift: number, limit: number): number {
    const { amplitudes } = this.query;
    const { reference, ceiling, suffix } = this;
    const size = amplitudes.length;
    const offset = PADDING - shift;
    suffix[size] = 0;
    for (let i = size - 1; i >= 0; i--) {
      const excess = amplitudes[i] - ceiling[i + offset];
      suffix[i] = suffix[i + 1] + (excess > 0 ? excess * excess : 0);
      if (suffix[i] > limit) return FAR;
    }
    // The cells of a row inside the band, columns i − 1, i and i + 1, are three variables: as an array they cost
    // twice the time. One row down the band moves one column on, so the cell diagonally above has the same name and
    // the one above the next. Columns outside the grid are zeros like the margins inside it; nothing is gained there.
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
      // Looking every eighth row costs nothing and abandons nearly as early.
      if ((i & 7) === 7 && Math.min(before, same, after) + suffix[i + 1] > limit) return FAR;
    }
    return same <= limit ? same : FAR;
  }

  /**
   * Squared distance of a candidate (computeSquaredNorm done), the smallest over the shifts, when it is at most
   * `limit`; else Infinity.
   */
  best(candidate: Candidate, limit: number): number {
    let allowed = limit + BOUND_SLACK;
    if (this.sparseBounds(candidate) > allowed) return FAR;
    this.draw(candidate);
    const { dtwShifts } = this.tables;
    const { bounds, order } = this;
    order.length = 0;
    for (const [n, shift] of dtwShifts.entries()) {
      if (this.sparse[n] > allowed) continue;
      const byQuery = this.queryBound(shift, allowed);
      if (byQuery > allowed) continue;
      bounds[n] = Math.max(byQuery, this.referenceBound(shift, allowed));
      if (bounds[n] <= allowed) order.push(n);
    }
    order.sort((a, b) => bounds[a] - bounds[b]);
    let smallest = FAR;
    for (const n of order) {
      if (bounds[n] > allowed) break;
      smallest = Math.min(smallest, this.squaredDtw(dtwShifts[n], allowed));
      allowed = Math.min(allowed, smallest);
    }
    return smallest;
  }
}
