/**
 * Exact banded DTW of one candidate at all strains, behind a cascade of lower bounds.
 */
import { GRID_MARGIN, MAX_STRAIN_CELLS, type PatternQuery, SHAPE_ROW } from './pattern-query.ts';
import type { Candidate } from './search-candidate.ts';
import { DTW_BAND_CELLS, type SearchTables } from './search-tables.ts';

/** Zeros around the drawn reference, so that a shifted band never leaves the array. */
const PADDING = MAX_STRAIN_CELLS + DTW_BAND_CELLS;

/** Cells of one row of the band. */
const BAND_WIDTH = 2 * DTW_BAND_CELLS + 1;

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
  private readonly bounds: Float64Array;
  /** One row of the table inside the band, an unreachable cell at each end. */
  private readonly row = new Float64Array(BAND_WIDTH + 2);
  private readonly order: number[] = [];
  /** Cells in which the query is not zero. */
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
    this.bounds = new Float64Array(tables.dtwShifts.length);
    this.support = Int32Array.from(query.amplitudes.keys()).filter((i) => query.amplitudes[i] > 0);
  }

  /**
   * LB_Keogh taken only at the tops of the lines, for all shifts at once and without drawing the reference: there
   * it is at least as high as the line alone. Returns the smallest bound over the shifts.
   */
  private sparseBounds(candidate: Candidate): number {
    const { ceilings, tops } = this.tables;
    const columns = this.sparse.length;
    const sums = this.sparse.fill(0);
    const scale = 1 / Math.sqrt(candidate.squaredNorm);
    for (let k = 0; k < candidate.count; k++) {
      const row = candidate.rows[k];
      const top = candidate.amplitudes[k] * scale * tops[row];
      const at = row * columns;
      for (let s = 0; s < columns; s++) {
        const excess = top - ceilings[at + s];
        if (excess > 0) sums[s] += excess * excess;
      }
    }
    let smallest = sums[0];
    for (let s = 1; s < columns; s++) if (sums[s] < smallest) smallest = sums[s];
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
    for (let i = DTW_BAND_CELLS; i < end; i++) {
      let highest = reference[i];
      for (let j = i - DTW_BAND_CELLS; j <= i + DTW_BAND_CELLS; j++)
        if (reference[j] > highest) highest = reference[j];
      ceiling[i] = highest;
    }
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
    const { reference, ceiling, suffix, row } = this;
    const size = amplitudes.length;
    const offset = PADDING - shift;
    suffix[size] = 0;
    for (let i = size - 1; i >= 0; i--) {
      const excess = amplitudes[i] - ceiling[i + offset];
      suffix[i] = suffix[i + 1] + (excess > 0 ? excess * excess : 0);
      if (suffix[i] > limit) return Number.POSITIVE_INFINITY;
    }
    // row[b] belongs to column i − DTW_BAND_CELLS + b − 1. Columns outside the grid are zeros like the margins
    // inside it, so that a path gains nothing there.
    row.fill(Number.POSITIVE_INFINITY);
    row[DTW_BAND_CELLS + 1] = 0;
    for (let i = 0; i < size; i++) {
      const value = amplitudes[i];
      const base = i + offset - DTW_BAND_CELLS;
      let left = Number.POSITIVE_INFINITY;
      let best = Number.POSITIVE_INFINITY;
      // Moving down one row moves the band one column: the diagonal neighbour keeps its place, the one above is next.
      for (let b = 1; b <= BAND_WIDTH; b++) {
        let step = row[b];
        if (row[b + 1] < step) step = row[b + 1];
        if (left < step) step = left;
        const difference = value - reference[base + b - 1];
        left = step + difference * difference;
        row[b] = left;
        if (left < best) best = left;
      }
      if (best + suffix[i + 1] > limit) return Number.POSITIVE_INFINITY;
    }
    return row[DTW_BAND_CELLS + 1];
  }

  /**
   * Squared distance of a candidate (computeSquaredNorm done), the smallest over the shifts, when it is at most
   * `limit`; else Infinity.
   */
  best(candidate: Candidate, limit: number): number {
    let allowed = limit + BOUND_SLACK;
    if (this.sparseBounds(candidate) > allowed) return Number.POSITIVE_INFINITY;
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
    let smallest = Number.POSITIVE_INFINITY;
    for (const n of order) {
      if (bounds[n] > allowed) break;
      smallest = Math.min(smallest, this.squaredDtw(dtwShifts[n], allowed));
      allowed = Math.min(allowed, smallest);
    }
    return smallest;
  }
}
