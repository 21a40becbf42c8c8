/**
 * One material of the index as the search sees it: its lines in the measured range, and their scalar products with the query.
 */
import type { PatternIndex } from './pattern-index.ts';
import type { PatternQuery } from './pattern-query.ts';
import { type SearchTables, strainPenalty } from './search-tables.ts';

/** A material of the index, reloaded for each: lines first … last − 1 lie inside the measured range. */
export class Candidate {
  first = 0;
  last = 0;
  /** Squared length of the sum of its lines. */
  squaredNorm = 0;
  /** Shift at which it lies best on the query; see `squaredEuclidean`. */
  bestShift = 0;
  private readonly products: Float64Array;
  private readonly penalties: Float64Array;

  constructor(
    readonly index: PatternIndex,
    readonly query: PatternQuery,
    private readonly tables: SearchTables,
  ) {
    this.products = new Float64Array(tables.columns);
    this.penalties = Float64Array.from({ length: tables.columns }, (_, s) =>
      strainPenalty(s - tables.shifts),
    );
  }

  /** Finds the lines of a material in the range; returns false when there is none. */
  load(position: number): boolean {
    const { cells, start } = this.index;
    const { from, length } = this.query;
    let first = start[position];
    let last = start[position + 1];
    while (first < last && cells[first] < from) first += 1;
    while (first < last && cells[last - 1] >= from + length) last -= 1;
    this.first = first;
    this.last = last;
    return first < last;
  }

  computeSquaredNorm(): void {
    const { overlaps, overlapColumns, overlapReach } = this.tables;
    const { cells, amplitudes } = this.index;
    const { from, visible } = this.query;
    const { last } = this;
    let sum = 0;
    for (let k = this.first; k < last; k++) {
      const row = cells[k] - from;
      const at = row * overlapColumns - row - from;
      const end = row + from + overlapReach[row];
      let beside = visible[amplitudes[k]] / 2;
      for (let m = k + 1; m < last && cells[m] <= end; m++)
        beside += visible[amplitudes[m]] * overlaps[at + cells[m]];
      sum += 2 * visible[amplitudes[k]] * beside;
    }
    this.squaredNorm = sum;
  }

  /** Squared Euclidean distance, the smallest over the shifts; sets `bestShift` (computeSquaredNorm done). */
  squaredEuclidean(): number {
    const { columns, shifts, products: table } = this.tables;
    const { cells, amplitudes } = this.index;
    const { from, visible } = this.query;
    const products = this.products.fill(0);
    for (let k = this.first; k < this.last; k++) {
      const amplitude = visible[amplitudes[k]];
      const at = (cells[k] - from) * columns;
      for (let s = 0; s < columns; s++) products[s] += amplitude * table[at + s];
    }
    const factor = 2 / Math.sqrt(this.squaredNorm);
    let smallest = Number.POSITIVE_INFINITY;
    for (let s = 0; s < columns; s++) {
      const squared = Math.max(0, 2 - factor * products[s]) + this.penalties[s];
      if (squared >= smallest) continue;
      smallest = squared;
      this.bestShift = s - shifts;
    }
    return smallest;
  }
}
