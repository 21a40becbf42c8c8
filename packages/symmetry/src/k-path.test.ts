import { latticeVectorsFromParameters, orderedSite, type Structure } from '@unitcell/crystal';
import {
  determinant3,
  dot3,
  norm3,
  rowTimesMatrix3,
  scale3,
  seededRandom,
  type Vec3,
} from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { analyzeSymmetry } from './analyze-symmetry.ts';
import {
  type BrillouinZone,
  brillouinZone,
  type KPath,
  kPath,
  kPointLabel,
  readableLabel,
} from './k-path.ts';
import { K_PATH_VARIANTS, type KPathVariant } from './k-path-variants.ts';
import { standardCells } from './standard-cells.ts';
import { diamond, lithiumIronPhosphate, quartz, rockSalt, rutile } from './testing/fixtures.ts';
import {
  changeBasis,
  randomRotation,
  randomUnimodular,
  rotate,
  shiftOrigin,
} from './testing/transform-structure.ts';

describe('kPointLabel', () => {
  it.each([
    ['\\Gamma', 'Γ', ''],
    ['GAMMA', 'Γ', ''],
    ['Γ', 'Γ', ''],
    ['X', 'X', ''],
    ['X_1', 'X', '1'],
    ['X_{12}', 'X', '12'],
    ['B1', 'B', '1'],
    ['\\Sigma_1', 'Σ', '1'],
    ['SIGMA1', 'Σ', '1'],
  ])('reads %s', (name, symbol, index) => {
    expect(kPointLabel(name)).toEqual({ symbol, index });
  });

  it.each(['', 'K|U', '<b>', "X'"])('leaves %o unchanged', (name) => {
    expect(kPointLabel(name)).toEqual({ symbol: name, index: '' });
  });
});

const CENTRES: Record<string, readonly Vec3[]> = {
  P: [[0, 0, 0]],
  C: [
    [0, 0, 0],
    [0.5, 0.5, 0],
  ],
  I: [
    [0, 0, 0],
    [0.5, 0.5, 0.5],
  ],
  F: [
    [0, 0, 0],
    [0, 0.5, 0.5],
    [0.5, 0, 0.5],
    [0.5, 0.5, 0],
  ],
  R: [
    [0, 0, 0],
    [2 / 3, 1 / 3, 1 / 3],
    [1 / 3, 2 / 3, 2 / 3],
  ],
};

/** The empty lattice with one atom per lattice point, which has the full symmetry of its Bravais lattice. */
const bravais = (
  centring: string,
  a: number,
  b: number,
  c: number,
  angles: Vec3 = [90, 90, 90],
): Structure => ({
  latticeVectors: latticeVectorsFromParameters({
    a,
    b,
    c,
    alpha: angles[0],
    beta: angles[1],
    gamma: angles[2],
  }),
  sites: CENTRES[centring].map((position) => orderedSite('Po', position)),
});

const HEXAGONAL: Vec3 = [90, 90, 120];
const lattices: readonly (readonly [KPathVariant, Structure])[] = [
  ['CUB', bravais('P', 3, 3, 3)],
  ['FCC', bravais('F', 4, 4, 4)],
  ['BCC', bravais('I', 3, 3, 3)],
  ['TET', bravais('P', 3, 3, 5)],
  ['BCT1', bravais('I', 5, 5, 3)],
  ['BCT2', bravais('I', 3, 3, 5)],
  ['ORC', bravais('P', 3, 4, 5)],
  ['ORCF1', bravais('F', 3, 5, 6)],
  ['ORCF2', bravais('F', 4.5, 5, 6)],
  ['ORCF3', bravais('F', 1 / Math.sqrt(1 / 25 + 1 / 36), 5, 6)],
  ['ORCI', bravais('I', 3, 4, 5)],
  ['ORCC', bravais('C', 3, 5, 4)],
  ['HEX', bravais('P', 3, 3, 5, HEXAGONAL)],
  ['RHL1', bravais('R', 3, 3, 12, HEXAGONAL)],
  ['RHL2', bravais('R', 6, 6, 3, HEXAGONAL)],
  ['MCL', bravais('P', 4, 3, 5, [90, 105, 90])],
  ['MCLC1', bravais('C', 6, 4, 5, [90, 100, 90])],
  ['MCLC3', bravais('C', 5, 9, 6, [90, 100, 90])],
  ['MCLC5', bravais('C', 5, 5.2, 5.1, [90, 115, 90])],
  ['TRI1a', bravais('P', 3, 4, 5, [80, 75, 70])],
  ['TRI1b', bravais('P', 3, 4, 5, [95, 100, 105])],
];

