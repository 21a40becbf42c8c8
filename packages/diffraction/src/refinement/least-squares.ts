/**
 * Levenberg–Marquardt: D. W. Marquardt, J. Soc. Ind. Appl. Math. 11, 431 (1963), with limits on parameters and
 * the normal matrix scaled to a unit diagonal, so that units do not matter. A singular matrix is solved by its
 * singular value decomposition, and parameters change only in directions that the data determine.
 */
import { CholeskyDecomposition, Matrix, SingularValueDecomposition } from 'ml-matrix';
import { BYTES, type KernelArrays, withArrays } from './kernel-arrays.ts';
import type { Estimate } from './types.ts';

export interface NormalEquations {
  /** Σ w Δ² */
  readonly sum: number;
  /** Row-major, n × n. */
  readonly matrix: Float64Array;
  /** Σ w Δ ∂y/∂p */
  readonly gradient: Float64Array;
}

export interface Limits {
  readonly min: number;
  readonly max: number;
}

/** Normal equations of weighted residuals. Points of weight 0 do not count. */
export const normalEquations = (
  observed: Float64Array,
  calculated: Float64Array,
  weights: Float64Array,
  columns: readonly Float64Array[],
): NormalEquations =>
  withArrays((arrays) => {
    const [y, own, w] = [observed, calculated, weights].map(arrays.put);
    return equationsAt(arrays, observed.length, y, own, w, columns.map(arrays.put));
  });

/** Like `normalEquations`, for arrays in the memory of the kernel. */
export function equationsAt(
  { memory, run, zeros }: KernelArrays,
  points: number,
  observed: number,
  calculated: number,
  weights: number,
  columns: readonly number[],
): NormalEquations {
  const { mark } = memory;
  const n = columns.length;
  // The residual is one more column: its products are the gradient and the sum.
  const residual = zeros(points);
  run.addTimes(residual, 0, points, 1, observed);
  run.addTimes(residual, 0, points, -1, calculated);
  const addresses = memory.putIntegers([...columns, residual]);
  const at = zeros((n + 1) * (n + 1));
  run.products(n + 1, points, addresses, weights, at);
  const all = memory.doubles.subarray(at / BYTES, at / BYTES + (n + 1) * (n + 1));
  const matrix = new Float64Array(n * n);
  const gradient = Float64Array.from({ length: n }, (_, j) => all[j * (n + 1) + n]);
  for (let j = 0; j < n; j++)
    for (let k = j; k < n; k++) {
      matrix[j * n + k] = all[j * (n + 1) + k];
      matrix[k * n + j] = all[j * (n + 1) + k];
    }
  const sum = all[(n + 1) * (n + 1) - 1];
  memory.release(mark);
  return { sum, matrix, gradient };
}

/** Directions with a singular value of the scaled matrix below this count as undetermined. */
const SINGULAR = 1e-10;

/**
 * Scales the matrix to a unit diagonal. A parameter without influence gets a unit diagonal and zero elsewhere.
 */
function scaled(matrix: Float64Array, n: number): { unit: Matrix; scale: Float64Array } {
  const scale = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    const diagonal = matrix[i * n + i];
    scale[i] = diagonal > 0 && Number.isFinite(diagonal) ? 1 / Math.sqrt(diagonal) : 0;
  }
  const unit = Matrix.eye(n);
  for (let i = 0; i < n; i++)
    for (let j = i + 1; j < n; j++) {
      const coupling = matrix[i * n + j] * scale[i] * scale[j];
      unit.set(i, j, coupling);
      unit.set(j, i, coupling);
    }
  return { unit, scale };
}

/** Solves (N + λ diag N) δ = gradient. */
function dampedStep({ matrix, gradient }: NormalEquations, damping: number): Float64Array {
  const n = gradient.length;
  const { unit, scale } = scaled(matrix, n);
  for (let i = 0; i < n; i++) unit.set(i, i, 1 + damping);
  const right = Matrix.columnVector(Array.from(gradient, (value, i) => value * scale[i]));
  const cholesky = new CholeskyDecomposition(unit);
  const solution = cholesky.isPositiveDefinite()
    ? cholesky.solve(right)
    : pseudoInverse(unit).inverse.mmul(right);
  return Float64Array.from({ length: n }, (_, i) => solution.get(i, 0) * scale[i]);
}

