import { describe, expect, it } from 'vitest';
import {
  hermiteNormalForm,
  type IntegerMatrix,
  multiplyIntegers,
  smithNormalForm,
} from './integer-matrix.ts';
import { determinant } from './linear-solve.ts';
import { seededRandom } from './seeded-random.ts';

const randomMatrix = (rows: number, columns: number, random: () => number): number[][] =>
  Array.from({ length: rows }, () => Array.from({ length: columns }, () => Math.floor(13 * random()) - 6));

const absoluteDeterminant = (matrix: IntegerMatrix): number =>
  Math.round(Math.abs(determinant(matrix.flat(), matrix.length)));

describe('hermiteNormalForm', () => {
  it('is triangular and reduced, made by a unimodular transformation', () => {
    const random = seededRandom(1);
    for (let n = 0; n < 200; n++) {
      const matrix = randomMatrix(1 + (n % 4), 1 + (Math.floor(n / 4) % 4), random);
      const { hermite, transform } = hermiteNormalForm(matrix);
      expect(multiplyIntegers(transform, matrix)).toEqual(hermite);
      expect(absoluteDeterminant(transform)).toBe(1);
      let last = -1;
      hermite.forEach((row, i) => {
        const pivot = row.findIndex((value) => value !== 0);
        if (pivot < 0) return;
        expect(pivot).toBeGreaterThan(last);
        expect(row[pivot]).toBeGreaterThan(0);
        for (let above = 0; above < i; above++) {
          expect(hermite[above][pivot]).toBeGreaterThanOrEqual(0);
          expect(hermite[above][pivot]).toBeLessThan(row[pivot]);
        }
        last = pivot;
      });
    }
  });

  it('is the same for every basis of one lattice', () => {
    const random = seededRandom(2);
    for (let n = 0; n < 50; n++) {
      const matrix = randomMatrix(3, 3, random);
      const shear = [
        [1, 2, -1],
        [0, 1, 3],
        [0, 0, 1],
      ];
      const swap = [
        [0, 1, 0],
        [1, 0, 0],
        [0, 0, -1],
      ];
      const other = multiplyIntegers(swap, multiplyIntegers(shear, matrix));
      expect(hermiteNormalForm(other).hermite).toEqual(hermiteNormalForm(matrix).hermite);
    }
  });

  it('refuses fractions and ragged rows', () => {
    expect(() => hermiteNormalForm([[0.5]])).toThrow(RangeError);
    expect(() => smithNormalForm([[1, 2], [3]])).toThrow(RangeError);
  });
});

describe('smithNormalForm', () => {
  it('is diagonal with each entry dividing the next, made by unimodular transformations', () => {
    const random = seededRandom(3);
    for (let n = 0; n < 200; n++) {
      const matrix = randomMatrix(1 + (n % 4), 1 + (Math.floor(n / 4) % 4), random);
      const { smith, left, right } = smithNormalForm(matrix);
      expect(multiplyIntegers(multiplyIntegers(left, matrix), right)).toEqual(smith);
      expect([absoluteDeterminant(left), absoluteDeterminant(right)]).toEqual([1, 1]);
      const diagonal = smith.flatMap((row, i) => (i < row.length ? [row[i]] : []));
      smith.forEach((row, i) => {
        expect(row.every((value, j) => i === j || value === 0)).toBe(true);
      });
      diagonal.forEach((value, i) => {
        expect(value).toBeGreaterThanOrEqual(0);
        const divisor = diagonal[i - 1] ?? 1;
        expect(divisor === 0 ? value : value % divisor).toBe(0);
      });
    }
  });

  it('the face-centred cube holds 4 points per cell: 1, 2, 2', () => {
    const conventionalInPrimitive = [
      [-1, 1, 1],
      [1, -1, 1],
      [1, 1, -1],
    ];
    expect(smithNormalForm(conventionalInPrimitive).smith).toEqual([
      [1, 0, 0],
      [0, 2, 0],
      [0, 0, 2],
    ]);
  });
});
