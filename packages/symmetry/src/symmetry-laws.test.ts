/**
 * Laws of zones, groups and matching on seeded random crystals, and k-points compared with the printed closed forms.
 */
import {
  applySymmetryOperation,
  cellVolume,
  latticeVectorsFromParameters,
  orderedSite,
  type Structure,
} from '@unitcell/crystal';
import {
  cross3,
  determinant3,
  dot3,
  IDENTITY3,
  inverse3,
  type Mat3,
  multiply3,
  norm3,
  rowTimesMatrix3,
  scale3,
  seededRandom,
  subtract3,
  transpose3,
  type Vec3,
} from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { analyzeSymmetry } from './analyze-symmetry.ts';
import { brillouinZone, kPath, reciprocalLattice2Pi } from './k-path.ts';
import { matchStructures } from './matching/match-structures.ts';
import { wrappedDistance } from './symmetry-dataset.ts';
import { randomCrystal } from './testing/random-crystal.ts';
import {
  changeBasis,
  permuteSites,
  randomRotation,
  randomUnimodular,
  rotate,
  shiftOrigin,
} from './testing/transform-structure.ts';
import { polarRotation } from './polar-rotation.ts';

// Crystals are generated while the tests are collected, so the engine must be initialised first.

const random = seededRandom(230);
const randomLattice = (): Mat3 =>
  multiply3(
    latticeVectorsFromParameters({
      a: 2 + 6 * random(),
      b: 2 + 6 * random(),
      c: 2 + 6 * random(),
      alpha: 65 + 50 * random(),
      beta: 65 + 50 * random(),
      gamma: 65 + 50 * random(),
    }),
    randomRotation(random),
  );

describe('Brillouin zones of random lattices', () => {
  const lattices = Array.from({ length: 40 }, randomLattice);

  it('have the volume (2π)³ / V as the sum of the pyramids over their faces', () => {
    for (const lattice of lattices) {
      const reciprocal = reciprocalLattice2Pi(lattice);
      const { faces, vertices } = brillouinZone(reciprocal);
      let pyramids = 0;
      for (const face of faces) {
        const [first, ...rest] = face.vertices.map((index) => vertices[index]);
        for (let i = 1; i < rest.length; i++)
          pyramids += Math.abs(dot3(first, cross3(rest[i - 1], rest[i]))) / 6;
      }
      expect((pyramids * cellVolume(lattice)) / (2 * Math.PI) ** 3).toBeCloseTo(1, 8);
    }
  });

  it('have faces halfway to a lattice point, in opposite pairs, and obey V − E + F = 2', () => {
    for (const lattice of lattices) {
      const reciprocal = reciprocalLattice2Pi(lattice);
      const { faces, vertices } = brillouinZone(reciprocal);
      const edges = faces.reduce((total, face) => total + face.vertices.length, 0) / 2;
      expect(vertices.length - edges + faces.length).toBe(2);
      const indicesOf = (midpoint: Vec3) =>
        rowTimesMatrix3(scale3(midpoint, 2), inverse3(reciprocal)).map((index) => Math.round(index) + 0);
      const names = new Set(faces.map(({ midpoint }) => indicesOf(midpoint).join()));
      for (const { midpoint, vertices: ring } of faces) {
        const hkl = indicesOf(midpoint);
        const point = rowTimesMatrix3([hkl[0], hkl[1], hkl[2]], reciprocal);
        expect(norm3(subtract3(scale3(point, 0.5), midpoint))).toBeLessThan(1e-9);
        expect(names.has(hkl.map((n) => 0 - n).join())).toBe(true);
        for (const index of ring)
          expect(norm3(vertices[index])).toBeCloseTo(norm3(subtract3(vertices[index], point)), 8);
      }
    }
  });

  it('contain exactly the points nearer to Γ than to any neighbour', () => {
    for (const lattice of lattices.slice(0, 15)) {
      const reciprocal = reciprocalLattice2Pi(lattice);
      const { faces } = brillouinZone(reciprocal);
      const neighbours = [-2, -1, 0, 1, 2].flatMap((h) =>
        [-2, -1, 0, 1, 2].flatMap((k) =>
          [-2, -1, 0, 1, 2].map((l): Vec3 => rowTimesMatrix3([h, k, l], reciprocal)),
        ),
      );
      for (let round = 0; round < 30; round++) {
        const point = rowTimesMatrix3([random() - 0.5, random() - 0.5, random() - 0.5], reciprocal);
        const isInside = faces.every(({ midpoint }) => dot3(point, midpoint) <= dot3(midpoint, midpoint));
        const isNearest = neighbours.every((other) => norm3(point) <= norm3(subtract3(point, other)) + 1e-12);
        expect(isInside).toBe(isNearest);
      }
    }
  });
});

