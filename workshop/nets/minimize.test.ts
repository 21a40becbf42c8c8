/** The two minimisers behind the drawings, on functions whose minima are known. */
import { seededRandom } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { leastSquares, type ResidualFunction, RESIDUAL_TARGET } from './least-squares.ts';
import { minimize, type Objective } from './minimize.ts';

const OPTIONS = { maxIterations: 2000, gradientTolerance: 1e-10 };
const random = seededRandom(23);
const uniform = (low: number, high: number): number => low + (high - low) * random();

/** H. H. Rosenbrock, Comput. J. 3 (1960) 175: a bent valley with its minimum 0 at (1, 1). */
const rosenbrock: Objective = (p, gradient) => {
  const [x, y] = p;
  gradient[0] = -400 * x * (y - x * x) - 2 * (1 - x);
  gradient[1] = 200 * (y - x * x);
  return 100 * (y - x * x) ** 2 + (1 - x) ** 2;
};
const rosenbrockResiduals: ResidualFunction = ([x, y], residuals, jacobian) => {
  residuals.set([10 * (y - x * x), 1 - x]);
  jacobian.set([-20 * x, 10, -1, 0]);
};
const ROSENBROCK_STARTS = [
  [-1.2, 1],
  [0, 0],
  [5, -7],
  [1, 1],
] as const;

/** A positive definite matrix BᵀB + 1 and a vector. */
function randomSystem(n: number): { matrix: number[][]; right: number[] } {
  const b = Array.from({ length: n }, () => Array.from({ length: n }, () => uniform(-1, 1)));
  const matrix = b.map((_, i) =>
    b.map((__, j) => b.reduce((sum, row) => sum + row[i] * row[j], 0) + Number(i === j)),
  );
  return { matrix, right: Array.from({ length: n }, () => uniform(-2, 2)) };
}
const times = (matrix: readonly (readonly number[])[], x: ArrayLike<number>): number[] =>
  matrix.map((row) => row.reduce((sum, value, k) => sum + value * x[k], 0));

describe('minimize', () => {
  it.each(ROSENBROCK_STARTS)('finds the end of Rosenbrock’s valley from (%d, %d)', (x, y) => {
    const [u, v] = minimize(rosenbrock, Float64Array.of(x, y), OPTIONS);
    expect(u).toBeCloseTo(1, 7);
    expect(v).toBeCloseTo(1, 7);
  });

  it('solves A x = b as the minimum of x·A x / 2 − b·x', () => {
    for (let run = 0; run < 20; run++) {
      const { matrix, right } = randomSystem(1 + (run % 7));
      const quadratic: Objective = (x, gradient) => {
        const image = times(matrix, x);
        image.forEach((value, k) => (gradient[k] = value - right[k]));
        return image.reduce((sum, value, k) => sum + x[k] * (value / 2 - right[k]), 0);
      };
      const start = Float64Array.from(right, () => uniform(-3, 3));
      times(matrix, minimize(quadratic, start, OPTIONS)).forEach((value, k) =>
        expect(value).toBeCloseTo(right[k], 7),
      );
    }
  });

  it('stays on its side of what is forbidden', () => {
    // x − log x, with everything up to 0 forbidden: its minimum is 1.
    const barrier: Objective = (x, gradient) => {
      gradient[0] = 1 - 1 / x[0];
      return x[0] > 0 ? x[0] - Math.log(x[0]) : Number.POSITIVE_INFINITY;
    };
    for (const start of [1e-3, 0.4, 6]) {
      expect(minimize(barrier, Float64Array.of(start), OPTIONS)[0]).toBeCloseTo(1, 7);
    }
  });

  it('moves nothing where the slope is zero, and never ends above its start', () => {
    const start = Float64Array.of(1, 1);
    expect([...minimize(rosenbrock, start, OPTIONS)]).toEqual([1, 1]);
    const scratch = new Float64Array(2);
    for (let run = 0; run < 50; run++) {
      const from = Float64Array.of(uniform(-4, 4), uniform(-4, 4));
      const before = rosenbrock(from, scratch);
      const to = minimize(rosenbrock, from, { ...OPTIONS, maxIterations: run % 6 });
      expect(rosenbrock(to, scratch)).toBeLessThanOrEqual(before);
    }
  });
});

describe('leastSquares', () => {
  const norm = (evaluate: ResidualFunction, x: Float64Array, count: number): number => {
    const residuals = new Float64Array(count);
    evaluate(x, residuals, new Float64Array(count * x.length));
    return residuals.reduce((sum, value) => sum + value * value, 0);
  };

  it.each(ROSENBROCK_STARTS)('finds the end of Rosenbrock’s valley from (%d, %d)', (x, y) => {
    const found = leastSquares(rosenbrockResiduals, Float64Array.of(x, y), 2);
    expect(norm(rosenbrockResiduals, found, 2)).toBeLessThanOrEqual(RESIDUAL_TARGET);
    found.forEach((value) => expect(value).toBeCloseTo(1, 9));
  });

  it('of an overdetermined linear system leaves residuals at right angles to its columns', () => {
    for (let run = 0; run < 20; run++) {
      const [count, n] = [6 + (run % 5), 1 + (run % 4)];
      const rows = Array.from({ length: count }, () => Array.from({ length: n }, () => uniform(-1, 1)));
      const right = rows.map(() => uniform(-1, 1));
      const linear: ResidualFunction = (x, residuals, jacobian) => {
        residuals.set(times(rows, x).map((value, k) => value - right[k]));
        jacobian.set(rows.flat());
      };
      const found = leastSquares(linear, new Float64Array(n), count);
      const residuals = times(rows, found).map((value, k) => value - right[k]);
      for (let column = 0; column < n; column++)
        expect(rows.reduce((sum, row, k) => sum + row[column] * residuals[k], 0)).toBeCloseTo(0, 8);
    }
  });

  it('reaches the digits it is asked for on a quartic valley, where gradients stall', () => {
    // M. J. D. Powell, Comput. J. 5 (1962) 147: the Jacobian is singular at the minimum 0.
    const powell: ResidualFunction = ([a, b, c, d], residuals, jacobian) => {
      const [five, ten] = [Math.sqrt(5), Math.sqrt(10)];
      residuals.set([a + 10 * b, five * (c - d), (b - 2 * c) ** 2, ten * (a - d) ** 2]);
      const [near, far] = [2 * (b - 2 * c), 2 * ten * (a - d)];
      jacobian.set([1, 10, 0, 0, 0, 0, five, -five, 0, near, -2 * near, 0, far, 0, 0, -far]);
    };
    const found = leastSquares(powell, Float64Array.of(3, -1, 0, 1), 4);
    expect(norm(powell, found, 4)).toBeLessThan(1e-18);
  });

  it('never ends above its start', () => {
    for (let run = 0; run < 30; run++) {
      const start = Float64Array.of(uniform(-5, 5), uniform(-5, 5));
      const found = leastSquares(rosenbrockResiduals, start, 2);
      expect(norm(rosenbrockResiduals, found, 2)).toBeLessThanOrEqual(norm(rosenbrockResiduals, start, 2));
    }
  });
});
