/**
 * Equilibrium placement: every site at the mean of its neighbours, with the first site at the origin.
 *
 * The placement is unique, keeps every symmetry of the net, and for the three-connected plane nets draws the
 * faces convex (Tutte). Source: O. Delgado-Friedrichs, M. O'Keeffe, Acta Cryst. A59 (2003) 351.
 */
import { edgeVector, type PeriodicGraph, type Vec2 } from '@unitcell/tight-binding';
import type { PlanarMap } from './unfold.ts';

/** Two sites closer than this (in cell units) coincide: placements are solved to about 1e-14. */
export const COINCIDENCE_TOLERANCE = 1e-7;
/** A pivot below this is zero: entries are integer numbers of links. */
const SINGULAR_PIVOT = 1e-12;
/** Tolerance, in cells, on the total area of the faces of a tiling. */
const AREA_TOLERANCE = 1e-6;

/**
 * Fractional positions in equilibrium.
 * @throws Error when the net is not connected.
 */
export function barycentricPositions({ siteCount, edges }: PeriodicGraph): Vec2[] {
  const n = siteCount - 1;
  const rows = Array.from({ length: n }, () => new Float64Array(n + 2));
  const add = (site: number, other: number, dx: number, dy: number) => {
    if (site === 0) return;
    const row = rows[site - 1];
    row[site - 1] += 1;
    if (other > 0) row[other - 1] -= 1;
    row[n] += dx;
    row[n + 1] += dy;
  };
  for (const [i, j, dx, dy] of edges) {
    add(i, j, dx, dy);
    add(j, i, -dx, -dy);
  }
  for (let column = 0; column < n; column++) {
    let pivot = column;
    for (let k = column + 1; k < n; k++)
      if (Math.abs(rows[k][column]) > Math.abs(rows[pivot][column])) pivot = k;
    if (Math.abs(rows[pivot][column]) < SINGULAR_PIVOT) throw new Error('the net falls into separate pieces');
    [rows[column], rows[pivot]] = [rows[pivot], rows[column]];
    const own = rows[column];
    for (let k = 0; k < n; k++) {
      const factor = rows[k][column] / own[column];
      if (k === column || factor === 0) continue;
      for (let c = column; c < n + 2; c++) rows[k][c] -= factor * own[c];
    }
  }
  return [[0, 0], ...rows.map((row, k): Vec2 => [row[n] / row[k], row[n + 1] / row[k]])];
}

/** True when no two sites of the placement coincide (the net is stable in Systre's sense). */
export function isStable(positions: readonly Vec2[]): boolean {
  const apart = (a: Vec2, b: Vec2) =>
    [0, 1].some((axis) => {
      const d = a[axis as 0 | 1] - b[axis as 0 | 1];
      return Math.abs(d - Math.round(d)) > COINCIDENCE_TOLERANCE;
    });
  return positions.every((a, i) => positions.slice(0, i).every((b) => apart(a, b)));
}

/** Corner points of a face, unwrapped from its first corner, in cell units. */
export function facePolygon(
  map: PlanarMap,
  positions: readonly Vec2[],
  face: PlanarMap['faces'][number],
): Vec2[] {
  let point: Vec2 = [0, 0];
  return face.map(({ edge, reversed }) => {
    const corner = point;
    const [x, y] = edgeVector(map.edges[edge], positions);
    point = reversed ? [point[0] - x, point[1] - y] : [point[0] + x, point[1] + y];
    return corner;
  });
}

/**
 * True when the placement draws the map without crossings: every edge has a length, every face turns in the
 * same direction at all its corners (straight corners allowed) and has winding number one.
 */
export function isConvexDrawing(map: PlanarMap, positions: readonly Vec2[]): boolean {
  let total = 0;
  const convex = map.faces.every((face) => {
    const corners = facePolygon(map, positions, face);
    let doubledArea = 0;
    let shortest = Number.POSITIVE_INFINITY;
    const turns = corners.map((a, k) => {
      const [b, c] = [corners[(k + 1) % corners.length], corners[(k + 2) % corners.length]];
      doubledArea += a[0] * b[1] - a[1] * b[0];
      shortest = Math.min(shortest, Math.hypot(b[0] - a[0], b[1] - a[1]));
      return (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]);
    });
    total += Math.abs(doubledArea) / 2;
    const sense = Math.sign(doubledArea);
    return (
      shortest > COINCIDENCE_TOLERANCE &&
      Math.abs(doubledArea) > COINCIDENCE_TOLERANCE &&
      turns.every((turn) => sense * turn > -COINCIDENCE_TOLERANCE)
    );
  });
  // With signs the face areas of any placement add up to one cell; without signs only if no face is inverted.
  return convex && Math.abs(total - 1) < AREA_TOLERANCE;
}
