import { describe, expect, it } from 'vitest';
import { seededRandom } from './seeded-random.ts';
import { symmetricEigen } from './symmetric-eigen.ts';

describe('symmetricEigen', () => {
  it('diagonalises seeded random matrices: A v = λ v, orthonormal, ascending', () => {
    const random = seededRandom(11);
    for (const n of [1, 2, 3, 6, 9]) {
      const a = Array.from({ length: n }, () => Array.from({ length: n }, () => random() - 0.5));
      const symmetric = a.map((row, i) => row.map((value, j) => value + a[j][i]));
      const { values, vectors } = symmetricEigen(symmetric);
      vectors.forEach((v, k) => {
        symmetric.forEach((row, i) => {
          const product = row.reduce((sum, value, j) => sum + value * v[j], 0);
          expect(product).toBeCloseTo(values[k] * v[i], 13);
        });
        vectors.forEach((w, l) => {
          const dot = v.reduce((sum, value, i) => sum + value * w[i], 0);
          expect(dot).toBeCloseTo(k === l ? 1 : 0, 13);
        });
      });
      expect([...values].sort((x, y) => x - y)).toEqual(values);
    }
  });

  it('finds a small eigenvalue beside a large one to full relative accuracy', () => {
    // D M D with M = [[2, 1], [1, 2]] and D = diag(1, 1e-8): det = 3e-16, trace ≈ 2.
    const { values } = symmetricEigen([
      [2, 1e-8],
      [1e-8, 2e-16],
    ]);
    expect(values[0] / 1.5e-16).toBeCloseTo(1, 12);
  });

  it('takes zero and degenerate matrices, and the empty one', () => {
    expect(
      symmetricEigen([
        [0, 0],
        [0, 0],
      ]).values,
    ).toEqual([0, 0]);
    expect(
      symmetricEigen([
        [5, 0],
        [0, 5],
      ]).values,
    ).toEqual([5, 5]);
    expect(symmetricEigen([]).values).toEqual([]);
  });

  it('refuses ragged rows and entries that are not finite', () => {
    expect(() => symmetricEigen([[1, 2]])).toThrow(RangeError);
    expect(() => symmetricEigen([[Number.NaN]])).toThrow(/finite/);
  });
});