describe('kPath', () => {
  it.each(lattices)('%s is identified from the lattice', (variant, lattice) => {
    expect(kPath(lattice).variant).toBe(variant);
  });

  it.each(lattices)('%s does not depend on the cell, origin or orientation', (variant, lattice) => {
    const plain = kPath(lattice);
    const random = seededRandom(29);
    for (let run = 0; run < 5; run++) {
      const other = rotate(
        shiftOrigin(changeBasis(lattice, randomUnimodular(random)), [random(), random(), random()]),
        randomRotation(random),
      );
      const found = kPath(other);
      expect(found.variant).toBe(variant);
      const places = cartesian(found);
      for (const [label, place] of Object.entries(cartesian(plain)))
        expect(norm3(places[label])).toBeCloseTo(norm3(place), 5);
    }
  });

  it.each(lattices)(
    '%s: every point except Γ lies on the surface of the Brillouin zone, not a lattice vector away',
    (_variant, lattice) => {
      const found = kPath(lattice);
      const points = cartesian(found);
      const zone = brillouinZone(found.reciprocalLattice);
      const inside = Object.keys(points).filter((label) => facesAt(points[label], zone) === 0);
      expect(inside).toEqual(['\\Gamma', ...(OUTSIDE[found.variant]?.split(' ') ?? [])]);
    },
  );

  it('points whose coordinates depend on the cell shape lie on edges or corners of the zone', () => {
    const random = seededRandom(2010);
    const between = (low: number, high: number): number => low + (high - low) * random();
    const edge = (): number => between(3, 8);
    const square = (): readonly [number, number] => {
      const a = edge();
      return [a, a];
    };
    const kinds: readonly (() => Structure)[] = [
      () => bravais('C', edge(), edge(), edge(), [90, between(91, 125), 90]),
      () => bravais('P', edge(), edge(), edge(), [90, between(91, 120), 90]),
      () => bravais('I', ...square(), edge()),
      () => bravais('F', edge(), edge(), edge()),
      () => bravais('I', edge(), edge(), edge()),
      () => bravais('C', edge(), edge(), edge()),
      () => bravais('R', ...square(), between(3, 14), HEXAGONAL),
    ];
    const seen = new Set<string>();
    for (let round = 0; round < 168; round++) {
      const found = kPath(kinds[round % kinds.length]());
      seen.add(found.variant);
      const points = cartesian(found);
      const zone = brillouinZone(found.reciprocalLattice);
      const corners = (CORNERS[found.variant] ?? '').split(' ');
      for (const [label, point] of Object.entries(points)) {
        if (OUTSIDE[found.variant] === label) continue;
        const isFixed = found.points[label].every((x) => Number.isInteger(4 * x));
        const least = corners.includes(label) ? 3 : label === '\\Gamma' ? 0 : isFixed ? 1 : 2;
        expect([found.variant, label, Math.min(facesAt(point, zone), least)]).toEqual([
          found.variant,
          label,
          least,
        ]);
      }
    }
    expect([...seen].sort()).toEqual(Object.keys(CORNERS).sort());
  });

  // For lattices with one axis perpendicular to the others: which points lie above which point, or between
  // which points; names as in the paper.
  it.each([
    ['TET', { R: ['X', 'Z'], A: ['M', 'Z'] }],
    ['ORC', { S: ['X', 'Y'], U: ['X', 'Z'], T: ['Y', 'Z'], R: ['S', 'Z'] }],
    ['ORCC', { A: ['X', 'Z'], A_1: ['X_1', 'Z'], R: ['S', 'Z'], T: ['Y', 'Z'] }],
    ['HEX', { L: ['M', 'A'], H: ['K', 'A'] }],
  ] as const)('%s: points above others are vector sums, at right angles', (variant, sums) => {
    const found = kPath(lattices.find(([name]) => name === variant)![1]);
    const length = (k: Vec3): number => norm3(rowTimesMatrix3(k, found.reciprocalLattice));
    for (const [label, [p, q]] of Object.entries(sums)) {
      const [a, b, sum] = [p, q, label].map((name) => found.points[name]);
      expect(sum).toEqual([a[0] + b[0], a[1] + b[1], a[2] + b[2]]);
      expect(length(sum) ** 2).toBeCloseTo(length(a) ** 2 + length(b) ** 2, 9);
    }
  });

  it('CUB: X, M and R are half an edge, a face diagonal and a space diagonal of the cube of edge 2π/a', () => {
    const { points, reciprocalLattice } = kPath(lattices[0][1]);
    const length = (label: string): number => norm3(rowTimesMatrix3(points[label], reciprocalLattice));
    ['X', 'M', 'R'].forEach((label, k) =>
      expect(length(label)).toBeCloseTo((Math.PI / 3) * Math.sqrt(k + 1), 9),
    );
  });

  it.each(Object.entries(K_PATH_VARIANTS))(
    '%s: every label on the path is a point',
    (_name, { points, path }) => {
      const known = points({ a: 3, b: 4, c: 5, alphaRad: 1.3 });
      for (const label of path.split(/[-|]/)) expect(Object.keys(known)).toContain(label);
    },
  );

  it('rock salt: X at 2π/a, L at √3 π/a', () => {
    const found = kPath(rockSalt);
    const a = 5.6402;
    const cartesian = (label: string): Vec3 => rowTimesMatrix3(found.points[label], found.reciprocalLattice);
    expect(norm3(cartesian('X'))).toBeCloseTo((2 * Math.PI) / a, 9);
    expect(norm3(cartesian('L'))).toBeCloseTo((Math.sqrt(3) * Math.PI) / a, 9);
    expect(found.path[0]).toEqual(['\\Gamma', 'X', 'W', 'K', '\\Gamma', 'L', 'U', 'W', 'L', 'K']);
  });

  it.each([
    ['diamond', diamond, 'FCC', 2],
    ['rutile', rutile, 'TET', 6],
    ['quartz', quartz, 'HEX', 9],
    ['LiFePO4', lithiumIronPhosphate, 'ORC', 28],
  ] as const)('%s: %s', (_name, crystal, variant, primitiveSites) => {
    const found = kPath(crystal);
    expect(found.variant).toBe(variant);
    expect(found.primitiveStandard.sites).toHaveLength(primitiveSites);
  });
});

