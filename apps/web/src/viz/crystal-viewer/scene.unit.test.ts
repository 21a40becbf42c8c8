import { orderedSite, type Structure } from '@unitcell/crystal';
import { dot3, subtract3, type Vec3 } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { polyhedronEdges, polyhedronFaces, triangles } from './polyhedron-faces.ts';
import { ATOM_BUDGET, buildScene, describeCoordination, repeatsFor } from './scene.ts';

/** Rutile, u = 0.305 (Howard et al., Acta Cryst. B47 (1991) 462, rounded). */
const u = 0.305;
const rutile: Structure = {
  latticeVectors: [
    [4.594, 0, 0],
    [0, 4.594, 0],
    [0, 0, 2.959],
  ],
  sites: [
    orderedSite('Ti', [0, 0, 0]),
    orderedSite('Ti', [0.5, 0.5, 0.5]),
    orderedSite('O', [u, u, 0]),
    orderedSite('O', [1 - u, 1 - u, 0]),
    orderedSite('O', [0.5 - u, 0.5 + u, 0.5]),
    orderedSite('O', [0.5 + u, 0.5 - u, 0.5]),
  ],
};

const corners = [-1, 1];
const cube: Vec3[] = corners.flatMap((x) => corners.flatMap((y) => corners.map((z): Vec3 => [x, y, z])));
const octahedron: Vec3[] = [0, 1, 2].flatMap((axis) =>
  corners.map((sign) => [0, 0, 0].map((_, i) => (i === axis ? 2 * sign : 0)) as unknown as Vec3),
);

describe('polyhedronFaces', () => {
  it('a cube has 6 squares and 12 edges, an octahedron 8 triangles and 12 edges', () => {
    expect(polyhedronFaces(cube).map((face) => face.corners.length)).toEqual([4, 4, 4, 4, 4, 4]);
    expect(polyhedronEdges(polyhedronFaces(cube))).toHaveLength(12);
    expect(polyhedronFaces(octahedron).map((face) => face.corners.length)).toEqual(Array(8).fill(3));
    expect(polyhedronEdges(polyhedronFaces(octahedron))).toHaveLength(12);
  });

  it('Euler holds and every corner lies behind every face', () => {
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
          expect(dot3(normal, subtract3(point, points[first ?? 0] as Vec3))).toBeLessThan(1e-9);
    }
  });

  it('flat and tiny sets enclose nothing', () => {
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

  it('triangles cover a polygon with n corners by n − 2', () => {
    for (const face of polyhedronFaces(cube)) expect(triangles(face)).toHaveLength(2);
  });
});

describe('buildScene', () => {
  it('one cell of rutile repeats the atoms on its faces: 9 Ti and 6 O', () => {
    const { atoms } = buildScene(rutile, 1);
    const inside = atoms.filter((atom) => !atom.isCorner);
    expect(inside.filter((atom) => atom.element === 'Ti')).toHaveLength(9);
    expect(inside.filter((atom) => atom.element === 'O')).toHaveLength(6);
  });

  it('every polyhedron of rutile is a whole octahedron around a drawn titanium', () => {
    const { polyhedra, atoms } = buildScene(rutile, 2);
    const titanium = atoms.filter((atom) => atom.element === 'Ti' && !atom.isCorner);
    expect(polyhedra).toHaveLength(titanium.length);
    expect(polyhedra.every((polyhedron) => polyhedron.faces.length === 8)).toBe(true);
  });

  it('bonds join drawn atoms at bond length, each once', () => {
    const { atoms, bonds } = buildScene(rutile, 2);
    const keys = new Set(bonds.map((pair) => pair.toSorted((a, b) => a - b).join(' ')));
    expect(keys.size).toBe(bonds.length);
    for (const [from, to] of bonds) {
      const [a, b] = [atoms[from], atoms[to]];
      const d = Math.hypot(...subtract3(a?.position ?? [0, 0, 0], b?.position ?? [9, 9, 9]));
      expect(d).toBeGreaterThan(1.9);
      expect(d).toBeLessThan(2.0);
    }
  });

  it('does not change when sites are shifted by lattice vectors', () => {
    const moved: Structure = {
      ...rutile,
      sites: rutile.sites.map((site) => ({
        ...site,
        fractionalCoords: site.fractionalCoords.map((x) => x - 2) as unknown as Vec3,
      })),
    };
    expect(buildScene(moved, 1).atoms).toHaveLength(buildScene(rutile, 1).atoms.length);
    expect(buildScene(moved, 1).bonds).toHaveLength(buildScene(rutile, 1).bonds.length);
  });

  it('corners of polyhedra stay within the atom budget, and every polyhedron drawn is whole', () => {
    // 6 × 6 × 6 cells of rutile in one: 1,296 sites.
    const n = 6;
    const cells = Array.from(
      { length: n ** 3 },
      (_, i): Vec3 => [i % n, Math.floor(i / n) % n, Math.floor(i / n ** 2)],
    );
    const large: Structure = {
      latticeVectors: rutile.latticeVectors.map((row) =>
        row.map((x) => x * n),
      ) as unknown as Structure['latticeVectors'],
      sites: cells.flatMap((cell) =>
        rutile.sites.map((site) => ({
          ...site,
          fractionalCoords: site.fractionalCoords.map(
            (x, axis) => (x + (cell[axis] ?? 0)) / n,
          ) as unknown as Vec3,
        })),
      ),
    };
    const { atoms, polyhedra } = buildScene(large);
    const inCell = atoms.filter((atom) => !atom.isCorner);
    expect(inCell.length).toBeGreaterThanOrEqual(1296);
    expect(atoms.length).toBeLessThanOrEqual(Math.max(ATOM_BUDGET, inCell.length));
    expect(polyhedra.length).toBeGreaterThan(0);
    expect(polyhedra.every(({ vertices }) => vertices.length === 6)).toBe(true);
  });

  it('draws nothing for no sites', () => {
    expect(buildScene({ ...rutile, sites: [] })).toMatchObject({ atoms: [], bonds: [], polyhedra: [] });
  });
});

describe('repeatsFor', () => {
  it('draws two cells a side up to twenty sites, within the atom budget', () => {
    expect(repeatsFor(20)).toBe(2);
    expect(repeatsFor(21)).toBe(1);
    expect(20 * 27).toBeLessThanOrEqual(ATOM_BUDGET);
  });
});

describe('describeCoordination', () => {
  it('says what surrounds what', () => {
    expect(describeCoordination(rutile)).toEqual(['TiO6']);
  });
});
