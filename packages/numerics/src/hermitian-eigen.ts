/**
 * Eigenvalues and eigenvectors of dense complex Hermitian matrices of modest size (a few to a few hundred
 * rows).
 *
 * Householder reflections bring H to tridiagonal form, a diagonal of phases makes that form real, and implicit QL finds
 * the eigenvalues (Wilkinson, The Algebraic Eigenvalue Problem, 1965, ch. 5). Band structures solve thousands of small
 * matrices of one size, so all storage is in a reusable workspace. Eigenvalues alone of larger matrices come from a
 * WebAssembly kernel (kernel/hermitian.ts), with the same results to rounding.
 */
import { HERMITIAN_KERNEL } from './data/hermitian-kernel.ts';
import { type KernelFunction, KernelMemory } from './kernel-memory.ts';
import { tridiagonalEigen } from './symmetric-eigen.ts';

export interface HermitianEigenResult {
  /** n eigenvalues, ascending. */
  readonly values: Float64Array;
  /** Row k (entries k·n … k·n + n − 1) is the real part of the unit eigenvector of `values[k]`. */
  readonly vectorsRe: Float64Array;
  /** Imaginary parts in the same layout as `vectorsRe`. */
  readonly vectorsIm: Float64Array;
}

/** Storage for matrices of `n` rows. Create one per thread and pass it to every call. */
export interface HermitianEigenWorkspace extends HermitianEigenResult {
  readonly n: number;
  readonly lowerRe: Float64Array;
  readonly lowerIm: Float64Array;
  readonly reflectorsRe: Float64Array;
  readonly reflectorsIm: Float64Array;
  readonly reflectorFactors: Float64Array;
  readonly phasesRe: Float64Array;
  readonly phasesIm: Float64Array;
  readonly diagonal: Float64Array;
  readonly subdiagonal: Float64Array;
  readonly productRe: Float64Array;
  readonly productIm: Float64Array;
  readonly tridiagonalVectors: Float64Array;
  readonly order: Uint32Array;
}

/** Workspace for `hermitianEigen` and `hermitianEigenvalues` on matrices of `n` rows. */
export function createHermitianEigenWorkspace(n: number): HermitianEigenWorkspace {
  if (!Number.isInteger(n) || n < 0)
    throw new RangeError(`matrix size is ${n}: expected an integer of 0 or more`);
  const vector = () => new Float64Array(n);
  const matrix = () => new Float64Array(n * n);
  return {
    n,
    values: vector(),
    vectorsRe: matrix(),
    vectorsIm: matrix(),
    lowerRe: matrix(),
    lowerIm: matrix(),
    reflectorsRe: matrix(),
    reflectorsIm: matrix(),
    reflectorFactors: vector(),
    phasesRe: vector(),
    phasesIm: vector(),
    diagonal: vector(),
    subdiagonal: vector(),
    productRe: vector(),
    productIm: vector(),
    tridiagonalVectors: matrix(),
    order: new Uint32Array(n),
  };
}

/**
 * Eigenvalues (ascending) and orthonormal eigenvectors of a Hermitian matrix H = re + i·im: H v = λ v.
 *
 * @param re row-major n×n real part; only the diagonal and the entries below it are read
 * @param im row-major n×n imaginary part; entries below the diagonal are read
 * @param n number of rows
 * @param workspace storage to reuse; the returned arrays are part of it and are overwritten by the next call
 * @throws RangeError when an array is too short or an entry is not finite
 * @example hermitianEigen(new Float64Array([0, 0, 0, 0]), new Float64Array([0, -1, 1, 0]), 2).values // [-1,
 * 1]
 */
