/**
 * Scalars of the dielectric tensor ε = ε_electronic + ε_ionic (relative permittivity, no unit).
 *
 * The refractive index of the polycrystal is n = √(mean diagonal of the electronic part), at optical frequencies, well
 * below the gap. The conventions are those of the Materials
 * Project (I. Petousis et al., Sci. Data 4 (2017) 160134, doi:10.1038/sdata.2016.134).
 */
import { symmetricEigen, type Vec3 } from '@unitcell/numerics';
import { TensorError } from './tensor-error.ts';
import { assertShape, symmetrised } from './voigt.ts';

/**
 * The largest response of a piezoelectric tensor e (3×6, C/m², Voigt order xx yy zz yz xz xy).
 *
 * e maps a strain (six engineering components) to a polarisation. The largest response is the longest polarisation
 * over all strains with Σ εij² = 1, a norm that no rotation changes. It is the largest singular value σ of e with its
 * shear columns times √2 (Kelvin's notation, M. M. Mehrabadi, S. C. Cowin, Q. J. Mech. Appl. Math. 43 (1990) 15), and
 * its direction is the left singular vector. M. de Jong et al., Sci. Data 2 (2015) 150053, doi:10.1038/sdata.2015.53,
 * and the Materials Project leave the factor out, so that their value depends on the axes.
 */
export interface PiezoelectricProperties {
  /** Largest singular value, C/m². */
  readonly maxResponse: number;
  /** Singular values in descending order, C/m². */
  readonly singularValues: readonly number[];
  /**
   * Unit vector along the largest polarisation, of arbitrary sign; null if the tensor is zero or if several
   * directions have the largest polarisation, as in cubic crystals.
   */
  readonly maxDirection: Vec3 | null;
}

/** C/m². A smaller response is numerical noise, and its direction is meaningless. */
export const NO_RESPONSE = 1e-6;
/** Responses that differ by a smaller share are equal. */
const EQUAL_RESPONSES = 1e-3;

/**
 * Derived values of a piezoelectric tensor.
 * @throws TensorError for a wrong shape or components that are not finite.
 * @example piezoelectricProperties(zincOxide).maxResponse // 1.55 C/m²
 */
export function piezoelectricProperties(tensor: readonly (readonly number[])[]): PiezoelectricProperties {
  assertShape(tensor, 3, 6, 'the piezoelectric tensor');
  const gram = tensor.map((left) =>
    tensor.map((right) => left.reduce((sum, value, k) => sum + (k < 3 ? 1 : 2) * value * right[k], 0)),
  );
  const { values, vectors } = symmetricEigen(gram);
  const singularValues = values.map((value) => Math.sqrt(Math.max(0, value))).toReversed();
  const [maxResponse, second] = singularValues;
  const hasDirection = maxResponse >= NO_RESPONSE && second < (1 - EQUAL_RESPONSES) * maxResponse;
  const [x, y, z] = vectors[2];
  return { maxResponse, singularValues, maxDirection: hasDirection ? [x, y, z] : null };
}

type Tensor3 = readonly (readonly number[])[];

export interface DielectricTensors {
  /** Permittivity with clamped ions: the response of the electrons alone (ε∞). */
  readonly electronic: Tensor3;
  /** Contribution of the ions at low frequency. */
  readonly ionic: Tensor3;
}

export interface DielectricProperties {
  /** Mean of the diagonal of each tensor. */
  readonly meanTotal: number;
  readonly meanElectronic: number;
  readonly refractiveIndex: number;
}

/**
 * Derived scalars of a crystal's dielectric tensors (3×3, Cartesian).
 * @throws TensorError for wrong shapes, asymmetric tensors or an electronic permittivity that is not positive.
 * @example dielectricProperties({ electronic, ionic }).refractiveIndex
 */
export function dielectricProperties({ electronic, ionic }: DielectricTensors): DielectricProperties {
  assertShape(electronic, 3, 3, 'the electronic dielectric tensor');
  assertShape(ionic, 3, 3, 'the ionic dielectric tensor');
  const total = electronic.map((row, i) => row.map((value, j) => value + ionic[i][j]));
  const [lowest] = symmetricEigen(symmetrised(electronic, 'the electronic dielectric tensor')).values;
  if (!(lowest > 0))
    throw new TensorError(
      'unphysical',
      `the electronic dielectric tensor has the eigenvalue ${lowest}: expected positive values (a metal has none)`,
    );
  return {
    meanTotal: meanDiagonal(symmetrised(total, 'the dielectric tensor')),
    meanElectronic: meanDiagonal(electronic),
    refractiveIndex: Math.sqrt(meanDiagonal(electronic)),
  };
}

const meanDiagonal = (m: Tensor3): number => (m[0][0] + m[1][1] + m[2][2]) / 3;
