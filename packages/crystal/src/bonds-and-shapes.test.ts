/**
 * Bonds, polyhedra, site indices and file texts of crystals: published radii and volumes, and invariance under changes
 * of the description.
 */
import {
  add3,
  cross3,
  dot3,
  type Mat3,
  norm3,
  rowTimesMatrix3,
  seededRandom,
  subtract3,
  type Vec3,
} from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import {
  bondedNeighbours,
  mainElement,
  siteRadius,
  type HullFace,
  polyhedronEdges,
  polyhedronFaces,
  triangles,
} from './bonds.ts';
import { operationsFromHallSymbol } from './hall-symbol.ts';
import { createSiteIndex } from './io/site-index.ts';
import { writeXyz } from './io/write-structure.ts';
import { latticeVectorsFromParameters } from './lattice.ts';
import { orderedSite, type Site, type Structure, supercell } from './structure.ts';
import { parseSymmetryOperation, wrapFraction } from './symmetry-operation.ts';
import { rutile } from './testing/rutile.ts';

const signs = [-1, 1];
const cube: Vec3[] = signs.flatMap((x) => signs.flatMap((y) => signs.map((z): Vec3 => [x, y, z])));
const octahedron: Vec3[] = [0, 1, 2].flatMap((axis) =>
  signs.map((sign) => [0, 0, 0].map((_, i) => (i === axis ? 2 * sign : 0)) as unknown as Vec3),
);

describe('polyhedronFaces', () => {
  it('a cube has 6 squares and 12 edges, an octahedron 8 triangles and 12 edges', () => {
    expect(polyhedronFaces(cube).map((face) => face.corners.length)).toEqual([4, 4, 4, 4, 4, 4]);
    expect(polyhedronEdges(polyhedronFaces(cube))).toHaveLength(12);
    expect(polyhedronFaces(octahedron).map((face) => face.corners.length)).toEqual(Array(8).fill(3));
    expect(polyhedronEdges(polyhedronFaces(octahedron))).toHaveLength(12);
  });

  it("fulfils Euler's formula, and no corner is in front of a face", () => {
    const prism: Vec3[] = [0, 1, 2, 3, 4, 5].flatMap((i) => {
      const [x, y] = [2 * Math.cos((i * Math.PI) / 3), 2 * Math.sin((i * Math.PI) / 3)];
      return [
        [x, y, 0],
        [x, y, 2],
      ] as Vec3[];
    });
    for (const points of [cube, octahedron, prism]) {
      const faces = polyhedronFaces(points);
      expect(points.length - polyhedronEdges(faces).length + faces.length).toBe(2);
      for (const {
        corners: [first],
        normal,
      } of faces)
        for (const point of points)
          expect(dot3(normal, subtract3(point, points[first ?? 0]))).toBeLessThan(1e-9);
    }
  });

  it('finds no faces for flat and tiny sets of points', () => {
    expect(
      polyhedronFaces([
        [0, 0, 0],
        [1, 0, 0],
        [0, 1, 0],
        [1, 1, 0],
      ]),
    ).toEqual([]);
    expect(
      polyhedronFaces([
        [0, 0, 0],
        [1, 0, 0],
        [0, 1, 0],
      ]),
    ).toEqual([]);
  });

  it('splits a polygon with n corners into n − 2 triangles', () => {
    for (const face of polyhedronFaces(cube)) expect(triangles(face)).toHaveLength(2);
  });
});

const random = seededRandom(101);
const vector = (): Vec3 => [random(), random(), random()];
const shuffled = <T>(values: readonly T[]): T[] =>
  values
    .map((value) => [random(), value] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, value]) => value);
const oblique = (): Mat3 =>
  latticeVectorsFromParameters({
    a: 4 + 4 * random(),
    b: 4 + 4 * random(),
    c: 4 + 4 * random(),
    alpha: 60 + 50 * random(),
    beta: 65 + 45 * random(),
    gamma: 65 + 45 * random(),
  });

/** Two atoms at the given distance in a box of 20 Å. */
const pair = (a: string, b: string, distance: number): Structure => ({
  latticeVectors: [
    [20, 0, 0],
    [0, 20, 0],
    [0, 0, 20],
  ],
  sites: [orderedSite(a, [0.5, 0.5, 0.5]), orderedSite(b, [0.5 + distance / 20, 0.5, 0.5])],
});

