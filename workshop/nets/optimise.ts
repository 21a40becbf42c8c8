// Two minimisers for the drawings: limited-memory BFGS with a backtracking line search (J. Nocedal, Math. Comput. 35
// (1980) 773), and least squares by Levenberg–Marquardt (D. W. Marquardt, J. Soc. Ind. Appl. Math. 11 (1963) 431) for
// the last digits: if equal edges are just possible, the minimum is quartic and gradient methods stall.

/** Writes residuals and their Jacobian (row-major, residuals × unknowns) at `x`. */
export type ResidualFunction = (x: Float64Array, residuals: Float64Array, jacobian: Float64Array) => void;

/** Residuals this small (sum of squares) are zero for coordinates stored to 1e-6. */
const RESIDUAL_TARGET = 1e-22;
const MAX_STEPS = 60;
/** Damping: first value, smallest value (keeps the normal matrix regular), and value that ends the search. */
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

/** A curvature along a step below this is noise and is not stored. */
const SMALLEST_CURVATURE = 1e-14;

/** Objective: writes the gradient at `x` and returns the value; +Infinity marks forbidden points. */
export type Objective = (x: Float64Array, gradient: Float64Array) => number;

interface MinimizeOptions {
  readonly maxIterations: number;
  /** Stops when the largest component of the gradient falls below this. */
  readonly gradientTolerance: number;
}

/** Number of stored pairs of steps. */
const MEMORY = 10;
/** A step must reach at least this fraction of the decrease that the slope predicts (Armijo). */
const SUFFICIENT_DECREASE = 1e-4;

const dot = (a: Float64Array, b: Float64Array): number => {
  let sum = 0;
  for (let k = 0; k < a.length; k++) sum += a[k] * b[k];
  return sum;
};

/** Local minimum reached from `start`. */
export function minimize(objective: Objective, start: Float64Array, options: MinimizeOptions): Float64Array {
  const n = start.length;
  let x = start.slice();
  let gradient = new Float64Array(n);
  let value = objective(x, gradient);
  const history: { step: Float64Array; change: Float64Array; curvature: number }[] = [];
  for (let iteration = 0; iteration < options.maxIterations; iteration++) {
    if (gradient.every((g) => Math.abs(g) < options.gradientTolerance)) break;
    let direction = searchDirection(gradient, history);
    let slope = dot(direction, gradient);
    if (slope >= 0) {
      history.length = 0;
      direction = gradient.map((g) => -g);
      slope = -dot(gradient, gradient);
    }
    const norm = Math.sqrt(dot(direction, direction));
    // No single move may be longer than a bond.
    let length = Math.min(1, 0.5 / norm);
    const next = new Float64Array(n);
    const nextGradient = new Float64Array(n);
    let nextValue = Number.POSITIVE_INFINITY;
    for (let trial = 0; trial < 40; trial++, length /= 2) {
      for (let k = 0; k < n; k++) next[k] = x[k] + length * direction[k];
      nextValue = objective(next, nextGradient);
      if (nextValue <= value + SUFFICIENT_DECREASE * length * slope) break;
    }
    if (!(nextValue < value)) {
      if (history.length === 0) break;
      // Stored curvature can mislead in narrow valleys: discard it once before giving up.
      history.length = 0;
      continue;
    }
    const step = next.map((u, k) => u - x[k]);
    const change = nextGradient.map((g, k) => g - gradient[k]);
    const curvature = dot(step, change);
    if (curvature > SMALLEST_CURVATURE * dot(step, step)) {
      history.push({ step, change, curvature });
      if (history.length > MEMORY) history.shift();
    }
    [x, gradient, value] = [next, nextGradient, nextValue];
  }
  return x;
}

/** Two-loop recursion: the negative gradient times the inverse Hessian estimated from past steps. */
function searchDirection(
  gradient: Float64Array,
  history: readonly { step: Float64Array; change: Float64Array; curvature: number }[],
): Float64Array {
  const direction = gradient.map((g) => -g);
  const factors = history.map(() => 0);
  for (let k = history.length - 1; k >= 0; k--) {
    const { step, change, curvature } = history[k];
    factors[k] = dot(step, direction) / curvature;
    for (let c = 0; c < direction.length; c++) direction[c] -= factors[k] * change[c];
  }
  const last = history.at(-1);
  if (last) {
    const scale = last.curvature / dot(last.change, last.change);
    for (let c = 0; c < direction.length; c++) direction[c] *= scale;
  }
  history.forEach(({ step, change, curvature }, k) => {
    const factor = factors[k] - dot(change, direction) / curvature;
    for (let c = 0; c < direction.length; c++) direction[c] += factor * step[c];
  });
  return direction;
}
