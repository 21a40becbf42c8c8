/**
 * Describes a cell by the parameters that its symmetry leaves free. These are elements of the reciprocal metric
 * G* (1/Å²). The rotations of the space group leave G* unchanged, so it lies in a linear space of 1 (cubic) to
 * 6 (triclinic) dimensions. 1/d² = Σ mⱼ qⱼ(hkl) is linear in the parameters, in every setting and also for
 * primitive cells.
 */
import { inverse3, type Mat3, multiply3, transpose3, type Vec3 } from '@unitcell/numerics';
import { idealiseMetric, latticeOfMetric, metricSymmetries } from '../idealise-metric.ts';
import type { RefinedCell } from './types.ts';

/** The six elements of a symmetric matrix: pairs of indices and names. */
const ELEMENTS = [
  { i: 0, j: 0, name: 'a*²' },
  { i: 1, j: 1, name: 'b*²' },
  { i: 2, j: 2, name: 'c*²' },
  { i: 0, j: 1, name: 'a*·b*' },
  { i: 0, j: 2, name: 'a*·c*' },
  { i: 1, j: 2, name: 'b*·c*' },
] as const;

/** Pivots below this count as zero: the entries of averaged integer matrices are multiples of 1/48. */
const MIN_PIVOT = 1e-6;

export interface CellMetric {
  /** Idealised starting lattice vectors (rows, Å). */
  readonly latticeVectors: Mat3;
  /** Names of the free elements. */
  readonly names: readonly string[];
  /** G* when one parameter is 1 and the others 0. */
  readonly basis: readonly Mat3[];
  /** 1/Å² */
  readonly start: readonly number[];
  /** √(G*ᵢᵢ G*ⱼⱼ) of the element G*ᵢⱼ at the start, 1/Å². */
  readonly scales: readonly number[];
}

const symmetric = (v: ArrayLike<number>): Mat3 => [
  [v[0], v[3], v[4]],
  [v[3], v[1], v[5]],
  [v[4], v[5], v[2]],
];

const elementsOf = (m: Mat3): number[] => ELEMENTS.map(({ i, j }) => m[i][j]);

/** Reduced row echelon form without its zero rows, and the columns of its pivots. */
function echelon(rows: number[][]): { rows: number[][]; pivots: number[] } {
  const pivots: number[] = [];
  let rank = 0;
  for (let column = 0; column < ELEMENTS.length && rank < rows.length; column++) {
    let best = rank;
    for (let r = rank; r < rows.length; r++)
      if (Math.abs(rows[r][column]) > Math.abs(rows[best][column])) best = r;
    const pivot = rows[best][column];
    if (Math.abs(pivot) < MIN_PIVOT) continue;
    [rows[rank], rows[best]] = [rows[best], rows[rank]];
    rows[rank] = rows[rank].map((value) => value / pivot);
    for (let r = 0; r < rows.length; r++)
      if (r !== rank) {
        const factor = rows[r][column];
        rows[r] = rows[r].map((value, c) => value - factor * rows[rank][c]);
      }
    pivots.push(column);
    rank += 1;
  }
  return { rows: rows.slice(0, rank), pivots };
}

/** @param rotations W of the space group, x' = W x; by default the symmetry of the lattice is used. */
export function cellMetric(given: Mat3, rotations: readonly Mat3[] = []): CellMetric {
  const latticeVectors = idealiseMetric(given, rotations);
  const operations =
    rotations.length > 0
      ? rotations
      : metricSymmetries(latticeVectors).map((operation) => transpose3(operation));
  const images = ELEMENTS.map((_, element) => {
    const unit = symmetric(ELEMENTS.map((__, other) => (other === element ? 1 : 0)));
    const sum = operations
      .map((w) => elementsOf(multiply3(multiply3(w, unit), transpose3(w))))
      .reduce((total, image) => total.map((value, c) => value + image[c]));
    return sum.map((value) => value / operations.length);
  });
  const { rows, pivots } = echelon(images);
  const inverse = inverse3(multiply3(latticeVectors, transpose3(latticeVectors)));
  const start = elementsOf(inverse);
  return {
    latticeVectors,
    names: pivots.map((pivot) => ELEMENTS[pivot].name),
    basis: rows.map(symmetric),
    start: pivots.map((pivot) => start[pivot]),
    scales: pivots.map((pivot) => Math.sqrt(start[ELEMENTS[pivot].i] * start[ELEMENTS[pivot].j])),
  };
}