export function hermitianEigen(
  re: Float64Array,
  im: Float64Array,
  n: number,
  workspace: HermitianEigenWorkspace = createHermitianEigenWorkspace(n),
): HermitianEigenResult {
  const scale = tridiagonalise(re, im, n, workspace);
  const { values, diagonal, subdiagonal, tridiagonalVectors, order } = workspace;
  tridiagonalVectors.fill(0);
  for (let i = 0; i < n; i++) tridiagonalVectors[i * n + i] = 1;
  tridiagonalEigen(n, diagonal, subdiagonal, tridiagonalVectors);
  for (let i = 0; i < n; i++) order[i] = i;
  order.sort((a, b) => diagonal[a] - diagonal[b]);
  for (let k = 0; k < n; k++) {
    values[k] = diagonal[order[k]] * scale;
    backTransform(workspace, order[k] * n, k * n);
  }
  return workspace;
}

const BYTES = Float64Array.BYTES_PER_ELEMENT;
/** Pages of 64 KiB, enough for 100 rows. */
const FIRST_PAGES = 8;
/** For smaller matrices, copying to the kernel takes longer than the calculation. */
const SMALLEST_FOR_KERNEL = 8;

/**
 * Eigenvalues (ascending) of a Hermitian matrix without eigenvectors, in about a sixth of the time of {@link
 * hermitianEigen}. Arguments and errors are the same.
 */
export function hermitianEigenvalues(
  re: Float64Array,
  im: Float64Array,
  n: number,
  workspace: HermitianEigenWorkspace = createHermitianEigenWorkspace(n),
): Float64Array {
  const { values, diagonal, subdiagonal, lowerRe, lowerIm } = workspace;
  if (n >= SMALLEST_FOR_KERNEL) {
    const scale = loadScaled(re, im, n, workspace);
    if (kernelEigenvalues(lowerRe, lowerIm, n, diagonal)) {
      for (let i = 0; i < n; i++) values[i] = diagonal[i] * scale;
      return values.sort();
    }
  }
  const scale = tridiagonalise(re, im, n, workspace);
  tridiagonalEigen(n, diagonal, subdiagonal, null);
  for (let i = 0; i < n; i++) values[i] = diagonal[i] * scale;
  return values.sort();
}

let kernel:
  | { readonly memory: KernelMemory; readonly run: Readonly<Record<string, KernelFunction>> }
  | undefined;

/** Kernel calls never overlap, so all matrices share one memory. @returns false if the values did not converge */
function kernelEigenvalues(
  lowerRe: Float64Array,
  lowerIm: Float64Array,
  n: number,
  values: Float64Array,
): boolean {
  if (!kernel) {
    const memory = new KernelMemory(FIRST_PAGES);
    kernel = { memory, run: memory.start(HERMITIAN_KERNEL) };
  }
  const { memory, run } = kernel;
  const base = memory.mark;
  // Rows begin at multiples of 16 bytes.
  const stride = n + (n % 2);
  const matrix = memory.allocate(2 * n * 2 * stride);
  const diagonal = memory.allocate(2 * n);
  const subdiagonal = memory.allocate(2 * n);
  const work = memory.allocate(2 * 5 * 2 * stride);
  const { doubles } = memory;
  for (let i = 0; i < n; i++) {
    const at = matrix / BYTES + i * 2 * stride;
    for (let j = 0; j < i; j++) {
      doubles[at + j] = lowerRe[i * n + j];
      doubles[at + stride + j] = lowerIm[i * n + j];
    }
    doubles[diagonal / BYTES + i] = lowerRe[i * n + i];
  }
  const converged = run.eigenvalues(n, stride, matrix, diagonal, subdiagonal, work) === 1;
  values.set(doubles.subarray(diagonal / BYTES, diagonal / BYTES + n));
  memory.release(base);
  return converged;
}

