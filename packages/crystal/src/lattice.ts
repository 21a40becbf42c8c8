/**
 * Lattice vectors, lattice parameters and the reciprocal lattice.
 *
 * Lattice vectors are the ROWS a, b, c of a 3×3 matrix, in Å; angles are in degrees, as in crystallography. Cells built
 * from parameters have a along x and b in the xy plane.
 */
import { cross3, determinant3, dot3, inverse3, type Mat3, norm3, transpose3 } from '@unitcell/numerics';

export interface LatticeParameters {
  /** Å */
  readonly a: number;
  /** Å */
  readonly b: number;
  /** Å */
  readonly c: number;
  /** Angle between b and c, degrees. */
  readonly alpha: number;
  /** Angle between a and c, degrees. */
  readonly beta: number;
  /** Angle between a and b, degrees. */
  readonly gamma: number;
}

/**
 * Smallest accepted value of 1 − cos²α − cos²β − cos²γ + 2 cosα cosβ cosγ. Below it the three axes are coplanar
 * within the precision of published angles (about 0.01°).
 */
export const FLAT_CELL_TOLERANCE = 1e-8;

const degrees = (radians: number): number => (radians * 180) / Math.PI;

/** Cosine of an angle in degrees, exact at multiples of 90° so that orthogonal cells get exact zeros. */
function cosDeg(angle: number): number {
  return angle % 180 === 90 || angle % 180 === -90 ? 0 : Math.cos((angle * Math.PI) / 180);
}

/** Angle between two rows of a lattice matrix, degrees. */
function angleDeg(u: Mat3[number], v: Mat3[number]): number {
  // atan2 keeps full precision near 0° and 180°, where acos loses half the digits.
  return degrees(Math.atan2(norm3(cross3(u, v)), dot3(u, v)));
}

/** Volume of the cell in Å³ (always positive, whatever the handedness). */
export const cellVolume = (latticeVectors: Mat3): number => Math.abs(determinant3(latticeVectors));

/** Lengths (Å) and angles (degrees) of the cell spanned by the rows of `latticeVectors`. */
export function latticeParameters(latticeVectors: Mat3): LatticeParameters {
  const [a, b, c] = latticeVectors;
  return {
    a: norm3(a),
    b: norm3(b),
    c: norm3(c),
    alpha: angleDeg(b, c),
    beta: angleDeg(a, c),
    gamma: angleDeg(a, b),
  };
}

/**
 * Lattice vectors (rows, Å) with the given lengths and angles: a along x, b in the xy plane, c with z > 0.
 * @throws RangeError when a length is not positive, an angle is not in (0°, 180°) or the angles form no cell.
 * @example latticeVectorsFromParameters({ a: 4, b: 4, c: 6, alpha: 90, beta: 90, gamma: 120 })
 */
export function latticeVectorsFromParameters(parameters: LatticeParameters): Mat3 {
  for (const name of ['a', 'b', 'c'] as const) {
    const length = parameters[name];
    if (!(length > 0 && Number.isFinite(length)))
      throw new RangeError(`cell length ${name} is ${length}: expected a positive number of Å`);
  }
  for (const name of ['alpha', 'beta', 'gamma'] as const) {
    const angle = parameters[name];
    if (!(angle > 0 && angle < 180))
      throw new RangeError(`cell angle ${name} is ${angle}: expected degrees between 0 and 180`);
  }
  const { a, b, c } = parameters;
  const [cosA, cosB, cosG] = [cosDeg(parameters.alpha), cosDeg(parameters.beta), cosDeg(parameters.gamma)];
  const sinG = Math.sqrt(1 - cosG * cosG);
  const squaredVolume = 1 - cosA * cosA - cosB * cosB - cosG * cosG + 2 * cosA * cosB * cosG;
  if (squaredVolume < FLAT_CELL_TOLERANCE) {
    const { alpha, beta, gamma } = parameters;
    throw new RangeError(
      `cell angles ${alpha}, ${beta}, ${gamma} close no cell: each must be less than the sum of the other two, and all together less than 360`,
    );
  }
  return [
    [a, 0, 0],
    [b * cosG, b * sinG, 0],
    [c * cosB, (c * (cosA - cosB * cosG)) / sinG, (c * Math.sqrt(squaredVolume)) / sinG],
  ];
}

/**
 * Reciprocal lattice vectors (rows a*, b*, c*, 1/Å) WITHOUT the factor 2π: aᵢ · aⱼ* = δᵢⱼ.
 * A reflection hkl has |h a* + k b* + l c*| = 1/d.
 * @throws RangeError when the cell has no volume.
 */
export const reciprocalLattice = (latticeVectors: Mat3): Mat3 => transpose3(inverse3(latticeVectors));
