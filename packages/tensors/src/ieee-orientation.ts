/**
 * The axes to which tabulated tensors of a crystal refer: ANSI/IEEE Standard 176-1987, section 3.
 *
 *   cubic                  x₁ x₂ x₃ along a b c
 *   tetragonal             x₃ along c, x₁ along a
 *   trigonal, hexagonal    x₃ along the three- or sixfold axis, x₁ along a; in the classes
 *                          3m, -6m2 (and 32, -3m) whose mirrors (twofold axes) are not normal to
 *                          (along) a, x₁ is 30° from a
 *   orthorhombic           conventional axes with c < a < b, x₁ x₂ x₃ along a b c
 *   monoclinic             x₂ along the unique axis, x₃ along the shorter of the other two
 *   triclinic              x₃ along the longest axis, x₂ normal to it and the shortest
 * If the standard does not define the positive direction, it is that of the input axes.
 */
import { cross3, dot3, type Mat3, norm3, scale3, subtract3, type Vec3 } from '@unitcell/numerics';

export type TensorCrystalSystem =
  | 'triclinic'
  | 'monoclinic'
  | 'orthorhombic'
  | 'tetragonal'
  | 'trigonal'
  | 'hexagonal'
  | 'cubic';

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
  crystalSystem: TensorCrystalSystem,
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