function pseudoInverse(unit: Matrix): { inverse: Matrix; undetermined: number[] } {
  const n = unit.rows;
  const svd = new SingularValueDecomposition(unit, { autoTranspose: true });
  const { leftSingularVectors: left, rightSingularVectors: right, diagonal } = svd;
  const inverse = Matrix.zeros(n, n);
  const undetermined = new Set<number>();
  diagonal.forEach((value, k) => {
    if (value > SINGULAR * diagonal[0]) {
      for (let i = 0; i < n; i++)
        for (let j = 0; j < n; j++)
          inverse.set(i, j, inverse.get(i, j) + (right.get(i, k) * left.get(j, k)) / value);
    } else for (let i = 0; i < n; i++) if (Math.abs(right.get(i, k)) > 0.3) undetermined.add(i);
  });
  return { inverse, undetermined: [...undetermined].sort((a, b) => a - b) };
}

export interface Covariance {
  /** N⁻¹, not yet multiplied by the variance of the residuals. */
  readonly matrix: readonly (readonly number[])[];
  /** Indices in the matrix of parameters that the data do not determine; their variance is undefined. */
  readonly undetermined: readonly number[];
}

/** The equations of some of the parameters, with the others held. */
export function partOf({ sum, matrix, gradient }: NormalEquations, kept: readonly number[]): NormalEquations {
  const n = gradient.length;
  return {
    sum,
    matrix: Float64Array.from(kept.flatMap((i) => kept.map((j) => matrix[i * n + j]))),
    gradient: Float64Array.from(kept, (i) => gradient[i]),
  };
}

/** N⁻¹ by singular value decomposition. */
export function covarianceOf({ matrix, gradient }: NormalEquations): Covariance {
  const n = gradient.length;
  if (n === 0) return { matrix: [], undetermined: [] };
  const { unit, scale } = scaled(matrix, n);
  const { inverse, undetermined } = pseudoInverse(unit);
  const without = Array.from(scale.keys()).filter((i) => scale[i] === 0);
  return {
    matrix: Array.from({ length: n }, (_, i) =>
      Array.from({ length: n }, (__, j) => inverse.get(i, j) * scale[i] * scale[j]),
    ),
    undetermined: [...new Set([...undetermined, ...without])].sort((a, b) => a - b),
  };
}

export interface LeastSquaresOptions {
  readonly maxCycles: number;
  /** The fit has converged if the sum falls by less than this share. */
  readonly tolerance: number;
  /** Called before every cycle; returning true ends the fit. */
  readonly stop?: (() => boolean) | undefined;
  readonly onCycle?: (() => void) | undefined;
}

export interface LeastSquaresFit {
  readonly values: Float64Array;
  readonly sum: number;
  readonly converged: boolean;
}

const DAMPING = { first: 1e-3, least: 1e-9, most: 1e7, up: 8, down: 0.15 } as const;

/**
 * Minimises a weighted sum of squares over the free parameters.
 * @param evaluate returns the normal equations of the free parameters, in their order, for a vector of all
 *   parameters, or only their sum
 * @param isAllowed rejects vectors that violate conditions on several parameters together
 */
