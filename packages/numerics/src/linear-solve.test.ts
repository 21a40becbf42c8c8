import { describe, expect, it } from 'vitest';
import { determinant, linearSolve, luFactor, luInverse } from './linear-solve.ts';
import { seededRandom } from './seeded-random.ts';

describe('linearSolve', () => {
  it('solves seeded random systems, whose inverse gives back the unit matrix', () => {
    const random = seededRandom(5);
    for (let n = 1; n <= 12; n++) {
      const matrix = Float64Array.from({ length: n * n }, () => random() - 0.5);
      const x = Float64Array.from({ length: n }, () => random() - 0.5);
      const times = (v: ArrayLike<number>) =>
        Float64Array.from({ length: n }, (_, i) =>
          Array.from(v).reduce((sum, value, j) => sum + matrix[i * n + j] * value, 0),
        );
      linearSolve(matrix, times(x)).forEach((value, i) => expect(value).toBeCloseTo(x[i], 10));
      const factors = luFactor(matrix, n);
      expect(factors).not.toBeNull();
      if (factors === null) continue;
      const inverse = luInverse(factors);
      for (let column = 0; column < n; column++)
        times(inverse.filter((_, index) => index % n === column)).forEach((value, i) =>
          expect(value).toBeCloseTo(i === column ? 1 : 0, 10),
        );
    }
  });

  it('pivots where the diagonal is zero', () => {
    expect([...linearSolve([0, 1, 1, 0], [2, 3])]).toEqual([3, 2]);
  });

  it('refuses a singular matrix', () => {
    expect(() => linearSolve([1, 2, 2, 4], [1, 1])).toThrow(/singular/);
    expect(() => linearSolve([0], [1])).toThrow(/singular/);
  });
});

describe('determinant', () => {
  it('knows permutations, triangles and singular matrices', () => {
    expect(determinant([0, 1, 0, 0, 0, 1, 1, 0, 0], 3)).toBe(1);
    expect(determinant([0, 1, 1, 0], 2)).toBe(-1);
    expect(determinant([2, 5, 0, 3], 2)).toBe(6);
    expect(determinant([1, 1, 1, 1], 2)).toBe(0);
  });
});