/**
 * Points that lie on three or more faces for any shape of the cell, so that each of their coordinates is
 * tested.
 */
const CORNERS: Readonly<Record<string, string>> = {
  BCT1: 'P Z Z_1',
  BCT2: 'P Y Y_1',
  ORCF1: 'A A_1 X X_1',
  ORCF2: 'C C_1 D D_1 H H_1',
  ORCI: 'L L_1 L_2 W',
  ORCC: 'A A_1',
  RHL1: 'B B_1',
  RHL2: 'Q Q_1 Z',
  MCL: 'M M_1 M_2',
  MCLC1: 'I I_1',
  MCLC3: 'F F_1 F_2 H H_1 H_2',
  MCLC5: 'F F_1 F_2 H H_1 H_2 I I_1',
};

/**
 * Points that are inside the zone only after a shift by a lattice vector. D_1 of MCL, which no path uses, is given as
 * in pymatgen, where it is equivalent to E. N of TRI1b is inside the zone for some triclinic lattices and outside for
 * others.
 */
const OUTSIDE: Readonly<Record<string, string>> = { MCL: 'D_1', TRI1b: 'N' };

/** The labelled points, 1/Å with 2π. */
const cartesian = ({ points, reciprocalLattice }: KPath): Record<string, Vec3> =>
  Object.fromEntries(
    Object.entries(points).map(([label, point]) => [label, rowTimesMatrix3(point, reciprocalLattice)]),
  );

/** An edge belongs to two faces. */
const edgeCount = ({ faces }: BrillouinZone): number =>
  faces.reduce((total, { vertices }) => total + vertices.length, 0) / 2;

/** Number of faces of the zone that contain a point; 0 if it is inside or outside. */
function facesAt(point: Vec3, { faces }: BrillouinZone): number {
  const heights = faces.map(({ midpoint }) => dot3(point, midpoint) / dot3(midpoint, midpoint) - 1);
  return Math.max(...heights) > 1e-6 ? 0 : heights.filter((height) => height > -1e-6).length;
}

