/**
 * The kernel of the refinement (AssemblyScript, compiled by `npm run generate kernel`): the loops over the
 * points of a pattern, in double precision with two numbers per vector. src/refinement/peak-shape.ts explains
 * the shape of a line. All sums have a fixed order, so every machine gives the same result.
 *
 * Arguments with a capital letter are addresses. A range is from point `from` to point `to` − 1; for
 * `addWidth`, `combine` and `products` both are even, and arrays are padded with zeros to whole vectors.
 * `Shape` is four arrays, `stride` bytes apart: the shape of a line and its derivatives with respect to
 * position, H and η.
 */
const VECTOR = 16;

/** Full widths beyond which the Gaussian is zero (below 1e-12 of its maximum). */
const GAUSS_REACH: f64 = 3.2;
/** 4 ln 2, and 2 √(ln 2 / π). */
const GAUSS_EXPONENT: f64 = 2.772588722239781;
const GAUSS: f64 = 0.9394372786996513;

function plusTimes(sum: v128, a: v128, b: v128): v128 {
  return f64x2.add(sum, f64x2.mul(a, b));
}

/** Table has exp(−k / STEPS) for k = 0 … LAST. */
const STEPS: f64 = 64;
const LAST: f64 = 1818;
/** Adding this (1.5 · 2⁵²) rounds a number to a whole number and leaves that in the lowest bits. */
const ROUNDING: f64 = 6755399441055744;
/** Constants as vectors in memory: loading them is faster than constants in the code. */
const constants: usize = memory.data<f64>(
  [
    STEPS * GAUSS_EXPONENT,
    STEPS * GAUSS_EXPONENT,
    LAST,
    LAST,
    ROUNDING,
    ROUNDING,
    1 / (24 * STEPS * STEPS * STEPS * STEPS),
    1 / (24 * STEPS * STEPS * STEPS * STEPS),
    1 / (6 * STEPS * STEPS * STEPS),
    1 / (6 * STEPS * STEPS * STEPS),
    1 / (2 * STEPS * STEPS),
    1 / (2 * STEPS * STEPS),
    1 / STEPS,
    1 / STEPS,
    1,
    1,
  ],
  VECTOR,
);

/** exp(−4 ln 2 · square) within the reach of the Gaussian, to 1e-12 of its value. */
function gaussOf(square: v128, Table: usize): v128 {
  const t = f64x2.pmin(v128.load(constants, 16), f64x2.mul(square, v128.load(constants)));
  const k = f64x2.add(t, v128.load(constants, 32));
  const rest = f64x2.sub(f64x2.sub(k, v128.load(constants, 32)), t);
  let series = plusTimes(v128.load(constants, 64), rest, v128.load(constants, 48));
  series = plusTimes(v128.load(constants, 80), rest, series);
  series = plusTimes(v128.load(constants, 96), rest, series);
  series = plusTimes(v128.load(constants, 112), rest, series);
  const value = v128.load64_lane(
    Table + ((<usize>i32x4.extract_lane(k, 2)) << 3),
    v128.load64_zero(Table + ((<usize>i32x4.extract_lane(k, 0)) << 3)),
    1,
  );
  return f64x2.mul(series, value);
}

function evenBelow(point: usize): usize {
  return point & ~1;
}

/** Mask of the lanes that belong to a range, for the pair in which the range begins. */
function firstLanes(from: usize): v128 {
  return from & 1 ? i64x2(0, -1) : i64x2.splat(-1);
}

function add(to: usize, value: v128): void {
  v128.store(to, f64x2.add(v128.load(to), value));
}

/** Address of the first pair that begins at or above the angle; `end` if there is none. */
function pairAt(angle: f64, start: usize, end: usize): usize {
  let low = start;
  let high = end;
  while (low < high) {
    const middle = (low + ((high - low) >> 1)) & ~15;
    if (load<f64>(middle) < angle) low = middle + VECTOR;
    else high = middle;
  }
  return low;
}

/** Sets a range of `count` arrays, `stride` bytes apart, to zero. */
export function clear(Arrays: usize, stride: usize, count: i32, from: usize, to: usize): void {
  for (let i = 0; i < count; i++) memory.fill(Arrays + <usize>i * stride + (from << 3), 0, (to - from) << 3);
}

