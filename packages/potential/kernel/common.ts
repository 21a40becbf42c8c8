/**
 * The parts of the fast engine's kernel that do not depend on the model (AssemblyScript). The generator in
 * workshop/generators/potential prepends packages/numerics/kernel/layers.ts, appends two functions for each
 * layer shape, and compiles the result with `npm run generate potential`.
 */

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
 * Weights of a layer at one distance: cubic polynomials of u. The coefficients of one degree follow those of
 * the previous one in T, `bytes` apart.
 */
function interpolate(T: usize, bytes: usize, u: v128, W: usize): void {
  for (let j: usize = 0; j < bytes; j += 16) {
    const p = muladd(ld(T + 2 * bytes + j), u, ld(T + 3 * bytes + j));
    v128.store(W + j, muladd(ld(T + j), u, muladd(ld(T + bytes + j), u, p)));
  }
}

/** Like `interpolate`, and also writes the derivatives of the weights with respect to u to S. */
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
