/** Rounding, the search in a sorted list, and vectors and matrices in three dimensions. */

/**
 * Rounds to the given number of decimals and never returns −0. Like `toFixed`, but the result is a number.
 * @example roundTo(-0.0004, 3) // 0
 */
export const roundTo = (value: number, decimals: number): number => Number(value.toFixed(decimals)) + 0;

/**
 * Index of the first value of a rising list that is at least `value`; the length of the list if there is none.
 * @param from all values before this index are known to be less
 */
export function firstAtOrAbove(rising: ArrayLike<number>, value: number, from = 0): number {
  let low = from;
  let high = rising.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (rising[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Three-dimensional vectors and 3×3 matrices as plain readonly tuples.
 *
 * Convention of the whole project: a matrix is a list of ROWS, and a vector is a ROW multiplied from the left,
 * so `fractional · latticeVectors = cartesian` when the rows of `latticeVectors` are a, b and c.
 */

export type Vec3 = readonly [number, number, number];
/** Rows of a 3×3 matrix. */
export type Mat3 = readonly [Vec3, Vec3, Vec3];

export const IDENTITY3: Mat3 = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];

export const dot3 = (u: Vec3, v: Vec3): number => u[0] * v[0] + u[1] * v[1] + u[2] * v[2];

export const cross3 = (u: Vec3, v: Vec3): Vec3 => [
  u[1] * v[2] - u[2] * v[1],
  u[2] * v[0] - u[0] * v[2],
  u[0] * v[1] - u[1] * v[0],
];

export const norm3 = (u: Vec3): number => Math.hypot(u[0], u[1], u[2]);
export const add3 = (u: Vec3, v: Vec3): Vec3 => [u[0] + v[0], u[1] + v[1], u[2] + v[2]];
export const subtract3 = (u: Vec3, v: Vec3): Vec3 => [u[0] - v[0], u[1] - v[1], u[2] - v[2]];
export const scale3 = (u: Vec3, factor: number): Vec3 => [u[0] * factor, u[1] * factor, u[2] * factor];

/** Row vector times matrix: `u · m`. */
export const rowTimesMatrix3 = (u: Vec3, m: Mat3): Vec3 => [
  u[0] * m[0][0] + u[1] * m[1][0] + u[2] * m[2][0],
  u[0] * m[0][1] + u[1] * m[1][1] + u[2] * m[2][1],
  u[0] * m[0][2] + u[1] * m[1][2] + u[2] * m[2][2],
];

/** `u · m · uᵀ` with `u = [x, y, z]` and a symmetric matrix. */
export const quadraticForm3 = (m: Mat3, x: number, y: number, z: number): number =>
  x * x * m[0][0] +
  y * y * m[1][1] +
  z * z * m[2][2] +
  2 * (x * y * m[0][1] + x * z * m[0][2] + y * z * m[1][2]);

export const transpose3 = (m: Mat3): Mat3 => [
  [m[0][0], m[1][0], m[2][0]],
  [m[0][1], m[1][1], m[2][1]],
  [m[0][2], m[1][2], m[2][2]],
];

export const multiply3 = (a: Mat3, b: Mat3): Mat3 => [
  rowTimesMatrix3(a[0], b),
  rowTimesMatrix3(a[1], b),
  rowTimesMatrix3(a[2], b),
];

export const determinant3 = (m: Mat3): number => dot3(m[0], cross3(m[1], m[2]));

/**
 * Inverse of a 3×3 matrix by its adjugate.
 * @throws RangeError when the determinant is zero or not finite.
 */
export function inverse3(m: Mat3): Mat3 {
  const det = determinant3(m);
  if (!Number.isFinite(det) || det === 0)
    throw new RangeError(`inverse3: the matrix is singular (determinant ${det})`);
  return transpose3([
    scale3(cross3(m[1], m[2]), 1 / det),
    scale3(cross3(m[2], m[0]), 1 / det),
    scale3(cross3(m[0], m[1]), 1 / det),
  ]);
}

/** Gram–Schmidt coefficients μ[k][j] and the squared lengths of the orthogonalised vectors. */
export function gramSchmidt3(basis: readonly Vec3[]): { mu: number[][]; squares: number[] } {
  const orthogonal: Vec3[] = [];
  const squares: number[] = [];
  const mu = basis.map((vector, k) => {
    let rest = vector;
    const row = orthogonal.map((axis, j) => dot3(vector, axis) / squares[j]);
    row.forEach((factor, j) => {
      rest = subtract3(rest, scale3(orthogonal[j], factor));
    });
    orthogonal[k] = rest;
    squares[k] = dot3(rest, rest);
    return row;
  });
  return { mu, squares };
}
