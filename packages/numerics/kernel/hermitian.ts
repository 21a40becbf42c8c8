/**
 * Eigenvalues of a complex Hermitian matrix (AssemblyScript): Householder reflections to tridiagonal form, last row
 * first (as TRED2 of R. S. Martin, C. Reinsch, J. H. Wilkinson, Numer. Math. 11 (1968) 181), then QL without square
 * roots (K. A. Reinsch, Commun. ACM 16 (1973) 689; variant of Pal, Walker and Kahan). Double precision, two numbers to
 * a vector; all sums have a fixed order.
 *
 * Arguments with a capital letter are addresses. A vector of complex numbers is `stride` real parts, then `stride`
 * imaginary parts; the matrix A is n such vectors, of which entries below the diagonal are used. The largest entry of the
 * matrix is about 1.
 */

/** Square of an off-diagonal entry that is zero to rounding: (1e-16)². */
const NOTHING: f64 = 1e-32;
const MOST_SWEEPS: i32 = 60;

function at(X: usize, i: i32): f64 {
  return load<f64>(X + ((<usize>i) << 3));
}
function put(X: usize, i: i32, value: f64): void {
  store<f64>(X + ((<usize>i) << 3), value);
}

/**
 * Row i of A ← A − v w* − w v*, then P += A x for the entries of this row and of the column above it, both in one pass.
 * D holds the diagonal; `im` is the distance of the imaginary parts.
 */
function row(i: i32, im: usize, R: usize, D: usize, V: usize, W: usize, X: usize, P: usize): void {
  const vr = at(V, i),
    vi = at(V + im, i),
    wr = at(W, i),
    wi = at(W + im, i),
    xr = at(X, i),
    xi = at(X + im, i);
  const VR = f64x2.splat(vr),
    VI = f64x2.splat(vi),
    WR = f64x2.splat(wr),
    WI = f64x2.splat(wi),
    XR = f64x2.splat(xr),
    XI = f64x2.splat(xi);
  let SR = f64x2.splat(0),
    SI = f64x2.splat(0);
  const end = (<usize>(i & ~1)) << 3;
  for (let j: usize = 0; j < end; j += 16) {
    const vjr = v128.load(V + j),
      vji = v128.load(V + im + j),
      wjr = v128.load(W + j),
      wji = v128.load(W + im + j);
    let re = v128.load(R + j),
      ai = v128.load(R + im + j);
    re = f64x2.sub(
      re,
      f64x2.add(
        f64x2.add(f64x2.mul(VR, wjr), f64x2.mul(VI, wji)),
        f64x2.add(f64x2.mul(WR, vjr), f64x2.mul(WI, vji)),
      ),
    );
    ai = f64x2.sub(
      ai,
      f64x2.add(
        f64x2.sub(f64x2.mul(VI, wjr), f64x2.mul(VR, wji)),
        f64x2.sub(f64x2.mul(WI, vjr), f64x2.mul(WR, vji)),
      ),
    );
    v128.store(R + j, re);
    v128.store(R + im + j, ai);
    const xjr = v128.load(X + j),
      xji = v128.load(X + im + j);
    SR = f64x2.add(SR, f64x2.sub(f64x2.mul(re, xjr), f64x2.mul(ai, xji)));
    SI = f64x2.add(SI, f64x2.add(f64x2.mul(re, xji), f64x2.mul(ai, xjr)));
    v128.store(P + j, f64x2.add(v128.load(P + j), f64x2.add(f64x2.mul(re, XR), f64x2.mul(ai, XI))));
    v128.store(P + im + j, f64x2.add(v128.load(P + im + j), f64x2.sub(f64x2.mul(re, XI), f64x2.mul(ai, XR))));
  }
  let sr = f64x2.extract_lane(SR, 0) + f64x2.extract_lane(SR, 1),
    si = f64x2.extract_lane(SI, 0) + f64x2.extract_lane(SI, 1);
  if (i & 1) {
    const j = i - 1;
    const re = at(R, j) - (vr * at(W, j) + vi * at(W + im, j) + (wr * at(V, j) + wi * at(V + im, j)));
    const ai = at(R + im, j) - (vi * at(W, j) - vr * at(W + im, j) + (wi * at(V, j) - wr * at(V + im, j)));
    put(R, j, re);
    put(R + im, j, ai);
    sr += re * at(X, j) - ai * at(X + im, j);
    si += re * at(X + im, j) + ai * at(X, j);
    put(P, j, at(P, j) + (re * xr + ai * xi));
    put(P + im, j, at(P + im, j) + (re * xi - ai * xr));
  }
  const d = at(D, i) - 2 * (vr * wr + vi * wi);
  put(D, i, d);
  put(P, i, at(P, i) + sr + d * xr);
  put(P + im, i, at(P + im, i) + si + d * xi);
}

