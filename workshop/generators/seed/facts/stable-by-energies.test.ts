import { parseFormula } from '@unitcell/crystal';
import { expect, it } from 'vitest';
import type { GroundState } from './complete-energies.ts';
import { stableByEnergies } from './stable-by-energies.ts';

const state = (formula: string, energyPerAtom: number): GroundState => ({
  formula,
  composition: parseFormula(formula),
  energyPerAtom,
});

/** Sm-Co on the scale PBE (MP 2018), eV/atom: the table of ground states has all but SmCo3. */
const SYSTEMS = new Map([
  [
    'Co-Sm',
    [
      state('Co2Sm', -0.08975),
      state('Co5Sm', -0.06383),
      state('Co2Sm5', -0.10818),
      state('Co7Sm2', -0.08255),
      state('CoSm3', -0.09855),
      state('Co17Sm2', -0.06929),
      state('Co12Sm', 0.1738),
      state('Co3Sm', -0.09479),
    ],
  ],
]);

it('finds the composition a list of ground states lacks, and how far it lies below all others', () => {
  const listed = new Set(['Co2 Sm1', 'Co2 Sm5', 'Co7 Sm2', 'Co17 Sm2', 'Co1 Sm3']);
  const [found, ...more] = stableByEnergies(SYSTEMS, (key) => listed.has(key));
  expect(found?.formula).toBe('Co3Sm');
  // Between Co2Sm and Co7Sm2, three quarters of the way: 0.09479 - (0.08975 / 4 + 3 * 0.08255 / 4).
  expect(found?.depth).toBeCloseTo(0.01044, 5);
  expect(more).toEqual([]);
});

it('finds nothing where the list holds all of the hull', () => {
  expect(stableByEnergies(SYSTEMS, () => true)).toEqual([]);
});
