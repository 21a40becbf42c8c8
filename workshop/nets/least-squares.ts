/**
 * Nonlinear least squares by Levenberg–Marquardt (D. W. Marquardt, J. Soc. Ind. Appl. Math. 11 (1963) 431), for the
 * last digits of a drawing: where equal edges are just possible the valley is quartic and gradient methods stall.
 */

/** Writes residuals and their Jacobian (row-major, residuals × unknowns) at `x`. */
export type ResidualFunction = (x: Float64Array, residuals: Float64Array, jacobian: Float64Array) => void;

/** Residuals this small (sum of squares) are zero for coordinates stored to 1e-6. */
export const RESIDUAL_TARGET = 1e-22;
const MAX_STEPS = 60;
/** Levenberg–Marquardt damping: at first, at least (keeps the normal matrix regular), and where the search gives up. */
const DAMPING = { first: 1e-4, least: 1e-13, most: 1e8 } as const;

/** Local minimum of the sum of squares reached from `start`. */
export function leastSquares(
  evaluate: ResidualFunction,
  start: Float64Array,
  residualCount: number,
): Float64Array {
  const n = start.length;
  let x = start;
  const residuals = new Float64Array(residualCount);
  const jacobian = new Float64Array(residualCount * n);
  const sumOfSquares = () => residuals.reduce((sum, r) => sum + r * r, 0);
  evaluate(x, residuals, jacobian);
  let value = sumOfSquares();
  let damping: number = DAMPING.first;
  for (let step = 0; step < MAX_STEPS && value > RESIDUAL_TARGET && damping < DAMPING.most; step++) {
    const normal = new Float64Array(n * n);
    const right = new Float64Array(n);
    for (let r = 0; r < residualCount; r++)
      for (let i = 0; i < n; i++) {
        const a = jacobian[r * n + i];
        if (a === 0) continue;
        right[i] -= a * residuals[r];
        for (let j = 0; j < n; j++) normal[i * n + j] += a * jacobian[r * n + j];
      }
    for (let i = 0; i < n; i++) normal[i * n + i] += damping;
    const change = solvePositive(normal, right, n);
    const next = x.map((u, i) => u + change[i]);
    evaluate(next, residuals, jacobian);
    const nextValue = sumOfSquares();
    if (nextValue < value) {
      [x, value] = [next, nextValue];
      damping = Math.max(damping / 10, DAMPING.least);
    } else {
      damping *= 10;
      evaluate(x, residuals, jacobian);
    }
  }
  return x;
}

/** Solution of A x = b for a positive definite matrix (Cholesky); A is overwritten. */
function solvePositive(a: Float64Array, b: Float64Array, n: number): Float64Array {
  for (let j = 0; j < n; j++) {
    for (let k = 0; k < j; k++) {
      const factor = a[j * n + k];
      if (factor !== 0) for (let i = j; i < n; i++) a[i * n + j] -= a[i * n + k] * factor;
    }
    const pivot = Math.sqrt(Math.max(a[j * n + j], Number.MIN_VALUE));
    for (let i = j; i < n; i++) a[i * n + j] /= pivot;
  }
  const x = b.slice();
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < i; k++) x[i] -= a[i * n + k] * x[k];
    x[i] /= a[i * n + i];
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let k = i + 1; k < n; k++) x[i] -= a[k * n + i] * x[k];
    x[i] /= a[i * n + i];
  }
  return x;
}
