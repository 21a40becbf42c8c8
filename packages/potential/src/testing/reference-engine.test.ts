import { type Structure, supercell } from '@unitcell/crystal';
import { type Mat3, multiply3, type Vec3 } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { referenceEngine } from './reference-engine.ts';
import { copper, deformed, displaced, distorted, magnesia, silicon } from './crystals.ts';
import { model } from './engines-in-node.ts';
import { fromPositions, recordedCases } from './reference-cases-in-node.ts';

const engine = referenceEngine(model);

const largest = (values: Iterable<number>): number => Math.max(...[...values].map(Math.abs));
const differences = (a: ArrayLike<number>, b: ArrayLike<number>): number[] =>
  Array.from(a, (value, i) => value - b[i]);

/**
 * Energies computed with this engine, after it was found to agree with the original code within 1e-9 eV/atom.
 */
const KNOWN = [
  ['silicon', silicon(), -5.402981271],
  ['magnesia', magnesia(), -5.97744461],
  ['copper', copper(), -4.095136712],
] as const;

const rotation: Mat3 = [
  [0.36, 0.48, -0.8],
  [-0.8, 0.6, 0],
  [0.48, 0.64, 0.6],
];
const crystal = distorted(magnesia(), 7);
const result = engine.evaluate(crystal);

it.each(KNOWN)('the energy of %s has its known value', (_, structure, energy) => {
  expect(engine.evaluate(structure).energy / structure.sites.length).toBeCloseTo(energy, 8);
});

it('the energies of the atoms add up to the total energy, and the forces to zero', () => {
  expect(result.energies.reduce((a, b) => a + b, 0)).toBeCloseTo(result.energy, 10);
  for (const axis of [0, 1, 2]) expect(result.forces[axis] + result.forces[axis + 3]).toBeCloseTo(0, 10);
});

it('rotating the crystal rotates the forces and does not change the energy', () => {
  const rotated = engine.evaluate(deformed(crystal, rotation));
  expect(rotated.energy).toBeCloseTo(result.energy, 9);
  const [x, y, z] = result.forces;
  const expected = [0, 1, 2].map((k) => x * rotation[0][k] + y * rotation[1][k] + z * rotation[2][k]);
  expect(largest(differences(expected, rotated.forces))).toBeLessThan(1e-9);
});

it('a shift, another choice of cell and another order of the atoms do not change the energy', () => {
  const shifted: Structure = {
    ...crystal,
    sites: crystal.sites.map((site, i) => {
      const [x, y, z] = site.fractionalCoords;
      return { ...site, fractionalCoords: [x + 0.3 + i, y - 1.7, z + 0.11] };
    }),
  };
  const [a, b, c] = crystal.latticeVectors;
  const sum = b.map((x, k) => x + a[k]) as unknown as Vec3;
  const otherCell: Structure = {
    latticeVectors: [a, sum, c],
    sites: crystal.sites.map((site) => {
      const [x, y, z] = site.fractionalCoords;
      return { ...site, fractionalCoords: [x - y, y, z] };
    }),
  };
  const reversed: Structure = { ...crystal, sites: crystal.sites.toReversed() };
  for (const same of [shifted, otherCell, reversed])
    expect(engine.evaluate(same).energy).toBeCloseTo(result.energy, 9);
});

it('a supercell has the same energy per atom, forces and stress as its primitive cell', () => {
  const double = engine.evaluate(supercell(crystal, [2, 1, 1]));
  expect(double.energy / 2).toBeCloseTo(result.energy, 9);
  expect(largest(differences(result.forces, double.forces))).toBeLessThan(1e-9);
  expect(largest(differences(result.stress, double.stress))).toBeLessThan(1e-10);
});

it('forces and stress are the derivatives of the energy', () => {
  const step = 1e-4;
  for (const axis of [0, 1, 2]) {
    const energy = (sign: number): number => {
      const by = [0, 1, 2].map((k) => (k === axis ? sign * step : 0)) as unknown as Vec3;
      return engine.evaluate(displaced(crystal, 1, by)).energy;
    };
    expect((energy(-1) - energy(1)) / (2 * step)).toBeCloseTo(result.forces[3 + axis], 6);
  }
  const [a, b, c] = crystal.latticeVectors;
  const volume = Math.abs(
    a[0] * (b[1] * c[2] - b[2] * c[1]) +
      a[1] * (b[2] * c[0] - b[0] * c[2]) +
      a[2] * (b[0] * c[1] - b[1] * c[0]),
  );
  const shear = (e: number): Mat3 => [
    [1, 0, e / 2],
    [0, 1 + e, 0],
    [e / 2, 0, 1],
  ];
  const energy = (e: number): number =>
    engine.evaluate({ ...crystal, latticeVectors: multiply3(crystal.latticeVectors, shear(e)) }).energy;
  expect((energy(step) - energy(-step)) / (2 * step * volume)).toBeCloseTo(
    result.stress[1] + result.stress[4],
    7,
  );
});

it('energy and forces are continuous when a neighbour leaves the cutoff', () => {
  // The second neighbours of this cell are 5 Å apart.
  const near = (distance: number) => engine.evaluate(copper(distance * Math.SQRT2 * 0.5));
  expect(near(5 + 1e-7).energy).toBeCloseTo(near(5 - 1e-7).energy, 6);
  expect(largest(differences(near(5 + 1e-7).stress, near(5 - 1e-7).stress))).toBeLessThan(1e-6);
});

describe('structures that cannot be evaluated', () => {
  const [first, second] = silicon().sites;
  it.each<[string, Structure]>([
    ['structure', { ...silicon(), sites: [] }],
    ['structure', { ...silicon(), sites: [first, { ...second, fractionalCoords: [Number.NaN, 0, 0] }] }],
    [
      'disordered',
      { ...silicon(), sites: [{ ...first, species: [{ element: 'Si', occupancy: 0.5 }] }, second] },
    ],
    [
      'unknown-element',
      { ...silicon(), sites: [first, { ...second, species: [{ element: 'Po', occupancy: 1 }] }] },
    ],
    ['overlapping-atoms', { ...silicon(), sites: [first, { ...second, fractionalCoords: [0.1, 0, 0] }] }],
    ['overlapping-atoms', { ...silicon(), sites: [first, { ...second, fractionalCoords: [0, 0, 0] }] }],
    ['isolated-atom', copper(10)],
    ['too-large', supercell(silicon(), [7, 6, 6])],
  ])('throw %s', (code, structure) => {
    expect(() => engine.evaluate(structure)).toThrow(expect.objectContaining({ code }));
  });
});

it.each(recordedCases())(
  'the reference engine agrees with the original code on $formula',
  ({ species, variants }) => {
    for (const { lattice, positions, energy, forces, stress } of variants) {
      const found = engine.evaluate(fromPositions(lattice, species, positions));
      expect(Math.abs(found.energy - energy) / species.length).toBeLessThan(1e-8);
      expect(largest(differences(found.forces, forces.flat()))).toBeLessThan(1e-7);
      expect(largest(differences(found.stress, stress))).toBeLessThan(1e-8);
    }
  },
);