/** Copies the lower triangle divided by its largest entry, so that squares neither overflow nor underflow. */
function loadScaled(
  re: Float64Array,
  im: Float64Array,
  n: number,
  workspace: HermitianEigenWorkspace,
): number {
  if (workspace.n !== n)
    throw new RangeError(`the workspace is for ${workspace.n} rows, the matrix has ${n}`);
  if (re.length < n * n || im.length < n * n)
    throw new RangeError(
      `a matrix of ${n} rows needs ${n * n} entries: got ${re.length} real and ${im.length} imaginary`,
    );
  let scale = 0;
  let sum = 0;
  for (let i = 0; i < n; i++)
    for (let j = 0; j <= i; j++) {
      const a = Math.abs(re[i * n + j]);
      const b = i === j ? 0 : Math.abs(im[i * n + j]);
      sum += a + b;
      if (a > scale) scale = a;
      if (b > scale) scale = b;
    }
  // The sum is NaN if an entry is NaN, while comparisons with NaN would only be false.
  if (!Number.isFinite(sum) && (Number.isNaN(sum) || !Number.isFinite(scale)))
    throw new RangeError('hermitianEigen: every entry of the matrix must be finite');
  if (scale === 0) scale = 1;
  const { lowerRe, lowerIm } = workspace;
  for (let i = 0; i < n; i++)
    for (let j = 0; j <= i; j++) {
      lowerRe[i * n + j] = re[i * n + j] / scale;
      lowerIm[i * n + j] = i === j ? 0 : im[i * n + j] / scale;
    }
  return scale;
}

/** H = Q Φ T Φ* Q*: fills reflectors (Q), phases (Φ), diagonal and subdiagonal (T); returns the scale of T. */
function tridiagonalise(
  re: Float64Array,
  im: Float64Array,
  n: number,
  workspace: HermitianEigenWorkspace,
): number {
  const scale = loadScaled(re, im, n, workspace);
  const { lowerRe, lowerIm, reflectorFactors, phasesRe, phasesIm, diagonal, subdiagonal } = workspace;
  let phaseRe = 1;
  let phaseIm = 0;
  for (let k = 0; k < n; k++) {
    diagonal[k] = lowerRe[k * n + k]!;
    phasesRe[k] = phaseRe;
    phasesIm[k] = phaseIm;
    reflectorFactors[k] = 0;
    if (k === n - 1) break;
    const head = (k + 1) * n + k;
    let tailNorm = 0;
    for (let i = k + 2; i < n; i++) tailNorm += lowerRe[i * n + k] ** 2 + lowerIm[i * n + k] ** 2;
    let couplingRe = lowerRe[head];
    let couplingIm = lowerIm[head];
    let coupling = Math.sqrt(couplingRe * couplingRe + couplingIm * couplingIm);
    if (tailNorm > 0) {
      const length = Math.sqrt(tailNorm + coupling * coupling);
      const headRe = coupling === 0 ? 1 : couplingRe / coupling;
      const headIm = coupling === 0 ? 0 : couplingIm / coupling;
      reflect(
        workspace,
        k,
        headRe * (coupling + length),
        headIm * (coupling + length),
        1 / (length * (length + coupling)),
      );
      couplingRe = -headRe * length;
      couplingIm = -headIm * length;
      coupling = length;
    }
    subdiagonal[k] = coupling;
    if (coupling > 0) {
      const nextRe = (couplingRe * phaseRe - couplingIm * phaseIm) / coupling;
      phaseIm = (couplingRe * phaseIm + couplingIm * phaseRe) / coupling;
      phaseRe = nextRe;
    }
  }
  return scale;
}

