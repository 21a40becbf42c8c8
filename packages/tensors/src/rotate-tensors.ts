/**
 * Rotates tensors into other axes, and tests whether a tensor has the symmetry of its crystal.
 *
 * `rotation` is the matrix R with v′ = R·v for Cartesian columns v: its rows are the new axes in units of the old ones.
 * `catalogueCells(...).rotation` of @unitcell/symmetry is such a matrix. R may be improper, which only affects the
 * piezoelectric tensor (inversion changes its sign). Voigt order is xx yy zz yz xz xy throughout (Nye; ANSI/IEEE 176).
 * J. F. Nye, Physical Properties of Crystals (Oxford, 1957), chapters I, VII and VIII.
 */
import type { CrystalSystem } from '@unitcell/crystal';
import { type Mat3, cross3, dot3, norm3, scale3, subtract3, type Vec3 } from '@unitcell/numerics';
import { TensorError } from './tensor-error.ts';
import { assertShape, VOIGT_PAIRS, type Voigt6 } from './voigt.ts';

type Matrix = readonly (readonly number[])[];

/**
 * Allowed deviation of the rows of a rotation from orthonormality. Operations derived from a cell deviate this
 * much if the right angles of the cell are off by hundredths of a degree.
 */
export const ROTATION_TOLERANCE = 1e-3;

/**
 * Share of the largest component by which a tensor may differ from its images under the point group. Calculated tensors
 * deviate by one or two per cent, a tensor in the axes of another cell by tens of per cent.
 */
export const TENSOR_SYMMETRY_TOLERANCE = 0.1;

/** @throws TensorError `wrong-shape`, `not-finite`, or `unphysical` for a matrix that is not orthogonal */
function assertRotation(rotation: Matrix): void {
  assertShape(rotation, 3, 3, 'the rotation');
  for (let i = 0; i < 3; i++)
    for (let j = 0; j < 3; j++) {
      const product = rotation[i].reduce((sum, value, k) => sum + value * rotation[j][k], 0);
      if (Math.abs(product - (i === j ? 1 : 0)) > ROTATION_TOLERANCE)
        throw new TensorError(
          'unphysical',
          `rows ${i + 1} and ${j + 1} of the rotation have the scalar product ${product}: expected an orthogonal matrix`,
        );
    }
}

const product = (left: Matrix, right: Matrix): number[][] =>
  left.map((row) => right[0].map((_value, j) => row.reduce((sum, value, k) => sum + value * right[k][j], 0)));

const transposed = (matrix: Matrix): number[][] => matrix[0].map((_value, j) => matrix.map((row) => row[j]));

/**
 * Bond's matrix M of a rotation, which transforms six stress components: σ′ = M σ. Bell Syst. Tech. J. 22
 * (1943) 1.
 */
const bondMatrix = (rotation: Matrix): number[][] =>
  VOIGT_PAIRS.map(([i, j]) =>
    VOIGT_PAIRS.map(([k, l]) => {
      const direct = rotation[i][k] * rotation[j][l];
      return k === l ? direct : direct + rotation[i][l] * rotation[j][k];
    }),
  );

/**
 * A dielectric tensor (3×3, rank 2) in rotated axes: ε′ = R ε Rᵀ. Valid for any symmetric second-rank tensor.
 * @throws TensorError for a wrong shape or a rotation that is not orthogonal
 */
export function rotateDielectric(tensor: Matrix, rotation: Mat3): number[][] {
  assertRotation(rotation);
  assertShape(tensor, 3, 3, 'the dielectric tensor');
  return product(product(rotation, tensor), transposed(rotation));
}

/**
 * A piezoelectric stress tensor e (3×6, rank 3, C/m²; rows are polarisations x y z, columns strains in Voigt order) in
 * rotated axes: e′ = R e Mᵀ with Bond's M. It must not be used for the strain tensor d, whose shear columns have a
 * factor 2.
 * @throws TensorError for a wrong shape or a rotation that is not orthogonal
 */
