/**
 * One material of the index as the search sees it: its lines in the measured range and their scalar products.
 */
import type { PatternIndex } from './pattern-index.ts';
import type { PatternQuery } from './pattern-query.ts';
import type { SearchTables } from './search-tables.ts';

/** Lines of one material inside the measured range, and its scalar products with the query. */
export class Candidate {
  readonly rows = new Int32Array(256);
  readonly amplitudes = new Float64Array(256);
  readonly products: Float64Array;
  count = 0;
  /** Squared length of the sum of its lines. */
  squaredNorm = 0;
  /** Highest scalar product over the shifts (before division by the length), and its shift. */
  bestProduct = 0;
  bestShift = 0;

  constructor(
    private readonly index: PatternIndex,
    private readonly query: PatternQuery,
    private readonly tables: SearchTables,
  ) {
    this.products = new Float64Array(tables.columns);
  }

  /** Loads the lines of a material in the range; returns false when there is none. */
  loadLines(position: number): boolean {
    const { cells, amplitudes, start } = this.index;
    const { from, length } = this.query;
    let count = 0;
    for (let line = start[position]; line < start[position + 1]; line++) {
      const row = cells[line] - from;
      if (row < 0 || row >= length) continue;
      this.rows[count] = row;
      this.amplitudes[count++] = amplitudes[line];
    }
    this.count = count;
    return count > 0;
  }

  /** Scalar products at all shifts, and the best of them. */
  computeProducts(): void {
    const { columns, shifts, products: table } = this.tables;
    const products = this.products.fill(0);
    for (let k = 0; k < this.count; k++) {
      const amplitude = this.amplitudes[k];
      const at = this.rows[k] * columns;
      for (let s = 0; s < columns; s++) products[s] += amplitude * table[at + s];
    }
    this.bestProduct = -1;
    for (let s = 0; s < columns; s++)
      if (products[s] > this.bestProduct) {
        this.bestProduct = products[s];
        this.bestShift = s - shifts;
      }
  }

  /** Squared length from below: shapes have no negative part, so overlaps only add. */
  squaredNormBound(): number {
    let sum = 0;
    for (let k = 0; k < this.count; k++) sum += this.amplitudes[k] * this.amplitudes[k];
    return sum;
  }

  computeSquaredNorm(): void {
    const { overlaps, overlapColumns, overlapReach } = this.tables;
    const { rows, amplitudes, count } = this;
    let sum = 0;
    for (let k = 0; k < count; k++) {
      const row = rows[k];
      const at = row * overlapColumns - row;
      const last = row + overlapReach[row];
      let beside = (amplitudes[k] * overlaps[at + row]) / 2;
      for (let m = k + 1; m < count && rows[m] <= last; m++) beside += amplitudes[m] * overlaps[at + rows[m]];
      sum += 2 * amplitudes[k] * beside;
    }
    this.squaredNorm = sum;
  }

  /** Squared Euclidean distance at the best shift; needs computeSquaredNorm. */
  squaredEuclidean(): number {
    return Math.max(0, 2 - (2 * this.bestProduct) / Math.sqrt(this.squaredNorm));
  }
}
