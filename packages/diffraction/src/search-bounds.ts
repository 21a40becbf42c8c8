/**
 * A lower bound on the distances of many candidates at once, tight enough that almost none is left to compare.
 *
 * A path cell (i, j) costs (qᵢ − rⱼ)². Every cell of row i costs at least (qᵢ − Cᵢ)² where the query rises above C, the
 * largest reference value inside the band; every cell of column j at least (rⱼ − Uⱼ)² in the opposite case, U being the
 * largest query value inside the band. No cell can be both, so the two one-sided LB_Keogh sums (distances.ts) may be added:
 *
 *     DTW² ≥ Σᵢ max(0, qᵢ − Cᵢ)² + Σⱼ max(0, rⱼ − Uⱼ)²
 *
 * On measured patterns this is 95–98 % of DTW², where the larger of the two sums alone, the usual bound, is half of it. A
 * Euclidean distance at a shift that the band reaches is not below it either.
 *
 * The sums run over four cells at a time in a WebAssembly function (single precision, 128-bit vectors) that draws the
 * references from the lines of the index: about a microsecond per candidate with all strains. Its rounding is allowed for
 * by BOUND_SLACK, so it can cost work, never a hit.
 */
import { GRID_CELLS, type PatternIndex } from './pattern-index.ts';
import { GRID_MARGIN, MAX_STRAIN_CELLS, type PatternQuery, SHAPE_ROW } from './pattern-query.ts';
import { type SearchTables, strainPenalty } from './search-tables.ts';
import {
  type Code,
  F32,
  f32,
  f32x4,
  get,
  I32,
  i32,
  laneSum,
  repeatWhile,
  set,
  V128,
  wasmModule,
  when,
} from './wasm-assembler.ts';

/**
 * Error of a bound in single precision: at most 350 additions per lane and ten lines per cell give each vector a relative
 * error below 2·10⁻⁵, and both vectors have unit length.
 */
export const BOUND_SLACK = 1e-4;

/** Candidates per call of the kernel. */
export const BOUND_CHUNK = 256;

/** Lines of a material at most: their number is a byte in the stored pattern. */
const MAX_LINES = 255;

/** Cells between two looks at the limit: a segment. */
const SEGMENT = 32;

/** Bytes of a vector of four numbers, and of a segment. */
const VECTOR = 16;
const SEGMENT_BYTES = 4 * SEGMENT;

/** Cells of the longest padded query, in whole segments, and the zeros around a drawn reference. */
const MAX_CELLS = SEGMENT * Math.ceil((GRID_CELLS + 2 * GRID_MARGIN) / SEGMENT);
const PADDING = 8;

/** A row of shapes in memory, in whole vectors. */
const SHAPE_STRIDE = 4 * Math.ceil(SHAPE_ROW / 4);

/** Addresses in the kernel's memory. */
const AT = (() => {
  let end = 0;
  const place = (bytes: number): number => {
    const start = end;
    end += VECTOR * Math.ceil(bytes / VECTOR);
    return start;
  };
  const drawn = 4 * (MAX_CELLS + 2 * PADDING);
  return {
    query: place(4 * MAX_CELLS),
    upper: place(4 * MAX_CELLS),
    /** Zeros before `drawn` too, for the running maximum. */
    before: place(VECTOR),
    drawn: place(drawn),
    after: place(VECTOR),
    scaled: place(drawn),
    ceiling: place(drawn),
    shapes: place(4 * SHAPE_STRIDE * GRID_CELLS),
    /** Per cell of the grid: where its line is drawn to, and in how many vectors (none outside the measured range). */
    target: place(4 * GRID_CELLS),
    vectors: place(4 * GRID_CELLS),
    visible: place(4 * 256),
    segments: place(4 * (MAX_CELLS / SEGMENT)),
    shifts: place(4 * (2 * MAX_STRAIN_CELLS + 1)),
    penalties: place(4 * (2 * MAX_STRAIN_CELLS + 1)),
    start: place(4 * (BOUND_CHUNK + 1)),
    cells: place(2 * MAX_LINES * BOUND_CHUNK),
    amplitudes: place(MAX_LINES * BOUND_CHUNK),
    bounds: place(4 * BOUND_CHUNK),
    end,
  };
})();

