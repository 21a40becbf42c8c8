import { describe, expect, it } from 'vitest';
import { luFactor, luInverse, luSolve } from './linear-solve.ts';
import { seededRandom } from './seeded-random.ts';

describe('luFactor', () => {
  it('solves seeded random systems, whose inverse gives back the unit matrix', () => {
    const random = seededRandom(5);
    for (let n = 1; n <= 12; n++) {
      const matrix = Float64Array.from({ length: n * n }, () => random() - 0.5);
      const x = Float64Array.from({ length: n }, () => random() - 0.5);
      const times = (v: ArrayLike<number>) =>
        Float64Array.from({ length: n }, (_, i) =>
          Array.from(v).reduce((sum, value, j) => sum + matrix[i * n + j] * value, 0),
        );
      const factors = luFactor(matrix, n);
      expect(factors).not.toBeNull();
      if (factors === null) continue;
      luSolve(factors, times(x)).forEach((value, i) => expect(value).toBeCloseTo(x[i], 10));
      const inverse = luInverse(factors);
      for (let column = 0; column < n; column++)
        times(inverse.filter((_, index) => index % n === column)).forEach((value, i) =>
          expect(value).toBeCloseTo(i === column ? 1 : 0, 10),
        );
    }
  });

  it('pivots where the diagonal is zero', () => {
    const factors = luFactor([0, 1, 1, 0], 2);
    expect(factors && [...luSolve(factors, [2, 3])]).toEqual([3, 2]);
  });

  it('refuses a singular matrix, exactly so or to working precision', () => {
    expect(luFactor([1, 2, 2, 4], 2)).toBeNull();
    expect(luFactor([0], 1)).toBeNull();
    expect(luFactor([1, 1, 1, 1 + 1e-14], 2)).toBeNull();
    expect(luFactor([1e-20, 0, 0, 1e-20], 2)).not.toBeNull();
  });
});