describe('bondedNeighbours', () => {
  // Covalent radii of B. Cordero et al., Dalton Trans. (2008) 2832, table 2; a bond may be 0.45 Å longer than
  // their sum.
  it.each([
    ['H', 'H', 0.31 + 0.31],
    ['Ti', 'O', 1.6 + 0.66],
    ['Na', 'Cl', 1.66 + 1.02],
    ['C', 'C', 0.76 + 0.76],
    ['Cs', 'I', 2.44 + 1.39],
  ])('bonds %s–%s up to the sum of the radii %f Å plus 0.45, and not beyond', (a, b, sum) => {
    const distance = expect.closeTo(sum + 0.44, 9);
    expect(bondedNeighbours(pair(a, b, sum + 0.44))).toEqual([
      [expect.objectContaining({ site: 1, distance })],
      [expect.objectContaining({ site: 0, distance })],
    ]);
    expect(bondedNeighbours(pair(a, b, sum + 0.46))).toEqual([[], []]);
  });

  it('never connects two alternative positions of one split atom', () => {
    expect(bondedNeighbours(pair('O', 'O', 0.39))).toEqual([[], []]);
    expect(bondedNeighbours(pair('O', 'O', 0.41)).flat()).toHaveLength(2);
    expect(bondedNeighbours({ ...rutile, sites: [] })).toEqual([]);
  });

  it('finds the same number per atom in a supercell, whatever the order of the sites', () => {
    const lengths = (structure: Structure) =>
      bondedNeighbours(structure)
        .flat()
        .map(({ distance }) => Number(distance.toFixed(6)))
        .toSorted((a, b) => a - b);
    const own = lengths(rutile);
    // 12 bonds, each listed for both atoms
    expect(own).toHaveLength(24);
    expect(own.filter((length) => length < 2)).toHaveLength(24);
    expect(lengths({ ...rutile, sites: shuffled(rutile.sites) })).toEqual(own);
    expect(lengths(supercell(rutile, [1, 2, 3]))).toEqual(
      own.flatMap((length) => Array.from({ length: 6 }, () => length)),
    );
    const { sites, latticeVectors } = supercell(rutile, [1, 1, 2]);
    bondedNeighbours({ sites, latticeVectors }).forEach((neighbours, from) => {
      for (const { site, image, distance } of neighbours) {
        const [to, start] = [sites[site].fractionalCoords, sites[from].fractionalCoords];
        const shift = rowTimesMatrix3(subtract3(add3(to, image), start), latticeVectors);
        expect(norm3(shift)).toBeCloseTo(distance, 9);
      }
    });
  });

  it('uses the radius of the element with the largest share of a shared site, wherever it is listed', () => {
    const shared: Site['species'] = [
      { element: 'O', occupancy: 0.2 },
      { element: 'Cs', occupancy: 0.5 },
      { element: 'H', occupancy: 0.3 },
    ];
    for (let round = 0; round < 6; round++) {
      const site = { species: shuffled(shared), fractionalCoords: [0, 0, 0] as const };
      expect([mainElement(site), siteRadius(site)]).toEqual(['Cs', 2.44]);
    }
  });
});

describe('polyhedra', () => {
  const phi = (1 + Math.sqrt(5)) / 2;
  const unitOctahedron = [0, 1, 2].flatMap((axis) =>
    signs.map((sign) => [0, 1, 2].map((n) => (n === axis ? sign : 0)) as unknown as Vec3),
  );
  const icosahedron = signs.flatMap((a) =>
    signs.flatMap((b): Vec3[] => [
      [0, a, b * phi],
      [a, b * phi, 0],
      [b * phi, 0, a],
    ]),
  );
  const cuboctahedron = signs.flatMap((a) =>
    signs.flatMap((b): Vec3[] => [
      [0, a, b],
      [a, b, 0],
      [a, 0, b],
    ]),
  );
  const tetrahedron = cube.filter(([x, y, z]) => x * y * z > 0);

  /**
   * Six times the volume is the sum of the triple products of all triangles, oriented outwards (divergence
   * theorem).
   */
  const volumeOf = (faces: readonly HullFace[], corners: readonly Vec3[]): number =>
    faces
      .flatMap(triangles)
      .reduce((sum, [a, b, c]) => sum + dot3(corners[a], cross3(corners[b], corners[c])), 0) / 6;

  // Edges 2, √2, 2, √2 and 2√2; volumes of H. S. M. Coxeter, Regular Polytopes (1973), table I.
  it.each([
    ['cube', cube, 6, 12, 8],
    ['octahedron', unitOctahedron, 8, 12, 4 / 3],
    ['icosahedron', icosahedron, 20, 30, (10 * (3 + Math.sqrt(5))) / 3],
    ['cuboctahedron', cuboctahedron, 14, 24, 20 / 3],
    ['tetrahedron', tetrahedron, 4, 6, 8 / 3],
  ])(
    'the %s has its faces, edges and volume after a rotation, a shift and a permutation of its corners',
    (_, given, faceCount, edgeCount, volume) => {
      for (let round = 0; round < 4; round++) {
        const [c, s] = [Math.cos(7 * random()), 0];
        const turn = Math.sqrt(1 - c * c) + s;
        const origin = vector();
        const corners = shuffled(given).map(
          ([x, y, z]): Vec3 => [c * x - turn * y + origin[0], turn * x + c * y + origin[1], z + origin[2]],
        );
        const faces = polyhedronFaces(corners);
        expect(faces).toHaveLength(faceCount);
        expect(polyhedronEdges(faces)).toHaveLength(edgeCount);
        expect(volumeOf(faces, corners)).toBeCloseTo(volume, 9);
        // Every edge lies between two faces and is traversed once in each direction.
        const passed = faces.flatMap(({ corners: own }) =>
          own.map((from, at) => `${from} ${own[(at + 1) % own.length]}`),
        );
        expect(new Set(passed).size).toBe(2 * edgeCount);
        for (const { normal, corners: own } of faces) {
          expect(norm3(normal)).toBeCloseTo(1, 12);
          for (const corner of corners)
            expect(dot3(normal, subtract3(corner, corners[own[0]]))).toBeLessThan(1e-9);
        }
      }
    },
  );
});

