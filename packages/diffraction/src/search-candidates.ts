/**
 * Candidates of a search: one material of the index with its lines in the measured range and their scalar products with
 * the query, and lower bounds on the distances of many materials at once.
 */
import { SEARCH_KERNEL } from './data/search-kernel.ts';
import { GRID_CELLS, type PatternIndex } from './pattern-index.ts';
import { GRID_MARGIN, MAX_STRAIN_CELLS, type PatternQuery, SHAPE_ROW } from './pattern-query.ts';

// Values computed once per query (scalar products, overlaps and envelopes), which are looked up by line and shift.

/**
 * Half width of the Sakoe–Chiba band in cells. After the isotropic strain each axis of a cell may still deviate by ±
 * 0.4 %, the spread of cells computed with PBE. A band of two cells finds fewer of the measured patterns, because
 * patterns with many lines can then be warped onto any pattern. The loops of this file and search-patterns.ts
 * are written for one cell.
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
      let beside = (visible[amplitudes[k]] * overlaps[at + cells[k]]) / 2;
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

// Lower bounds on the distances of many candidates at once, tight enough that almost no candidate needs an
// exact comparison.
//
// A path cell (i, j) costs (qᵢ − rⱼ)². Let C be the largest reference value inside the band, and U the largest query
// value. Every cell of row i costs at least (qᵢ − Cᵢ)² if the query is above C; every cell of column j costs at least
// (rⱼ − Uⱼ)² if the reference is above U. No cell is in both cases, so the two one-sided LB_Keogh sums
// (E. Keogh, C. A. Ratanamahatana, Knowl. Inf. Syst. 7, 358 (2005), doi:10.1007/s10115-004-0154-9) may be added:
//
//     DTW² ≥ Σᵢ max(0, qᵢ − Cᵢ)² + Σⱼ max(0, rⱼ − Uⱼ)²
//
// On measured patterns this is 95–98 % of DTW²; the usual bound, the larger of the two sums, is half of it. The bound
// also holds for the Euclidean distance at every shift within the band.
//
// The sums run over four cells at a time in a WebAssembly function (single precision, 128-bit vectors) that
// draws the references from the lines of the index: about a microsecond per candidate for all strains.
// BOUND_SLACK covers its rounding, so rounding can cost work but never lose a hit.

/**
 * Error of a bound in single precision. At most 350 additions per lane and ten lines per cell give each vector a
 * relative error below 2·10⁻⁵, and both vectors have unit length.
 */
export const BOUND_SLACK = 1e-4;

/** Candidates per call of the kernel. */
export const BOUND_CHUNK = 256;

/** Most lines of a material, because their number is a byte in the stored pattern. */
const MAX_LINES = 255;

/** Number of cells in a segment; the limit is checked after each segment. */
const SEGMENT = 32;

const SEGMENT_BYTES = 4 * SEGMENT;

/** Number of zero cells around a drawn reference: more than the reach of the shifts and the band. */
const PADDING = 8;

/** Length of a row of shapes in memory, in whole vectors of four. */
const SHAPE_STRIDE = 4 * Math.ceil(SHAPE_ROW / 4);

/** Sizes that are compiled into the kernel (workshop/generators/kernel). */
export const KERNEL_SIZES = {
  GRID_CELLS,
  GRID_MARGIN,
  SHAPE_STRIDE,
  MAX_SHIFTS: 2 * MAX_STRAIN_CELLS + 1,
  MAX_LINES,
  CHUNK: BOUND_CHUNK,
  PADDING,
  SEGMENT,
} as const;

/** Tables of kernel/search-bounds.ts in the memory of the module; their addresses are exported globals. */
type Table =
  | 'query'
  | 'upper'
  | 'shapes'
  | 'target'
  | 'vectors'
  | 'visible'
  | 'segments'
  | 'shifts'
  | 'penalties'
  | 'start'
  | 'cells'
  | 'amplitudes'
  | 'bounds';

/** The part of the host's WebAssembly API used here; the types of the language do not include it. */
interface WebAssemblyHost {
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  readonly Instance: new (
    module: object,
  ) => {
    readonly exports: Readonly<Record<Table, { readonly value: number }>> & {
      readonly memory: { readonly buffer: ArrayBuffer };
      readonly run: (...numbers: readonly number[]) => void;
    };
  };
}

let compiled: object | undefined;