/** Adds `weight` times a line and its derivatives to the arrays of a shape. */
export function addShape(
  X: usize,
  from: usize,
  to: usize,
  position: f64,
  h: f64,
  eta: f64,
  reach: f64,
  level: f64,
  perLorentz: f64,
  weight: f64,
  Table: usize,
  Shape: usize,
  stride: usize,
): void {
  const height = weight / h;
  const slope = height / h;
  const centre = f64x2.splat(position);
  const quarter = f64x2.splat(0.25);
  const perH = f64x2.splat(1 / h);
  const lorentz = f64x2.splat(height * eta * perLorentz);
  const lorentzLevel = f64x2.splat(height * eta * perLorentz * level);
  const lorentzSlope = f64x2.splat(8 * slope * eta * perLorentz);
  const etaLorentz = f64x2.splat(height * perLorentz);
  const etaLevel = f64x2.splat(height * perLorentz * level);
  const ends = f64x2.splat(reach * reach);
  const end = X + (to << 3);
  let sum = Shape + (evenBelow(from) << 3);
  let at = X + (evenBelow(from) << 3);
  let lanes = firstLanes(from);
  const core = max<usize>(at, pairAt(position - GAUSS_REACH * h, at, end) - VECTOR);
  const tail = pairAt(position + GAUSS_REACH * h, at, end);
  // A tail, the core with the Gaussian, and the other tail.
  for (let part = 0; part < 3; part++) {
    const stop = part == 0 ? core : part == 1 ? tail : end;
    for (; at < stop; at += VECTOR, sum += VECTOR) {
      const u = f64x2.mul(f64x2.sub(v128.load(at), centre), perH);
      const square = f64x2.mul(u, u);
      const bell = f64x2.div(quarter, f64x2.add(quarter, square));
      let value = f64x2.sub(f64x2.mul(lorentz, bell), lorentzLevel);
      let byPosition = f64x2.mul(lorentzSlope, f64x2.mul(bell, bell));
      let byEta = f64x2.sub(f64x2.mul(etaLorentz, bell), etaLevel);
      if (part == 1) {
        const isNear = f64x2.lt(square, f64x2.splat(GAUSS_REACH * GAUSS_REACH));
        const gauss = v128.and(gaussOf(square, Table), isNear);
        value = plusTimes(value, f64x2.splat(height * (1 - eta) * GAUSS), gauss);
        byPosition = plusTimes(
          byPosition,
          f64x2.splat(2 * GAUSS_EXPONENT * slope * (1 - eta) * GAUSS),
          gauss,
        );
        byEta = f64x2.sub(byEta, f64x2.mul(f64x2.splat(height * GAUSS), gauss));
      }
      byPosition = f64x2.mul(u, byPosition);
      const byH = f64x2.sub(f64x2.mul(u, byPosition), f64x2.mul(perH, value));
      if (at + VECTOR > end) lanes = v128.and(lanes, i64x2(-1, 0));
      const isInside = v128.and(f64x2.lt(square, ends), lanes);
      lanes = i64x2.splat(-1);
      add(sum, v128.and(value, isInside));
      add(sum + stride, v128.and(byPosition, isInside));
      add(sum + 2 * stride, v128.and(byH, isInside));
      add(sum + 3 * stride, v128.and(byEta, isInside));
    }
  }
}

/** Like `addShape`, without derivatives. */
export function addShapeValue(
  X: usize,
  from: usize,
  to: usize,
  position: f64,
  h: f64,
  eta: f64,
  reach: f64,
  level: f64,
  perLorentz: f64,
  weight: f64,
  Table: usize,
  Sum: usize,
): void {
  const height = weight / h;
  const centre = f64x2.splat(position);
  const quarter = f64x2.splat(0.25);
  const perH = f64x2.splat(1 / h);
  const lorentz = f64x2.splat(height * eta * perLorentz);
  const lorentzLevel = f64x2.splat(height * eta * perLorentz * level);
  const ends = f64x2.splat(reach * reach);
  const end = X + (to << 3);
  let sum = Sum + (evenBelow(from) << 3);
  let at = X + (evenBelow(from) << 3);
  let lanes = firstLanes(from);
  const core = max<usize>(at, pairAt(position - GAUSS_REACH * h, at, end) - VECTOR);
  const tail = pairAt(position + GAUSS_REACH * h, at, end);
  // A tail, the core with the Gaussian, and the other tail.
  for (let part = 0; part < 3; part++) {
    const stop = part == 0 ? core : part == 1 ? tail : end;
    for (; at < stop; at += VECTOR, sum += VECTOR) {
      const u = f64x2.mul(f64x2.sub(v128.load(at), centre), perH);
      const square = f64x2.mul(u, u);
      const bell = f64x2.div(quarter, f64x2.add(quarter, square));
      let value = f64x2.sub(f64x2.mul(lorentz, bell), lorentzLevel);
      if (part == 1) {
        const isNear = f64x2.lt(square, f64x2.splat(GAUSS_REACH * GAUSS_REACH));
        const gauss = v128.and(gaussOf(square, Table), isNear);
        value = plusTimes(value, f64x2.splat(height * (1 - eta) * GAUSS), gauss);
      }
      if (at + VECTOR > end) lanes = v128.and(lanes, i64x2(-1, 0));
      add(sum, v128.and(value, v128.and(f64x2.lt(square, ends), lanes)));
      lanes = i64x2.splat(-1);
    }
  }
}

