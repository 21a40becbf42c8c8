/** Facets of the lower convex hull of points in two or more dimensions. */
import { LowerEnvelope } from './lower-envelope.ts';
import { minimizeLinear } from './simplex.ts';

export interface LowerHullFacet {
  /** Indices of the d points of the facet, ascending (points have d coordinates). */
  readonly vertices: readonly number[];
  /** Height of the facet's plane at (x₁ … x_{d−1}) is slopes · x + intercept. */
  readonly slopes: readonly number[];
  readonly intercept: number;
  /** For each vertex the index of the facet across the ridge that leaves it out, or −1 at the rim. */
  readonly neighbours: readonly number[];
}

/**
 * The lower hull of points whose LAST coordinate is the height, as one triangulation: together the facets cover the
 * convex hull of the other coordinates once, and every point on the lower hull is a vertex. Duplicate, collinear
 * and coplanar points are allowed.
 *
 * @param points at least d points of d ≥ 2 coordinates
 * @throws RangeError when coordinates are ragged or not finite, or the points lie on one vertical plane
 * @example lowerHull([[0, 0], [1, -1], [2, 0], [1, 5]]).map((facet) => facet.vertices) // [[0, 1], [1, 2]]
 */
export function lowerHull(points: readonly (readonly number[])[]): readonly LowerHullFacet[] {
  const d = points[0]?.length ?? 0;
  if (d < 2 || points.length < d || points.some((p) => p.length !== d || !p.every(Number.isFinite)))
    throw new RangeError(
      `lowerHull: expected at least d points of d ≥ 2 finite coordinates, got ${points.length} of ${d}`,
    );
  const flat = new Float64Array(points.length * d);
  points.forEach((p, i) => {
    flat[i * d] = 1;
    for (let c = 0; c < d - 1; c++) flat[i * d + c + 1] = p[c];
  });
  const heights = Float64Array.from(points, (p) => p[d - 1]);
  const envelope = new LowerEnvelope(flat, heights, startingSimplex(flat, points.length, d));
  return envelope.allFacets().map((facet) => ({
    vertices: facet.vertices,
    slopes: Array.from(facet.plane.subarray(1)),
    intercept: facet.plane[0],
    neighbours: Array.from(facet.neighbours, (index) => Math.max(-1, index)),
  }));
}

/** d points around a point that lies inside the hull and on no plane through other points: a feasible basis. */
function startingSimplex(flat: Float64Array, count: number, d: number): readonly number[] {
  const rows = Array.from({ length: d }, (_, c) =>
    Float64Array.from({ length: count }, (__, i) => flat[i * d + c]),
  );
  // Irrational steps of the golden ratio: weights between 1 and 2 without a linear relation.
  const weights = Float64Array.from({ length: count }, (_, i) => 1 + ((i * 0.618_033_988_749_894_9) % 1));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const centre = rows.map((row) => row.reduce((sum, value, i) => sum + (value * weights[i]) / total, 0));
  const solution = minimizeLinear({ costs: new Float64Array(count), rows, rightHandSide: centre });
  if (solution.status !== 'optimal' || solution.basis.length < d)
    throw new RangeError('lowerHull: the points lie on one vertical plane; leave out a dependent coordinate');
  return solution.basis;
}