describe('k-points match the printed formulas of Setyawan and Curtarolo, Comput. Mater. Sci. 49 (2010) 299', () => {
  const centred = (cell: Mat3, centres: readonly Vec3[]): Structure => ({
    latticeVectors: cell,
    sites: centres.map((centre) => orderedSite('Po', centre)),
  });
  const box = (a: number, b: number, c: number, beta = 90): Mat3 =>
    latticeVectorsFromParameters({ a, b, c, alpha: 90, beta, gamma: 90 });
  const hexagonal = (a: number, c: number): Mat3 =>
    latticeVectorsFromParameters({ a, b: a, c, alpha: 90, beta: 90, gamma: 120 });
  const BODY: Vec3[] = [
    [0, 0, 0],
    [0.5, 0.5, 0.5],
  ];
  const FACES: Vec3[] = [
    [0, 0, 0],
    [0, 0.5, 0.5],
    [0.5, 0, 0.5],
    [0.5, 0.5, 0],
  ];
  const OBVERSE: Vec3[] = [
    [0, 0, 0],
    [2 / 3, 1 / 3, 1 / 3],
    [1 / 3, 2 / 3, 2 / 3],
  ];
  /** Differences of the computed variant and points from the printed ones. */
  const differences = (structure: Structure, variant: string, points: Record<string, Vec3>): string[] => {
    const found = kPath(structure);
    const moved = Object.entries(points).filter(
      ([label, point]) => !(norm3(subtract3(found.points[label], point)) < 1e-6),
    );
    return [...(found.variant === variant ? [] : [found.variant]), ...moved.map(([label]) => label)];
  };

  it.each([
    [5, 3],
    [6.2, 4.9],
    [4, 3.8],
  ])('BCT1, a = %f, c = %f: η = (1 + c²/a²)/4', (a, c) => {
    const eta = (1 + (c / a) ** 2) / 4;
    expect(
      differences(centred(box(a, a, c), BODY), 'BCT1', { Z: [eta, eta, -eta], Z_1: [-eta, 1 - eta, eta] }),
    ).toEqual([]);
  });

  it.each([
    [3, 5],
    [4, 4.1],
  ])('BCT2, a = %f, c = %f: η = (1 + a²/c²)/4, ζ = a²/(2c²)', (a, c) => {
    const [eta, zeta] = [(1 + (a / c) ** 2) / 4, a ** 2 / (2 * c ** 2)];
    expect(
      differences(centred(box(a, a, c), BODY), 'BCT2', {
        '\\Sigma': [-eta, eta, eta],
        '\\Sigma_1': [eta, 1 - eta, -eta],
        Y: [-zeta, zeta, 0.5],
        Y_1: [0.5, 0.5, -zeta],
      }),
    ).toEqual([]);
  });

  it.each([
    [3, 5, 6],
    [2.5, 4, 7],
  ])('ORCF1, %f %f %f: ζ = (1 + a²/b² − a²/c²)/4, η = (1 + a²/b² + a²/c²)/4', (a, b, c) => {
    const zeta = (1 + (a / b) ** 2 - (a / c) ** 2) / 4;
    const eta = (1 + (a / b) ** 2 + (a / c) ** 2) / 4;
    expect(
      differences(centred(box(a, b, c), FACES), 'ORCF1', {
        A: [0.5, 0.5 + zeta, zeta],
        A_1: [0.5, 0.5 - zeta, 1 - zeta],
        X: [0, eta, eta],
        X_1: [1, 1 - eta, 1 - eta],
      }),
    ).toEqual([]);
  });

  it.each([
    [3, 4, 5],
    [2.7, 3.9, 6.1],
  ])('ORCI, %f %f %f: ζ, η, δ and μ', (a, b, c) => {
    const [zeta, eta] = [(1 + (a / c) ** 2) / 4, (1 + (b / c) ** 2) / 4];
    const [delta, mu] = [(b ** 2 - a ** 2) / (4 * c ** 2), (a ** 2 + b ** 2) / (4 * c ** 2)];
    expect(
      differences(centred(box(a, b, c), BODY), 'ORCI', {
        L: [-mu, mu, 0.5 - delta],
        X: [-zeta, zeta, zeta],
        Y: [eta, -eta, eta],
      }),
    ).toEqual([]);
  });

  it.each([
    [3, 12],
    [4, 13.5],
  ])('RHL1, hexagonal axes %f and %f: η = (1 + 4 cos α)/(2 + 4 cos α), ν = 3/4 − η/2', (a, c) => {
    const cosine = (2 * c ** 2 - 3 * a ** 2) / (2 * (c ** 2 + 3 * a ** 2));
    const eta = (1 + 4 * cosine) / (2 + 4 * cosine);
    const nu = 0.75 - eta / 2;
    expect(
      differences(centred(hexagonal(a, c), OBVERSE), 'RHL1', {
        B: [eta, 0.5, 1 - eta],
        P: [eta, nu, nu],
        X: [nu, 0, -nu],
      }),
    ).toEqual([]);
  });

  it('corners are the known points: X, W, K of fcc; H, P, N of bcc; K, H of the hexagonal lattice', () => {
    expect(
      differences(centred(box(4, 4, 4), FACES), 'FCC', {
        X: [0.5, 0, 0.5],
        W: [0.5, 0.25, 0.75],
        K: [3 / 8, 3 / 8, 3 / 4],
      }),
    ).toEqual([]);
    expect(
      differences(centred(box(3, 3, 3), BODY), 'BCC', {
        H: [0.5, -0.5, 0.5],
        P: [0.25, 0.25, 0.25],
        N: [0, 0, 0.5],
      }),
    ).toEqual([]);
    expect(
      differences(centred(hexagonal(3, 5), [[0, 0, 0]]), 'HEX', {
        K: [1 / 3, 1 / 3, 0],
        H: [1 / 3, 1 / 3, 0.5],
      }),
    ).toEqual([]);
  });
});