/** Sum += factor × values. */
export function addTimes(Sum: usize, from: usize, to: usize, factor: f64, Values: usize): void {
  const factors = f64x2.splat(factor);
  const end = Sum + (to << 3);
  let at = Sum + (from << 3);
  let value = Values + (from << 3);
  for (; at + VECTOR <= end; at += VECTOR, value += VECTOR) add(at, f64x2.mul(factors, v128.load(value)));
  if (at < end) store<f64>(at, load<f64>(at) + factor * load<f64>(value));
}

/** Adds the derivative with respect to a parameter that changes H and η of a line at the given rates. */
export function addWidth(
  Column: usize,
  from: usize,
  to: usize,
  byH: f64,
  byEta: f64,
  Shape: usize,
  stride: usize,
): void {
  const end = Column + (to << 3);
  let at = Column + (from << 3);
  let shape = Shape + 2 * stride + (from << 3);
  for (; at < end; at += VECTOR, shape += VECTOR) {
    const sum = plusTimes(
      f64x2.mul(f64x2.splat(byH), v128.load(shape)),
      f64x2.splat(byEta),
      v128.load(shape + stride),
    );
    add(at, sum);
  }
}

/**
 * Adds the derivative with respect to a parameter that changes area, position, H and η of a line at the given
 * rates.
 */
export function combine(
  Column: usize,
  from: usize,
  to: usize,
  byArea: f64,
  byPosition: f64,
  byH: f64,
  byEta: f64,
  Shape: usize,
  stride: usize,
): void {
  const end = Column + (to << 3);
  let at = Column + (from << 3);
  let shape = Shape + (from << 3);
  for (; at < end; at += VECTOR, shape += VECTOR) {
    let sum = f64x2.mul(f64x2.splat(byArea), v128.load(shape));
    sum = plusTimes(sum, f64x2.splat(byPosition), v128.load(shape + stride));
    sum = plusTimes(sum, f64x2.splat(byH), v128.load(shape + 2 * stride));
    sum = plusTimes(sum, f64x2.splat(byEta), v128.load(shape + 3 * stride));
    add(at, sum);
  }
}

/** Points per block of `products`: the columns of a block stay in the cache. */
const BLOCK = 256;
const weighted: usize = memory.data(8 * BLOCK, VECTOR);

function laneSum(v: v128): f64 {
  return f64x2.extract_lane(v, 0) + f64x2.extract_lane(v, 1);
}

function accumulate(at: usize, value: v128): void {
  store<f64>(at, load<f64>(at) + laneSum(value));
}

/**
 * Adds Σ weight × column j × column k to Matrix[j n + k] for k ≥ j. `Columns` has the addresses of n arrays, which are
 * zero up to a multiple of 16 bytes.
 */
export function products(n: i32, points: usize, Columns: usize, Weights: usize, Matrix: usize): void {
  const end = points << 3;
  for (let block: usize = 0; block < end; block += 8 * BLOCK) {
    const length = min<usize>(8 * BLOCK, end - block);
    for (let j = 0; j < n; j++) {
      const own = <usize>load<u32>(Columns + ((<usize>j) << 2)) + block;
      for (let i: usize = 0; i < length; i += VECTOR)
        v128.store(weighted + i, f64x2.mul(v128.load(Weights + block + i), v128.load(own + i)));
      const row = Matrix + ((<usize>(j * n)) << 3);
      for (let k = j; k < n; k += 4) {
        // Columns are taken in groups of four. The last column takes the place of missing ones; its sums are
        // not stored.
        const a = <usize>load<u32>(Columns + ((<usize>k) << 2)) + block;
        const b = <usize>load<u32>(Columns + ((<usize>min<i32>(k + 1, n - 1)) << 2)) + block;
        const c = <usize>load<u32>(Columns + ((<usize>min<i32>(k + 2, n - 1)) << 2)) + block;
        const d = <usize>load<u32>(Columns + ((<usize>min<i32>(k + 3, n - 1)) << 2)) + block;
        let sumA = f64x2.splat(0),
          sumB = f64x2.splat(0),
          sumC = f64x2.splat(0),
          sumD = f64x2.splat(0);
        for (let i: usize = 0; i < length; i += VECTOR) {
          const value = v128.load(weighted + i);
          sumA = plusTimes(sumA, value, v128.load(a + i));
          sumB = plusTimes(sumB, value, v128.load(b + i));
          sumC = plusTimes(sumC, value, v128.load(c + i));
          sumD = plusTimes(sumD, value, v128.load(d + i));
        }
        const at = row + ((<usize>k) << 3);
        accumulate(at, sumA);
        if (k + 1 < n) accumulate(at + 8, sumB);
        if (k + 2 < n) accumulate(at + 16, sumC);
        if (k + 3 < n) accumulate(at + 24, sumD);
      }
    }
  }
}