function newKernel() {
  const host = (globalThis as unknown as { readonly WebAssembly: WebAssemblyHost }).WebAssembly;
  compiled ??= new host.Module(SEARCH_KERNEL);
  return new host.Instance(compiled).exports;
}

/**
 * Starts of the segments (bytes). Those with most of the query's intensity come first, because most candidates fail on
 * one or two segments.
 */
function segmentOrder(amplitudes: Float64Array): number[] {
  const weights = Array.from({ length: Math.ceil(amplitudes.length / SEGMENT) }, (_, n) =>
    amplitudes.subarray(n * SEGMENT, (n + 1) * SEGMENT).reduce((sum, value) => sum + value * value, 0),
  );
  return [...weights.keys()].sort((m, n) => weights[n] - weights[m]).map((n) => n * SEGMENT_BYTES);
}

/** The kernel with the tables of one query in its memory. */
export class BoundKernel {
  private readonly kernel = newKernel();
  private readonly start: Int32Array;
  private readonly cells: Uint16Array;
  private readonly amplitudes: Uint8Array;
  private readonly bounds: Float32Array;
  private readonly sizes: readonly [number, number, number];

  constructor(
    private readonly index: PatternIndex,
    query: PatternQuery,
    tables: SearchTables,
  ) {
    const { kernel } = this;
    const { buffer } = kernel.memory;
    const floats = (at: number, values: ArrayLike<number>): void => new Float32Array(buffer, at).set(values);
    const integers = (at: number, values: ArrayLike<number>): void => new Int32Array(buffer, at).set(values);
    this.start = new Int32Array(buffer, kernel.start.value, BOUND_CHUNK + 1);
    this.cells = new Uint16Array(buffer, kernel.cells.value, MAX_LINES * BOUND_CHUNK);
    this.amplitudes = new Uint8Array(buffer, kernel.amplitudes.value, MAX_LINES * BOUND_CHUNK);
    this.bounds = new Float32Array(buffer, kernel.bounds.value, BOUND_CHUNK);

    const segments = segmentOrder(query.amplitudes);
    floats(kernel.query.value, query.amplitudes);
    floats(kernel.upper.value, tables.upper);
    floats(kernel.visible.value, query.visible);
    integers(kernel.segments.value, segments);
    integers(
      kernel.shifts.value,
      Array.from(tables.dtwShifts, (shift) => 4 * (PADDING - shift)),
    );
    floats(kernel.penalties.value, Array.from(tables.dtwShifts, strainPenalty));
    const middle = (SHAPE_ROW - 1) / 2;
    for (let row = 0; row < query.length; row++) {
      const reach = query.reach[row];
      const own = query.shapes.subarray(
        row * SHAPE_ROW + middle - reach,
        row * SHAPE_ROW + middle + reach + 1,
      );
      const cell = query.from + row;
      floats(kernel.shapes.value + 4 * SHAPE_STRIDE * cell, own);
      integers(kernel.target.value + 4 * cell, [4 * (PADDING + GRID_MARGIN + row - reach)]);
      integers(kernel.vectors.value + 4 * cell, [Math.ceil(own.length / 4)]);
    }
    this.sizes = [
      4 * (segments.length * SEGMENT + 2 * PADDING),
      4 * segments.length,
      4 * tables.dtwShifts.length,
    ];
  }

  /**
   * Lower bounds on the squared distances of `count` ≤ BOUND_CHUNK candidates, the smallest over the strains. A bound
   * above `limit` is inexact: it only shows that the limit is exceeded. The bound of a material without a visible line
   * in the measured range is meaningless. The next call overwrites the array.
   */
  run(count: number, positionOf: (n: number) => number, limit: number): Float32Array {
    const { start, cells, amplitudes } = this.index;
    let line = 0;
    for (let n = 0; n < count; ) {
      // Adjacent candidates of the index are copied together.
      const first = positionOf(n);
      const begin = start[first];
      let next = first;
      while (n < count && positionOf(n) === next) {
        this.start[n++] = line + start[next] - begin;
        next += 1;
      }
      const end = start[next];
      this.cells.set(cells.subarray(begin, end), line);
      this.amplitudes.set(amplitudes.subarray(begin, end), line);
      line += end - begin;
    }
    this.start[count] = line;
    const [drawnBytes, segments, shifts] = this.sizes;
    this.kernel.run(count, drawnBytes, segments, shifts, limit + BOUND_SLACK);
    return this.bounds;
  }
}
