/** Linear programming: the revised simplex method in two phases, for small dense problems. */
import { luFactor, luInverse } from './linear-solve.ts';

/**
 * Reduced costs, pivots and residuals below this share of the problem's own scale count as zero: a hundred
 * roundings of double precision on well-scaled data.
 */
export const SIMPLEX_TOLERANCE = 1e-11;

export interface LinearProgram {
  /** c: one cost per variable. */
  readonly costs: ArrayLike<number>;
  /** A by rows: one row per equation, one entry per variable. */
  readonly rows: readonly ArrayLike<number>[];
  /** b: one right-hand side per equation, of any sign. */
  readonly rightHandSide: ArrayLike<number>;
}

export type LinearProgramResult =
  | {
      readonly status: 'optimal';
      readonly objective: number;
      readonly x: Float64Array;
      /** y with c − Aᵀy ≥ 0 and b·y = c·x (zero for equations that follow from the others). */
      readonly duals: Float64Array;
      /** Variables of the final basis, one per independent equation. */
      readonly basis: readonly number[];
    }
  | { readonly status: 'infeasible' | 'unbounded' };

/** Basis matrix entries come from A with rows of negative b turned round, then one unit column per equation. */
interface Tableau {
  readonly m: number;
  readonly n: number;
  readonly columns: Float64Array;
  readonly b: Float64Array;
  readonly basis: number[];
}

/**
 * Minimises c·x subject to A x = b, x ≥ 0. The entering variable is Dantzig's until a pivot gains nothing, then
 * Bland's smallest index until one does (R. G. Bland, Math. Oper. Res. 2, 103 (1977)), so ties and degenerate
 * vertices cannot make it cycle. The basis is inverted afresh at every pivot: m is small and accuracy counts.
 *
 * @throws RangeError when the sizes disagree or a number is not finite
 * @example minimizeLinear({ costs: [1, 2], rows: [[1, 1]], rightHandSide: [3] }) // optimal, x = [3, 0], duals [1]
 */
export function minimizeLinear({ costs, rows, rightHandSide }: LinearProgram): LinearProgramResult {
  const m = rows.length;
  const n = costs.length;
  if (rightHandSide.length !== m || rows.some((row) => row.length !== n))
    throw new RangeError(`minimizeLinear: expected ${m} rows of ${n} entries and ${m} right-hand sides`);
  const signs = Array.from(rightHandSide, (value) => (value < 0 ? -1 : 1));
  const columns = new Float64Array((n + m) * m);
  for (let j = 0; j < n; j++) for (let i = 0; i < m; i++) columns[j * m + i] = signs[i] * rows[i][j];
  for (let i = 0; i < m; i++) columns[(n + i) * m + i] = 1;
  const b = Float64Array.from(rightHandSide, Math.abs);
  if (![...Array.from(costs), ...columns, ...b].every(Number.isFinite))
    throw new RangeError('minimizeLinear: every number must be finite');

  const tableau: Tableau = { m, n, columns, b, basis: Array.from({ length: m }, (_, i) => n + i) };
  const artificial = Float64Array.from({ length: n + m }, (_, j) => (j < n ? 0 : 1));
  runSimplex(tableau, artificial);
  const first = basicSolution(tableau);
  const scale = b.reduce((largest, value) => Math.max(largest, value), 0) || 1;
  const infeasibility = tableau.basis.reduce(
    (sum, j, i) => (j < n ? sum : sum + Math.abs(first.values[i])),
    0,
  );
  // Phase 1 sums m residuals, each good to the tolerance.
  if (infeasibility > SIMPLEX_TOLERANCE * 10 * m * scale) return { status: 'infeasible' };

  const phaseTwo = new Float64Array(n + m);
  phaseTwo.set(Array.from(costs));
  if (!runSimplex(tableau, phaseTwo)) return { status: 'unbounded' };
  const { inverse, values } = basicSolution(tableau);
  const x = new Float64Array(n);
  let objective = 0;
  tableau.basis.forEach((j, i) => {
    if (j >= n) return;
    x[j] = Math.max(0, values[i]);
    objective += costs[j] * x[j];
  });
  const duals = dualsOf(tableau, phaseTwo, inverse).map((value, i) => value * signs[i]);
  return { status: 'optimal', objective, x, duals, basis: tableau.basis.filter((j) => j < n) };
}

function basicSolution({ m, columns, b, basis }: Tableau) {
  const matrix = new Float64Array(m * m);
  for (let i = 0; i < m; i++) for (let l = 0; l < m; l++) matrix[i * m + l] = columns[basis[l] * m + i];
  const factors = luFactor(matrix, m);
  if (factors === null)
    throw new RangeError('minimizeLinear: the basis became singular; is the problem scaled?');
  const inverse = luInverse(factors);
  const values = new Float64Array(m);
  for (let l = 0; l < m; l++) for (let i = 0; i < m; i++) values[l] += inverse[l * m + i] * b[i];
  return { inverse, values };
}

function dualsOf({ m, basis }: Tableau, costs: Float64Array, inverse: Float64Array): Float64Array {
  const duals = new Float64Array(m);
  for (let l = 0; l < m; l++) for (let i = 0; i < m; i++) duals[i] += costs[basis[l]] * inverse[l * m + i];
  return duals;
}

/** Pivots `tableau.basis` to an optimum of `costs`; false when the objective falls without end. */
function runSimplex(tableau: Tableau, costs: Float64Array): boolean {
  const { m, n, columns, basis } = tableau;
  const costScale = costs.reduce((largest, cost) => Math.max(largest, Math.abs(cost)), 0) || 1;
  let useBland = false;
  for (;;) {
    const { inverse, values } = basicSolution(tableau);
    const duals = dualsOf(tableau, costs, inverse);
    let entering = -1;
    let best = -SIMPLEX_TOLERANCE * costScale;
    // Artificial variables never come back: only the n real ones are priced.
    for (let j = 0; j < n; j++) {
      let reduced = costs[j];
      for (let i = 0; i < m; i++) reduced -= duals[i] * columns[j * m + i];
      if (reduced >= best || basis.includes(j)) continue;
      entering = j;
      if (useBland) break;
      best = reduced;
    }
    if (entering < 0) return true;
    const leaving = leavingRow(tableau, inverse, values, entering);
    if (leaving.row < 0) return false;
    basis[leaving.row] = entering;
    useBland = leaving.step <= SIMPLEX_TOLERANCE;
  }
}

/** Row whose variable reaches zero first as `entering` grows; of equals the smallest variable index (Bland). */
function leavingRow(
  { m, n, columns, basis }: Tableau,
  inverse: Float64Array,
  values: Float64Array,
  entering: number,
) {
  let row = -1;
  let step = Number.POSITIVE_INFINITY;
  for (let l = 0; l < m; l++) {
    let rate = 0;
    for (let i = 0; i < m; i++) rate += inverse[l * m + i] * columns[entering * m + i];
    const isIdleArtificial = basis[l] >= n && Math.abs(values[l]) <= SIMPLEX_TOLERANCE;
    // An artificial variable at zero must stay there: it leaves at once, whichever way it would move.
    if (isIdleArtificial ? Math.abs(rate) <= SIMPLEX_TOLERANCE : rate <= SIMPLEX_TOLERANCE) continue;
    const ratio = isIdleArtificial ? 0 : Math.max(0, values[l]) / rate;
    if (ratio > step + SIMPLEX_TOLERANCE) continue;
    if (ratio < step - SIMPLEX_TOLERANCE || basis[l] < basis[row]) {
      row = l;
      step = ratio;
    }
  }
  return { row, step };
}
