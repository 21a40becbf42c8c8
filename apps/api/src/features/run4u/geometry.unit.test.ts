import { orderedSite, type Structure } from '@unitcell/crystal';
import { expect, it } from 'vitest';
import { standardGeometry } from './pipeline/calculate.ts';

/** Caesium chloride with its chlorine moved along x, so that only this displacement determines the symmetry. */
const displaced = (angstrom: number): Structure => ({
  latticeVectors: [
    [4.12, 0, 0],
    [0, 4.12, 0],
    [0, 0, 4.12],
  ],
  sites: [orderedSite('Cs', [0, 0, 0]), orderedSite('Cl', [0.5 + angstrom / 4.12, 0.5, 0.5])],
});

it('a calculation restores symmetry lost by rounding but keeps a distortion of 0.05 Å', () => {
  const path = (angstrom: number) => standardGeometry(displaced(angstrom), 'standard').kLabels.length;
  expect(path(0.001)).toBe(path(0));
  expect(path(0.05)).not.toBe(path(0));
});
