/** Eigenvalues and eigenvectors of small real symmetric matrices by cyclic Jacobi rotations. */

/** Sweeps allowed: convergence is quadratic and 6–10 sweeps suffice for any finite matrix of modest size. */
export const MAX_JACOBI_SWEEPS = 60;

export interface SymmetricEigenResult {
  /** Ascending. */
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

/** Zeroes entry (p, q) unless it is already lost beside its diagonal entries; true when it rotated. */
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
