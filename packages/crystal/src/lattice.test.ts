import { determinant3, dot3 } from '@unitcell/numerics';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  cellVolume,
  type LatticeParameters,
  latticeParameters,
  latticeVectorsFromParameters,
  reciprocalLattice,
} from './lattice.ts';

const angle = fc.double({ min: 50, max: 118, noNaN: true });
const length = fc.double({ min: 1, max: 40, noNaN: true });
/**
 * Random angles below 119° with a sum under 355°. Each pair adds up to more than the third angle, so they
 * always form a cell.
 */
const cell = fc
  .record<LatticeParameters>({ a: length, b: length, c: length, alpha: angle, beta: angle, gamma: angle })
  .filter(({ alpha, beta, gamma }) => 2 * Math.max(alpha, beta, gamma) < alpha + beta + gamma - 2);

describe('latticeVectorsFromParameters', () => {
  it('reproduces the parameters it was built from', () => {
    fc.assert(
      fc.property(cell, (parameters) => {
        const found = latticeParameters(latticeVectorsFromParameters(parameters));
        for (const key of ['a', 'b', 'c', 'alpha', 'beta', 'gamma'] as const)
          expect(found[key]).toBeCloseTo(parameters[key], 8);
      }),
      { seed: 1 },
    );
  });

  it('is right-handed', () => {
    fc.assert(
      fc.property(cell, (parameters) => {
        expect(determinant3(latticeVectorsFromParameters(parameters))).toBeGreaterThan(0);
      }),
      { seed: 2 },
    );
  });

  it('has the volume of quartz: a = 4.913 Å, c = 5.405 Å give 112.98 Å³ (a²c sin 60°)', () => {
    const quartz = { a: 4.913, b: 4.913, c: 5.405, alpha: 90, beta: 90, gamma: 120 };
    expect(cellVolume(latticeVectorsFromParameters(quartz))).toBeCloseTo(
      4.913 ** 2 * 5.405 * Math.sin(Math.PI / 3),
      9,
    );
  });

  it('writes exact zeros for right angles', () => {
    const [, b, c] = latticeVectorsFromParameters({ a: 3, b: 4, c: 5, alpha: 90, beta: 90, gamma: 90 });
    expect([b[0], c[0], c[1]]).toEqual([0, 0, 0]);
  });

  it.each([
    [{ a: 0 }, /length a is 0/],
    [{ b: Number.NaN }, /length b is NaN/],
    [{ alpha: 180 }, /angle alpha is 180/],
    [{ alpha: 120, beta: 120, gamma: 120 }, /close no cell/],
    [{ alpha: 20, beta: 90, gamma: 130 }, /close no cell/],
  ])('refuses %o', (change, message) => {
    const cube = { a: 4, b: 4, c: 4, alpha: 90, beta: 90, gamma: 90 };
    expect(() => latticeVectorsFromParameters({ ...cube, ...change })).toThrow(message);
  });
});

describe('reciprocalLattice', () => {
  it('satisfies a_i · a_j* = δ_ij', () => {
    fc.assert(
      fc.property(cell, (parameters) => {
        const direct = latticeVectorsFromParameters(parameters);
        const reciprocal = reciprocalLattice(direct);
        for (let i = 0; i < 3; i++)
          for (let j = 0; j < 3; j++) expect(dot3(direct[i], reciprocal[j])).toBeCloseTo(i === j ? 1 : 0, 9);
      }),
      { seed: 3 },
    );
  });

  it('refuses a cell without volume', () => {
    expect(() =>
      reciprocalLattice([
        [1, 0, 0],
        [2, 0, 0],
        [0, 0, 1],
      ]),
    ).toThrow(/singular/);
  });
});
