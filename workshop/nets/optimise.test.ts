/** The two minimisers, on functions with known minima. */
import { luFactor, luSolve, seededRandom } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { leastSquares, minimize, type Objective, type ResidualFunction } from './optimise.ts';

const random = seededRandom(1963);
const vector = (n: number, scale = 2) => Float64Array.from({ length: n }, () => scale * (random() - 0.5));
const PRECISE = { maxIterations: 2000, gradientTolerance: 1e-10 };

/** H. H. Rosenbrock, Comput. J. 3 (1960) 175: a curved valley with its minimum 0 at (1, 1). */
const rosenbrock: Objective = ([x, y], gradient) => {
  gradient[0] = -400 * x * (y - x * x) - 2 * (1 - x);
  gradient[1] = 200 * (y - x * x);
  return 100 * (y - x * x) ** 2 + (1 - x) ** 2;
};
const rosenbrockResiduals: ResidualFunction = ([x, y], residuals, jacobian) => {
  residuals.set([10 * (y - x * x), 1 - x]);
  jacobian.set([-20 * x, 10, -1, 0]);
};

/** M. J. D. Powell's singular function (J. J. Moré et al., ACM Trans. Math. Softw. 7 (1981) 17, no. 13): a quartic valley, 0 at 0. */
const powell: ResidualFunction = ([a, b, c, d], residuals, jacobian) => {
  residuals.set([a + 10 * b, Math.sqrt(5) * (c - d), (b - 2 * c) ** 2, Math.sqrt(10) * (a - d) ** 2]);
  const [bend, far] = [2 * (b - 2 * c), 2 * Math.sqrt(10) * (a - d)];
  jacobian.set([1, 10, 0, 0, 0, 0, Math.sqrt(5), -Math.sqrt(5), 0, bend, -2 * bend, 0, far, 0, 0, -far]);
};

const sumOfSquares = (evaluate: ResidualFunction, x: Float64Array, count: number): number => {
  const residuals = new Float64Array(count);
  evaluate(x, residuals, new Float64Array(count * x.length));
  return residuals.reduce((sum, r) => sum + r * r, 0);
};

describe('leastSquares', () => {
  it('solves linear systems with as many equations as unknowns', () => {
    for (let n = 1; n <= 8; n++) {
      const matrix = Float64Array.from(vector(n * n), (value, i) => value + (i % (n + 1) === 0 ? 2 : 0));
      const right = vector(n);
      const linear: ResidualFunction = (x, residuals, jacobian) => {
        jacobian.set(matrix);
        for (let r = 0; r < n; r++)
          residuals[r] = x.reduce((sum, value, i) => sum + matrix[r * n + i] * value, -right[r]);
      };
      const found = leastSquares(linear, vector(n), n);
      const exact = luSolve(luFactor(matrix, n)!, right);
      found.forEach((value, i) => expect(value).toBeCloseTo(exact[i], 8));
    }
  });

  it('fits a line through points as the normal equations do', () => {
    const points = Array.from({ length: 30 }, (_, i) => [i, 3 + 0.5 * i + random()] as const);
    const line: ResidualFunction = ([a, b], residuals, jacobian) =>
      points.forEach(([x, y], r) => {
        residuals[r] = a + b * x - y;
        jacobian.set([1, x], 2 * r);
      });
    const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value) / values.length;
    const [mx, my] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))];
    const slope =
      mean(points.map(([x, y]) => (x - mx) * (y - my))) / mean(points.map(([x]) => (x - mx) ** 2));
    const [a, b] = leastSquares(line, Float64Array.of(0, 0), points.length);
    expect(b).toBeCloseTo(slope, 9);
    expect(a).toBeCloseTo(my - slope * mx, 8);
  });

  it('follows Rosenbrock’s valley to its end, from the starting point in his paper', () => {
    const [x, y] = leastSquares(rosenbrockResiduals, Float64Array.of(-1.2, 1), 2);
    expect([x, y]).toEqual([expect.closeTo(1, 9), expect.closeTo(1, 9)]);
  });

  it('reaches the minimum of a quartic valley, and never ends above its start', () => {
    const found = leastSquares(powell, Float64Array.of(3, -1, 0, 1), 4);
    expect(sumOfSquares(powell, found, 4)).toBeLessThan(1e-20);
    for (let round = 0; round < 50; round++) {
      const start = vector(4, 20);
      const end = leastSquares(powell, start, 4);
      expect(sumOfSquares(powell, end, 4)).toBeLessThanOrEqual(sumOfSquares(powell, start, 4));
    }
  });
});

describe('minimize', () => {
  it('finds the minimum of positive definite quadratic forms: A x = b', () => {
    for (let n = 1; n <= 12; n++) {
      const half = vector(n * n);
      const matrix = new Float64Array(n * n);
      for (let i = 0; i < n; i++)
        for (let j = 0; j < n; j++)
          for (let k = 0; k < n; k++)
            matrix[i * n + j] += half[k * n + i] * half[k * n + j] + (i === j ? 0.1 : 0);
      const right = vector(n);
      const bowl: Objective = (x, gradient) => {
        let value = 0;
        for (let i = 0; i < n; i++) {
          const row = x.reduce((sum, xj, j) => sum + matrix[i * n + j] * xj, 0);
          gradient[i] = row - right[i];
          value += x[i] * (row / 2 - right[i]);
        }
        return value;
      };
      const exact = luSolve(luFactor(matrix, n)!, right);
      minimize(bowl, vector(n), PRECISE).forEach((value, i) => expect(value).toBeCloseTo(exact[i], 6));
    }
  });

  it('follows Rosenbrock’s valley to its end', () => {
    const [x, y] = minimize(rosenbrock, Float64Array.of(-1.2, 1), PRECISE);
    expect([x, y]).toEqual([expect.closeTo(1, 7), expect.closeTo(1, 7)]);
  });

  it('avoids forbidden regions: x − ln x has its minimum at 1, and no value below 0', () => {
    const wall: Objective = ([x], gradient) => {
      if (x <= 0) return Number.POSITIVE_INFINITY;
      gradient[0] = 1 - 1 / x;
      return x - Math.log(x);
    };
    for (const start of [1e-3, 0.3, 2, 40])
      expect(minimize(wall, Float64Array.of(start), PRECISE)[0]).toBeCloseTo(1, 6);
  });

  it('does not modify its start, stays there without iterations, and stops at a minimum', () => {
    const start = Float64Array.of(-1.2, 1);
    expect(minimize(rosenbrock, start, { ...PRECISE, maxIterations: 0 })).toEqual(start);
    minimize(rosenbrock, start, PRECISE);
    expect([...start]).toEqual([-1.2, 1]);
    expect([...minimize(rosenbrock, Float64Array.of(1, 1), PRECISE)]).toEqual([1, 1]);
  });
});
