/** The effect of symmetry operations on the sites of a structure, on Cartesian vectors and on stresses. */
import { applySymmetryOperation, type Structure, type SymmetryOperation } from '@unitcell/crystal';
import {
  determinant3,
  inverse3,
  type Mat3,
  multiply3,
  norm3,
  rowTimesMatrix3,
  scale3,
  subtract3,
  transpose3,
  type Vec3,
} from '@unitcell/numerics';
import type { Voigt } from './engine.ts';
import { PotentialError } from './potential-error.ts';

/** Å; largest distance between the image of a site and the site onto which it is mapped. */
const TOLERANCE = 0.05;

export interface SiteOperation {
  /** Integer matrix for columns of fractional coordinates. */
  readonly rotation: Mat3;
  /** Orthogonal matrix for columns of Cartesian components. */
  readonly cartesian: Mat3;
  /** Index of the site onto which each site is mapped. */
  readonly images: readonly number[];
  /** Integer lattice translation from that site to the image. */
  readonly shifts: readonly Vec3[];
}

/**
 * Tolerance for the entries of a rotation matrix, because the symmetry of cells is exact only to a few
 * thousandths.
 */
const METRIC_TOLERANCE = 0.02;

const columnProduct = (matrix: Mat3, v: Vec3): Vec3 => rowTimesMatrix3(v, transpose3(matrix));

/** Whether a matrix preserves lengths and angles. */
const isOrthogonal = (matrix: Mat3): boolean =>
  multiply3(matrix, transpose3(matrix)).every((row, i) =>
    row.every((value, j) => Math.abs(value - (i === j ? 1 : 0)) < METRIC_TOLERANCE),
  );

/** @throws PotentialError `symmetry` when an operation does not map the structure onto itself */
export function siteOperations(
  { latticeVectors, sites }: Structure,
  operations: readonly SymmetryOperation[],
): readonly SiteOperation[] {
  const columns = transpose3(latticeVectors);
  const toFractional = inverse3(columns);
  return operations.map((operation, index) => {
    const cartesian = multiply3(multiply3(columns, operation.rotation), toFractional);
    if (!isOrthogonal(cartesian))
      throw new PotentialError(
        'symmetry',
        `operation ${index + 1} does not keep the shape of the cell; take the operations of this structure`,
      );
    const shifts: Vec3[] = [];
    const images = sites.map(({ species, fractionalCoords }) => {
      const image = applySymmetryOperation(operation, fractionalCoords);
      const found = sites.findIndex((site) => {
        if (site.species[0].element !== species[0].element) return false;
        const [x, y, z] = subtract3(image, site.fractionalCoords);
        const rest: Vec3 = [x - Math.round(x), y - Math.round(y), z - Math.round(z)];
        return norm3(rowTimesMatrix3(rest, latticeVectors)) < TOLERANCE;
      });
      if (found < 0)
        throw new PotentialError(
          'symmetry',
          `operation ${index + 1} does not map the structure onto itself; take the operations of this structure`,
        );
      const [x, y, z] = subtract3(image, sites[found].fractionalCoords);
      shifts.push([Math.round(x), Math.round(y), Math.round(z)]);
      return found;
    });
    return { rotation: operation.rotation, cartesian, images, shifts };
  });
}

/** Magnetic moment of a site, μB: a Cartesian vector, or a signed number if its axis does not matter. */
export type Moment = number | Vec3;

/** μB */
const SAME_MOMENT = 0.01;

export const areEqualMoments = (a: Moment, b: Moment): boolean =>
  norm3(subtract3(vectorOfMoment(a), vectorOfMoment(b))) < SAME_MOMENT;

const vectorOfMoment = (moment: Moment): Vec3 => (typeof moment === 'number' ? [0, 0, moment] : moment);

/** The operations that map the magnetic order onto itself or onto its reverse, in which the forces are the same. */
export function magneticOperations(
  structure: Structure,
  operations: readonly SymmetryOperation[],
  moments: readonly Moment[],
): readonly SymmetryOperation[] {
  const all = siteOperations(structure, operations);
  return operations.filter((_, k) => {
    const { rotation, images } = all[k];
    // A moment is an axial vector: a reflection or inversion does not reverse it as it reverses a force.
    const handedness = determinant3(rotation);
    const turned = moments.map((moment) =>
      typeof moment === 'number' ? moment : scale3(rotatedVector(all[k], moment), handedness),
    );
    return [1, -1].some((sign) =>
      images.every((image, site) =>
        areEqualMoments(scale3(vectorOfMoment(turned[site]), sign), moments[image]),
      ),
    );
  });
}

export const rotatedVector = ({ cartesian }: SiteOperation, v: Vec3): Vec3 => columnProduct(cartesian, v);

/** The mean of the forces over the operations. */
export function symmetricForces(operations: readonly SiteOperation[], forces: Float64Array): Float64Array {
  if (operations.length === 0) return forces;
  const mean = new Float64Array(forces.length);
  for (const operation of operations)
    operation.images.forEach((image, site) => {
      const force = rotatedVector(operation, [forces[3 * site], forces[3 * site + 1], forces[3 * site + 2]]);
      force.forEach((value, axis) => {
        mean[3 * image + axis] += value / operations.length;
      });
    });
  return mean;
}

export const fullStress = ([xx, yy, zz, yz, xz, xy]: Voigt): Mat3 => [
  [xx, xy, xz],
  [xy, yy, yz],
  [xz, yz, zz],
];

/** The mean of a symmetric tensor over the operations. */
export function symmetricTensor(operations: readonly SiteOperation[], tensor: Mat3): Mat3 {
  if (operations.length === 0) return tensor;
  const images = operations.map(({ cartesian }) =>
    multiply3(multiply3(cartesian, tensor), transpose3(cartesian)),
  );
  return tensor.map((row, i) =>
    row.map((_, j) => images.reduce((sum, image) => sum + image[i][j], 0) / images.length),
  ) as unknown as Mat3;
}
