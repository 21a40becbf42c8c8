import { orderedSite, toCompactCell, type Structure } from '@unitcell/crystal';
import { expect, it } from 'vitest';
import { assignCrystals, crystalKey, withoutHand } from './assign-crystals.ts';

it('the 230 space groups are 219 if mirror images count as one (International Tables for Crystallography A)', () => {
  const groups = Array.from({ length: 230 }, (_, index) => withoutHand(index + 1));
  expect(new Set(groups).size).toBe(219);
  expect(groups.map(withoutHand)).toEqual(groups);
});

it('right-handed and left-handed tellurium are assigned to the same stored crystal', () => {
  // Trigonal tellurium, P3₁21 (152) and P3₂21 (154).
  const tellurium = (hand: 1 | -1): Structure => ({
    latticeVectors: [
      [4.457, 0, 0],
      [-2.2285, 4.457 * Math.sqrt(0.75), 0],
      [0, 0, 5.929],
    ],
    sites: [
      orderedSite('Te', [0.2636, 0, hand / 3]),
      orderedSite('Te', [0, 0.2636, (2 * hand) / 3]),
      orderedSite('Te', [-0.2636, -0.2636, 0]),
    ],
  });
  const [left, right] = [toCompactCell(tellurium(1)), toCompactCell(tellurium(-1))];
  expect(assignCrystals([{ stored: [{ structId: 7, cell: left }], fresh: [right] }])).toEqual([
    [{ structId: 7 }],
  ]);
  expect(crystalKey('Te', 152)).toBe(crystalKey('Te', 154));
});