describe('createSiteIndex', () => {
  it('finds the nearest position within the tolerance, as comparing all positions does', () => {
    let hits = 0;
    for (let round = 0; round < 20; round++) {
      const lattice = oblique();
      const tolerance = 0.02 + 0.6 * random();
      const index = createSiteIndex(lattice, tolerance);
      const positions = Array.from({ length: 30 }, vector);
      positions.forEach((position, number) => expect(index.add(position)).toBe(number));
      for (let query = 0; query < 60; query++) {
        const near = positions[query % 30];
        const asked =
          query < 30
            ? vector()
            : (near.map((x) => wrapFraction(x + 0.1 * (random() - 0.5))) as unknown as Vec3);
        const distances = positions.map((position) => {
          const images = [-1, 0, 1].flatMap((i) =>
            [-1, 0, 1].flatMap((j) => [-1, 0, 1].map((k): Vec3 => [i, j, k])),
          );
          return Math.min(
            ...images.map((n) =>
              norm3(
                rowTimesMatrix3(
                  [
                    position[0] - asked[0] + n[0],
                    position[1] - asked[1] + n[1],
                    position[2] - asked[2] + n[2],
                  ],
                  lattice,
                ),
              ),
            ),
          );
        });
        const least = Math.min(...distances);
        if (least <= tolerance) hits++;
        expect(index.find(asked)).toBe(least <= tolerance ? distances.indexOf(least) : -1);
      }
    }
    expect(hits).toBeGreaterThan(200);
  });

  it('wraps positions into the cell by whole lattice translations', () => {
    for (let round = 0; round < 200; round++) {
      const value = 20 * (random() - 0.5);
      const wrapped = wrapFraction(value);
      expect(wrapped >= 0 && wrapped < 1).toBe(true);
      expect(Math.abs(value - wrapped - Math.round(value - wrapped))).toBeLessThan(1e-9);
    }
    expect([0, 1, -1, -1e-17, 1 - 1e-17].map(wrapFraction)).toEqual([0, 0, 0, 0, 0]);
  });
});

describe('file texts', () => {
  it('reading extended XYZ back gives the same cell and atoms', () => {
    for (let round = 0; round < 20; round++) {
      const structure: Structure = {
        latticeVectors: oblique(),
        sites: ['Ti', 'O', 'O', 'Cs'].map((element) => orderedSite(element, vector())),
      };
      const [count, head, ...rows] = writeXyz(structure, { info: { note: 'a "b"\nc\\' } })
        .trimEnd()
        .split('\n');
      expect([Number(count), rows.length]).toEqual([4, 4]);
      expect(head).toContain(String.raw`note="a \"b\" c\\"`);
      const numbers = /Lattice="([^"]*)"/.exec(head)![1].split(' ').map(Number);
      structure.latticeVectors.flat().forEach((x, at) => expect(numbers[at]).toBeCloseTo(x, 9));
      rows.forEach((row, at) => {
        const [element, ...position] = row.split(' ');
        const { species, fractionalCoords } = structure.sites[at];
        expect(element).toBe(species[0].element);
        rowTimesMatrix3(fractionalCoords, structure.latticeVectors).forEach((x, axis) =>
          expect(Number(position[axis])).toBeCloseTo(x, 9),
        );
      });
    }
  });

  it('writeXyz refuses a structure that XYZ cannot express', () => {
    const half = { species: [{ element: 'O', occupancy: 0.5 }], fractionalCoords: [0, 0, 0] as const };
    expect(() => writeXyz({ ...rutile, sites: [half] })).toThrow(
      expect.objectContaining({ code: 'structure' }),
    );
    expect(() => writeXyz({ ...rutile, sites: [] })).toThrow(expect.objectContaining({ code: 'structure' }));
  });

  it('an operation whose translation is not a number is refused with that reason', () => {
    expect(() => parseSymmetryOperation('x,y,z+1/0')).toThrow(/no denominator/);
    expect(() => parseSymmetryOperation(`x,y,z+${'9'.repeat(400)}`)).toThrow(/not a finite number/);
  });

  it('a Hall symbol whose rotations do not close to a group is refused without an endless loop', () => {
    // No lattice has a sixfold axis along z and a fourfold one along x.
    expect(() => operationsFromHallSymbol('P 6 4')).toThrow(/no space group/);
    expect(operationsFromHallSymbol('-F 4 2 3')).toHaveLength(192);
  });
});