/**
 * Fills D (the diagonal of A at first) and E (squares of the entries between i and i + 1) with the tridiagonal form.
 * WORK has room for five complex vectors.
 */
function tridiagonalise(n: i32, stride: i32, A: usize, D: usize, E: usize, WORK: usize): void {
  const im = (<usize>stride) << 3,
    size = 2 * im;
  let V = WORK,
    W = V + size,
    X = W + size,
    P = X + size;
  const NONE = P + size;
  memory.fill(WORK, 0, 5 * size);
  for (let k = n - 1; k > 0; k--) {
    const R = A + <usize>k * size;
    // Applies the update of the previous step to this row first.
    row(k, im, R, D, V, W, NONE, P);
    let tail: f64 = 0;
    for (let j = 0; j < k - 1; j++) tail += at(R, j) * at(R, j) + at(R + im, j) * at(R + im, j);
    const re = at(R, k - 1),
      ai = -at(R + im, k - 1);
    const head = re * re + ai * ai;
    put(E, k - 1, tail + head);
    memory.fill(X, 0, 2 * size);
    let factor: f64 = 0;
    if (tail > 0) {
      const length = Math.sqrt(tail + head),
        coupling = Math.sqrt(head);
      const grown = coupling === 0 ? 0 : 1 + length / coupling;
      for (let j = 0; j < k - 1; j++) {
        put(X, j, at(R, j));
        put(X + im, j, -at(R + im, j));
      }
      put(X, k - 1, coupling === 0 ? length : re * grown);
      put(X + im, k - 1, ai * grown);
      factor = 1 / (length * (length + coupling));
    }
    for (let i = 0; i < k; i++) row(i, im, A + <usize>i * size, D, V, W, X, P);
    // w = p − (factor/2)(v* p) v with p = factor · A v
    let overlap: f64 = 0;
    for (let i = 0; i < k; i++) overlap += at(X, i) * at(P, i) + at(X + im, i) * at(P + im, i);
    const half = (overlap * factor * factor) / 2;
    for (let i = 0; i < k; i++) {
      put(P, i, factor * at(P, i) - half * at(X, i));
      put(P + im, i, factor * at(P + im, i) - half * at(X + im, i));
    }
    const next = X;
    X = V;
    V = next;
    W = V + size;
    P = X + size;
  }
}

/** Replaces D by the eigenvalues of the tridiagonal matrix, in any order. Returns 0 if they do not converge. */
function levels(n: i32, D: usize, E: usize): i32 {
  for (let l = 0; l < n; l++) {
    for (let sweep = 0; ; sweep++) {
      let m = l;
      while (m < n - 1 && at(E, m) > NOTHING) m++;
      if (m < n - 1) put(E, m, 0);
      if (m === l) break;
      if (sweep === MOST_SWEEPS) return 0;
      const root = Math.sqrt(at(E, l));
      const theta = (at(D, l + 1) - at(D, l)) / (2 * root);
      const length = Math.sqrt(theta * theta + 1);
      const shift = at(D, l) - root / (theta + (theta < 0 ? -length : length));
      let c: f64 = 1,
        s: f64 = 0,
        gamma = at(D, m) - shift,
        p = gamma * gamma;
      for (let i = m - 1; i >= l; i--) {
        const b = at(E, i),
          r = p + b;
        if (i !== m - 1) put(E, i + 1, s * r);
        const before = c,
          last = gamma,
          alpha = at(D, i);
        c = p / r;
        s = b / r;
        gamma = c * (alpha - shift) - s * last;
        put(D, i + 1, last + (alpha - gamma));
        p = c === 0 ? before * b : (gamma * gamma) / c;
      }
      put(E, l, s * p);
      put(D, l, shift + gamma);
    }
  }
  return 1;
}

/**
 * Replaces D, the diagonal of A, by the eigenvalues in any order. E has room for n numbers, WORK for five complex
 * vectors. Returns 0 if the eigenvalues do not converge.
 */
export function eigenvalues(n: i32, stride: i32, A: usize, D: usize, E: usize, WORK: usize): i32 {
  tridiagonalise(n, stride, A, D, E, WORK);
  return levels(n, D, E);
}
