/** Solves dense square systems by Gaussian elimination with partial pivoting, on flat row-major arrays. */

/**
 * A matrix is singular if a pivot is smaller than this share of the largest entry: a solution would keep fewer than
 * three correct digits.
 */
export const SINGULAR_PIVOT = 1e-13;

/**
 * P A = L U. The unit lower triangle and the upper triangle are packed in one matrix; `rows[i]` is the original index
 * of row i.
 */
export interface LuFactors {
  readonly n: number;
  readonly packed: Float64Array;
  readonly rows: Uint32Array;
}

/** LU factors of a row-major n×n matrix, or null if it is singular to working precision. */
export function luFactor(matrix: ArrayLike<number>, n: number): LuFactors | null {
  const packed = new Float64Array(matrix);
  const rows = new Uint32Array(n);
  for (let i = 0; i < n; i++) rows[i] = i;
  let largest = 0;
  for (const entry of packed) largest = Math.max(largest, Math.abs(entry));
  for (let column = 0; column < n; column++) {
    let pivotRow = column;
    for (let i = column + 1; i < n; i++)
      if (Math.abs(packed[i * n + column]) > Math.abs(packed[pivotRow * n + column])) pivotRow = i;
    const pivot = packed[pivotRow * n + column];
    if (!(Math.abs(pivot) > SINGULAR_PIVOT * largest)) return null;
    if (pivotRow !== column) {
      [rows[column], rows[pivotRow]] = [rows[pivotRow], rows[column]];
      for (let j = 0; j < n; j++)
        [packed[column * n + j], packed[pivotRow * n + j]] = [
          packed[pivotRow * n + j],
          packed[column * n + j],
        ];
    }
    for (let i = column + 1; i < n; i++) {
      const factor = packed[i * n + column] / pivot;
      packed[i * n + column] = factor;
      if (factor !== 0)
        for (let j = column + 1; j < n; j++) packed[i * n + j] -= factor * packed[column * n + j];
    }
  }
  return { n, packed, rows };
}

/** Solves A x = b. */
export function luSolve({ n, packed, rows }: LuFactors, b: ArrayLike<number>): Float64Array {
  const x = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    let sum = b[rows[i]];
    for (let j = 0; j < i; j++) sum -= packed[i * n + j] * x[j];
    x[i] = sum;
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let j = i + 1; j < n; j++) x[i] -= packed[i * n + j] * x[j];
    x[i] /= packed[i * n + i];
  }
  return x;
}

/** Inverse from LU factors, row-major. */
export function luInverse(factors: LuFactors): Float64Array {
  const { n } = factors;
  const inverse = new Float64Array(n * n);
  const unit = new Float64Array(n);
  for (let column = 0; column < n; column++) {
    unit.fill(0);
    unit[column] = 1;
    const solved = luSolve(factors, unit);
    for (let i = 0; i < n; i++) inverse[i * n + column] = solved[i];
  }
  return inverse;
}