describe('standardCells', () => {
  it.each(lattices)('%s: recomputing changes neither cells nor volume', (_variant, lattice) => {
    const first = standardCells(analyzeSymmetry(lattice));
    const again = standardCells(analyzeSymmetry(first.conventional));
    expect(again.conventional.sites).toHaveLength(first.conventional.sites.length);
    again.conventional.latticeVectors.forEach((row, i) =>
      row.forEach((value, j) => expect(value).toBeCloseTo(first.conventional.latticeVectors[i][j], 6)),
    );
  });

  it('a standard cell is the same crystal: same group and same number of atoms per volume', () => {
    for (const crystal of [rutile, quartz, lithiumIronPhosphate, diamond]) {
      const { conventional, primitive } = standardCells(analyzeSymmetry(crystal));
      const group = analyzeSymmetry(crystal).spaceGroup.number;
      expect(analyzeSymmetry(conventional).spaceGroup.number).toBe(group);
      expect(analyzeSymmetry(primitive).spaceGroup.number).toBe(group);
    }
  });
});

describe('brillouinZone', () => {
  it.each(lattices)(
    '%s: satisfies Euler’s formula, is convex and has the right volume',
    (_variant, lattice) => {
      const { reciprocalLattice } = kPath(lattice);
      const zone = brillouinZone(reciprocalLattice);
      expect(zone.vertices.length - edgeCount(zone) + zone.faces.length).toBe(2);
      let volume = 0;
      for (const { vertices, midpoint } of zone.faces) {
        for (const vertex of zone.vertices)
          expect(dot3(vertex, midpoint)).toBeLessThan(dot3(midpoint, midpoint) * (1 + 1e-5));
        const [origin, ...ring] = vertices.map((index) => zone.vertices[index]);
        for (let k = 0; k + 1 < ring.length; k++) {
          const [u, v] = [ring[k], ring[k + 1]];
          volume +=
            (origin[0] * (u[1] * v[2] - u[2] * v[1]) +
              origin[1] * (u[2] * v[0] - u[0] * v[2]) +
              origin[2] * (u[0] * v[1] - u[1] * v[0])) /
            6;
        }
      }
      expect(volume / Math.abs(determinant3(reciprocalLattice))).toBeCloseTo(1, 6);
    },
  );

  it.each([
    ['cubic', rockSalt, [14, 24]],
    ['hexagonal', quartz, [8, 12]],
    ['tetragonal', rutile, [6, 8]],
  ] as const)('%s: has the known numbers of faces and vertices', (_name, crystal, counts) => {
    const zone = brillouinZone(kPath(crystal).reciprocalLattice);
    expect([zone.faces.length, zone.vertices.length]).toEqual(counts);
  });

  it('does not depend on the basis of the lattice', () => {
    const random = seededRandom(31);
    const { reciprocalLattice } = kPath(diamond);
    for (let run = 0; run < 10; run++) {
      const [p, q, r] = randomUnimodular(random).map((row) => rowTimesMatrix3(row, reciprocalLattice));
      const zone = brillouinZone([p, q, r]);
      expect([zone.faces.length, zone.vertices.length, edgeCount(zone)]).toEqual([14, 24, 36]);
    }
  });

  it('has the same corners, edges and faces in every unit of length', () => {
    for (const crystal of [rockSalt, diamond, quartz, rutile, lithiumIronPhosphate]) {
      const { reciprocalLattice } = kPath(crystal);
      const zone = brillouinZone(reciprocalLattice);
      // Powers of two scale without rounding; rounding could change the order of the corners.
      for (const factor of [2 ** -30, 2 ** 30]) {
        const [p, q, r] = reciprocalLattice.map((row) => scale3(row, factor));
        const scaled = brillouinZone([p, q, r]);
        expect(scaled.faces.map(({ vertices }) => vertices)).toEqual(
          zone.faces.map(({ vertices }) => vertices),
        );
      }
    }
  });

  it('refuses coplanar vectors', () => {
    expect(() =>
      brillouinZone([
        [1, 0, 0],
        [0, 1, 0],
        [1, 1, 0],
      ]),
    ).toThrow(/three independent/);
  });
});

describe('readableLabel', () => {
  it('writes Greek letters and subscripts', () => {
    expect(['\\Gamma', '\\Sigma_1', 'X_1', 'K'].map(readableLabel)).toEqual(['Γ', 'Σ₁', 'X₁', 'K']);
  });
});
