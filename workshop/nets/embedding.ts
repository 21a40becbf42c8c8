/** A net with a geometry: fractional positions and two lattice vectors, in units of the mean edge. */
import {
  edgeVector,
  inverse2,
  type Mat2,
  multiply2,
  type PeriodicGraph,
  rowTimesMatrix2,
  transpose2,
  type Vec2,
} from '@unitcell/tight-binding';
import type { NetOperation } from './net-symmetry.ts';

/** Lengths that differ by less than this share are a tie, which ends the reduction. */
const TIE_SHARE = 1e-9;

export interface Embedding {
  readonly positions: readonly Vec2[];
  readonly latticeVectors: Mat2;
}

/** Rows of a lattice with the given metric aᵢ · aⱼ, the first along x. */
export function latticeFromMetric([[aa, ab], [, bb]]: Mat2): Mat2 {
  const a = Math.sqrt(aa);
  return [
    [a, 0],
    [ab / a, Math.sqrt(bb - (ab / a) ** 2)],
  ];
}

export const metricOf = (latticeVectors: Mat2): Mat2 => multiply2(latticeVectors, transpose2(latticeVectors));

/** Mean of A G Aᵀ over the operations: the nearest invariant metric. */
export function symmetrizedMetric(metric: Mat2, operations: readonly NetOperation[]): Mat2 {
  const sum = [0, 0, 0];
  for (const { matrix } of operations) {
    const [[aa, ab], [, bb]] = multiply2(multiply2(matrix, metric), transpose2(matrix));
    sum[0] += aa;
    sum[1] += ab;
    sum[2] += bb;
  }
  const [aa, ab, bb] = sum.map((x) => x / operations.length);
  return [
    [aa, ab],
    [ab, bb],
  ];
}

/** The lattice that minimises Σ L² over the edges at constant cell area, scaled to mean edge length 1. */
export function barycentricEmbedding(
  graph: PeriodicGraph,
  positions: readonly Vec2[],
  operations: readonly NetOperation[],
): Embedding {
  let [xx, xy, yy] = [0, 0, 0];
  for (const edge of graph.edges) {
    const [x, y] = edgeVector(edge, positions);
    xx += x * x;
    xy += x * y;
    yy += y * y;
  }
  const metric = symmetrizedMetric(
    inverse2([
      [xx, xy],
      [xy, yy],
    ]),
    operations,
  );
  return scaledToUnitEdges(graph, { positions, latticeVectors: latticeFromMetric(metric) });
}

/** Cartesian lengths of the edges. */
export const edgeLengths = (graph: PeriodicGraph, { positions, latticeVectors }: Embedding): number[] =>
  graph.edges.map((edge) => Math.hypot(...rowTimesMatrix2(edgeVector(edge, positions), latticeVectors)));

export function scaledToUnitEdges(graph: PeriodicGraph, embedding: Embedding): Embedding {
  const lengths = edgeLengths(graph, embedding);
  const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
  const [a, b] = embedding.latticeVectors;
  return {
    ...embedding,
    latticeVectors: [
      [a[0] / mean, a[1] / mean],
      [b[0] / mean, b[1] / mean],
    ],
  };
}

/** Integer rows of the reduced (shortest) basis of a lattice, right-handed with an angle of 60° to 90° or 90° to 120°. */
export function reducedBasis(metric: Mat2): Mat2 {
  let [u, v]: [Vec2, Vec2] = [
    [1, 0],
    [0, 1],
  ];
  const product = (p: Vec2, q: Vec2) => {
    const [x, y] = rowTimesMatrix2(p, metric);
    return x * q[0] + y * q[1];
  };
  for (;;) {
    if (product(v, v) < product(u, u) * (1 - TIE_SHARE)) [u, v] = [v, [-u[0], -u[1]]];
    // A tie at half a vector is not changed, so that the loop terminates.
    const ratio = product(u, v) / product(u, u);
    const shift = Math.abs(ratio) <= 0.5 + TIE_SHARE ? 0 : Math.round(ratio);
    if (shift === 0) break;
    v = [v[0] - shift * u[0], v[1] - shift * u[1]];
  }
  // Every step keeps the determinant, which is initially 1.
  return [
    [u[0] + 0, u[1] + 0],
    [v[0] + 0, v[1] + 0],
  ];
}
