/**
 * A reduced basis of a lattice with the integer transforms to it and back.
 *
 * LLL in three dimensions: A. K. Lenstra, H. W. Lenstra, L. Lovász, Math. Ann. 261 (1982) 515,
 * doi:10.1007/BF01457454. The resulting vectors are short and nearly at right angles, so that a sphere
 * extends over few cells along each of them, whatever the skew of the original basis.
 */
import {
  gramSchmidt3,
  IDENTITY3,
  type Mat3,
  rowTimesMatrix3,
  scale3,
  subtract3,
  type Vec3,
} from '@unitcell/numerics';
import { CrystalError } from './error.ts';

/** The Lovász parameter of the original paper; ¼ < δ < 1. */
const DELTA = 0.75;

/**
 * Limit on exchanges: their number grows with the logarithm of the skew; a skew of 1e12 needs about a
 * hundred.
 */
const MAX_STEPS = 1000;

/** A vector times a larger integer loses the digits needed for distances in Å. */
const MAX_COEFFICIENT = 1e9;

export interface ReducedCell {
  /** Rows, Å: `toReduced · latticeVectors` of the original basis. */
  readonly latticeVectors: Mat3;
  /** Integers with determinant ±1: the reduced vectors in units of the original ones. */
  readonly toReduced: Mat3;
  /**
   * Its inverse, also integer: `fractional · toGiven` are the coordinates of a point in the reduced basis.
   */
  readonly toGiven: Mat3;
}

/**
 * The LLL-reduced basis of a lattice. A basis that is already reduced is returned unchanged, number by
 * number.
 * @param latticeVectors rows, Å
 * @throws CrystalError `structure` when the vectors span no volume or are too skewed for exact integers
 * @example reduceCell([[4, 0, 0], [3600, 4, 0], [0, 3600, 4]]).latticeVectors // three vectors of 4 Å
 */
export function reduceCell(latticeVectors: Mat3): ReducedCell {
  const toReduced: Vec3[] = [...IDENTITY3];
  // Column i of the inverse belongs to row i of the transform, so the inverse is kept transposed.
  const toGivenColumns: Vec3[] = [...IDENTITY3];
  const basis: Vec3[] = [...latticeVectors];
  let k = 1;
  for (let step = 0; k < 3; step++) {
    if (step === MAX_STEPS) refuseFlat();
    for (let j = k - 1; j >= 0; j--) {
      const times = Math.round(gramSchmidt3(basis).mu[k][j]);
      if (times === 0) continue;
      toReduced[k] = subtract3(toReduced[k], scale3(toReduced[j], times));
      toGivenColumns[j] = subtract3(toGivenColumns[j], scale3(toGivenColumns[k], -times));
      if (!toReduced[k].every((value) => Math.abs(value) <= MAX_COEFFICIENT)) refuseFlat();
      // Recomputed from the integers each time: a chain of subtractions would accumulate rounding.
      basis[k] = rowTimesMatrix3(toReduced[k], latticeVectors);
    }
    const { mu, squares } = gramSchmidt3(basis);
    if (!squares.every((square) => square > 0)) refuseFlat();
    if (squares[k] >= (DELTA - mu[k][k - 1] ** 2) * squares[k - 1]) {
      k++;
      continue;
    }
    for (const rows of [basis, toReduced, toGivenColumns]) [rows[k - 1], rows[k]] = [rows[k], rows[k - 1]];
    k = Math.max(1, k - 1);
  }
  const [p, q, r] = toGivenColumns;
  return {
    latticeVectors: [basis[0], basis[1], basis[2]],
    toReduced: [toReduced[0], toReduced[1], toReduced[2]],
    toGiven: [
      [p[0], q[0], r[0]],
      [p[1], q[1], r[1]],
      [p[2], q[2], r[2]],
    ],
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
