/**
 * Makes the approximate symmetry of a cell's metric exact.
 *
 * Cells read from files are symmetric to four or five digits only, so reflections of one form would split into several
 * lines a few ten-thousandths of a degree apart. The metric G (Gᵢⱼ = aᵢ·aⱼ) is averaged over the integer operations U
 * that change it by less than a tolerance, G ← mean U G Uᵀ, until it is invariant under all of them. Operations are
 * searched in a reduced cell, where the images of the axes only have components −1, 0 and 1.
 */
import { inverse3, type Mat3, multiply3, quadraticForm3, transpose3, type Vec3 } from '@unitcell/numerics';

/**
 * Largest relative change of lengths (and change of cosines) at which a cell still counts as symmetric: the
 * rounding of a short axis to four decimals. Such a change moves a line at 2θ = 90° by 0.006°, less than the
 * step of a laboratory scan; a larger distortion may be real.
 */
export const METRIC_SYMMETRY_TOLERANCE = 5e-5;

/** Relative deviation below which the averaged metric is symmetric to double precision. */
const EXACT = 1e-13;
/** Maximum number of averaging passes. A few suffice, because the operations nearly form a group. */
const MAX_AVERAGES = 20;
/** More steps than the reduction of any cell with angles above a thousandth of a degree needs. */
const MAX_REDUCTION_STEPS = 1000;

/**
 * Lattice vectors (rows, Å) of the idealised cell. Their orientation differs from that of the input.
 * @param rotations rotations of the space group, x′ = W x with a column x; they are imposed however large the
 *   distortion is
 */
export function idealiseMetric(latticeVectors: Mat3, rotations: readonly Mat3[] = []): Mat3 {
  const given = multiply3(latticeVectors, transpose3(latticeVectors));
  const imposed = rotations.length > 1 ? averaged(given, rotations.map(transpose3)) : given;
  const toReduced = reduction(imposed);
  const reduced = inBasis(imposed, toReduced);
  const symmetric = symmetrised(reduced);
  return symmetric === reduced && imposed === given
    ? latticeVectors
    : latticeOfMetric(inBasis(symmetric, inverse3(toReduced)));
}

/**
 * Integer operations U (rows are new axes in units of the old) that keep the metric of the lattice within
 * METRIC_SYMMETRY_TOLERANCE, one of each pair ±U.
 */
export function metricSymmetries(latticeVectors: Mat3): Mat3[] {
  const metric = multiply3(latticeVectors, transpose3(latticeVectors));
  const toReduced = reduction(metric);
  const fromReduced = inverse3(toReduced);
  const rounded = ([x, y, z]: Vec3): Vec3 => [Math.round(x), Math.round(y), Math.round(z)];
  return nearSymmetries(inBasis(metric, toReduced)).map((operation) => {
    const [a, b, c] = multiply3(multiply3(fromReduced, operation), toReduced);
    return [rounded(a), rounded(b), rounded(c)];
  });
}

/** G in the basis whose rows are `transform` times the old rows. */
const inBasis = (metric: Mat3, transform: Mat3): Mat3 =>
  multiply3(multiply3(transform, metric), transpose3(transform));

function averaged(metric: Mat3, operations: readonly Mat3[]): Mat3 {
  const images = operations.map((operation) => inBasis(metric, operation));
  const mean = (i: 0 | 1 | 2, j: 0 | 1 | 2): number =>
    images.reduce((sum, image) => sum + image[i][j], 0) / images.length;
  const [xy, xz, yz] = [mean(0, 1), mean(0, 2), mean(1, 2)];
  return [
    [mean(0, 0), xy, xz],
    [xy, mean(1, 1), yz],
    [xz, yz, mean(2, 2)],
  ];
}

/**
 * Averages a reduced metric over its approximate symmetry operations until they are exact; returns the input metric if
 * that fails.
 */
