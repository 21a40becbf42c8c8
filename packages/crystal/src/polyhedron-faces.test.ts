import { dot3, subtract3, type Vec3 } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import { polyhedronEdges, polyhedronFaces, triangles } from './polyhedron-faces.ts';

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
          expect(dot3(normal, subtract3(point, points[first ?? 0]))).toBeLessThan(1e-9);
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
