/**
 * The surface on which periodic data have a given value, as triangles: marching tetrahedra with linear interpolation.
 * (3Dmol's own surfaces are drawn through grid points and then smoothed, so they are not at the requested level.) Each
 * cube of the grid is cut into the six tetrahedra about its main diagonal (H. Freudenthal 1942), which fit together
 * from cube to cube. There are no ambiguous cases.
 */
import {
  add3,
  cross3,
  dot3,
  inverse3,
  type Mat3,
  norm3,
  rowTimesMatrix3,
  scale3,
  subtract3,
  transpose3,
  type Vec3,
} from '@unitcell/numerics';

const ORIGIN: Vec3 = [0, 0, 0];

export type Sizes = readonly [number, number, number];

/** Values of the points of one period; the index along a runs fastest. */
export interface Grid {
  readonly sizes: Sizes;
  readonly values: Float32Array;
}

export interface Surface {
  /** Vertices in Å, and unit normals that point to lower values. */
  readonly vertices: readonly Vec3[];
  readonly normals: readonly Vec3[];
  /** Three vertices per face. */
  readonly faces: readonly number[];
}

/** Corners of a cube by the bits of their numbers: 1 along a, 2 along b, 4 along c. */
const TETRAHEDRA = [
  [0, 1, 3, 7],
  [0, 1, 5, 7],
  [0, 2, 3, 7],
  [0, 2, 6, 7],
  [0, 4, 5, 7],
  [0, 4, 6, 7],
] as const;

const pointAt = ([i, j, k]: Vec3, corner: number): Vec3 => [
  i + (corner & 1),
  j + ((corner >> 1) & 1),
  k + (corner >> 2),
];

/** An edge of a cube by its ends, the smaller number first. */
type Edge = readonly [from: number, to: number];
type Triangle = readonly [Edge, Edge, Edge];

const madeTriangles: (readonly Triangle[] | undefined)[] = [];

/** The triangles of the surface in a cube, by the bits of the cube's corners that are inside the surface. */
function trianglesOf(inside: number): readonly Triangle[] {
  const known = madeTriangles[inside];
  if (known) return known;
  const triangles = TETRAHEDRA.flatMap((corners): Triangle[] => {
    const above = corners.filter((corner) => (inside >> corner) & 1);
    const below = corners.filter((corner) => !((inside >> corner) & 1));
    const [a, b, c, d] = above.flatMap((one) =>
      below.map((other): Edge => [Math.min(one, other), Math.max(one, other)]),
    );
    if (!a || !b || !c) return [];
    // The surface cuts three edges if it separates one corner from three, and four if it separates two from two.
    return d
      ? [
          [a, b, d],
          [a, d, c],
        ]
      : [[a, b, c]];
  });
  madeTriangles[inside] = triangles;
  return triangles;
}

/** The value between grid points, `place` in units of the cell, by linear interpolation along the three axes. */
export function valueAt({ sizes: [na, nb, nc], values }: Grid, [x, y, z]: Vec3): number {
  const [u, v, w] = [(x - Math.floor(x)) * na, (y - Math.floor(y)) * nb, (z - Math.floor(z)) * nc];
  const [i, j, k] = [Math.floor(u), Math.floor(v), Math.floor(w)];
  let sum = 0;
  for (let corner = 0; corner < 8; corner++) {
    const [di, dj, dk] = [corner & 1, (corner >> 1) & 1, corner >> 2];
    const weight = Math.abs((1 - di - u + i) * (1 - dj - v + j) * (1 - dk - w + k));
    const at = ((i + di) % na) + na * (((j + dj) % nb) + nb * ((k + dk) % nc));
    sum += weight * (values[at] ?? 0);
  }
  return sum;
}

/** Resamples data to a grid of at most `most` points along each edge. */
export function coarserGrid(grid: Grid, most: number): Grid {
  if (grid.sizes.every((size) => size <= most)) return grid;
  const bounded = (size: number): number => Math.min(size, most);
  const [na, nb, nc] = [bounded(grid.sizes[0]), bounded(grid.sizes[1]), bounded(grid.sizes[2])];
  const values = new Float32Array(na * nb * nc);
  for (let k = 0; k < nc; k++)
    for (let j = 0; j < nb; j++)
      for (let i = 0; i < na; i++) values[i + na * (j + nb * k)] = valueAt(grid, [i / na, j / nb, k / nc]);
  return { sizes: [na, nb, nc], values };
}