export function rotatePiezoelectric(tensor: Matrix, rotation: Mat3): number[][] {
  assertRotation(rotation);
  assertShape(tensor, 3, 6, 'the piezoelectric tensor');
  return product(product(rotation, tensor), transposed(bondMatrix(rotation)));
}

/**
 * A stiffness tensor (6×6, rank 4, GPa, Voigt order) in rotated axes: C′ = M C Mᵀ with Bond's M. It must not be used
 * for the compliance, whose shear components have factors.
 * @throws TensorError for a wrong shape or a rotation that is not orthogonal
 */
export function rotateStiffness(stiffness: Voigt6, rotation: Mat3): number[][] {
  assertRotation(rotation);
  assertShape(stiffness, 6, 6, 'the elastic tensor');
  const bond = bondMatrix(rotation);
  return product(product(bond, stiffness), transposed(bond));
}

function rotateByShape(tensor: Matrix, rotation: Mat3): number[][] {
  if (tensor.length === 6) return rotateStiffness(tensor, rotation);
  return tensor[0]?.length === 6 ? rotatePiezoelectric(tensor, rotation) : rotateDielectric(tensor, rotation);
}

/**
 * The part of a tensor that has the symmetry of the crystal: the mean over its point group.
 * @param tensor 3×3 dielectric, 3×6 piezoelectric or 6×6 stiffness
 * @param pointRotations the whole point group as Cartesian matrices in the frame of the tensor, improper ones
 *   included: `pointRotations(catalogueCells(...))` for a tensor in the frame of the idealised cells
 */
export function symmetriseTensor(tensor: Matrix, pointRotations: readonly Mat3[]): number[][] {
  const images = pointRotations.map((rotation) => rotateByShape(tensor, rotation));
  return tensor.map((row, i) =>
    row.map((_value, j) => images.reduce((sum, image) => sum + image[i][j], 0) / images.length),
  );
}

/**
 * Deviation of a tensor from the symmetry of its crystal: the largest change of a component under an operation of the
 * point group, as a share of the largest component; 0 for a zero tensor. More than `TENSOR_SYMMETRY_TOLERANCE` means
 * that tensor and cell are in different frames, or that the components have another order.
 * @param tensor,pointRotations as in `symmetriseTensor`
 * @example symmetryDeviation(rotatedZincOxide, pointRotations(cells)) > TENSOR_SYMMETRY_TOLERANCE // true
 */
export function symmetryDeviation(tensor: Matrix, pointRotations: readonly Mat3[]): number {
  const largest = Math.max(...tensor.flat().map(Math.abs));
  if (largest === 0) return 0;
  const changes = pointRotations.map((rotation) =>
    Math.max(
      ...rotateByShape(tensor, rotation).flatMap((row, i) =>
        row.map((value, j) => Math.abs(value - tensor[i][j])),
      ),
    ),
  );
  return Math.max(...changes) / largest;
}

// The axes to which tabulated tensors of a crystal refer: ANSI/IEEE Standard 176-1987, section 3.
// cubic                  x₁ x₂ x₃ along a b c
// tetragonal             x₃ along c, x₁ along a
// trigonal, hexagonal    x₃ along the three- or sixfold axis, x₁ along a; in the classes
// 3m, -6m2 (and 32, -3m) whose mirrors (twofold axes) are not normal to
// (along) a, x₁ is 30° from a
// orthorhombic           conventional axes with c < a < b, x₁ x₂ x₃ along a b c
// monoclinic             x₂ along the unique axis, x₃ along the shorter of the other two
// triclinic              x₃ along the longest axis, x₂ normal to it and the shortest
// If the standard does not define the positive direction, it is that of the input axes.

/** Cosine and sine of 30°. */
const THIRTY = [Math.sqrt(3) / 2, 1 / 2] as const;

