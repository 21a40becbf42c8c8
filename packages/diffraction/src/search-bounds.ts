/**
 * Lower bounds on the distances of many candidates at once, tight enough that almost no candidate needs an
 * exact comparison.
 *
 * A path cell (i, j) costs (qᵢ − rⱼ)². Let C be the largest reference value inside the band, and U the largest query
 * value. Every cell of row i costs at least (qᵢ − Cᵢ)² if the query is above C; every cell of column j costs at least
 * (rⱼ − Uⱼ)² if the reference is above U. No cell is in both cases, so the two one-sided LB_Keogh sums
 * (E. Keogh, C. A. Ratanamahatana, Knowl. Inf. Syst. 7, 358 (2005), doi:10.1007/s10115-004-0154-9) may be added:
 *
 *     DTW² ≥ Σᵢ max(0, qᵢ − Cᵢ)² + Σⱼ max(0, rⱼ − Uⱼ)²
 *
 * On measured patterns this is 95–98 % of DTW²; the usual bound, the larger of the two sums, is half of it. The bound
 * also holds for the Euclidean distance at every shift within the band.
 *
 * The sums run over four cells at a time in a WebAssembly function (single precision, 128-bit vectors) that
 * draws the references from the lines of the index: about a microsecond per candidate for all strains.
 * BOUND_SLACK covers its rounding, so rounding can cost work but never lose a hit.
 */
import { SEARCH_KERNEL } from './data/search-kernel.ts';
import { GRID_CELLS, type PatternIndex } from './pattern-index.ts';
import { GRID_MARGIN, MAX_STRAIN_CELLS, type PatternQuery, SHAPE_ROW } from './pattern-query.ts';
import { type SearchTables, strainPenalty } from './search-candidate.ts';
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
