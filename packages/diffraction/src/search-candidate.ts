/**
 * One material of the index during a search: its lines in the measured range and their scalar products with the query.
 */
import type { PatternIndex } from './pattern-index.ts';
import { GRID_MARGIN, MAX_STRAIN_CELLS, type PatternQuery, SHAPE_ROW } from './pattern-query.ts';

// Values computed once per query (scalar products, overlaps and envelopes), which are looked up by line and shift.

/**
 * Half width of the Sakoe–Chiba band in cells. After the isotropic strain each axis of a cell may still deviate by ±
 * 0.4 %, the spread of cells computed with PBE. A band of two cells finds fewer of the measured patterns, because
 * patterns with many lines can then be warped onto any pattern. The loops of this file, search-patterns.ts and
 * search-bounds.ts are written for one cell.
 */
export const DTW_BAND_CELLS = 1;

/** DTW is computed at every DTW_SHIFT_STEP-th shift, because the bands of neighbouring shifts touch. */
export const DTW_SHIFT_STEP = 2;

/**
 * Largest addition to the squared distance for strain. If two candidates fit equally well, the one without strain is
 * more likely; without this penalty isotypes whose cells differ by less than 2 % are indistinguishable. Chosen on
 * simulated and measured patterns (docs/methods/xrd-matching.md): simulated ones improve, measured ones (matched with
 * computed cells) do not get worse.
 */
const STRAIN_PENALTY = 0.03;

export interface SearchTables {
  /** Shifts −shifts … +shifts are tried. */
  readonly shifts: number;
  /** Number of shifts, 2 · shifts + 1. */
  readonly columns: number;
  /** [row · columns + shift] is the scalar product of the query with a shifted unit line of the row. */
  readonly products: Float64Array;
  /** [row · overlapColumns + t] is the scalar product of unit lines of rows row and row + t. */
  readonly overlaps: Float64Array;
  readonly overlapColumns: number;
  /** [row] is the largest t with an overlap. */
  readonly overlapReach: Uint8Array;
  /** Largest amplitude of the query within the DTW band around each cell. */
  readonly upper: Float64Array;
  /** Shifts at which DTW is computed. */
  readonly dtwShifts: Int8Array;
}

/**
 * Addition to the squared distance for a shift by this many cells: half of STRAIN_PENALTY at one cell (0.4 %), most of
 * it at two. It then saturates, because computed cells often deviate by 1 %.
 */
export const strainPenalty = (shift: number): number =>
  (STRAIN_PENALTY * shift * shift) / (1 + shift * shift);

/** Tables of a query for isotropic strains up to `shifts` cells to either side. */
export function searchTables(query: PatternQuery, shifts: number): SearchTables {
  const { length, shapes, reach, amplitudes } = query;
  const columns = 2 * shifts + 1;
  const middle = (SHAPE_ROW - 1) / 2;
  const upper = amplitudes.map((value, i) =>
    Math.max(value, amplitudes[i - 1] ?? value, amplitudes[i + 1] ?? value),
  );
  const evenMost = shifts - (shifts % DTW_SHIFT_STEP);
  const dtwShifts = Int8Array.from(
    { length: (2 * evenMost) / DTW_SHIFT_STEP + 1 },
    (_, n) => n * DTW_SHIFT_STEP - evenMost,
  );
  const products = new Float64Array(length * columns);
  const overlapColumns = 2 * middle + 1;
  const overlaps = new Float64Array(length * overlapColumns);
  const overlapReach = new Uint8Array(length);
  for (let row = 0; row < length; row++) {
    const own = reach[row];
    const shape = row * SHAPE_ROW + middle;
    for (let shift = -shifts; shift <= shifts; shift++) {
      const centre = GRID_MARGIN + row + shift;
      let sum = 0;
      for (let j = -own; j <= own; j++) sum += shapes[shape + j] * amplitudes[centre + j];
      products[row * columns + shift + shifts] = sum;
    }
    for (let t = 0; t < overlapColumns && row + t < length; t++) {
      const other = reach[row + t];
      const otherShape = (row + t) * SHAPE_ROW + middle;
      const [from, to] = [Math.max(-own, t - other), Math.min(own, t + other)];
      if (from > to) break;
      let sum = 0;
      for (let j = from; j <= to; j++) sum += shapes[shape + j] * shapes[otherShape + j - t];
      overlaps[row * overlapColumns + t] = sum;
      overlapReach[row] = t;
    }
  }
  return {
    shifts,
    columns,
    products,
    overlaps,
    overlapColumns,
    overlapReach,
    upper,
    dtwShifts,
  };
}

/** The widest strain in cells within a range of relative strains (at most MAX_STRAIN_CELLS). */
export const shiftsForStrain = (maxStrain: number, gridStep: number): number =>
  Math.min(MAX_STRAIN_CELLS, Math.max(0, Math.floor(Math.log1p(maxStrain) / gridStep + 0.06)));

/** A material of the index, reloaded for each candidate; its lines first … last − 1 are inside the measured range. */
export class Candidate {
  first = 0;
  last = 0;
  /** Squared length of the sum of the lines. */
  squaredNorm = 0;
  /** Shift of the best overlap with the query; see `squaredEuclidean`. */
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

  /** Finds the lines of a material in the range; returns false if there are none. */
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

  /**
   * Squared Euclidean distance, the smallest over the shifts; sets `bestShift`. Requires computeSquaredNorm.
   */
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