const isAxis = (rotation: Mat3, axis: Vec3, sign: 1 | -1): boolean => {
  const image = rotation.map((row) => row[0] * axis[0] + row[1] * axis[1] + row[2] * axis[2]);
  return image.every((value, i) => Math.abs(value - sign * axis[i]) < 0.01);
};

/**
 * The direction of x₁ of a trigonal or hexagonal crystal: normal to a mirror that contains c if there is one,
 * otherwise along a twofold axis. The point group must decide, because both a and the direction 30° from a are
 * lattice directions; this distinguishes P-6m2 from P-62m.
 */
function firstAcrossThird(a: Vec3, c: Vec3, pointRotations: readonly Mat3[]): Vec3 {
  const [x, z] = [unit(a), unit(c)];
  const y = cross3(z, x);
  const at30Degrees: Vec3 = [0, 1, 2].map((i) => THIRTY[0] * x[i] + THIRTY[1] * y[i]) as unknown as Vec3;
  const trace = (rotation: Mat3): number => rotation[0][0] + rotation[1][1] + rotation[2][2];
  const hasMirror = (axis: Vec3): boolean =>
    pointRotations.some((rotation) => Math.abs(trace(rotation) - 1) < 0.01 && isAxis(rotation, axis, -1));
  const hasTwofold = (axis: Vec3): boolean =>
    pointRotations.some((rotation) => Math.abs(trace(rotation) + 1) < 0.01 && isAxis(rotation, axis, 1));
  if (hasMirror(x) || hasMirror(at30Degrees)) return hasMirror(x) ? x : at30Degrees;
  return hasTwofold(x) || !hasTwofold(at30Degrees) ? x : at30Degrees;
}

/**
 * Rotation into the standard axes: rows are x₁, x₂, x₃ in the Cartesian frame of the tensor. The result is an argument
 * of `rotateStiffness`.
 * @param conventionalVectors rows a, b, c (Å) of the conventional cell in the frame of the tensor: unique axis b
 *   when monoclinic, hexagonal axes when trigonal.
 * @param pointRotations the point group as Cartesian matrices in the same frame; without it x₁ of trigonal and hexagonal
 *   crystals is along a.
 * @example rotateStiffness(stiffness, ieeeOrientation('trigonal', rows))
 */
export function ieeeOrientation(
  crystalSystem: CrystalSystem,
  conventionalVectors: Mat3,
  pointRotations: readonly Mat3[] = [],
): Mat3 {
  const [a, b, c] = conventionalVectors;
  const byLength = [a, b, c].toSorted((p, q) => norm3(p) - norm3(q));
  switch (crystalSystem) {
    case 'cubic':
      return frame(a, b);
    case 'tetragonal':
      return frameWithThird(c, a);
    case 'trigonal':
    case 'hexagonal':
      return frameWithThird(c, firstAcrossThird(a, c, pointRotations));
    case 'orthorhombic':
      return frame(byLength[1], byLength[2]);
    case 'monoclinic': {
      const third = unit(norm3(a) < norm3(c) ? a : c);
      const second = unit(b);
      return frame(cross3(second, third), second);
    }
    default: {
      const [shortest, , longest] = byLength;
      return frameWithThird(longest, shortest);
    }
  }
}

/** A right-handed frame with x₁ along `first` and x₂ in its plane with `second`. */
function frame(first: Vec3, second: Vec3): Mat3 {
  const x = unit(first);
  const y = unit(subtract3(second, scale3(x, dot3(second, x))));
  return [x, y, cross3(x, y)];
}

/** A right-handed frame with x₃ along `third` and x₂ normal to it and `first`. */
function frameWithThird(third: Vec3, first: Vec3): Mat3 {
  const z = unit(third);
  const y = unit(cross3(z, first));
  return [cross3(y, z), y, z];
}

const unit = (vector: Vec3): Vec3 => scale3(vector, 1 / norm3(vector));