export function minimise(
  start: Float64Array,
  free: readonly number[],
  limits: readonly Limits[],
  evaluate: (values: Float64Array, needsSum: boolean) => NormalEquations,
  isAllowed: (values: Float64Array) => boolean,
  { maxCycles, tolerance, stop, onCycle }: LeastSquaresOptions,
): LeastSquaresFit {
  let values = Float64Array.from(start);
  let equations = evaluate(values, free.length === 0 || maxCycles <= 0);
  let damping: number = DAMPING.first;
  let cycles = 0;
  let converged = free.length === 0;
  while (!converged && cycles < maxCycles) {
    if (stop?.()) break;
    cycles += 1;
    const held = heldAtLimits(values, free, limits, equations);
    const step = dampedStep(held, damping);
    const trial = Float64Array.from(values);
    free.forEach((parameter, i) => {
      const { min, max } = limits[parameter];
      trial[parameter] = Math.min(max, Math.max(min, values[parameter] + step[i]));
    });
    const endsWith = (sum: number): boolean =>
      sum <= equations.sum && equations.sum - sum <= tolerance * equations.sum;
    // If the fit will probably end with this step, only the sum is computed first: mostly no derivatives are
    // needed.
    const needsSum = cycles === maxCycles || endsWith(equations.sum - expectedFall(held, step));
    let next = isAllowed(trial) ? evaluate(trial, needsSum) : undefined;
    if (next && needsSum && cycles < maxCycles && next.sum <= equations.sum && !endsWith(next.sum))
      next = evaluate(trial, false);
    if (next && next.sum <= equations.sum) {
      converged = endsWith(next.sum);
      values = trial;
      equations = next;
      damping = Math.max(DAMPING.least, damping * DAMPING.down);
    } else {
      damping *= DAMPING.up;
      converged = damping > DAMPING.most;
    }
    onCycle?.();
  }
  return { values, sum: equations.sum, converged };
}

/** Fall of the sum by the step if the model were linear: 2 gᵀδ − δᵀNδ. */
function expectedFall({ matrix, gradient }: NormalEquations, step: Float64Array): number {
  const n = step.length;
  let fall = 0;
  for (let i = 0; i < n; i++) {
    let row = 0;
    for (let j = 0; j < n; j++) row += matrix[i * n + j] * step[j];
    fall += step[i] * (2 * gradient[i] - row);
  }
  return fall;
}

/** The equations without parameters at a limit that the step would push beyond it. */
function heldAtLimits(
  values: Float64Array,
  free: readonly number[],
  limits: readonly Limits[],
  { sum, matrix, gradient }: NormalEquations,
): NormalEquations {
  const n = free.length;
  const held = free.map((parameter, i) => {
    const { min, max } = limits[parameter];
    return (values[parameter] <= min && gradient[i] < 0) || (values[parameter] >= max && gradient[i] > 0);
  });
  if (!held.includes(true)) return { sum, matrix, gradient };
  const without = Float64Array.from(matrix);
  const slope = Float64Array.from(gradient);
  held.forEach((is, i) => {
    if (!is) return;
    slope[i] = 0;
    for (let j = 0; j < n; j++) {
      if (i === j) continue;
      without[i * n + j] = 0;
      without[j * n + i] = 0;
    }
  });
  return { sum, matrix: without, gradient: slope };
}

// ── Variances and covariances of the fitted parameters ──

/** The data of a fit that are needed for e.s.d. */
export interface Uncertainty {
  readonly free: readonly number[];
  readonly covariance: Covariance;
  /** Factor that turns N⁻¹ into variances: max(1, χ²) × (Bérar's factor)². */
  readonly inflation: number;
}

/** Covariances of the given parameters; undefined unless all of them were refined and determined. */
export function covariances(
  { free, covariance, inflation }: Uncertainty,
  parameters: readonly number[],
): number[][] | undefined {
  const places = parameters.map((parameter) => free.indexOf(parameter));
  if (places.some((place) => place < 0 || covariance.undetermined.includes(place))) return undefined;
  return places.map((i) => places.map((j) => covariance.matrix[i][j] * inflation));
}

export function estimateOf(uncertainty: Uncertainty, values: Float64Array, parameter: number): Estimate {
  const [[variance] = [undefined]] = covariances(uncertainty, [parameter]) ?? [[]];
  const value = values[parameter];
  return variance === undefined ? { value } : { value, esd: Math.sqrt(Math.max(0, variance)) };
}
