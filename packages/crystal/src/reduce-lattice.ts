/**
 * Reduced bases of a lattice: LLL (for searches of neighbours and the standard triclinic cell), Selling (for
 * Voronoi cells) and Minkowski (for comparisons).
 *
 * All return rows that span the lattice of the input rows. A reduced basis has short vectors nearly at right angles;
 * the kinds of reduction differ in their guarantees.
 */
import {
  add3,
  cross3,
  dot3,
  gramSchmidt3,
  IDENTITY3,
  type Mat3,
  rowTimesMatrix3,
  scale3,
  subtract3,
  transpose3,
  type Vec3,
} from '@unitcell/numerics';
import { CrystalError } from './error.ts';

/** The Lovász parameter of the original paper; ¼ < δ < 1. */
const DELTA = 0.75;

/** Selling's step is taken if a scalar product exceeds zero by more than this share of the squared lengths. */
const SELLING_TOLERANCE = 1e-10;

/** Limit on the steps; no cell with angles above a thousandth of a degree needs as many. */
const MAX_STEPS = 10_000;

/**
 * Limit on the integers: multiplying a vector by a larger integer loses the digits needed for distances in Å.
 */
const MAX_COEFFICIENT = 1e9;

/**
 * LLL reduction in place; returns false if it did not end. `subtract` subtracts `times` row j from row k of the basis;
 * the rows of `alongside` are exchanged with those of the basis. A. K. Lenstra, H. W. Lenstra, L. Lovász, Math. Ann.
 * 261 (1982) 515, doi:10.1007/BF01457454.
 */
function lll(
  basis: Vec3[],
  subtract: (k: number, j: number, times: number) => void,
  alongside: readonly Vec3[][] = [],
): boolean {
  let k = 1;
  for (let step = 0; k < 3 && step < MAX_STEPS; step++) {
    for (let j = k - 1; j >= 0; j--) {
      const times = Math.round(gramSchmidt3(basis).mu[k][j]);
      if (times !== 0) subtract(k, j, times);
    }
    const { mu, squares } = gramSchmidt3(basis);
    if (squares[k] >= (DELTA - mu[k][k - 1] ** 2) * squares[k - 1]) {
      k++;
      continue;
    }
    for (const rows of [basis, ...alongside]) [rows[k - 1], rows[k]] = [rows[k], rows[k - 1]];
    k = Math.max(1, k - 1);
  }
  return k === 3;
}

/** LLL reduction of three lattice vectors (rows). */
export function reduceLll(latticeVectors: Mat3): Mat3 {
  const basis: Vec3[] = [...latticeVectors];
  lll(basis, (k, j, times) => {
    basis[k] = subtract3(basis[k], scale3(basis[j], times));
  });
  return [basis[0], basis[1], basis[2]];
}

export interface ReducedCell {
  /** Rows, Å: `toReduced · latticeVectors` of the original basis. */
  readonly latticeVectors: Mat3;
  /** Integers with determinant ±1: the reduced vectors in units of the original ones. */
  readonly toReduced: Mat3;
  /** The inverse, also in integers: `fractional · toGiven` are the coordinates of a point in the reduced basis. */
  readonly toGiven: Mat3;
}

/**
 * The LLL-reduced basis of a lattice with the integer transforms to it and back. A sphere then extends over few
 * cells along each vector, however skewed the original basis is. A basis that is already reduced is returned
 * exactly as it is.
 * @param latticeVectors rows, Å
 * @throws CrystalError `structure` when the vectors span no volume or are too skewed for exact integers
 * @example reduceCell([[4, 0, 0], [3600, 4, 0], [0, 3600, 4]]).latticeVectors // three vectors of 4 Å
 */
