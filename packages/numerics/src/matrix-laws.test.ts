/** Matrices with known spectra, and the laws that relate eigenvalues, factors and inverses. */
import { describe, expect, it } from 'vitest';
import { hermitianEigen, hermitianEigenvalues } from './hermitian-eigen.ts';
import {
  add3,
  cross3,
  determinant3,
  dot3,
  firstAtOrAbove,
  IDENTITY3,
  inverse3,
  type Mat3,
  multiply3,
  norm3,
  quadraticForm3,
  roundTo,
  rowTimesMatrix3,
  scale3,
  subtract3,
  transpose3,
  type Vec3,
} from './linear-algebra.ts';
import { luFactor, luInverse, luSolve } from './linear-solve.ts';
import { seededRandom } from './seeded-random.ts';
import { symmetricEigen } from './symmetric-eigen.ts';

describe('luFactor', () => {
  it('solves seeded random systems, and the inverse times the matrix is the identity', () => {
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

  it('pivots if the diagonal is zero', () => {
    const factors = luFactor([0, 1, 1, 0], 2);
    expect(factors && [...luSolve(factors, [2, 3])]).toEqual([3, 2]);
  });

  it('refuses a matrix that is singular exactly or to working precision', () => {
    expect(luFactor([1, 2, 2, 4], 2)).toBeNull();
    expect(luFactor([0], 1)).toBeNull();
    expect(luFactor([1, 1, 1, 1 + 1e-14], 2)).toBeNull();
    expect(luFactor([1e-20, 0, 0, 1e-20], 2)).not.toBeNull();
  });
});

const random = seededRandom(31_415);
const square = (n: number, entry: (i: number, j: number) => number): number[][] =>
  Array.from({ length: n }, (_, i) => Array.from({ length: n }, (__, j) => entry(i, j)));
const randomSymmetric = (n: number): number[][] => {
  const half = square(n, () => random() - 0.5);
  return square(n, (i, j) => half[i][j] + half[j][i]);
};
const realEigenvalues = (matrix: readonly (readonly number[])[]): number[] => {
  const n = matrix.length;
  return Array.from(hermitianEigenvalues(Float64Array.from(matrix.flat()), new Float64Array(n * n), n));
};
const largestDifference = (a: readonly number[], b: readonly number[]): number =>
  Math.max(...a.map((value, i) => Math.abs(value - b[i])));
const sum = (values: Iterable<number>): number =>
  Array.from(values).reduce((total, value) => total + value, 0);
const product = (a: readonly (readonly number[])[], b: readonly (readonly number[])[]): number[][] =>
  square(a.length, (i, j) => sum(a[i].map((value, k) => value * b[k][j])));

describe.each<[string, (matrix: readonly (readonly number[])[]) => readonly number[]]>([
  ['symmetricEigen', (matrix) => symmetricEigen(matrix).values],
  ['hermitianEigenvalues', realEigenvalues],
])('%s', (_, eigenvalues) => {
  it('chain of n sites: 2 cos kπ/(n + 1)', () => {
    for (const n of [1, 2, 3, 7, 20]) {
      const chain = square(n, (i, j) => Number(Math.abs(i - j) === 1));
      const expected = Array.from({ length: n }, (__, k) => 2 * Math.cos(((n - k) * Math.PI) / (n + 1)));
      expect(largestDifference(eigenvalues(chain), expected)).toBeLessThan(1e-13);
    }
  });

  it('matrix of Clement (SIAM Rev. 1 (1959) 50): integers n − 1, n − 3 … −(n − 1)', () => {
    const n = 12;
    const clement = square(n, (i, j) =>
      Math.abs(i - j) === 1 ? Math.sqrt(Math.max(i, j) * (n - Math.max(i, j))) : 0,
    );
    const expected = Array.from({ length: n }, (__, k) => 2 * k - (n - 1));
    expect(largestDifference(eigenvalues(clement), expected)).toBeLessThan(1e-12);
  });

  it('W₂₁⁺ of Wilkinson (Algebraic Eigenvalue Problem, p. 308): two values near 10.746194 agree to 14 digits', () => {
    const wilkinson = square(21, (i, j) => (i === j ? Math.abs(i - 10) : Number(Math.abs(i - j) === 1)));
    const values = eigenvalues(wilkinson);
    expect(values[20]).toBeCloseTo(10.746194182903393, 12);
    expect(values[19]).toBeCloseTo(10.746194182903322, 12);
    expect(values[0]).toBeCloseTo(-1.125441522119985, 12);
  });

  it('Hilbert matrix of order 5: smallest eigenvalue 3.28793e-6, largest 1.567051', () => {
    const values = eigenvalues(square(5, (i, j) => 1 / (i + j + 1)));
    expect(values[0] / 3.287928772171863e-6).toBeCloseTo(1, 8);
    expect(values[4]).toBeCloseTo(1.567050691098231, 12);
  });

  it('the eigenvalues give the trace, the sum of squares and the determinant', () => {
    for (let n = 1; n <= 12; n++) {
      const matrix = randomSymmetric(n);
      const values = eigenvalues(matrix);
      expect(sum(values)).toBeCloseTo(sum(matrix.map((row, i) => row[i])), 11);
      expect(sum(values.map((value) => value * value))).toBeCloseTo(sum(matrix.flat().map((x) => x * x)), 11);
      expect(values.reduce((p, value) => p * value, 1)).toBeCloseTo(determinant(matrix), 10);
    }
  });

  it('the eigenvalues interlace with those of the matrix without its last row and column (Cauchy)', () => {
    for (let n = 2; n <= 14; n++) {
      const matrix = randomSymmetric(n);
      const all = eigenvalues(matrix);
      const minor = eigenvalues(square(n - 1, (i, j) => matrix[i][j]));
      minor.forEach((value, k) => {
        expect(value).toBeGreaterThan(all[k] - 1e-12);
        expect(value).toBeLessThan(all[k + 1] + 1e-12);
      });
    }
  });

  it('the eigenvalues move by no more than the perturbation (Weyl)', () => {
    for (let round = 0; round < 20; round++) {
      const matrix = randomSymmetric(9);
      const small = randomSymmetric(9).map((row) => row.map((value) => 1e-3 * value));
      const reach = Math.max(...eigenvalues(small).map(Math.abs));
      const moved = eigenvalues(square(9, (i, j) => matrix[i][j] + small[i][j]));
      expect(largestDifference(moved, [...eigenvalues(matrix)])).toBeLessThan(reach + 1e-12);
    }
  });

  it('the eigenvalues do not depend on the order of the basis, and are shifted and scaled with the matrix', () => {
    const n = 10;
    const matrix = randomSymmetric(n);
    const order = [3, 1, 9, 0, 7, 5, 2, 8, 6, 4];
    const values = [...eigenvalues(matrix)];
    expect(
      largestDifference(eigenvalues(square(n, (i, j) => matrix[order[i]][order[j]])), values),
    ).toBeLessThan(1e-12);
    const image = eigenvalues(square(n, (i, j) => -3 * matrix[i][j] + (i === j ? 2 : 0)));
    expect(largestDifference(image, values.map((value) => 2 - 3 * value).toReversed())).toBeLessThan(1e-11);
  });
});

/** Product of the pivots with the sign of the row exchanges. */
function determinant(matrix: readonly (readonly number[])[]): number {
  const n = matrix.length;
  const factors = luFactor(matrix.flat(), n);
  if (!factors) return 0;
  const rows = [...factors.rows];
  let value = 1;
  for (let i = 0; i < n; i++) value *= factors.packed[i * n + i];
  for (let i = 0; i < n; i++)
    while (rows[i] !== i) {
      const other = rows[i];
      [rows[i], rows[other]] = [rows[other], rows[i]];
      value = -value;
    }
  return value;
}

describe('hermitianEigen', () => {
  it('equals the doubled real problem [[A, −B], [B, A]], where every value occurs twice', () => {
    for (let n = 1; n <= 9; n++) {
      const a = randomSymmetric(n);
      const half = square(n, () => random() - 0.5);
      const b = square(n, (i, j) => half[i][j] - half[j][i]);
      const doubled = square(2 * n, (i, j) => {
        const [p, q] = [i % n, j % n];
        if (i < n === j < n) return a[p][q];
        return i < n ? -b[p][q] : b[p][q];
      });
      const complex = hermitianEigen(Float64Array.from(a.flat()), Float64Array.from(b.flat()), n);
      const twice = Array.from(complex.values).flatMap((value) => [value, value]);
      expect(largestDifference(symmetricEigen(doubled).values, twice)).toBeLessThan(1e-11);
    }
  });

  it('multiplying basis vectors by phases does not change the values', () => {
    const n = 8;
    const a = randomSymmetric(n);
    const phases = Array.from({ length: n }, () => 2 * Math.PI * random());
    const re = square(n, (i, j) => a[i][j] * Math.cos(phases[i] - phases[j]));
    const im = square(n, (i, j) => a[i][j] * Math.sin(phases[i] - phases[j]));
    const turned = hermitianEigenvalues(Float64Array.from(re.flat()), Float64Array.from(im.flat()), n);
    expect(largestDifference(Array.from(turned), realEigenvalues(a))).toBeLessThan(1e-12);
  });
});

describe('luFactor', () => {
  it('factors P A = L U with multipliers of at most 1', () => {
    for (let n = 1; n <= 12; n++) {
      const matrix = square(n, () => random() - 0.5);
      const { packed, rows } = luFactor(matrix.flat(), n)!;
      const lower = square(n, (i, j) => (i === j ? 1 : i > j ? packed[i * n + j] : 0));
      const upper = square(n, (i, j) => (i <= j ? packed[i * n + j] : 0));
      const back = product(lower, upper);
      back.forEach((row, i) => expect(largestDifference(row, matrix[rows[i]])).toBeLessThan(1e-14 * n));
      expect(Math.max(...lower.flat().map(Math.abs))).toBe(1);
      expect([...rows].sort((x, y) => x - y)).toEqual(matrix.map((_, i) => i));
    }
  });

  it('inverts the Hilbert matrix of order 6 to its integers', () => {
    // M.-D. Choi, Amer. Math. Monthly 90 (1983) 301: entry (1, 1) is 36, entry (6, 6) is 698,544 of the inverse of order 6.
    const n = 6;
    const inverse = luInverse(luFactor(square(n, (i, j) => 1 / (i + j + 1)).flat(), n)!);
    expect(inverse[0]).toBeCloseTo(36, 5);
    expect(inverse[n * n - 1] / 698_544).toBeCloseTo(1, 8);
    const offBy = Array.from(inverse, (value) => Math.abs(value / Math.round(value) - 1));
    expect(Math.max(...offBy)).toBeLessThan(1e-7);
  });

  it('solving with the transpose equals multiplying by the inverse from the other side', () => {
    const n = 7;
    const matrix = square(n, () => random() - 0.5);
    const [b, c] = [0, 1].map(() => Array.from({ length: n }, () => random()));
    const x = luSolve(luFactor(matrix.flat(), n)!, b);
    const y = luSolve(luFactor(square(n, (i, j) => matrix[j][i]).flat(), n)!, c);
    expect(sum(c.map((value, i) => value * x[i]))).toBeCloseTo(sum(b.map((value, i) => value * y[i])), 9);
  });

  it('determinants of products are products of determinants', () => {
    for (let round = 0; round < 20; round++) {
      const [a, b] = [square(5, () => random() - 0.5), square(5, () => random() - 0.5)];
      expect(determinant(product(a, b))).toBeCloseTo(determinant(a) * determinant(b), 12);
    }
  });
});

describe('vectors and matrices in three dimensions', () => {
  const vector = (): Vec3 => [random() - 0.5, random() - 0.5, random() - 0.5];
  const samples = Array.from({ length: 100 }, () => ({
    u: vector(),
    v: vector(),
    w: vector(),
    m: [vector(), vector(), vector()] satisfies Mat3,
    n: [vector(), vector(), vector()] satisfies Mat3,
  }));

  it('satisfy the identities of Lagrange and Jacobi and that of the triple product', () => {
    for (const { u, v, w } of samples) {
      expect(dot3(cross3(u, v), cross3(u, v))).toBeCloseTo(dot3(u, u) * dot3(v, v) - dot3(u, v) ** 2, 14);
      const jacobi = add3(add3(cross3(u, cross3(v, w)), cross3(v, cross3(w, u))), cross3(w, cross3(u, v)));
      expect(norm3(jacobi)).toBeLessThan(1e-15);
      expect(dot3(u, cross3(v, w))).toBeCloseTo(determinant3([u, v, w]), 15);
      expect(
        norm3(subtract3(cross3(u, cross3(v, w)), subtract3(scale3(v, dot3(u, w)), scale3(w, dot3(u, v))))),
      ).toBeLessThan(1e-15);
    }
  });

  it('satisfy the rules for inverse, transpose and determinant of products', () => {
    for (const { u, m, n } of samples) {
      if (Math.abs(determinant3(m)) < 1e-3 || Math.abs(determinant3(n)) < 1e-3) continue;
      const mn = multiply3(m, n);
      expect(determinant3(mn)).toBeCloseTo(determinant3(m) * determinant3(n), 13);
      expect(
        largestDifference(transpose3(mn).flat(), multiply3(transpose3(n), transpose3(m)).flat()),
      ).toBeLessThan(1e-15);
      expect(quadraticForm3(multiply3(m, transpose3(m)), ...u)).toBeCloseTo(
        norm3(rowTimesMatrix3(u, m)) ** 2,
        14,
      );
      expect(largestDifference(multiply3(m, inverse3(m)).flat(), IDENTITY3.flat())).toBeLessThan(1e-10);
      const lu = luInverse(luFactor(m.flat(), 3)!);
      expect(largestDifference(inverse3(m).flat(), Array.from(lu))).toBeLessThan(1e-9);
      expect(
        norm3(subtract3(rowTimesMatrix3(rowTimesMatrix3(u, m), n), rowTimesMatrix3(u, mn))),
      ).toBeLessThan(1e-15);
    }
  });
});

it('roundTo is within half a unit of the last decimal, idempotent and never −0', () => {
  for (let n = 0; n < 500; n++) {
    const value = (random() - 0.5) * 10 ** Math.floor(8 * random());
    const decimals = Math.floor(7 * random());
    const rounded = roundTo(value, decimals);
    expect(Math.abs(rounded - value)).toBeLessThanOrEqual(0.5000001 * 10 ** -decimals);
    expect(roundTo(rounded, decimals)).toBe(rounded);
  }
  expect(Object.is(roundTo(-0.0004, 3), 0)).toBe(true);
});

it('firstAtOrAbove finds what a search from the front finds, also among equal values and from a later index', () => {
  for (let n = 0; n < 200; n++) {
    const rising = Array.from({ length: n % 12 }, () => Math.floor(6 * random())).sort((a, b) => a - b);
    for (let value = -1; value <= 6; value++) {
      const found = rising.findIndex((one) => one >= value);
      const expected = found === -1 ? rising.length : found;
      for (let from = 0; from <= expected; from++) expect(firstAtOrAbove(rising, value, from)).toBe(expected);
    }
  }
});
