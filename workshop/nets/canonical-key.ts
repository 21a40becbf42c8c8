/**
 * A key that two stable periodic nets share exactly when they are isomorphic (with their periodicity).
 *
 * In the barycentric placement a net is drawn from one site and two of its edges: take those edges as the frame,
 * visit sites breadth first with the edges of each site sorted by direction in the frame, and write the edges in the
 * order met. The lattice part is made independent of the cell by its Hermite normal form. The smallest text over all
 * frames is the key. Source: O. Delgado-Friedrichs, M. O'Keeffe, Acta Cryst. A59 (2003) 351.
 */
import {
  determinant2,
  edgeVector,
  inverse2,
  type Mat2,
  type PeriodicGraph,
  rowTimesMatrix2,
  type Spoke,
  spokesOf,
  type Vec2,
} from '@unitcell/tight-binding';
import { barycentricPositions, isStable } from './barycentric.ts';

/** Edge directions are compared as whole multiples of this: placements are rational with small denominators. */
export const DIRECTION_RESOLUTION = 1e-7;
/** Smallest determinant of two edges (cell units) that still span the plane. */
export const SPAN_TOLERANCE = 1e-6;

/** Vectors of the spokes of every site in the placement. */
export function spokeVectors(positions: readonly Vec2[], spokes: readonly (readonly Spoke[])[]): Vec2[][] {
  return spokes.map((own, site) => own.map(({ to, dx, dy }) => edgeVector([site, to, dx, dy], positions)));
}

/**
 * Canonical key of a net whose barycentric placement keeps all sites apart.
 * @throws Error when sites coincide in equilibrium or the net is not connected.
 */
export function canonicalKey(graph: PeriodicGraph): string {
  const positions = barycentricPositions(graph);
  if (!isStable(positions))
    throw new Error('two sites of the net coincide in equilibrium: it has no canonical key');
  const spokes = spokesOf(graph);
  const vectors = spokeVectors(positions, spokes);
  let best: number[] | undefined;
  for (let site = 0; site < graph.siteCount; site++)
    for (const e1 of vectors[site])
      for (const e2 of vectors[site]) {
        const frame: Mat2 = [e1, e2];
        if (Math.abs(determinant2(frame)) < SPAN_TOLERANCE) continue;
        const code = traverse(graph, spokes, vectors, site, inverse2(frame));
        if (!best || isSmaller(code, best)) best = code;
      }
  // Nets in which no site spans the plane (chains through sites of degree 2 only) have no frame of this kind.
  if (!best) throw new Error('no site of the net has two edges in different directions');
  return `${graph.siteCount}:${best.join(' ')}`;
}

function isSmaller(a: readonly number[], b: readonly number[]): boolean {
  for (let k = 0; k < a.length; k++) if (a[k] !== b[k]) return a[k] < b[k];
  return false;
}

function traverse(
  graph: PeriodicGraph,
  spokes: readonly (readonly Spoke[])[],
  vectors: readonly (readonly Vec2[])[],
  start: number,
  toFrame: Mat2,
): number[] {
  const number = new Int32Array(graph.siteCount).fill(-1);
  const cell: Vec2[] = [];
  number[start] = 0;
  cell[start] = [0, 0];
  const order = [start];
  const seen = new Uint8Array(graph.edges.length);
  const ends: number[] = [];
  const shifts: [number, number][] = [];
  for (const site of order) {
    const sorted = spokes[site]
      .map((spoke, k) => ({
        spoke,
        direction: rowTimesMatrix2(vectors[site][k], toFrame).map((x) =>
          Math.round(x / DIRECTION_RESOLUTION),
        ),
      }))
      .sort((a, b) => a.direction[0] - b.direction[0] || a.direction[1] - b.direction[1]);
    for (const { spoke } of sorted) {
      const { to, dx, dy, edge } = spoke;
      const own = cell[site];
      if (number[to] === -1) {
        number[to] = order.length;
        cell[to] = [own[0] + dx, own[1] + dy];
        order.push(to);
      }
      if (seen[edge]) continue;
      seen[edge] = 1;
      ends.push(number[site], number[to]);
      shifts.push([own[0] + dx - cell[to][0], own[1] + dy - cell[to][1]]);
    }
  }
  hermiteColumns(shifts);
  return shifts.flatMap(([x, y], k) => [ends[2 * k], ends[2 * k + 1], x, y]);
}

/** Brings integer rows to the column Hermite normal form, the same for every basis of the lattice; in place. */
function hermiteColumns(rows: [number, number][]): void {
  const combine = (target: 0 | 1, source: 0 | 1, factor: number) => {
    for (const row of rows) row[target] -= factor * row[source];
  };
  const swap = () => rows.forEach((row) => row.reverse());
  const negate = (column: 0 | 1) => rows.forEach((row) => (row[column] = 0 - row[column]));
  const first = rows.find(([x, y]) => x !== 0 || y !== 0);
  if (!first) return;
  while (first[1] !== 0) {
    if (first[0] !== 0) combine(1, 0, Math.floor(first[1] / first[0]));
    if (first[1] !== 0) swap();
  }
  if (first[0] < 0) negate(0);
  const second = rows.find(([, y]) => y !== 0);
  if (!second) return;
  if (second[1] < 0) negate(1);
  combine(0, 1, Math.floor(second[0] / second[1]));
  // Rows without a lattice part must not depend on the sign of zero.
  for (const row of rows) {
    row[0] += 0;
    row[1] += 0;
  }
}
