/** Eigenvalues of real symmetric tridiagonal matrices, which is the last step of the dense Hermitian solver. */

/**
 * QL sweeps allowed per eigenvalue. Convergence is cubic and two sweeps are typical; only input that is not
 * finite reaches LAPACK's limit of 30.
 */
export const MAX_QL_SWEEPS = 30;

/**
 * Implicit QL with Wilkinson's shift, in place (Dubrulle, Martin & Wilkinson, Numer. Math. 12, 377 (1968)).
 *
 * @param diagonal n diagonal entries; holds the eigenvalues (unordered) on return
 * @param subdiagonal n entries, entry i coupling i and i + 1; the last one is ignored; destroyed
 * @param vectors n×n rows, or null for eigenvalues alone; the rotations are applied to its ROWS, so that rows
 * of the identity become eigenvectors
 * @throws RangeError when the iteration does not converge, which happens only for input that is not finite
 */
export function tridiagonalEigen(
  n: number,
  diagonal: Float64Array,
  subdiagonal: Float64Array,
  vectors: Float64Array | null,
): void {
  const d = diagonal;
  const e = subdiagonal;
  if (n > 0) e[n - 1] = 0;
  let norm = 0;
  for (let i = 0; i < n; i++) norm = Math.max(norm, Math.abs(d[i]) + Math.abs(e[i]));
  // Relative to the norm of the whole matrix, because blocks of many zero eigenvalues (flat bands) have no scale of
  // their own.
  const negligible = Number.EPSILON * norm;
  for (let l = 0; l < n; l++) {
    for (let sweep = 0; ; sweep++) {
      let m = l;
      while (m < n - 1 && Math.abs(e[m]) > negligible) m++;
      if (m === l) break;
      if (sweep === MAX_QL_SWEEPS)
        throw new RangeError('tridiagonalEigen: no convergence; is every entry finite?');
      qlSweep(n, l, m, d, e, vectors);
    }
  }
}

/** One implicit QL sweep over the unreduced block l..m. */
function qlSweep(
  n: number,
  l: number,
  m: number,
  d: Float64Array,
  e: Float64Array,
  vectors: Float64Array | null,
) {
  const half = (d[l + 1] - d[l]) / (2 * e[l]);
  const root = Math.hypot(half, 1);
  let g = d[m] - d[l] + e[l] / (half + (half < 0 ? -root : root));
  let s = 1;
  let c = 1;
  let shift = 0;
  for (let i = m - 1; i >= l; i--) {
    const f = s * e[i];
    const b = c * e[i];
    const r = Math.sqrt(f * f + g * g);
    e[i + 1] = r;
    if (r === 0) {
      // The bulge vanished early, so the block is split here and the sweep starts again.
      d[i + 1] -= shift;
      e[m] = 0;
      return;
    }
    s = f / r;
    c = g / r;
    const h = d[i + 1] - shift;
    const t = (d[i] - h) * s + 2 * c * b;
    shift = s * t;
    d[i + 1] = h + shift;
    g = c * t - b;
    if (vectors !== null) rotateRows(vectors, i * n, (i + 1) * n, n, c, s);
  }
  d[l] -= shift;
  e[l] = g;
  e[m] = 0;
}

function rotateRows(vectors: Float64Array, upper: number, lower: number, n: number, c: number, s: number) {
  for (let k = 0; k < n; k++) {
    const u = vectors[upper + k];
    const v = vectors[lower + k];
    vectors[lower + k] = s * u + c * v;
    vectors[upper + k] = c * u - s * v;
  }
}

/** Eigenvalues and eigenvectors of small real symmetric matrices by cyclic Jacobi rotations. */

/** Limit of sweeps. Convergence is quadratic, and 6–10 sweeps suffice for any finite matrix of modest size. */
export const MAX_JACOBI_SWEEPS = 60;

export interface SymmetricEigenResult {
  /** Eigenvalues, ascending. */
  readonly values: readonly number[];
  /** `vectors[k]` is the unit eigenvector of `values[k]`. */
  readonly vectors: readonly (readonly number[])[];
}

/**
 * Eigenvalues and orthonormal eigenvectors of a real symmetric matrix given by its rows. Jacobi's method is chosen
 * for its small relative error on positive definite matrices (Demmel & Veselić, SIAM J. Matrix Anal. Appl. 13,
 * 1204 (1992)): elastic and dielectric tensors mix large and small eigenvalues.
 *
 * @param matrix n rows of n entries; the lower and upper triangle are averaged
 * @throws RangeError when the matrix is not square or an entry is not finite
 * @example symmetricEigen([[2, 1], [1, 2]]).values // [1, 3]
 */
export function symmetricEigen(matrix: readonly (readonly number[])[]): SymmetricEigenResult {
  const n = matrix.length;
  for (const row of matrix)
    if (row.length !== n || !row.every(Number.isFinite))
      throw new RangeError(
        `symmetricEigen: expected ${n} rows of ${n} finite numbers, got a row [${row.join(', ')}]`,
      );
  const a = matrix.map((row, i) => row.map((value, j) => value / 2 + matrix[j][i] / 2));
  const vectors = a.map((_, i) => a.map((__, j) => (i === j ? 1 : 0)));
  for (let sweep = 0; sweep < MAX_JACOBI_SWEEPS; sweep++) {
    let rotated = false;
    for (let p = 0; p < n - 1; p++)
      for (let q = p + 1; q < n; q++) rotated = rotate(a, vectors, p, q) || rotated;
    if (!rotated) break;
  }
  const order = a.map((_, i) => i).sort((i, j) => a[i][i] - a[j][j]);
  return { values: order.map((i) => a[i][i]), vectors: order.map((i) => vectors[i]) };
}

/** Zeroes entry (p, q) unless it is negligible compared with its diagonal entries; returns whether it rotated. */
function rotate(a: number[][], vectors: number[][], p: number, q: number): boolean {
  const coupling = a[p][q];
  const negligible = Number.EPSILON * Math.sqrt(Math.abs(a[p][p])) * Math.sqrt(Math.abs(a[q][q]));
  if (coupling === 0 || Math.abs(coupling) <= negligible) return false;
  const theta = (a[q][q] - a[p][p]) / (2 * coupling);
  const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.hypot(theta, 1));
  const c = 1 / Math.hypot(t, 1);
  const s = t * c;
  a[p][p] -= t * coupling;
  a[q][q] += t * coupling;
  a[p][q] = 0;
  a[q][p] = 0;
  for (let k = 0; k < a.length; k++) {
    if (k !== p && k !== q) {
      const kp = a[k][p];
      const kq = a[k][q];
      a[k][p] = a[p][k] = c * kp - s * kq;
      a[k][q] = a[q][k] = s * kp + c * kq;
    }
    const vp = vectors[p][k];
    const vq = vectors[q][k];
    vectors[p][k] = c * vp - s * vq;
    vectors[q][k] = s * vp + c * vq;
  }
  return true;
}