/** Squares what two vectors differ by where the first is larger, and adds it to a local. */
function addSquaredExcess(sum: number, scratch: number, higher: Code, lower: Code): Code {
  return [
    ...set(scratch, f32x4.larger(f32x4.zero, f32x4.subtract(higher, lower))),
    ...set(sum, f32x4.add(get(sum), f32x4.multiply(get(scratch), get(scratch)))),
  ];
}

/** run(materials, bytes of a drawn reference, 4 × segments, 4 × shifts, limit) fills `bounds`. */
function kernelModule(): Uint8Array<ArrayBuffer> {
  const [materials, drawnBytes, segments, shifts, limit] = [0, 1, 2, 3, 4];
  const [material, line, lastLine, cell, at, from, count, shift, offset, segment] = [
    5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
  ];
  const [bound, sum] = [15, 16];
  const [a, b, c, d] = [17, 18, 19, 20];
  const i32s = Array.from({ length: 10 }, () => I32);
  const step = (local: number, by: number): Code => set(local, i32.add(get(local), i32.const(by)));

  const clear = [
    set(at, i32.const(0)),
    repeatWhile(
      [f32x4.store(get(at), AT.drawn, f32x4.zero), step(at, VECTOR)],
      i32.less(get(at), get(drawnBytes)),
    ),
  ];
  const drawLine = [
    set(cell, i32.load16(i32.shiftLeft(get(line), i32.const(1)), AT.cells)),
    set(at, i32.shiftLeft(get(cell), i32.const(2))),
    set(count, i32.load(get(at), AT.vectors)),
    when(get(count), [
      set(at, i32.shiftLeft(i32.load8(get(line), AT.amplitudes), i32.const(2))),
      set(a, f32x4.splat(f32.load(get(at), AT.visible))),
      set(from, i32.multiply(get(cell), i32.const(4 * SHAPE_STRIDE))),
      set(at, i32.load(i32.shiftLeft(get(cell), i32.const(2)), AT.target)),
      repeatWhile(
        [
          f32x4.store(
            get(at),
            AT.drawn,
            f32x4.add(
              f32x4.load(get(at), AT.drawn),
              f32x4.multiply(get(a), f32x4.load(get(from), AT.shapes)),
            ),
          ),
          step(at, VECTOR),
          step(from, VECTOR),
          step(count, -1),
        ],
        get(count),
      ),
    ]),
    step(line, 1),
  ];
  const squaredLength = [
    set(a, f32x4.zero),
    set(at, i32.const(0)),
    repeatWhile(
      [
        set(b, f32x4.load(get(at), AT.drawn)),
        set(a, f32x4.add(get(a), f32x4.multiply(get(b), get(b)))),
        step(at, VECTOR),
      ],
      i32.less(get(at), get(drawnBytes)),
    ),
  ];
  // A material without a line in range divides by zero; the comparisons below turn what is no number into zero.
  const scale = [
    set(a, f32x4.splat(f32.divide(f32.const(1), f32.squareRoot(laneSum(a))))),
    set(at, i32.const(0)),
    repeatWhile(
      [
        set(b, f32x4.multiply(get(a), f32x4.load(get(at), AT.drawn))),
        f32x4.store(get(at), AT.scaled, get(b)),
        set(c, f32x4.larger(f32x4.load(get(at), AT.drawn - 4), f32x4.load(get(at), AT.drawn + 4))),
        f32x4.store(get(at), AT.ceiling, f32x4.larger(get(b), f32x4.multiply(get(a), get(c)))),
        step(at, VECTOR),
      ],
      i32.less(get(at), get(drawnBytes)),
    ),
  ];
  const oneSegment = [
    set(at, i32.load(get(segment), AT.segments)),
    set(from, i32.add(get(at), get(offset))),
    set(a, f32x4.zero),
    set(b, f32x4.zero),
    ...Array.from({ length: SEGMENT_BYTES / VECTOR }, (_, n) => [
      ...addSquaredExcess(
        a,
        c,
        f32x4.load(get(at), AT.query + VECTOR * n),
        f32x4.load(get(from), AT.ceiling + VECTOR * n),
      ),
      ...addSquaredExcess(
        b,
        d,
        f32x4.load(get(from), AT.scaled + VECTOR * n),
        f32x4.load(get(at), AT.upper + VECTOR * n),
      ),
    ]),
    set(a, f32x4.add(get(a), get(b))),
    set(sum, f32.add(get(sum), laneSum(a))),
    step(segment, 4),
  ];
  const oneShift = [
    set(offset, i32.load(get(shift), AT.shifts)),
    set(sum, f32.load(get(shift), AT.penalties)),
    set(segment, i32.const(0)),
    repeatWhile(
      oneSegment,
      i32.and(i32.less(get(segment), get(segments)), f32.lessOrEqual(get(sum), get(limit))),
    ),
    set(bound, f32.least(get(bound), get(sum))),
    step(shift, 4),
  ];
  const oneMaterial = [
    ...clear,
    set(line, i32.load(get(material), AT.start)),
    set(lastLine, i32.load(get(material), AT.start + 4)),
    when(i32.less(get(line), get(lastLine)), [repeatWhile(drawLine, i32.less(get(line), get(lastLine)))]),
    ...squaredLength,
    ...scale,
    set(bound, f32.const(Number.POSITIVE_INFINITY)),
    set(shift, i32.const(0)),
    repeatWhile(oneShift, i32.less(get(shift), get(shifts))),
    f32.store(get(material), AT.bounds, get(bound)),
    step(material, 4),
  ];
  return wasmModule({
    pages: Math.ceil(AT.end / 65536),
    parameters: [I32, I32, I32, I32, F32],
    locals: [...i32s, F32, F32, V128, V128, V128, V128],
    body: [repeatWhile(oneMaterial, i32.less(get(material), i32.shiftLeft(get(materials), i32.const(2))))],
  });
}

