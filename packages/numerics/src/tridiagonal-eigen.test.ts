import { expect, it } from 'vitest';
import { seededRandom } from './seeded-random.ts';
import { tridiagonalEigen } from './tridiagonal-eigen.ts';

it('a chain of n equal links has the levels 2 cos(kπ/(n + 1)) (E. Hückel, Z. Phys. 70 (1931) 204)', () => {
  for (let n = 1; n <= 40; n++) {
    const levels = new Float64Array(n);
    tridiagonalEigen(n, levels, new Float64Array(n).fill(1), null);
    const expected = Array.from({ length: n }, (_, k) => 2 * Math.cos(((k + 1) * Math.PI) / (n + 1)));
    levels.sort().forEach((level, i) => expect(level).toBeCloseTo(expected.toSorted((a, b) => a - b)[i], 12));
  }
});

it('rows of the identity become eigenvectors of random matrices, with the trace kept', () => {
  const random = seededRandom(1968);
  for (let n = 1; n <= 20; n++) {
    const diagonal = Float64Array.from({ length: n }, () => random() - 0.5);
    const links = Float64Array.from({ length: n }, () => (random() < 0.2 ? 0 : random() - 0.5));
    const values = diagonal.slice();
    const vectors = Float64Array.from({ length: n * n }, (_, i) => (i % (n + 1) === 0 ? 1 : 0));
    tridiagonalEigen(n, values, links.slice(), vectors);
    const sum = (list: Float64Array) => list.reduce((total, value) => total + value, 0);
    expect(sum(values)).toBeCloseTo(sum(diagonal), 12);
    values.forEach((value, row) => {
      const v = vectors.subarray(row * n, (row + 1) * n);
      for (let i = 0; i < n; i++) {
        const [before, after] = [i > 0 ? links[i - 1] * v[i - 1] : 0, i < n - 1 ? links[i] * v[i + 1] : 0];
        expect(before + diagonal[i] * v[i] + after).toBeCloseTo(value * v[i], 11);
      }
    });
  }
});
