import { expect, it } from 'vitest';
import { startingStrain } from './starting-strain.ts';
import { simulatedMixture } from './testing/simulated-mixture.ts';

const cubic = (a: number, atoms: readonly (readonly [string, number])[]) => ({
  latticeVectors: [
    [a, 0, 0],
    [0, a, 0],
    [0, 0, a],
  ] as const,
  sites: atoms.flatMap(([element, x]) =>
    [
      [x, 0, 0],
      [x, 0.5, 0.5],
      [x + 0.5, 0, 0.5],
      [x + 0.5, 0.5, 0],
    ].map((at) => ({
      species: [{ element, occupancy: 1 }],
      fractionalCoords: [at[0], at[1], at[2]] as const,
    })),
  ),
});
const halite = cubic(5.69, [
  ['Na', 0],
  ['Cl', 0.5],
]);
const periclase = cubic(4.25, [
  ['Mg', 0],
  ['O', 0.5],
]);

it.each([-0.02, -0.009, 0, 0.004, 0.016])(
  'startingStrain finds a strain of %f of a phase with half the weight',
  (strain) => {
    const { x, y } = simulatedMixture(
      [
        { structure: halite, share: 1, strain },
        { structure: periclase, share: 1, strain: -0.01 },
      ],
      { seed: 3, counts: 5000 },
    );
    expect(Math.abs(startingStrain(halite, { x, y }, 1.54056) - strain)).toBeLessThan(0.0015);
  },
);

it('the cell is kept if the pattern contains no lines of the phase', () => {
  const x = Array.from({ length: 3000 }, (_, i) => 15 + i / 50);
  expect(startingStrain(halite, { x, y: x.map(() => 100) }, 1.54056)).toBe(0);
});
