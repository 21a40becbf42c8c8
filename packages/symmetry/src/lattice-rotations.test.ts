/**
 * Tests that the symmetry search terminates for long, thin cells, and that ordinary cells are searched at the requested
 * tolerance.
 */
import { latticeVectorsFromParameters, orderedSite } from '@unitcell/crystal';
import type { Mat3 } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { analyzeSymmetry } from './analyze-symmetry.ts';
import { isSearchable } from './lattice-rotations.ts';

/** A cell with this length in Å, and 2.15 × 2.3 Å across. */
const box = (length: number): Mat3 => [
  [2.15, 0, 0],
  [0, 2.3, 0],
  [0, 0, length],
];
/**
 * Cells for which the engine never returned: one at a tolerance of 0.3 Å, the other at 0.1 Å, which the engine
 * doubles.
 */
const OBLIQUE: Mat3 = [
  [2.15, 0, 0],
  [0.4, 2.3, 0],
  [0.3, 0.7, 30],
];
const SKEWED: Mat3 = [
  [0, 2.15, -2.15],
  [2.15, 0, 360],
  [2.1715, 2.15, 0],
];

describe('isSearchable', () => {
  it.each([
    ['cubic', latticeVectorsFromParameters({ a: 5, b: 5, c: 5, alpha: 90, beta: 90, gamma: 90 })],
    ['hexagonal', latticeVectorsFromParameters({ a: 3.1, b: 3.1, c: 37, alpha: 90, beta: 90, gamma: 120 })],
    [
      'nearly cubic',
      latticeVectorsFromParameters({ a: 5, b: 5.05, c: 5.1, alpha: 90.4, beta: 89.5, gamma: 90 }),
    ],
  ])('accepts %s at every tolerance that a catalogue uses', (_, rows) => {
    for (const symprec of [0.01, 0.1, 0.2, 0.3]) expect(isSearchable(rows, symprec)).toBe(true);
  });

  it('refuses a tolerance that allows a shear', () => {
    expect(isSearchable(box(30), 0.1)).toBe(true);
    expect(isSearchable(box(999), 0.1)).toBe(false);
    expect(isSearchable(OBLIQUE, 0.3)).toBe(false);
    expect(isSearchable(SKEWED, 0.2)).toBe(false);
  });
});

it.each([
  ['a box of 999 Å', box(999), 0.1, 25],
  ['an oblique cell of 30 Å', OBLIQUE, 0.3, 1],
  ['a cell of 360 Å', SKEWED, 0.1, 8],
] as const)('%s has a space group, at a smaller tolerance', (_, latticeVectors, symprec, number) => {
  const second = latticeVectors === SKEWED ? [0.0159, 0.0061, 0.9841] : [0.5, 0.5, 0.31];
  const sites = [orderedSite('Fe', [0, 0, 0]), orderedSite('O', second as [number, number, number])];
  const found = analyzeSymmetry({ latticeVectors, sites }, { symprec });
  expect(found.spaceGroup.number).toBe(number);
  expect(found.symprec).toBeLessThan(symprec);
});
