/**
 * The kernel of the search (AssemblyScript, compiled by `npm run generate kernel`): lower bounds on the
 * squared distances of many candidates to one query. src/search-candidates.ts explains what it computes and why;
 * this file is the implementation.
 *
 * All data are in the module's own memory at the addresses exported below. The caller fills the tables of the query
 * once, and the lines of the candidates before each run. Vectors hold four single-precision numbers; offsets and
 * lengths are in bytes. A table's address is the constant offset of a load, load(at, table), which costs nothing; if it
 * is added to the pointer, the kernel is a quarter slower.
 *
 * GRID_CELLS, GRID_MARGIN, SHAPE_STRIDE, MAX_SHIFTS, MAX_LINES, CHUNK, PADDING and SEGMENT are set by the
 * generator from the constants of src.
 */
const VECTOR = 16;
const SEGMENT_BYTES = 4 * SEGMENT;
/** Number of cells of the longest padded query, rounded up to whole segments. */
const MAX_CELLS = ((GRID_CELLS + 2 * GRID_MARGIN + SEGMENT - 1) / SEGMENT) * SEGMENT;
/** Size in bytes of a reference drawn on the cells of the query, padded with zeros for the shifts. */
const DRAWN_BYTES = 4 * (MAX_CELLS + 2 * PADDING);

/** Amplitudes of the query, and their envelope U. */
export const query: usize = memory.data(4 * MAX_CELLS, VECTOR);
export const upper: usize = memory.data(4 * MAX_CELLS, VECTOR);
/** The drawn reference; the running maximum also reads the zeros before and after it. */
const framed: usize = memory.data(VECTOR + DRAWN_BYTES + VECTOR, VECTOR);
const drawn: usize = framed + VECTOR;
/** The reference scaled to unit length, and the maximum of each cell and its two neighbours. */
const scaled: usize = memory.data(DRAWN_BYTES, VECTOR);
const ceiling: usize = memory.data(DRAWN_BYTES, VECTOR);
/**
 * For each cell of the grid the shape of a line there, its offset, and its length in vectors (0 outside the measured
 * range).
 */
export const shapes: usize = memory.data(4 * SHAPE_STRIDE * GRID_CELLS, VECTOR);
export const target: usize = memory.data(4 * GRID_CELLS, VECTOR);
export const vectors: usize = memory.data(4 * GRID_CELLS, VECTOR);
/** Height of a line for each stored amplitude. */
export const visible: usize = memory.data(4 * 256, VECTOR);
/** Starts of the segments in the order of processing; the shifts and their penalties. */
export const segments: usize = memory.data(4 * (MAX_CELLS / SEGMENT), VECTOR);
export const shifts: usize = memory.data(4 * MAX_SHIFTS, VECTOR);
export const penalties: usize = memory.data(4 * MAX_SHIFTS, VECTOR);
/** Candidates: the lines of candidate n are start[n] … start[n + 1] − 1 of cells and amplitudes. */
export const start: usize = memory.data(4 * (CHUNK + 1), VECTOR);
export const cells: usize = memory.data(2 * MAX_LINES * CHUNK, VECTOR);
export const amplitudes: usize = memory.data(MAX_LINES * CHUNK, VECTOR);
/** The result of `run`. */
export const bounds: usize = memory.data(4 * CHUNK, VECTOR);

/** The larger of each pair (a < b ? b : a, one machine instruction); if `b` is NaN, the result is `a`. */
function larger(a: v128, b: v128): v128 {
  return f32x4.pmax(a, b);
}

function laneSum(v: v128): f32 {
  return (
    f32x4.extract_lane(v, 0) +
    f32x4.extract_lane(v, 1) +
    (f32x4.extract_lane(v, 2) + f32x4.extract_lane(v, 3))
  );
}