/** The reciprocal metric G* for values of the parameters. */
export function reciprocalMetricOf({ basis }: CellMetric, parameters: ArrayLike<number>): Mat3 {
  const sum = new Float64Array(6);
  basis.forEach((matrix, p) => {
    elementsOf(matrix).forEach((value, c) => {
      sum[c] += value * parameters[p];
    });
  });
  return symmetric(sum);
}

/** Whether the parameters describe a cell: G* must be positive definite. */
export function isCell(metric: CellMetric, parameters: ArrayLike<number>): boolean {
  const [[a, d, e], [, b, f], [, , c]] = reciprocalMetricOf(metric, parameters);
  const minor = a * b - d * d;
  const determinant = c * minor - a * f * f - b * e * e + 2 * d * e * f;
  return a > 0 && minor > 0 && determinant > 0;
}

/** Lattice vectors with G = (G*)⁻¹: a along x, b in the xy plane. */
export function latticeOf(metric: CellMetric, parameters: ArrayLike<number>): Mat3 {
  return latticeOfMetric(inverse3(reciprocalMetricOf(metric, parameters)));
}

const DEGREES = 180 / Math.PI;

/**
 * Edges, angles and volume with e.s.d., by dG = −G dG* G.
 * @param covariance covariance matrix of the parameters; undefined if they were not refined
 */
export function refinedCell(
  metric: CellMetric,
  parameters: ArrayLike<number>,
  covariance: readonly (readonly number[])[] | undefined,
): RefinedCell {
  const g = inverse3(reciprocalMetricOf(metric, parameters));
  const slopes = metric.basis.map((matrix) => {
    const product = multiply3(multiply3(g, matrix), g);
    const negative = ([x, y, z]: Vec3): Vec3 => [-x, -y, -z];
    return { g: [negative(product[0]), negative(product[1]), negative(product[2])], matrix };
  });
  const estimate = (value: number, gradient: readonly number[]) => {
    if (!covariance || gradient.every((slope) => Math.abs(slope) < 1e-9)) return { value };
    let variance = 0;
    gradient.forEach((p, i) => {
      gradient.forEach((q, j) => {
        variance += p * q * covariance[i][j];
      });
    });
    return { value, esd: Math.sqrt(Math.max(0, variance)) };
  };
  const edge = (i: 0 | 1 | 2) => {
    const length = Math.sqrt(g[i][i]);
    return estimate(
      length,
      slopes.map(({ g: slope }) => slope[i][i] / (2 * length)),
    );
  };
  const angle = (i: 0 | 1 | 2, j: 0 | 1 | 2) => {
    const product = Math.sqrt(g[i][i] * g[j][j]);
    const cosine = Math.max(-1, Math.min(1, g[i][j] / product));
    const sine = Math.sqrt(1 - cosine * cosine);
    return estimate(
      Math.acos(cosine) * DEGREES,
      slopes.map(({ g: slope }) => {
        const change = slope[i][j] / product - (cosine / 2) * (slope[i][i] / g[i][i] + slope[j][j] / g[j][j]);
        return (-change / sine) * DEGREES;
      }),
    );
  };
  const lattice = latticeOf(metric, parameters);
  const volume = lattice[0][0] * lattice[1][1] * lattice[2][2];
  const trace = (matrix: Mat3): number => {
    const product = multiply3(g, matrix);
    return product[0][0] + product[1][1] + product[2][2];
  };
  return {
    a: edge(0),
    b: edge(1),
    c: edge(2),
    alpha: angle(1, 2),
    beta: angle(0, 2),
    gamma: angle(0, 1),
    volume: estimate(
      volume,
      slopes.map(({ matrix }) => (-volume * trace(matrix)) / 2),
    ),
  };
}