/** Applies P A P with P = 1 − factor·v v*, v = (head, column k below it), to the block below row k. */
function reflect(
  workspace: HermitianEigenWorkspace,
  k: number,
  headRe: number,
  headIm: number,
  factor: number,
): void {
  const { n, lowerRe, lowerIm, reflectorsRe, reflectorsIm, productRe, productIm } = workspace;
  const v = k * n;
  workspace.reflectorFactors[k] = factor;
  for (let i = k + 1; i < n; i++) {
    reflectorsRe[v + i] = i === k + 1 ? headRe : lowerRe[i * n + k];
    reflectorsIm[v + i] = i === k + 1 ? headIm : lowerIm[i * n + k];
    productRe[i] = 0;
    productIm[i] = 0;
  }
  // p = factor · A v, computed from the lower triangle alone.
  for (let i = k + 1; i < n; i++) {
    const viRe = reflectorsRe[v + i];
    const viIm = reflectorsIm[v + i];
    let sumRe = lowerRe[i * n + i] * viRe;
    let sumIm = lowerRe[i * n + i] * viIm;
    for (let j = k + 1; j < i; j++) {
      const aRe = lowerRe[i * n + j];
      const aIm = lowerIm[i * n + j];
      const vjRe = reflectorsRe[v + j];
      const vjIm = reflectorsIm[v + j];
      sumRe += aRe * vjRe - aIm * vjIm;
      sumIm += aRe * vjIm + aIm * vjRe;
      productRe[j] += aRe * viRe + aIm * viIm;
      productIm[j] += aRe * viIm - aIm * viRe;
    }
    productRe[i] += sumRe;
    productIm[i] += sumIm;
  }
  let overlap = 0;
  for (let i = k + 1; i < n; i++) {
    productRe[i] *= factor;
    productIm[i] *= factor;
    overlap += reflectorsRe[v + i] * productRe[i] + reflectorsIm[v + i] * productIm[i];
  }
  // A ← A − v w* − w v*, w = p − (factor/2)(v* p) v.
  const half = (overlap * factor) / 2;
  for (let i = k + 1; i < n; i++) {
    productRe[i] -= half * reflectorsRe[v + i];
    productIm[i] -= half * reflectorsIm[v + i];
  }
  for (let i = k + 1; i < n; i++) {
    const viRe = reflectorsRe[v + i];
    const viIm = reflectorsIm[v + i];
    const wiRe = productRe[i];
    const wiIm = productIm[i];
    for (let j = k + 1; j <= i; j++) {
      const vjRe = reflectorsRe[v + j];
      const vjIm = reflectorsIm[v + j];
      const wjRe = productRe[j];
      const wjIm = productIm[j];
      lowerRe[i * n + j] -= viRe * wjRe + viIm * wjIm + wiRe * vjRe + wiIm * vjIm;
      lowerIm[i * n + j] -= viIm * wjRe - viRe * wjIm + wiIm * vjRe - wiRe * vjIm;
    }
  }
}

/** Computes the eigenvector of H = Q Φ z from the eigenvector z of T (row `source`), and writes it to row `target`. */
function backTransform(workspace: HermitianEigenWorkspace, source: number, target: number): void {
  const { n, phasesRe, phasesIm, tridiagonalVectors, vectorsRe, vectorsIm } = workspace;
  const { reflectorsRe, reflectorsIm, reflectorFactors } = workspace;
  for (let i = 0; i < n; i++) {
    const z = tridiagonalVectors[source + i];
    vectorsRe[target + i] = phasesRe[i] * z;
    vectorsIm[target + i] = phasesIm[i] * z;
  }
  for (let k = n - 3; k >= 0; k--) {
    const factor = reflectorFactors[k];
    if (factor === 0) continue;
    const v = k * n;
    let dotRe = 0;
    let dotIm = 0;
    for (let i = k + 1; i < n; i++) {
      const yRe = vectorsRe[target + i];
      const yIm = vectorsIm[target + i];
      dotRe += reflectorsRe[v + i] * yRe + reflectorsIm[v + i] * yIm;
      dotIm += reflectorsRe[v + i] * yIm - reflectorsIm[v + i] * yRe;
    }
    dotRe *= factor;
    dotIm *= factor;
    for (let i = k + 1; i < n; i++) {
      vectorsRe[target + i] -= reflectorsRe[v + i] * dotRe - reflectorsIm[v + i] * dotIm;
      vectorsIm[target + i] -= reflectorsRe[v + i] * dotIm + reflectorsIm[v + i] * dotRe;
    }
  }
}