/** Adds the peak shape of one line to the drawn reference. */
function drawLine(line: i32): void {
  const cell = <usize>load<u16>((<usize>line) << 1, cells);
  let count = load<i32>(cell << 2, vectors);
  if (!count) return;
  const height = f32x4.splat(load<f32>((<usize>load<u8>(line, amplitudes)) << 2, visible));
  let from = shapes + cell * (4 * SHAPE_STRIDE);
  let to = drawn + load<i32>(cell << 2, target);
  do {
    v128.store(to, f32x4.add(v128.load(to), f32x4.mul(height, v128.load(from))));
    to += VECTOR;
    from += VECTOR;
  } while (--count);
}

function clearDrawing(length: usize): void {
  let at: usize = 0;
  do v128.store(at, f32x4.splat(0), drawn);
  while ((at += VECTOR) < length);
}

/**
 * Scales the drawing to unit length. Without a line in range this divides by zero; `larger` turns the NaN
 * into zero.
 */
function scaleDrawing(length: usize): void {
  let squares = f32x4.splat(0);
  let at: usize = 0;
  do {
    const cell = v128.load(at, drawn);
    squares = f32x4.add(squares, f32x4.mul(cell, cell));
  } while ((at += VECTOR) < length);

  const scale = f32x4.splat(1 / sqrt<f32>(laneSum(squares)));
  at = 0;
  do {
    const cell = f32x4.mul(scale, v128.load(at, drawn));
    const neighbours = larger(v128.load(at, drawn - 4), v128.load(at, drawn + 4));
    v128.store(at, cell, scaled);
    v128.store(at, larger(cell, f32x4.mul(scale, neighbours)), ceiling);
  } while ((at += VECTOR) < length);
}

/** Returns (higher − lower)² where the difference is positive, otherwise 0. */
function squaredExcess(higher: v128, lower: v128): v128 {
  const excess = larger(f32x4.splat(0), f32x4.sub(higher, lower));
  return f32x4.mul(excess, excess);
}

/** Sum of both one-sided squared excesses over a segment: query above reference, and reference above query. */
function excessOfSegment(own: usize, other: usize): f32 {
  let above = f32x4.splat(0);
  let below = f32x4.splat(0);
  for (let end = own + SEGMENT_BYTES; own < end; own += VECTOR, other += VECTOR) {
    above = f32x4.add(above, squaredExcess(v128.load(own, query), v128.load(other, ceiling)));
    below = f32x4.add(below, squaredExcess(v128.load(other, scaled), v128.load(own, upper)));
  }
  return laneSum(f32x4.add(above, below));
}

/** The smallest bound over the shifts. The sum of a shift stops as soon as it exceeds the limit. */
function boundOfDrawing(segmentBytes: usize, shiftBytes: usize, limit: f32): f32 {
  let bound = f32.MAX_VALUE;
  let shift: usize = 0;
  do {
    const offset = load<i32>(shift, shifts);
    let sum = load<f32>(shift, penalties);
    let segment: usize = 0;
    do {
      const own = load<i32>(segment, segments);
      sum += excessOfSegment(own, own + offset);
    } while (i32((segment += 4) < segmentBytes) & i32(sum <= limit));
    bound = min<f32>(bound, sum);
  } while ((shift += 4) < shiftBytes);
  return bound;
}

/**
 * Fills `bounds` for `count` candidates. `drawnBytes` is the length of a drawn reference with its padding. A bound
 * above `limit` is inexact: it only shows that the limit is exceeded.
 */
export function run(
  candidates: usize,
  drawnBytes: usize,
  segmentBytes: usize,
  shiftBytes: usize,
  limit: f32,
): void {
  for (let n: usize = 0; n < candidates << 2; n += 4) {
    clearDrawing(drawnBytes);
    const end = load<i32>(n, start + 4);
    for (let line = load<i32>(n, start); line < end; ++line) drawLine(line);
    scaleDrawing(drawnBytes);
    store<f32>(n, boundOfDrawing(segmentBytes, shiftBytes, limit), bounds);
  }
}
