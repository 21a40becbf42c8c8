/**
 * Draws a plane net with edges as equal as possible, without changing its topology or losing its symmetry.
 *
 * 1. Minimise Σ (L² − 1)² − μ · area, letting μ fall from 1 to 0, then Σ (L² − 1)² alone by least squares.
 * 2. If edges cross, a face is nearly empty or two edges meet at a sharp angle: minimise Σ (L² − 1)² − μ Σ
 *    ln(face area), which keeps every face open, down to a small μ.
 * 3. If that fails too, keep the barycentric drawing, which is convex.
 */
import {
  determinant2,
  inverse2,
  type Mat2,
  multiply2,
  rowTimesMatrix2,
  type Vec2,
} from '@unitcell/tight-binding';
import { facePolygon } from './barycentric.ts';
import {
  type Embedding,
  latticeFromMetric,
  metricOf,
  scaledToUnitEdges,
  symmetrizedMetric,
} from './embedding.ts';
import { leastSquares, minimize, type Objective, type ResidualFunction } from './optimise.ts';
import type { NetOperation } from './net-symmetry.ts';
import type { PlanarMap } from './unfold.ts';

/** Radians by which the corners of all faces may differ from a full turn per site. */
const ANGLE_SUM_TOLERANCE = 1e-6;
/**
 * Tolerance for touching edges. One edge spans a triangle with each end of the other edge; the product of their signed
 * doubled areas is compared with this.
 */
const TOUCHING = 1e-12;

/** Pressures of the first step; the last is zero. */
export const AREA_PRESSURES = [1, 0.3, 0.1, 0.03, 0.01, 0.003, 0.001, 0] as const;
/** Strengths of the barrier in the second step. If the last strength were smaller, faces could collapse. */
export const BARRIER_STRENGTHS = [1, 0.3, 0.1, 0.03] as const;
/** Smallest face, in squares of the edge: an equilateral triangle has 0.433. */
export const MIN_FACE_AREA = 0.15;
/** Sharpest corner of a face that is still legible. */
export const MIN_CORNER_DEG = 20;

const ITERATIONS = { maxIterations: 600, gradientTolerance: 1e-11 };

export interface RelaxedEmbedding extends Embedding {
  readonly method: 'equal edges' | 'open faces' | 'barycentric';
}

/** Drawing of `map` for display and for distance shells; mean edge length 1. */
export function relax(
  map: PlanarMap,
  barycentric: Embedding,
  operations: readonly NetOperation[],
): RelaxedEmbedding {
  const problem = createProblem(map, barycentric, operations);
  let x = problem.start();
  for (const pressure of AREA_PRESSURES) x = minimize(problem.objective(pressure, 0), x, ITERATIONS);
  x = leastSquares(problem.residuals, x, map.edges.length);
  const equal = problem.embedding(x);
  if (isLegible(map, equal)) return { ...scaledToUnitEdges(map, equal), method: 'equal edges' };
  x = problem.start();
  for (const strength of BARRIER_STRENGTHS) x = minimize(problem.objective(0, strength), x, ITERATIONS);
  const open = problem.embedding(x);
  if (isLegible(map, open)) return { ...scaledToUnitEdges(map, open), method: 'open faces' };
  return { ...barycentric, method: 'barycentric' };
}

/** Signed area and corners of a face in Cartesian coordinates. */
function cartesianFace(
  map: PlanarMap,
  { positions, latticeVectors }: Embedding,
  face: PlanarMap['faces'][number],
) {
  const corners = facePolygon(map, positions, face).map((corner) => rowTimesMatrix2(corner, latticeVectors));
  const area = corners.reduce((sum, [x, y], k) => {
    const [u, v] = corners[(k + 1) % corners.length];
    return sum + (x * v - y * u) / 2;
  }, 0);
  return { corners, area };
}

/** No crossing (all faces open, together one cell, all corners of a site one full turn) and no tiny parts. */
export function isLegible(map: PlanarMap, embedding: Embedding): boolean {
  const faces = map.faces.map((face) => cartesianFace(map, embedding, face));
  const sense = Math.sign(faces.reduce((sum, { area }) => sum + area, 0));
  const minimumAngle = (MIN_CORNER_DEG * Math.PI) / 180;
  let angleSum = 0;
  const open = faces.every(({ corners, area }) => {
    if (sense * area < MIN_FACE_AREA) return false;
    return corners.every((corner, k) => {
      const before = corners.at(k - 1)!;
      const after = corners[(k + 1) % corners.length];
      const [ux, uy, vx, vy] = [
        after[0] - corner[0],
        after[1] - corner[1],
        before[0] - corner[0],
        before[1] - corner[1],
      ];
      const angle = Math.atan2(sense * (ux * vy - uy * vx), ux * vx + uy * vy);
      const inner = angle > 0 ? angle : angle + 2 * Math.PI;
      angleSum += inner;
      return inner > minimumAngle && inner < 2 * Math.PI - minimumAngle;
    });
  });
  // If the drawing is locally plane, the corners of all faces add up to one full turn at every site.
  return (
    open &&
    Math.abs(angleSum - 2 * Math.PI * map.siteCount) < ANGLE_SUM_TOLERANCE &&
    !hasCrossings(map, embedding)
  );
}

