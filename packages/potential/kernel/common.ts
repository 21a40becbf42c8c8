/**
 * The parts of the fast engine's kernel that do not depend on the model (AssemblyScript). The generator in workshop/generators/potential
 * adds two functions for each shape of layer and compiles both with `npm run generate potential`.
 *
 * Arguments with a capital letter are addresses in the memory that the engine provides. Numbers are in single
 * precision, four to a vector; counts of channels are multiples of 8.
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

/** 1 / (1 + exp(−x)), with exp as 2^k times a polynomial on ±½ ln 2; relative error 1e-7. */
function sigmoid(x: v128): v128 {
  const one = f32x4.splat(1);
  const y = f32x4.min(f32x4.max(f32x4.neg(x), f32x4.splat(-86)), f32x4.splat(86));
  const k = f32x4.nearest(f32x4.mul(y, f32x4.splat(1.44269504)));
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
  const power = i32x4.shl(i32x4.add(i32x4.trunc_sat_f32x4_s(k), i32x4.splat(127)), 23);
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

/** Returns factor · d/dx (x · sigmoid(x)). */
function slope(x: v128, s: v128, f: v128): v128 {
  const one = f32x4.splat(1);
  return f32x4.mul(f, f32x4.mul(s, muladd(one, x, f32x4.sub(one, s))));
}

/** Gradient DX of the scalars, from the gradient DO of the result of `activate`. */
export function activateBack(
  atoms: i32,
  X: usize,
  stride: i32,
  channels: i32,
  DO: usize,
  DX: usize,
  factor: f32,
): void {
  const f = f32x4.splat(factor);
  for (let atom = 0; atom < atoms; atom++)
    for (let c = 0; c < channels; c += 4) {
      const at = <usize>((atom * stride + c) << 2);
      const x = ld(X + at);
      v128.store(DX + at, f32x4.mul(ld(DO + <usize>((atom * channels + c) << 2)), slope(x, sigmoid(x), f)));
    }
}

/**
 * O = factor · x · sigmoid(x) · V. The scalar x of each channel is at `offset` among the `stride` scalars of an atom.
 */
export function gate(
  atoms: i32,
  X: usize,
  stride: i32,
  offset: i32,
  components: i32,
  channels: i32,
  V: usize,
  O: usize,
  factor: f32,
): void {
  const f = f32x4.splat(factor);
  for (let atom = 0; atom < atoms; atom++)
    for (let c = 0; c < channels; c += 4) {
      const x = ld(X + <usize>((atom * stride + offset + c) << 2));
      const open = f32x4.mul(f, f32x4.mul(x, sigmoid(x)));
      for (let m = 0; m < components; m++) {
        const at = <usize>(((atom * components + m) * channels + c) << 2);
        v128.store(O + at, f32x4.mul(open, ld(V + at)));
      }
    }
}

/** Gradients DX and DV, from the gradient DO of the result of `gate`. */
export function gateBack(
  atoms: i32,
  X: usize,
  stride: i32,
  offset: i32,
  components: i32,
  channels: i32,
  V: usize,
  DO: usize,
  DX: usize,
  DV: usize,
  factor: f32,
): void {
  const f = f32x4.splat(factor);
  for (let atom = 0; atom < atoms; atom++)
    for (let c = 0; c < channels; c += 4) {
      const scalar = <usize>((atom * stride + offset + c) << 2);
      const x = ld(X + scalar);
      const s = sigmoid(x);
      const open = f32x4.mul(f, f32x4.mul(x, s));
      let sum = f32x4.splat(0);
      for (let m = 0; m < components; m++) {
        const at = <usize>(((atom * components + m) * channels + c) << 2);
        const d = ld(DO + at);
        v128.store(DV + at, f32x4.mul(open, d));
        sum = muladd(sum, d, ld(V + at));
      }
      v128.store(DX + scalar, f32x4.mul(sum, slope(x, s, f)));
    }
}

/**
 * Weights of a layer at one distance: cubic polynomials of u. Their coefficients follow one another in T, `bytes`
 * apart.
 */
function interpolate(T: usize, bytes: usize, u: v128, W: usize): void {
  for (let j: usize = 0; j < bytes; j += 16) {
    const p = muladd(ld(T + 2 * bytes + j), u, ld(T + 3 * bytes + j));
    v128.store(W + j, muladd(ld(T + j), u, muladd(ld(T + bytes + j), u, p)));
  }
}

/** The same weights, and their derivatives with respect to u. */
function interpolateBoth(T: usize, bytes: usize, u: v128, W: usize, S: usize): void {
  const two = f32x4.splat(2),
    three = f32x4.splat(3);
  for (let j: usize = 0; j < bytes; j += 16) {
    const b = ld(T + bytes + j),
      c = ld(T + 2 * bytes + j),
      d = ld(T + 3 * bytes + j);
    v128.store(W + j, muladd(ld(T + j), u, muladd(b, u, muladd(c, u, d))));
    v128.store(S + j, muladd(b, u, muladd(f32x4.mul(two, c), u, f32x4.mul(three, d))));
  }
}

function dot(A: usize, B: usize, bytes: usize): f32 {
  let s = f32x4.splat(0);
  for (let j: usize = 0; j < bytes; j += 16) s = muladd(s, ld(A + j), ld(B + j));
  return total(s);
}