/** What this file uses of the host's WebAssembly, which the language's own types do not describe. */
interface WebAssemblyHost {
  readonly Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  readonly Instance: new (
    module: object,
  ) => {
    readonly exports: {
      readonly memory: { readonly buffer: ArrayBuffer };
      readonly run: (...numbers: readonly number[]) => void;
    };
  };
}

let compiled: object | undefined;

function newKernel() {
  const host = (globalThis as unknown as { readonly WebAssembly: WebAssemblyHost }).WebAssembly;
  compiled ??= new host.Module(kernelModule());
  return new host.Instance(compiled).exports;
}

/** Starts of the segments (bytes), those with the most of the query first: most candidates fail on one or two. */
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
    const { buffer } = this.kernel.memory;
    const floats = (at: number, values: ArrayLike<number>): void => new Float32Array(buffer, at).set(values);
    const integers = (at: number, values: ArrayLike<number>): void => new Int32Array(buffer, at).set(values);
    this.start = new Int32Array(buffer, AT.start, BOUND_CHUNK + 1);
    this.cells = new Uint16Array(buffer, AT.cells, MAX_LINES * BOUND_CHUNK);
    this.amplitudes = new Uint8Array(buffer, AT.amplitudes, MAX_LINES * BOUND_CHUNK);
    this.bounds = new Float32Array(buffer, AT.bounds, BOUND_CHUNK);

    const segments = segmentOrder(query.amplitudes);
    floats(AT.query, query.amplitudes);
    floats(AT.upper, tables.upper);
    floats(AT.visible, query.visible);
    integers(AT.segments, segments);
    integers(
      AT.shifts,
      Array.from(tables.dtwShifts, (shift) => 4 * (PADDING - shift)),
    );
    floats(AT.penalties, Array.from(tables.dtwShifts, strainPenalty));
    const middle = (SHAPE_ROW - 1) / 2;
    for (let row = 0; row < query.length; row++) {
      const reach = query.reach[row];
      const own = query.shapes.subarray(
        row * SHAPE_ROW + middle - reach,
        row * SHAPE_ROW + middle + reach + 1,
      );
      const cell = query.from + row;
      floats(AT.shapes + 4 * SHAPE_STRIDE * cell, own);
      integers(AT.target + 4 * cell, [4 * (PADDING + GRID_MARGIN + row - reach)]);
      integers(AT.vectors + 4 * cell, [Math.ceil(own.length / 4)]);
    }
    this.sizes = [
      4 * (segments.length * SEGMENT + 2 * PADDING),
      4 * segments.length,
      4 * tables.dtwShifts.length,
    ];
  }

  /**
   * Lower bounds on the squared distances of `count` ≤ BOUND_CHUNK candidates, the smallest over the strains; what exceeds
   * `limit` is only known to exceed it. Says nothing about a material without a visible line in the measured range. The array is
   * overwritten by the next call.
   */
  run(count: number, positionOf: (n: number) => number, limit: number): Float32Array {
    const { start, cells, amplitudes } = this.index;
    let line = 0;
    for (let n = 0; n < count; ) {
      // Neighbours in the index are copied together.
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
