import type { PhononsJson } from '@unitcell/contract/results';
import { expect, it } from 'vitest';
import { namedWaves, phononPath, thermalCurves } from './phonon-figures.ts';

/** A cubic cell of 2π Å: its reciprocal vectors are 1/Å long. */
const edge = 2 * Math.PI;
const phonons: PhononsJson = {
  structure: {
    lattice: {
      matrix: [
        [edge, 0, 0],
        [0, edge, 0],
        [0, 0, edge],
      ],
    },
    sites: [
      { species: [{ element: 'Cs', occu: 1 }], abc: [0, 0, 0] },
      { species: [{ element: 'Cl', occu: 1 }], abc: [0.5, 0.5, 0.5] },
    ],
  } as unknown as PhononsJson['structure'],
  supercell: [2, 2, 2],
  bands: [
    { q: [0, 0, 0], label: 'Γ', frequencies: [0] },
    { q: [0.25, 0, 0], frequencies: [1] },
    { q: [0.5, 0, 0], label: 'X', frequencies: [2] },
    { q: [0.5, 0.5, 0], label: 'M', frequencies: [2] },
    { q: [0.5, 0.5, 0.5], frequencies: [3] },
  ],
  has_imaginary_modes: false,
  dos: { frequencies: [], total: [], by_atom: [] },
  // Two atoms at high temperature: 3 k each.
  thermal: [{ temperature: 5000, free_energy: -1, entropy: 1e-3, heat_capacity: 6 * 8.617333262e-5 }],
};

it('a phonon path measures distances in 1/Å and labels both sides of a jump', () => {
  const { distances, ticks, jumps } = phononPath(phonons);
  [0, 0.25, 0.5, 0.5, 1].forEach((wanted, at) => expect(distances[at]).toBeCloseTo(wanted, 10));
  expect(ticks.map(({ text }) => text)).toEqual(['Γ', 'X|M']);
  expect([...jumps]).toEqual([2]);
});

it('thermal properties are given per mole of atoms', () => {
  const { heatCapacity, freeEnergy } = thermalCurves(phonons);
  // Dulong and Petit.
  expect(heatCapacity[0]).toBeCloseTo(24.943, 2);
  expect(freeEnergy[0]).toBeCloseTo(-48.243, 2);
});

it('the wave vectors to choose from are named once, those with imaginary modes first', () => {
  const bands = [
    { q: [0, 0, 0], label: 'Γ', frequencies: [-0.02, 0, 0.01] },
    // Below zero only by interpolation, and without a name.
    { q: [0.1, 0, 0], frequencies: [-3, 1, 2] },
    { q: [0.5, 0, 0], label: 'X', frequencies: [-0.4, 1, 2] },
    { q: [0.5, 0.5, 0], label: 'M', frequencies: [-1.2, -0.3, 2] },
    { q: [0, 0, 0], label: 'Γ', frequencies: [-0.02, 0, 0.01] },
  ];
  expect(namedWaves({ bands })).toEqual([
    { name: 'M', q: [0.5, 0.5, 0], imaginary: 2 },
    { name: 'X', q: [0.5, 0, 0], imaginary: 1 },
    { name: 'Γ', q: [0, 0, 0], imaginary: 0 },
  ]);
});
