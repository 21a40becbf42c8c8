/**
 * All symmetries of a periodic net, and all isomorphisms between two, found in their barycentric placements.
 *
 * Each symmetry is determined by the images of one site and two of its edges, and acts on fractional
 * coordinates as x → x·A + t with an integer matrix A; trying every image finds them all (modulo lattice
 * translations). Source: O. Delgado-Friedrichs, M. O'Keeffe, Acta Cryst. A59 (2003) 351.
 */
import {
  determinant2,
  edgeVector,
  inverse2,
  type Mat2,
  multiply2,
  type PeriodicGraph,
  rowTimesMatrix2,
  type Spoke,
  spokesOf,
  type Vec2,
} from '@unitcell/tight-binding';
import { barycentricPositions, COINCIDENCE_TOLERANCE } from './barycentric.ts';

/** Smallest determinant of two edges (cell units) that still span the plane. */
const SPAN_TOLERANCE = 1e-6;

export interface NetOperation {
  /** Integer matrix: row vectors of fractional coordinates are multiplied from the right. */
  readonly matrix: Mat2;
  readonly translation: Vec2;
  /** Site i of the cell maps to site `siteImages[i]` in the cell given by the next field. */
  readonly siteImages: readonly number[];
  /** Cell of the image of each site. */
  readonly cellImages: readonly Vec2[];
}

const isNear = (x: number, y: number) => Math.abs(x - y) < COINCIDENCE_TOLERANCE;

/** Vectors of the spokes of every site in the placement. */
export function spokeVectors(positions: readonly Vec2[], spokes: readonly (readonly Spoke[])[]): Vec2[][] {
  return spokes.map((own, site) => own.map(({ to, dx, dy }) => edgeVector([site, to, dx, dy], positions)));
}

/** Operations of the net modulo lattice translations, including the identity. */
export const netSymmetry = (graph: PeriodicGraph, positions: readonly Vec2[]): NetOperation[] =>
  isomorphisms(graph, positions, graph, positions);

/** Whether two nets are isomorphic as periodic graphs; their sites must be distinct in equilibrium. */
export const areIsomorphic = (one: PeriodicGraph, other: PeriodicGraph): boolean =>
  one.siteCount === other.siteCount &&
  one.edges.length === other.edges.length &&
  isomorphisms(one, barycentricPositions(one), other, barycentricPositions(other)).length > 0;

function isomorphisms(
  source: PeriodicGraph,
  positions: readonly Vec2[],
  graph: PeriodicGraph,
  target: readonly Vec2[],
): NetOperation[] {
  const sourceSpokes = spokesOf(source);
  const { site: origin, frame } = startingFrame(source, spokeVectors(positions, sourceSpokes));
  const spokes = spokesOf(graph);
  const vectors = spokeVectors(target, spokes);
  const fromFrame = inverse2(frame);
  const edgeKeys = new Set<string>();
  spokes.forEach((own, site) => own.forEach(({ to, dx, dy }) => edgeKeys.add(`${site},${to},${dx},${dy}`)));
  const found = new Map<string, NetOperation>();
  for (let image = 0; image < graph.siteCount; image++) {
    if (spokes[image].length !== sourceSpokes[origin].length) continue;
    for (const e1 of vectors[image])
      for (const e2 of vectors[image]) {
        const raw = multiply2(fromFrame, [e1, e2]);
        const matrix = raw.map((row) => row.map((x) => Math.round(x) + 0)) as unknown as Mat2;
        if (
          Math.abs(determinant2(matrix)) !== 1 ||
          !raw.every((row, r) => row.every((x, c) => isNear(x, matrix[r][c])))
        )
          continue;
        const moved = rowTimesMatrix2(positions[origin], matrix);
        const translation: Vec2 = [target[image][0] - moved[0], target[image][1] - moved[1]];
        const key = `${image};${matrix.join(';')}`;
        if (found.has(key)) continue;
        const operation = mapSites(positions, target, matrix, translation);
        if (operation && source.edges.every((edge) => edgeKeys.has(imageOfEdge(edge, operation))))
          found.set(key, operation);
      }
  }
  return [...found.values()];
}

/**
 * The site with the fewest edges among sites whose edges span the plane, and two of its edges that span the
 * plane.
 */
function startingFrame(
  graph: PeriodicGraph,
  vectors: readonly (readonly Vec2[])[],
): { site: number; frame: Mat2 } {
  const sites = Array.from({ length: graph.siteCount }, (_, site) => site).sort(
    (a, b) => vectors[a].length - vectors[b].length || a - b,
  );
  for (const site of sites) {
    const own = vectors[site];
    const second = own.find((e) => Math.abs(determinant2([own[0], e])) > SPAN_TOLERANCE);
    if (second) return { site, frame: [own[0], second] };
  }
  throw new Error('no site of the net has two edges in different directions');
}

function mapSites(
  positions: readonly Vec2[],
  target: readonly Vec2[],
  matrix: Mat2,
  translation: Vec2,
): NetOperation | undefined {
  const siteImages: number[] = [];
  const cellImages: Vec2[] = [];
  for (const position of positions) {
    const [x, y] = rowTimesMatrix2(position, matrix);
    const [u, v] = [x + translation[0], y + translation[1]];
    const image = target.findIndex(
      ([px, py]) => isNear(u - px, Math.round(u - px)) && isNear(v - py, Math.round(v - py)),
    );
    if (image < 0) return undefined;
    siteImages.push(image);
    cellImages.push([Math.round(u - target[image][0]), Math.round(v - target[image][1])]);
  }
  return { matrix, translation, siteImages, cellImages };
}

function imageOfEdge(
  [i, j, dx, dy]: readonly [number, number, number, number],
  operation: NetOperation,
): string {
  const { matrix, siteImages, cellImages } = operation;
  const [sx, sy] = rowTimesMatrix2([dx, dy], matrix);
  const [ci, cj] = [cellImages[i], cellImages[j]];
  return `${siteImages[i]},${siteImages[j]},${sx + cj[0] - ci[0]},${sy + cj[1] - ci[1]}`;
}

/** Orbit number of every site, numbered in order of first appearance. */
export function siteOrbits(siteCount: number, operations: readonly NetOperation[]): number[] {
  const orbitOf = Array.from({ length: siteCount }, (): number => -1);
  let count = 0;
  for (let site = 0; site < siteCount; site++) {
    if (orbitOf[site] >= 0) continue;
    for (const { siteImages } of operations) orbitOf[siteImages[site]] = count;
    count++;
  }
  return orbitOf;
}
