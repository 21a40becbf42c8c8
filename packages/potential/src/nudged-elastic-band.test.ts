/**
 * Tests with paths on a surface whose saddle points are published, and with a vacancy in copper, whose saddle
 * point is fixed by symmetry.
 */
import { orderedSite, type Structure, supercell } from '@unitcell/crystal';
import { type Mat3, norm3, rowTimesMatrix3, scale3, seededRandom } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import type { Engine } from './engine.ts';
import { nudgedElasticBand } from './nudged-elastic-band.ts';
import { relax } from './relax.ts';
import { copper } from './testing/crystals.ts';
import { engine } from './testing/engines-in-node.ts';

/** Å. EDGE: edge of the cell; SCALE: length of one unit of the coordinates of the model surface. */
const EDGE = 40;
const SCALE = 4;

/**
 * The surface of K. Müller, L. D. Brown, Theor. Chim. Acta 53, 75 (1979), with its energies divided by 100 and a spring
 * along z. One atom moves in a cell; a second atom prevents the crystal from drifting.
 */
const TERMS = [
  [-200, -1, 0, -10, 1, 0],
  [-100, -1, 0, -10, 0, 0.5],
  [-170, -6.5, 11, -6.5, -0.5, 1.5],
  [15, 0.7, 0.6, 0.7, -1, 1],
] as const;

function surface(x: number, y: number) {
  let [energy, dx, dy] = [0, 0, 0];
  for (const [height, a, b, c, x0, y0] of TERMS) {
    const [u, v] = [x - x0, y - y0];
    const value = (height / 100) * Math.exp(a * u * u + b * u * v + c * v * v);
    energy += value;
    dx += value * (2 * a * u + b * v);
    dy += value * (b * u + 2 * c * v);
  }
  return { energy, dx, dy };
}

const muellerBrown: Engine = {
  evaluate({ sites, latticeVectors }) {
    const [moving, fixed] = sites.map(({ fractionalCoords }) =>
      rowTimesMatrix3(fractionalCoords, latticeVectors),
    );
    const [x, y, z] = moving.map((value, axis) => (value - fixed[axis]) / SCALE);
    const { energy, dx, dy } = surface(x, y);
    const force = [-dx / SCALE, -dy / SCALE, (-2 * z) / SCALE];
    return {
      energy: energy + z * z,
      energies: new Float64Array(2),
      forces: Float64Array.from([...force, ...force.map((value) => -value)]),
      stress: [0, 0, 0, 0, 0, 0],
    };
  },
};

const cube = (edge: number): Mat3 => [
  [edge, 0, 0],
  [0, edge, 0],
  [0, 0, edge],
];

const at = (x: number, y: number): Structure => ({
  latticeVectors: cube(EDGE),
  sites: [
    orderedSite('H', [0.5 + (x * SCALE) / EDGE, 0.5 + (y * SCALE) / EDGE, 0.5]),
    orderedSite('H', [0.5, 0.5, 0.5]),
  ],
});

/** Stationary points of the surface, as published. */
const REACTANT = at(-0.558, 1.442);
const MIDDLE = at(-0.05, 0.467);
const PRODUCT = at(0.623, 0.028);

describe('on the surface of Müller and Brown', () => {
  it.each([
    ['reactant to intermediate', REACTANT, MIDDLE, 1.0604, 0.4011],
    ['intermediate to product', MIDDLE, PRODUCT, 0.0852, 0.3592],
  ])('the barriers of %s are the published ones', (_, start, end, barrier, reverse) => {
    // Minima −146.700, −80.768 and −108.167; saddle points −40.665 and −72.249.
    const found = nudgedElasticBand(muellerBrown, start, end, { images: 7, force: 0.001, maxSteps: 2000 });
    expect(found.isConverged).toBe(true);
    expect(found.barrier).toBeCloseTo(barrier, 3);
    expect(found.reverseBarrier).toBeCloseTo(reverse, 3);
    expect(Math.max(...found.saddle.forces.map(Math.abs))).toBeLessThan(0.001);
  });

  it.each([5, 6, 9])('the climbing image finds the same saddle point among %i images', (images) => {
    const found = nudgedElasticBand(muellerBrown, REACTANT, MIDDLE, { images, force: 0.001, maxSteps: 2000 });
    expect(found.barrier).toBeCloseTo(1.0604, 3);
  });

  it('the reverse path has the same saddle point', () => {
    const found = nudgedElasticBand(muellerBrown, MIDDLE, REACTANT, { force: 0.001, maxSteps: 2000 });
    expect(found.reverseBarrier).toBeCloseTo(1.0604, 3);
    expect(found.barrier).toBeCloseTo(0.4011, 3);
  });
});

