/**
 * Magnetic orderings of crystals with known antiferromagnetism, laws of the magnetic cells, and the table of U.
 */
import { minimumDistance, neighbourList, orderedSite, type Structure } from '@unitcell/crystal';
import { determinant3, type Mat3, seededRandom, type Vec3 } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import {
  hasKeptOrder,
  hubbardU,
  type MagneticOrdering,
  magneticOrderings,
  orderReached,
} from './magnetism.ts';

const fcc = (a: number): Mat3 => [
  [0, a / 2, a / 2],
  [a / 2, 0, a / 2],
  [a / 2, a / 2, 0],
];
const crystal = (latticeVectors: Mat3, ...sites: readonly (readonly [string, Vec3])[]): Structure => ({
  latticeVectors,
  sites: sites.map(([element, position]) => orderedSite(element, position)),
});
const nickelOxide = crystal(fcc(4.17), ['Ni', [0, 0, 0]], ['O', [0.5, 0.5, 0.5]]);

/** Numbers of parallel and antiparallel magnetic neighbours at this distance from the first magnetic site. */
function neighboursAt({ structure, moments }: MagneticOrdering, distance: number) {
  const site = moments.findIndex((moment) => moment !== 0);
  const near = neighbourList(structure, distance + 0.1)[site].filter((one) => one.distance > distance - 0.1);
  const signs = near.map((one) => Math.sign(moments[one.site] * moments[site]));
  return { parallel: signs.filter((s) => s > 0).length, opposite: signs.filter((s) => s < 0).length };
}

describe('magneticOrderings', () => {
  it('finds both antiferromagnetic orders of rock salt, among them that of NiO', () => {
    const [ferromagnetic, ...others] = magneticOrderings(nickelOxide);
    expect(ferromagnetic).toMatchObject({ order: 'ferromagnetic', moments: [2, 0] });
    const bonds = others.map((one) => [neighboursAt(one, 4.17 / Math.SQRT2), neighboursAt(one, 4.17)]);
    // First kind: sheets along [001]. Second kind, measured in NiO: sheets along [111], all bonds Ni–O–Ni antiparallel.
    expect(bonds).toEqual([
      [
        { parallel: 4, opposite: 8 },
        { parallel: 6, opposite: 0 },
      ],
      [
        { parallel: 6, opposite: 6 },
        { parallel: 0, opposite: 6 },
      ],
    ]);
  });

  it('finds the antiferromagnetic order of chromium in its conventional cell without doubling the cell', () => {
    const chromium = crystal(
      [
        [2.88, 0, 0],
        [0, 2.88, 0],
        [0, 0, 2.88],
      ],
      ['Cr', [0, 0, 0]],
      ['Cr', [0.5, 0.5, 0.5]],
    );
    const [, first] = magneticOrderings(chromium);
    expect(first).toMatchObject({ moments: [3, -3], wave: [0, 0, 0] });
  });

  it('returns none for a crystal without magnetic elements', () => {
    expect(magneticOrderings(crystal(fcc(5.43), ['Si', [0, 0, 0]], ['Si', [0.25, 0.25, 0.25]]))).toEqual([]);
  });

  it('keeps composition, density and bonds in every magnetic cell, with zero total moment in antiferromagnets', () => {
    const random = seededRandom(7);
    for (let round = 0; round < 6; round++) {
      const edge = (): number => 3 + 2 * random();
      const slant = (): number => random() - 0.5;
      const cell: Mat3 = [
        [edge(), slant(), slant()],
        [slant(), edge(), slant()],
        [slant(), slant(), edge()],
      ];
      const given = crystal(
        cell,
        ['Fe', [0, 0, 0]],
        ['O', [0.45, 0.5, 0.55]],
        ['Mn', [0.5, random() / 4, 0]],
      );
      for (const { structure, moments, order } of magneticOrderings(given)) {
        const times = structure.sites.length / given.sites.length;
        expect(determinant3(structure.latticeVectors)).toBeCloseTo(times * determinant3(cell), 8);
        expect(minimumDistance(structure)).toBeCloseTo(minimumDistance(given), 8);
        const sum = moments.reduce((total, moment) => total + moment, 0);
        expect(order === 'ferromagnetic' ? sum - 9 : sum).toBeCloseTo(0, 8);
      }
    }
  });
});

describe('orderReached and hasKeptOrder', () => {
  it.each([
    ['the moments kept their order', [2, -2, 0], [1.7, -1.7, 0.05], 'antiferromagnetic', true],
    ['all moments were reversed', [2, -2, 0], [-1.7, 1.7, 0], 'antiferromagnetic', true],
    ['the order became parallel', [2, -2, 0], [1.6, 1.6, -0.2], 'ferromagnetic', false],
    ['the moments vanished', [2, 2, 0], [0.05, 0.05, 0], 'nonmagnetic', false],
    ['one site lost its moment', [2, 2, 0], [1.7, 0.02, 0], 'ferromagnetic', false],
  ] as const)('say so if %s', (_, starts, ends, order, isKept) => {
    expect(orderReached(starts, ends)).toBe(order);
    expect(hasKeptOrder(starts, ends)).toBe(isKept);
  });
});

describe('hubbardU', () => {
  it.each([
    [['Ni', 'O'], { Ni: 6.2 }],
    [['Co', 'Li', 'O'], { Co: 3.32 }],
    [['F', 'Fe', 'V'], { Fe: 5.3, V: 3.25 }],
    [['Ni', 'S'], {}],
    [['Mg', 'O'], {}],
  ])('%j has U %j, as in the Materials Project', (elements, wanted) => {
    expect(hubbardU(elements)).toEqual(wanted);
  });
});
