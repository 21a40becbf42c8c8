/**
 * The axes in which tables print the tensors of a crystal: ANSI/IEEE Standard 176-1987, section 3.
 *
 *   cubic                  x₁ x₂ x₃ along a b c
 *   tetragonal             x₃ along c, x₁ along a
 *   trigonal, hexagonal    x₃ along the three- or sixfold axis, x₁ along a
 *   orthorhombic           conventional axes with c < a < b, x₁ x₂ x₃ along a b c
 *   monoclinic             x₂ along the unique axis, x₃ along the shorter of the other two
 *   triclinic              x₃ along the longest axis, x₂ normal to it and the shortest
 * Positive directions that the standard leaves open follow the axes handed in.
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

/**
 * Rotation into the standard axes: rows are x₁, x₂, x₃ in the Cartesian frame of the tensor. Hand the result to
 * `rotateStiffness`.
 * @param conventionalVectors rows a, b, c (Å) of the conventional cell in the frame of the tensor: unique axis b
 *   when monoclinic, hexagonal axes when trigonal.
 * @example rotateStiffness(stiffness, ieeeOrientation('trigonal', rows))
 */
export function ieeeOrientation(crystalSystem: TensorCrystalSystem, conventionalVectors: Mat3): Mat3 {
  const [a, b, c] = conventionalVectors;
  const byLength = [a, b, c].toSorted((p, q) => norm3(p) - norm3(q));
  switch (crystalSystem) {
    case 'cubic':
      return frame(a, b);
    case 'tetragonal':
    case 'trigonal':
    case 'hexagonal':
      return frameWithThird(c, a);
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

/** x₁ along `first`, x₂ in its plane with `second`, right-handed. */
function frame(first: Vec3, second: Vec3): Mat3 {
  const x = unit(first);
  const y = unit(subtract3(second, scale3(x, dot3(second, x))));
  return [x, y, cross3(x, y)];
}

/** x₃ along `third`, x₂ normal to it and `first`, right-handed. */
function frameWithThird(third: Vec3, first: Vec3): Mat3 {
  const z = unit(third);
  const y = unit(cross3(z, first));
  return [cross3(y, z), y, z];
}

const unit = (vector: Vec3): Vec3 => scale3(vector, 1 / norm3(vector));