describe('groups of random crystals', () => {
  const crystals = [
    2, 5, 14, 19, 33, 62, 70, 88, 92, 136, 148, 152, 167, 186, 194, 198, 216, 225, 227,
  ].flatMap((group) => {
    const structure = randomCrystal(group, seededRandom(group));
    return structure && structure.sites.length <= 96 ? [{ group, structure }] : [];
  });

  it('most groups yield a crystal', () => expect(crystals.length).toBeGreaterThan(12));

  it.each(crystals)(
    '$group: operations map the crystal onto itself, and orbit × site symmetry is the group order',
    ({ structure }) => {
      const { operations } = analyzeSymmetry(structure);
      const { sites, latticeVectors } = structure;
      sites.forEach((site, i) => {
        const images = operations.map((operation) => {
          const moved = applySymmetryOperation(operation, site.fractionalCoords);
          return sites.findIndex(
            (other) =>
              other.species[0].element === site.species[0].element &&
              wrappedDistance(subtract3(moved, other.fractionalCoords), latticeVectors) < 0.02,
          );
        });
        expect(images).not.toContain(-1);
        const orbit = new Set(images).size;
        expect(orbit * images.filter((image) => image === i).length).toBe(operations.length);
      });
    },
  );

  it.each(crystals)('$group: rotations keep the metric and are closed under products', ({ structure }) => {
    const { operations } = analyzeSymmetry(structure);
    const names = new Set(operations.map(({ rotation }) => rotation.flat().join()));
    for (const { rotation: a } of operations) {
      expect(Math.abs(determinant3(a))).toBe(1);
      const [b] = [operations[operations.length - 1].rotation];
      expect(
        names.has(
          multiply3(a, b)
            .flat()
            .map((x) => x + 0)
            .join(),
        ),
      ).toBe(true);
      const volume = cellVolume(multiply3([...a] as unknown as Mat3, structure.latticeVectors));
      expect(volume).toBeCloseTo(cellVolume(structure.latticeVectors), 8);
    }
  });

  const describedAnew = (structure: Structure): Structure =>
    permuteSites(
      rotate(
        shiftOrigin(changeBasis(structure, randomUnimodular(random)), [random(), random(), random()]),
        randomRotation(random),
      ),
      random,
    );
  const small = crystals.filter(({ structure }) => structure.sites.length <= 24);
  const moved = (structure: Structure, size: number): Structure => ({
    ...structure,
    sites: structure.sites.map((site) => ({
      ...site,
      fractionalCoords: site.fractionalCoords.map((x) => x + size * (random() - 0.5)) as unknown as Vec3,
    })),
  });

  it.each(small)(
    '$group: matching is reflexive over descriptions and symmetric in its distance',
    ({ structure }) => {
      expect(matchStructures(structure, describedAnew(structure))?.rms).toBeLessThan(1e-5);
      const other = moved(structure, 0.01);
      const [there, back] = [matchStructures(structure, other)?.rms, matchStructures(other, structure)?.rms];
      expect(there).toBeGreaterThan(0);
      expect(Math.abs((there ?? Number.NaN) - (back ?? Number.NaN))).toBeLessThan(1e-3 * (1 + (there ?? 0)));
    },
  );

  it.each(small)('$group: distances satisfy the triangle inequality within 2 %', ({ structure }) => {
    const [b, c] = [moved(structure, 0.008), moved(structure, 0.008)];
    const rms = (x: Structure, y: Structure): number => matchStructures(x, y)?.rms ?? Number.NaN;
    expect(rms(structure, c)).toBeLessThanOrEqual(1.02 * (rms(structure, b) + rms(b, c)) + 1e-6);
  });
});

