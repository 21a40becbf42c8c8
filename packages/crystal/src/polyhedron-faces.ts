/**
 * Flat faces of the convex hull of a few points, as polygons, by trying every plane through three of them.
 * Coordination polyhedra have at most some two dozen corners, for which this is instant, and unlike an incremental
 * hull it has no trouble with the four corners of a cube's face.
 */
import { cross3, dot3, norm3, scale3, subtract3, type Vec3 } from '@unitcell/numerics';

export interface HullFace {
  /** Indices of the corners, counter-clockwise seen from outside. */
  readonly corners: readonly number[];
  /** Unit vector pointing outwards. */
  readonly normal: Vec3;
}

/** Å; corners this near a plane belong to the face. Real polyhedra are puckered a little. */
export const FLATNESS_TOLERANCE = 0.05;

/** Corners of a face in order around its normal, from the one with the smallest index. */
function around(corners: readonly number[], vertices: readonly Vec3[], normal: Vec3): readonly number[] {
  const points = corners.map((corner) => vertices[corner]);
  const middle = scale3(
    points.reduce<Vec3>((sum, p) => [sum[0] + p[0], sum[1] + p[1], sum[2] + p[2]], [0, 0, 0]),
    1 / points.length,
  );
  const x = subtract3(points[0], middle);
  const y = cross3(normal, x);
  const angle = (corner: number): number => {
    const arm = subtract3(vertices[corner], middle);
    const turn = Math.atan2(dot3(arm, y), dot3(arm, x));
    return turn < -1e-9 ? turn + 2 * Math.PI : turn;
  };
  return corners.toSorted((a, b) => angle(a) - angle(b));
}

/** The face in the plane of three corners, when all other corners lie behind it. */
function faceThrough(vertices: readonly Vec3[], a: Vec3, b: Vec3, c: Vec3): HullFace | null {
  const product = cross3(subtract3(b, a), subtract3(c, a));
  const length = norm3(product);
  // Three corners in a row span no plane; another triple does.
  if (length < FLATNESS_TOLERANCE) return null;
  const unit = scale3(product, 1 / length);
  const heights = vertices.map((vertex) => dot3(unit, subtract3(vertex, a)));
  const isBehind = heights.every((height) => height <= FLATNESS_TOLERANCE);
  const isInFront = heights.every((height) => height >= -FLATNESS_TOLERANCE);
  // All in one plane: no solid.
  if (isBehind === isInFront) return null;
  const normal = isBehind ? unit : scale3(unit, -1);
  const corners = heights.flatMap((height, index) => (Math.abs(height) <= FLATNESS_TOLERANCE ? [index] : []));
  return { corners: around(corners, vertices, normal), normal };
}

/** Faces of the hull; none when the points enclose no volume. */
export function polyhedronFaces(vertices: readonly Vec3[]): readonly HullFace[] {
  const faces = new Map<string, HullFace>();
  for (const [i, a] of vertices.entries())
    for (const [j, b] of vertices.entries())
      for (const [k, c] of vertices.entries()) {
        const face = i < j && j < k ? faceThrough(vertices, a, b, c) : null;
        if (face) faces.set(face.corners.toSorted((m, n) => m - n).join(' '), face);
      }
  return [...faces.values()];
}

/** A face as triangles, for renderers. */
export const triangles = ({ corners }: HullFace): readonly (readonly [number, number, number])[] =>
  corners.slice(2).map((third, at) => [corners[0], corners[at + 1], third] as const);

/** Edges of the polyhedron, each once. */
export function polyhedronEdges(faces: readonly HullFace[]): readonly (readonly [number, number])[] {
  const edges = new Map<string, readonly [number, number]>();
  for (const { corners } of faces)
    for (const [at, from] of corners.entries()) {
      const to = corners[(at + 1) % corners.length];
      const edge = from < to ? ([from, to] as const) : ([to, from] as const);
      edges.set(edge.join(' '), edge);
    }
  return [...edges.values()];
}