function symmetrised(metric: Mat3): Mat3 {
  const operations = nearSymmetries(metric);
  if (operations.length === 1 || operations.every((operation) => misses(metric, operation) < EXACT))
    return metric;
  let symmetric = metric;
  for (let step = 0; step < MAX_AVERAGES; step++) {
    symmetric = averaged(symmetric, operations);
    if (operations.every((operation) => misses(symmetric, operation) < EXACT)) return symmetric;
  }
  return metric;
}

/** The largest change of the metric under an operation, relative to the lengths involved. */
function misses(metric: Mat3, operation: Mat3): number {
  const image = inBasis(metric, operation);
  let largest = 0;
  for (const i of AXES)
    for (const j of AXES)
      largest = Math.max(
        largest,
        Math.abs(image[i][j] - metric[i][j]) / Math.sqrt(metric[i][i] * metric[j][j]),
      );
  return largest;
}

const AXES = [0, 1, 2] as const;

/** The nonzero vectors with components −1, 0 and 1. */
const SHORT_VECTORS: readonly Vec3[] = [-1, 0, 1].flatMap((x) =>
  [-1, 0, 1].flatMap((y) => [-1, 0, 1].flatMap((z): Vec3[] => (x || y || z ? [[x, y, z]] : []))),
);

/** Integer operations that change a reduced metric by less than the tolerance; one of each pair ±U. */
function nearSymmetries(metric: Mat3): Mat3[] {
  const product = ([p, q, r]: Vec3, [x, y, z]: Vec3): number =>
    p * (metric[0][0] * x + metric[0][1] * y + metric[0][2] * z) +
    q * (metric[1][0] * x + metric[1][1] * y + metric[1][2] * z) +
    r * (metric[2][0] * x + metric[2][1] * y + metric[2][2] * z);
  const isNear = (value: number, i: 0 | 1 | 2, j: 0 | 1 | 2): boolean =>
    Math.abs(value - metric[i][j]) <= 2 * METRIC_SYMMETRY_TOLERANCE * Math.sqrt(metric[i][i] * metric[j][j]);
  const images = AXES.map((axis) => SHORT_VECTORS.filter((v) => isNear(product(v, v), axis, axis)));
  const found: Mat3[] = [];
  for (const a of images[0]) {
    if (a.find((entry) => entry !== 0)! < 0) continue;
    for (const b of images[1]) {
      if (!isNear(product(a, b), 0, 1)) continue;
      for (const c of images[2])
        if (isNear(product(a, c), 0, 2) && isNear(product(b, c), 1, 2)) found.push([a, b, c]);
    }
  }
  return found;
}

/**
 * Integer rows that make a metric reduced in Minkowski's sense: no axis becomes shorter if other axes are added. H.
 * Minkowski, J. Reine Angew. Math. 129 (1905) 220.
 */
function reduction(metric: Mat3): Mat3 {
  let rows: Mat3 = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ];
  for (let step = 0; step < MAX_REDUCTION_STEPS; step++) {
    const current = inBasis(metric, rows);
    const shorter = AXES.flatMap((axis) =>
      SHORT_VECTORS.filter(
        (vector) =>
          vector[axis] === 1 && quadraticForm3(current, ...vector) < current[axis][axis] * (1 - SHORTER),
      ).map((vector) => ({ axis, vector })),
    )[0];
    if (!shorter) break;
    const change: Vec3[] = [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ];
    change[shorter.axis] = shorter.vector;
    rows = multiply3([change[0], change[1], change[2]], rows);
  }
  return rows;
}

/** Smallest relative shortening that counts, so that rounding cannot cause an endless loop. */
const SHORTER = 1e-9;

/** Lattice vectors with the given metric: a along x, b in the xy plane (Cholesky's factor). */
export function latticeOfMetric(metric: Mat3): Mat3 {
  const a = Math.sqrt(metric[0][0]);
  const [bx, cx] = [metric[0][1] / a, metric[0][2] / a];
  const by = Math.sqrt(metric[1][1] - bx * bx);
  const cy = (metric[1][2] - bx * cx) / by;
  return [
    [a, 0, 0],
    [bx, by, 0],
    [cx, cy, Math.sqrt(metric[2][2] - cx * cx - cy * cy)],
  ];
}
