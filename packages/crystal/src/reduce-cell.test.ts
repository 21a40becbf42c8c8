import {
  determinant3,
  type Mat3,
  multiply3,
  norm3,
  type RandomSource,
  seededRandom,
} from '@unitcell/numerics';
import { IDENTITY3 } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { cellVolume, latticeVectorsFromParameters } from './lattice.ts';
import { reduceCell } from './reduce-cell.ts';
import { randomUnimodular } from './testing/random-unimodular.ts';

const randomCell = (random: RandomSource): Mat3 =>
  latticeVectorsFromParameters({
    a: 2 + 8 * random(),
    b: 2 + 8 * random(),
    c: 2 + 8 * random(),
    alpha: 70 + 40 * random(),
    beta: 70 + 40 * random(),
    gamma: 70 + 40 * random(),
  });

describe('reduceCell', () => {
  it('finds the cube of 4 Å from a basis sheared by 900', () => {
    const { latticeVectors } = reduceCell([
      [4, 0, 0],
      [3600, 4, 0],
      [0, 3600, 4],
    ]);
    expect(latticeVectors.map(norm3)).toEqual([4, 4, 4]);
  });

  it('leaves a reduced basis as it is', () => {
    const cube = latticeVectorsFromParameters({ a: 4, b: 4, c: 4, alpha: 90, beta: 90, gamma: 90 });
    expect(reduceCell(cube)).toEqual({ latticeVectors: cube, toReduced: IDENTITY3, toGiven: IDENTITY3 });
  });

  it('gives exact integer transforms, inverse to each other, and vectors as short as the volume allows', () => {
    const random = seededRandom(31);
    for (let run = 0; run < 500; run++) {
      const given = multiply3(randomUnimodular(random, 12), randomCell(random));
      const { latticeVectors, toReduced, toGiven } = reduceCell(given);
      expect(toReduced.flat().every(Number.isSafeInteger)).toBe(true);
      expect(multiply3(toReduced, toGiven).map((row) => row.map((value) => value + 0))).toEqual(IDENTITY3);
      expect(Math.abs(determinant3(toReduced))).toBe(1);
      // LLL with δ = ¾ in three dimensions: the product of the lengths is at most 2^(3/2) volumes.
      const product = latticeVectors.map(norm3).reduce((a, b) => a * b);
      expect(product).toBeLessThanOrEqual(2 ** 1.5 * cellVolume(latticeVectors) * (1 + 1e-9));
    }
  });

  it.each([
    [
      [1, 0, 0],
      [2, 0, 0],
      [0, 0, 1],
    ],
    [
      [Number.NaN, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ],
    [
      [1, 0, 0],
      [1e12, 1, 0],
      [0, 1e12, 1],
    ],
    [
      [Number.POSITIVE_INFINITY, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ],
  ] as const)('refuses %j %j %j', (a, b, c) => {
    expect(() => reduceCell([a, b, c])).toThrow(/in a plane/);
  });
});
