/**
 * The first Brillouin zone: all points nearer to the origin than to any other reciprocal lattice point.
 *
 * Every face bisects one of at most 14 lattice vectors, the sums of proper subsets of an obtuse superbase
 * (Conway & Sloane, doi:10.1098/rspa.1992.0004). Vertices are the intersections of three such planes that no
 * other plane cuts off. The work is therefore the same for oblique and cubic cells. All coordinates are
 * Cartesian, 1/Å with 2π, in the frame of the given reciprocal lattice.
 */
import {
  add3,
  cross3,
  determinant3,
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
import type { KPath } from './k-path.ts';
import { obtuseSuperbase } from '@unitcell/crystal';
import { SymmetryError } from './symmetry-error.ts';

/**
 * Corners nearer than this fraction of the longest face vector are one vertex; the difference is invisible when drawn.
 */
export const VERTEX_TOLERANCE = 1e-6;

/**
 * Fraction of the longest face vector by which a corner may lie outside a plane and still count as on it. It
 * covers the rounding of cells given to 8 digits.
 */
export const PLANE_TOLERANCE = 1e-7;

export interface BrillouinZoneFace {
  /** Indices into `vertices`, counter-clockwise seen from outside. */
  readonly vertices: readonly number[];
  /** The reciprocal lattice point beyond the face, in integer reciprocal lattice vectors. */
  readonly hkl: Vec3;
  /** Half of that lattice point: the foot of the perpendicular from Γ onto the face. */
  readonly midpoint: Vec3;
}

export interface BrillouinZone {
  readonly vertices: readonly Vec3[];
  /** Pairs of indices into `vertices`, each edge once. */
  readonly edges: readonly (readonly [number, number])[];
  readonly faces: readonly BrillouinZoneFace[];
  /** 1/Å³. */
  readonly volume: number;
}

/**
 * The Wigner–Seitz cell of a reciprocal lattice (rows, 1/Å with 2π).
 * @throws SymmetryError when the lattice vectors are not finite or span no volume.
 * @example brillouinZone(kPath(rockSalt).reciprocalLattice).faces.length // 14
 */
export function brillouinZone(reciprocalLattice: Mat3): BrillouinZone {
  const volume = Math.abs(determinant3(reciprocalLattice));
  if (!(volume > 0 && Number.isFinite(volume)))
    throw new SymmetryError(
      'flat-cell',
      `the reciprocal lattice has volume ${volume}: expected three independent vectors`,
    );
  const normals = faceVectors(reciprocalLattice);
  const corners = cornersOf(normals);
  const vertices = corners.map(({ position }) => position);
  const toIndices = inverse3(reciprocalLattice);
  const faces = normals.flatMap((normal, plane) => {
    const onPlane = vertices.flatMap((_vertex, index) => (corners[index].planes.has(plane) ? [index] : []));
    if (onPlane.length < 3) return [];
    const ring = ringOf(normal, onPlane, vertices);
    const [h, k, l] = rowTimesMatrix3(normal, toIndices);
    const hkl: Vec3 = [Math.round(h), Math.round(k), Math.round(l)];
    return [{ vertices: ring, hkl, midpoint: scale3(normal, 0.5) }];
  });
  return { vertices, edges: edgesOf(faces), faces, volume };
}

/**
 * The reciprocal lattice vectors that may define a face: ± the seven sums of one or two superbase vectors.
 */
function faceVectors(lattice: Mat3): Vec3[] {
  const [p, q, r, s] = obtuseSuperbase(lattice);
  const half = [p, q, r, s, add3(p, q), add3(p, r), add3(q, r)];
  return [...half, ...half.map((vector) => scale3(vector, -1))];
}

/** A vertex, and the planes (indices of face vectors) that meet in it. */
interface Corner {
  readonly position: Vec3;
  readonly planes: Set<number>;
}

function cornersOf(normals: readonly Vec3[]): Corner[] {
  const found: Corner[] = [];
  const scale = Math.max(...normals.map(norm3));
  const slack = PLANE_TOLERANCE * scale ** 2;
  for (let i = 0; i < normals.length; i++)
    for (let j = i + 1; j < normals.length; j++)
      for (let k = j + 1; k < normals.length; k++) {
        const planes: Mat3 = [normals[i], normals[j], normals[k]];
        if (Math.abs(determinant3(planes)) < VERTEX_TOLERANCE * scale ** 3) continue;
        // The common point x of three planes, where x · n = |n|²/2 for each face vector n.
        const heights: Vec3 = [height(normals[i]), height(normals[j]), height(normals[k])];
        const position = rowTimesMatrix3(heights, transpose3(inverse3(planes)));
        if (normals.some((normal) => dot3(position, normal) > height(normal) + slack)) continue;
        const known = found.find(
          (other) => norm3(subtract3(other.position, position)) < VERTEX_TOLERANCE * scale,
        );
        if (known) for (const plane of [i, j, k]) known.planes.add(plane);
        else found.push({ position, planes: new Set([i, j, k]) });
      }
  return found;
}

const height = (normal: Vec3): number => dot3(normal, normal) / 2;

/** The vertices of one face in counter-clockwise order seen from outside. */
function ringOf(normal: Vec3, onPlane: readonly number[], vertices: readonly Vec3[]): number[] {
  const sum = onPlane.reduce<Vec3>((total, index) => add3(total, vertices[index]), [0, 0, 0]);
  const centre = scale3(sum, 1 / onPlane.length);
  const u = subtract3(vertices[onPlane[0]], centre);
  const v = cross3(normal, u);
  const angle = (index: number): number => {
    const arm = subtract3(vertices[index], centre);
    return Math.atan2(dot3(arm, v) / norm3(v), dot3(arm, u) / norm3(u));
  };
  return onPlane
    .map((index) => ({ index, at: angle(index) }))
    .toSorted((first, second) => first.at - second.at)
    .map(({ index }) => index);
}

function edgesOf(faces: readonly BrillouinZoneFace[]): [number, number][] {
  const edges = new Map<string, [number, number]>();
  for (const { vertices } of faces)
    vertices.forEach((from, position) => {
      const to = vertices[(position + 1) % vertices.length];
      const edge: [number, number] = from < to ? [from, to] : [to, from];
      edges.set(edge.join(), edge);
    });
  return [...edges.values()];
}

export interface KPathInZone {
  readonly zone: BrillouinZone;
  /** Cartesian position of each labelled point. */
  readonly points: Readonly<Record<string, Vec3>>;
  /** The path as lines from one labelled point to the next. */
  readonly lines: readonly {
    readonly from: string;
    readonly to: string;
    readonly ends: readonly [Vec3, Vec3];
  }[];
}

/** Zone, labelled points and path in one Cartesian frame (1/Å with 2π), ready to draw. */
export function kPathInBrillouinZone(path: KPath): KPathInZone {
  const points = Object.fromEntries(
    Object.entries(path.points).map(([label, point]) => [
      label,
      rowTimesMatrix3(point, path.reciprocalLattice),
    ]),
  );
  return {
    zone: brillouinZone(path.reciprocalLattice),
    points,
    lines: path.segments.map(({ from, to }) => ({ from, to, ends: [points[from], points[to]] })),
  };
}