describe('on a surface with hills of equal height', () => {
  /** Energy A (1 − cos 6πx/a) with a curved valley: the path is symmetric, and its barrier is 2A. */
  const hills = (height: number, bend: number): Engine => ({
    evaluate({ sites: [moving, fixed] }) {
      const [x, y, z] = moving.fractionalCoords.map((value, axis) => value - fixed.fractionalCoords[axis]);
      const angle = 6 * Math.PI * x;
      const side = y - 0.25 - bend * Math.sin(angle) ** 2;
      const slope = 12 * Math.PI * bend * Math.sin(angle) * Math.cos(angle);
      const force = [
        (-height * 6 * Math.PI * Math.sin(angle) + 200 * side * slope) / EDGE,
        (-200 * side) / EDGE,
        (-200 * (z - 0.25)) / EDGE,
      ];
      return {
        energy: height * (1 - Math.cos(angle)) + 100 * side ** 2 + 100 * (z - 0.25) ** 2,
        energies: new Float64Array(2),
        forces: Float64Array.from([...force, ...force.map((value) => -value)]),
        stress: [0, 0, 0, 0, 0, 0],
      };
    },
  });

  it.each([1, 2, 3, 4, 5])('a symmetric path has equal barriers in both directions (seed %i)', (seed) => {
    const random = seededRandom(seed);
    const [height, bend] = [0.2 + random(), 0.1 * (random() - 0.5)];
    const end = (x: number): Structure => ({
      ...REACTANT,
      sites: [orderedSite('H', [x, 0.25, 0.25]), orderedSite('H', [0, 0, 0])],
    });
    const options = { images: 5, force: 0.002, maxSteps: 1000, interpolation: 'linear' as const };
    const found = nudgedElasticBand(hills(height, bend), end(0), end(1 / 3), options);
    expect(found.barrier).toBeCloseTo(2 * height, 4);
    expect(found.barrier).toBeCloseTo(found.reverseBarrier, 5);
  });
});

/**
 * Copper with a vacancy in 2 × 2 × 2 primitive cells: too small for a realistic barrier, but all methods must
 * agree.
 * @param hop how far a neighbour has moved into the vacancy, from 0 to 1
 */
function vacancy(hop: number): Structure {
  const crystal = supercell(copper(3.613), [2, 2, 2]);
  const [, moving, ...others] = crystal.sites;
  return {
    ...crystal,
    sites: [{ ...moving, fractionalCoords: scale3(moving.fractionalCoords, 1 - hop) }, ...others],
  };
}

describe('a vacancy in copper', () => {
  const ends = [0, 1].map((hop) => relax(engine, vacancy(hop), { cell: false, force: 0.005 }).structure);
  const found = nudgedElasticBand(engine, ends[0], ends[1], { images: 3, force: 0.02 });

  it('moves over a barrier that is equal in both directions, with zero forces at the top', () => {
    expect(found.isConverged).toBe(true);
    expect(found.barrier).toBeCloseTo(found.reverseBarrier, 4);
    const { forces } = found.saddle;
    for (let k = 0; k < forces.length; k += 3)
      expect(norm3([forces[k], forces[k + 1], forces[k + 2]])).toBeLessThan(0.02);
  });

  it('has the barrier of an atom fixed halfway, where symmetry makes the force along the path zero', () => {
    const held = relax(engine, vacancy(0.5), { cell: false, force: 0.005 });
    expect(found.barrier).toBeCloseTo(held.evaluation.energy - engine.evaluate(ends[0]).energy, 3);
  });

  it('has the same barrier with four images, none of which is halfway', () => {
    const other = nudgedElasticBand(engine, ends[0], ends[1], {
      images: 4,
      force: 0.02,
      interpolation: 'linear',
    });
    expect(other.barrier).toBeCloseTo(found.barrier, 3);
  });
});

it.each<[string, Structure, RegExp]>([
  ['the number of atoms', { ...REACTANT, sites: REACTANT.sites.slice(1) }, /number of atoms/],
  ['the cell', { ...REACTANT, latticeVectors: cube(2 * EDGE) }, /cells/],
  [
    'an element',
    { ...REACTANT, sites: [orderedSite('He', [0, 0, 0]), REACTANT.sites[1]] },
    /order of their atoms/,
  ],
  ['nothing', REACTANT, /the same/],
])('refuses ends that differ in %s', (_, end, sentence) => {
  expect(() => nudgedElasticBand(muellerBrown, REACTANT, end)).toThrow(sentence);
});