const largest = (a: Mat3, b: Mat3): number =>
  Math.max(...a.flatMap((row, i) => row.map((value, j) => Math.abs(value - b[i][j]))));

it('polarRotation recovers rotation and stretch from their product, also for reflections', () => {
  const own = seededRandom(1860);
  for (let round = 0; round < 200; round++) {
    const sign = round % 2 === 0 ? 1 : -1;
    const [turn, axes] = [randomRotation(own), randomRotation(own)];
    const rotation = turn.map((row) => row.map((value) => sign * value)) as unknown as Mat3;
    const stretches = [0, 1, 2].map(() => 0.7 + own());
    const diagonal = IDENTITY3.map((row, i) => row.map((value) => value * stretches[i])) as unknown as Mat3;
    const stretch = multiply3(multiply3(transpose3(axes), diagonal), axes);
    const found = polarRotation(multiply3(rotation, stretch));
    expect(largest(found.rotation, rotation)).toBeLessThan(1e-12);
    expect(found.strain).toBeCloseTo(Math.max(...stretches.map((value) => Math.abs(value - 1))), 12);
    expect(largest(multiply3(found.rotation, transpose3(found.rotation)), IDENTITY3)).toBeLessThan(1e-14);
    expect(determinant3(found.rotation)).toBeCloseTo(sign, 13);
  }
});