/**
 * The surface of one cell, cut off at its faces.
 * @param cell rows a, b, c in Å
 * @param sign 1: encloses values above `level`; -1: values below `-level`
 */
export function isosurface({ sizes, values }: Grid, cell: Mat3, level: number, sign: 1 | -1 = 1): Surface {
  const [na, nb, nc] = sizes;
  const vertices: Vec3[] = [];
  const normals: Vec3[] = [];
  const faces: number[] = [];
  const valueOf = (i: number, j: number, k: number): number =>
    sign * (values[((i + na) % na) + na * (((j + nb) % nb) + nb * ((k + nc) % nc))] ?? 0) - level;
  const indexOf = (i: number, j: number, k: number): number => i + (na + 1) * (j + (nb + 1) * k);
  // One extra plane on each side repeats the first plane, so that the loop below needs no periodic indices.
  const isInside = new Uint8Array((na + 1) * (nb + 1) * (nc + 1));
  for (let k = 0; k <= nc; k++)
    for (let j = 0; j <= nb; j++)
      for (let i = 0; i <= na; i++) isInside[indexOf(i, j, k)] = valueOf(i, j, k) > 0 ? 1 : 0;
  const offsets = Array.from({ length: 8 }, (_, corner) =>
    indexOf(corner & 1, (corner >> 1) & 1, corner >> 2),
  );
  const toNormal = transpose3(inverse3(cell));
  const slopes = new Map<number, Vec3>();
  const downhill = (i: number, j: number, k: number): Vec3 => {
    const index = indexOf(i, j, k);
    const known = slopes.get(index);
    if (known) return known;
    const slope = rowTimesMatrix3(
      [
        (valueOf(i - 1, j, k) - valueOf(i + 1, j, k)) * na,
        (valueOf(i, j - 1, k) - valueOf(i, j + 1, k)) * nb,
        (valueOf(i, j, k - 1) - valueOf(i, j, k + 1)) * nc,
      ],
      toNormal,
    );
    slopes.set(index, slope);
    return slope;
  };
  // A vertex lies on the edge from a point to one of seven neighbours, and is shared by all tetrahedra at the edge.
  const made = new Map<number, number>();
  const vertexOn = (cube: Vec3, [from, to]: Edge): number => {
    const p = pointAt(cube, from);
    const key = indexOf(...p) * 8 + (to ^ from);
    const known = made.get(key);
    if (known !== undefined) return known;
    const q = pointAt(cube, to);
    const [low, high] = [valueOf(...p), valueOf(...q)];
    const mix = (a: Vec3, b: Vec3): Vec3 => add3(a, scale3(subtract3(b, a), low / (low - high)));
    const slope = mix(downhill(...p), downhill(...q));
    const [x, y, z] = mix(p, q);
    made.set(key, vertices.length);
    vertices.push(rowTimesMatrix3([x / na, y / nb, z / nc], cell));
    normals.push(scale3(slope, 1 / (norm3(slope) || 1)));
    return vertices.length - 1;
  };
  const addFace = (a = 0, b = 0, c = 0): void => {
    const [p = ORIGIN, q = ORIGIN, r = ORIGIN] = [vertices[a], vertices[b], vertices[c]];
    const outwards = add3(normals[a] ?? ORIGIN, add3(normals[b] ?? ORIGIN, normals[c] ?? ORIGIN));
    if (dot3(cross3(subtract3(q, p), subtract3(r, p)), outwards) >= 0) faces.push(a, b, c);
    else faces.push(a, c, b);
  };
  for (let k = 0; k < nc; k++)
    for (let j = 0; j < nb; j++)
      for (let i = 0; i < na; i++) {
        // Bits of the corners that lie inside.
        let inside = 0;
        const first = indexOf(i, j, k);
        for (let corner = 0; corner < 8; corner++)
          inside |= (isInside[first + (offsets[corner] ?? 0)] ?? 0) << corner;
        if (inside === 0 || inside === 255) continue;
        const cube: Vec3 = [i, j, k];
        for (const triangles of trianglesOf(inside))
          addFace(vertexOn(cube, triangles[0]), vertexOn(cube, triangles[1]), vertexOn(cube, triangles[2]));
      }
  return { vertices, normals, faces };
}