export function reduceCell(latticeVectors: Mat3): ReducedCell {
  const basis: Vec3[] = [...latticeVectors];
  const toReduced: Vec3[] = [...IDENTITY3];
  // Row i of the transform corresponds to column i of the inverse, so the inverse is kept transposed.
  const toGivenColumns: Vec3[] = [...IDENTITY3];
  const subtract = (k: number, j: number, times: number): void => {
    toReduced[k] = subtract3(toReduced[k], scale3(toReduced[j], times));
    toGivenColumns[j] = subtract3(toGivenColumns[j], scale3(toGivenColumns[k], -times));
    if (!toReduced[k].every((value) => Math.abs(value) <= MAX_COEFFICIENT)) refuseFlat();
    // The vectors are recomputed from the integers each time, because repeated subtractions would accumulate
    // rounding errors.
    basis[k] = rowTimesMatrix3(toReduced[k], latticeVectors);
  };
  if (!lll(basis, subtract, [toReduced, toGivenColumns])) refuseFlat();
  return {
    latticeVectors: [basis[0], basis[1], basis[2]],
    toReduced: [toReduced[0], toReduced[1], toReduced[2]],
    toGiven: transpose3([toGivenColumns[0], toGivenColumns[1], toGivenColumns[2]]),
  };
}

function refuseFlat(): never {
  throw new CrystalError(
    'structure',
    'the three lattice vectors lie in a plane or too nearly so; correct the cell',
    {
      why: { reason: 'cell-in-plane' },
    },
  );
}

/**
 * An obtuse superbase: four vectors that add up to zero, any three of which span the lattice, with no
 * positive scalar product among them. Each face of the Voronoi cell then belongs to the sum of some, but not
 * all, of the four vectors. J. H. Conway, N. J. A. Sloane, Proc. R. Soc. A 436 (1992) 55,
 * doi:10.1098/rspa.1992.0004.
 */
export function obtuseSuperbase(latticeVectors: Mat3): readonly [Vec3, Vec3, Vec3, Vec3] {
  const [a, b, c] = reduceLll(latticeVectors);
  const base: [Vec3, Vec3, Vec3, Vec3] = [a, b, c, scale3(add3(add3(a, b), c), -1)];
  const tolerance = SELLING_TOLERANCE * Math.max(...base.map((vector) => dot3(vector, vector)));
  for (let step = 0; step < MAX_STEPS; step++) {
    const pair = PAIRS.find(([i, j]) => dot3(base[i], base[j]) > tolerance);
    if (!pair) break;
    const [i, , k, l] = pair;
    base[k] = add3(base[k], base[i]);
    base[l] = add3(base[l], base[i]);
    base[i] = scale3(base[i], -1);
  }
  return base;
}

/** Each pair of the four vectors, followed by the other two vectors. */
const PAIRS = [
  [0, 1, 2, 3],
  [0, 2, 1, 3],
  [0, 3, 1, 2],
  [1, 2, 0, 3],
  [1, 3, 0, 2],
  [2, 3, 0, 1],
] as const;

/** Coefficients that suffice to find the shortest vectors from an LLL-reduced basis in three dimensions. */
const SHORT_COEFFICIENT = 2;

/**
 * The three shortest independent lattice vectors; in three dimensions they always form a basis (Minkowski).
 * Their lengths, the successive minima, change continuously when the lattice is strained.
 */
export function reduceMinkowski(latticeVectors: Mat3): Mat3 {
  const rows = reduceLll(latticeVectors);
  const candidates = combinations(rows).toSorted((p, q) => dot3(p, p) - dot3(q, q));
  const a = candidates[0];
  const b = candidates.find(
    (vector) => dot3(cross3(a, vector), cross3(a, vector)) > INDEPENDENT * dot3(a, a) ** 2,
  )!;
  const normal = cross3(a, b);
  const c = candidates.find(
    (vector) => dot3(normal, vector) ** 2 > INDEPENDENT * dot3(normal, normal) * dot3(a, a),
  )!;
  return dot3(normal, c) > 0 ? [a, b, c] : [a, b, scale3(c, -1)];
}

/** Squared sine below which two vectors count as parallel; the angles of reduced bases are far above it. */
const INDEPENDENT = 1e-8;

/** All non-zero combinations with coefficients up to `SHORT_COEFFICIENT`, one of each pair ±v. */
function combinations(rows: Mat3): Vec3[] {
  const limit = SHORT_COEFFICIENT;
  const found: Vec3[] = [];
  for (let i = 0; i <= limit; i++)
    for (let j = -limit; j <= limit; j++)
      for (let k = -limit; k <= limit; k++) {
        if (i === 0 && (j < 0 || (j === 0 && k <= 0))) continue;
        found.push(add3(add3(scale3(rows[0], i), scale3(rows[1], j)), scale3(rows[2], k)));
      }
  return found;
}
