/**
 * The parts of a neural network that the kernels of several packages share (AssemblyScript): matrix products
 * and activations. A generator prepends this text to the source of a kernel and compiles both.
 *
 * Arguments with a capital letter are addresses in the memory that the host provides. Numbers are in single
 * precision, four to a vector; counts of channels are multiples of 8. All sums have a fixed order, so the same
 * input gives the same bits everywhere.
 */

function ld(at: usize): v128 {
  return v128.load(at);
}

function muladd(sum: v128, a: v128, b: v128): v128 {
  return f32x4.add(sum, f32x4.mul(a, b));
}

/** Sum of the four numbers of a vector. */
function total(s: v128): f32 {
  return (
    f32x4.extract_lane(s, 0) + f32x4.extract_lane(s, 1) + f32x4.extract_lane(s, 2) + f32x4.extract_lane(s, 3)
  );
}

/**
 * Adds X[r] · W to O[r] for every row r. W has `inputs` rows of `outputs` numbers. Tiles of 4 rows × 8 columns stay in
 * registers.
 */
export function multiply(X: usize, rows: i32, inputs: i32, outputs: i32, W: usize, O: usize): void {
  const xs = <usize>(inputs << 2);
  const os = <usize>(outputs << 2);
  let r = 0;
  for (; r + 3 < rows; r += 4) {
    const x0 = X + <usize>r * xs,
      x1 = x0 + xs,
      x2 = x1 + xs,
      x3 = x2 + xs;
    const o0 = O + <usize>r * os,
      o1 = o0 + os,
      o2 = o1 + os,
      o3 = o2 + os;
    for (let j: usize = 0; j < os; j += 32) {
      let a0 = ld(o0 + j),
        a1 = ld(o0 + j + 16),
        b0 = ld(o1 + j),
        b1 = ld(o1 + j + 16);
      let c0 = ld(o2 + j),
        c1 = ld(o2 + j + 16),
        d0 = ld(o3 + j),
        d1 = ld(o3 + j + 16);
      let w = W + j;
      for (let k: usize = 0; k < xs; k += 4) {
        const w0 = ld(w),
          w1 = ld(w + 16);
        w += os;
        let x = v128.load32_splat(x0 + k);
        a0 = muladd(a0, x, w0);
        a1 = muladd(a1, x, w1);
        x = v128.load32_splat(x1 + k);
        b0 = muladd(b0, x, w0);
        b1 = muladd(b1, x, w1);
        x = v128.load32_splat(x2 + k);
        c0 = muladd(c0, x, w0);
        c1 = muladd(c1, x, w1);
        x = v128.load32_splat(x3 + k);
        d0 = muladd(d0, x, w0);
        d1 = muladd(d1, x, w1);
      }
      v128.store(o0 + j, a0);
      v128.store(o0 + j + 16, a1);
      v128.store(o1 + j, b0);
      v128.store(o1 + j + 16, b1);
      v128.store(o2 + j, c0);
      v128.store(o2 + j + 16, c1);
      v128.store(o3 + j, d0);
      v128.store(o3 + j + 16, d1);
    }
  }
  for (; r < rows; r++) {
    const x0 = X + <usize>r * xs,
      o0 = O + <usize>r * os;
    for (let j: usize = 0; j < os; j += 32) {
      let a0 = ld(o0 + j),
        a1 = ld(o0 + j + 16);
      let w = W + j;
      for (let k: usize = 0; k < xs; k += 4) {
        const x = v128.load32_splat(x0 + k);
        a0 = muladd(a0, x, ld(w));
        a1 = muladd(a1, x, ld(w + 16));
        w += os;
      }
      v128.store(o0 + j, a0);
      v128.store(o0 + j + 16, a1);
    }
  }
}

/**
 * Adding this constant to a small number leaves the nearest integer of that number in the last bits of the sum.
 */
const ROUNDER: f32 = 12582912; // 1.5 · 2^23

/** 1 / (1 + exp(−x)), with exp as 2^k times a polynomial on ±½ ln 2; relative error 1e-7. */
function sigmoid(x: v128): v128 {
  const one = f32x4.splat(1);
  const y = f32x4.pmin(f32x4.pmax(f32x4.neg(x), f32x4.splat(-86)), f32x4.splat(86));
  const bits = muladd(f32x4.splat(ROUNDER), y, f32x4.splat(1.44269504));
  const k = f32x4.sub(bits, f32x4.splat(ROUNDER));
  const r = f32x4.sub(
    f32x4.sub(y, f32x4.mul(k, f32x4.splat(0.693359375))),
    f32x4.mul(k, f32x4.splat(-2.1219444e-4)),
  );
  let p = muladd(f32x4.splat(8.33333333e-3), r, f32x4.splat(1.38888889e-3));
  p = muladd(f32x4.splat(4.16666667e-2), r, p);
  p = muladd(f32x4.splat(1.66666667e-1), r, p);
  p = muladd(f32x4.splat(0.5), r, p);
  p = muladd(one, r, p);
  p = muladd(one, r, p);
  const power = i32x4.shl(i32x4.add(bits, i32x4.splat(127)), 23);
  return f32x4.div(one, muladd(one, p, power));
}

/** O = factor · x · sigmoid(x) for the first `channels` of the `stride` scalars of each atom. */
export function activate(atoms: i32, X: usize, stride: i32, channels: i32, O: usize, factor: f32): void {
  const f = f32x4.splat(factor);
  for (let atom = 0; atom < atoms; atom++)
    for (let c = 0; c < channels; c += 4) {
      const x = ld(X + <usize>((atom * stride + c) << 2));
      v128.store(O + <usize>((atom * channels + c) << 2), f32x4.mul(f, f32x4.mul(x, sigmoid(x))));
    }
}