/** Whether two edges without a common end cross or touch. */
export function hasCrossings(map: PlanarMap, { positions }: Embedding): boolean {
  const segments = map.edges.map(([i, j, dx, dy]) => {
    const [a, b] = [positions[i], positions[j]];
    return { a, b: [b[0] + dx, b[1] + dy] as Vec2 };
  });
  const side = (p: Vec2, q: Vec2, r: Vec2) => (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
  // Edges that meet at a site give a product of zero there, which is not a crossing.
  const apart = (x: number, y: number) => x * y > -TOUCHING;
  return segments.some(({ a, b }, first) =>
    segments.slice(first).some(({ a: c, b: d }) => {
      const cells = ([0, 1] as const).map((axis) => {
        const [low, high] = [Math.min(a[axis], b[axis]), Math.max(a[axis], b[axis])];
        const [from, to] = [Math.min(c[axis], d[axis]), Math.max(c[axis], d[axis])];
        // Shifts that bring the second edge next to the first.
        const start = Math.ceil(low - to);
        return Array.from({ length: Math.max(0, Math.floor(high - from) - start + 1) }, (_, k) => start + k);
      });
      return cells[0].some((x) =>
        cells[1].some((y) => {
          const [p, q]: [Vec2, Vec2] = [
            [c[0] + x, c[1] + y],
            [d[0] + x, d[1] + y],
          ];
          return !apart(side(a, b, p), side(a, b, q)) && !apart(side(p, q, a), side(p, q, b));
        }),
      );
    }),
  );
}

interface Problem {
  start(): Float64Array;
  objective(pressure: number, barrier: number): Objective;
  /** L² − 1 of every edge. */
  readonly residuals: ResidualFunction;
  embedding(x: Float64Array): Embedding;
}

/**
 * Unknowns: Cartesian positions in the barycentric cell and a symmetric strain (xx, xy, yy) of the whole
 * drawing. Gradients are averaged over the symmetry operations, so all drawings stay symmetric.
 */
function createProblem(map: PlanarMap, reference: Embedding, operations: readonly NetOperation[]): Problem {
  const { siteCount, edges } = map;
  const lattice = reference.latticeVectors;
  const cellArea = Math.abs(determinant2(lattice));
  const symmetrize = symmetrizer(siteCount, lattice, operations);
  const cellVectors = edges.map(([, , dx, dy]) => rowTimesMatrix2([dx, dy], lattice));
  const sense = Math.sign(map.faces.reduce((sum, face) => sum + cartesianFace(map, reference, face).area, 0));
  const size = 2 * siteCount + 3;

  const objective =
    (pressure: number, barrier: number): Objective =>
    (x, gradient) => {
      gradient.fill(0);
      const [fxx, fxy, fyy] = [1 + x[size - 3], x[size - 2], 1 + x[size - 1]];
      const det = fxx * fyy - fxy * fxy;
      if (det <= 0) return Number.POSITIVE_INFINITY;
      let value = -pressure * cellArea * det;
      let [gxx, gxy, gyy] = [
        -pressure * cellArea * fyy,
        2 * pressure * cellArea * fxy,
        -pressure * cellArea * fxx,
      ];
      for (let e = 0; e < edges.length; e++) {
        const [i, j] = edges[e];
        const u = x[2 * j] - x[2 * i] + cellVectors[e][0];
        const v = x[2 * j + 1] - x[2 * i + 1] + cellVectors[e][1];
        const [px, py] = [u * fxx + v * fxy, u * fxy + v * fyy];
        const excess = px * px + py * py - 1;
        value += excess * excess;
        const [dx, dy] = [4 * excess * px, 4 * excess * py];
        const [du, dv] = [dx * fxx + dy * fxy, dx * fxy + dy * fyy];
        gradient[2 * j] += du;
        gradient[2 * j + 1] += dv;
        gradient[2 * i] -= du;
        gradient[2 * i + 1] -= dv;
        gxx += dx * u;
        gxy += dx * v + dy * u;
        gyy += dy * v;
      }
      if (barrier > 0) {
        for (const face of map.faces) {
          const corners = faceCorners(map, cellVectors, x, face);
          let area = 0;
          for (let k = 0; k < corners.length; k++) {
            const [a, b] = [corners[k], corners[(k + 1) % corners.length]];
            area += (sense * (a.x * b.y - a.y * b.x)) / 2;
          }
          if (area <= 0) return Number.POSITIVE_INFINITY;
          value -= barrier * Math.log(area * det);
          for (let k = 0; k < corners.length; k++) {
            const [a, c] = [corners.at(k - 1)!, corners[(k + 1) % corners.length]];
            const { site } = corners[k];
            gradient[2 * site] -= (barrier / area) * ((sense * (c.y - a.y)) / 2);
            gradient[2 * site + 1] -= (barrier / area) * ((sense * (a.x - c.x)) / 2);
          }
          gxx -= (barrier * fyy) / det;
          gxy += (2 * barrier * fxy) / det;
          gyy -= (barrier * fxx) / det;
        }
      }
      [gradient[size - 3], gradient[size - 2], gradient[size - 1]] = [gxx, gxy, gyy];
      symmetrize(gradient);
      return value;
    };

  return {
    start: () => {
      const x = new Float64Array(size);
      reference.positions.forEach((position, site) => {
        [x[2 * site], x[2 * site + 1]] = rowTimesMatrix2(position, lattice);
      });
      return x;
    },
    objective,
    residuals: (x, residuals, jacobian) => {
      jacobian.fill(0);
      const [fxx, fxy, fyy] = [1 + x[size - 3], x[size - 2], 1 + x[size - 1]];
      edges.forEach(([i, j], e) => {
        const u = x[2 * j] - x[2 * i] + cellVectors[e][0];
        const v = x[2 * j + 1] - x[2 * i + 1] + cellVectors[e][1];
        const [px, py] = [u * fxx + v * fxy, u * fxy + v * fyy];
        residuals[e] = px * px + py * py - 1;
        const row = e * size;
        const [du, dv] = [2 * (px * fxx + py * fxy), 2 * (px * fxy + py * fyy)];
        jacobian[row + 2 * j] += du;
        jacobian[row + 2 * j + 1] += dv;
        jacobian[row + 2 * i] -= du;
        jacobian[row + 2 * i + 1] -= dv;
        jacobian[row + size - 3] = 2 * px * u;
        jacobian[row + size - 2] = 2 * (px * v + py * u);
        jacobian[row + size - 1] = 2 * py * v;
      });
    },
    embedding: (x) => {
      const toFraction = inverse2(lattice);
      const moved = reference.positions.map((_, site) =>
        rowTimesMatrix2([x[2 * site], x[2 * site + 1]], toFraction),
      );
      const positions = symmetrizedPositions(reference.positions, moved, operations);
      const strain: Mat2 = [
        [1 + x[size - 3], x[size - 2]],
        [x[size - 2], 1 + x[size - 1]],
      ];
      const metric = symmetrizedMetric(metricOf(multiply2(lattice, strain)), operations);
      return { positions, latticeVectors: latticeFromMetric(metric) };
    },
  };
}

/** Displacements averaged over the operations: in soft nets rounding errors accumulate. */
function symmetrizedPositions(
  reference: readonly Vec2[],
  moved: readonly Vec2[],
  operations: readonly NetOperation[],
): Vec2[] {
  const sums = reference.map((): [number, number] => [0, 0]);
  for (const { matrix, siteImages } of operations)
    moved.forEach(([x, y], site) => {
      const [u, v] = rowTimesMatrix2([x - reference[site][0], y - reference[site][1]], matrix);
      const sum = sums[siteImages[site]];
      sum[0] += u;
      sum[1] += v;
    });
  return reference.map(([x, y], site) => [
    x + sums[site][0] / operations.length,
    y + sums[site][1] / operations.length,
  ]);
}

function faceCorners(
  map: PlanarMap,
  cellVectors: readonly Vec2[],
  x: Float64Array,
  face: PlanarMap['faces'][number],
) {
  let [ox, oy] = [0, 0];
  return face.map(({ edge, reversed }) => {
    const [i, j] = map.edges[edge];
    const site = reversed ? j : i;
    const corner = { site, x: x[2 * site] + ox, y: x[2 * site + 1] + oy };
    ox += reversed ? -cellVectors[edge][0] : cellVectors[edge][0];
    oy += reversed ? -cellVectors[edge][1] : cellVectors[edge][1];
    return corner;
  });
}

/** Averages a gradient (positions, then strain xx, xy counted twice, yy) over the operations; in place. */
function symmetrizer(siteCount: number, lattice: Mat2, operations: readonly NetOperation[]) {
  const cartesian = operations.map(({ matrix, siteImages }) => ({
    siteImages,
    rotation: multiply2(multiply2(inverse2(lattice), matrix), lattice),
  }));
  const mean = new Float64Array(2 * siteCount + 3);
  const strainAt = 2 * siteCount;
  return (gradient: Float64Array) => {
    mean.fill(0);
    const [gxx, gxy, gyy] = [gradient[strainAt], gradient[strainAt + 1] / 2, gradient[strainAt + 2]];
    for (const { siteImages, rotation } of cartesian) {
      const [[a, b], [c, d]] = rotation;
      for (let site = 0; site < siteCount; site++) {
        const image = siteImages[site];
        const [u, v] = [gradient[2 * site], gradient[2 * site + 1]];
        mean[2 * image] += u * a + v * c;
        mean[2 * image + 1] += u * b + v * d;
      }
      // Oᵀ g O for row vectors.
      mean[strainAt] += a * a * gxx + 2 * a * c * gxy + c * c * gyy;
      mean[strainAt + 1] += 2 * (a * b * gxx + (a * d + b * c) * gxy + c * d * gyy);
      mean[strainAt + 2] += b * b * gxx + 2 * b * d * gxy + d * d * gyy;
    }
    for (let k = 0; k < mean.length; k++) gradient[k] = mean[k] / cartesian.length;
  };
}
