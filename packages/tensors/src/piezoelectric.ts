/**
 * The largest response of a piezoelectric tensor e (3×6, C/m², Voigt order xx yy zz yz xz xy).
 *
 * e turns a strain (six engineering components) into a polarisation. Its singular value decomposition e = Σ σ u vᵀ
 * says which unit strain v gives the largest polarisation σ, and along which direction u.
 * M. de Jong et al., Sci. Data 2 (2015) 150053, doi:10.1038/sdata.2015.53.
 */
import { symmetricEigen } from '@unitcell/numerics';
import { assertShape } from './voigt.ts';

export interface PiezoelectricProperties {
  /** C/m², largest singular value. */
  readonly maxResponse: number;
  /** C/m², descending. */
  readonly singularValues: readonly number[];
  /** Unit vector along the largest polarisation, sign arbitrary; null when the tensor is zero. */
  readonly maxDirection: readonly number[] | null;
  /** Unit strain in Voigt order that causes it, same sign; null when the tensor is zero. */
  readonly maxStrain: readonly number[] | null;
}

/** C/m². Below this a response is the noise of the calculation, and a direction would mean nothing. */
export const NO_RESPONSE = 1e-6;

/**
 * Derived values of a piezoelectric tensor.
 * @throws TensorError for a wrong shape or components that are not finite.
 * @example piezoelectricProperties(zincOxide).maxResponse // 1.55 C/m²
 */
export function piezoelectricProperties(tensor: readonly (readonly number[])[]): PiezoelectricProperties {
  assertShape(tensor, 3, 6, 'the piezoelectric tensor');
  const gram = tensor.map((left) =>
    tensor.map((right) => left.reduce((sum, value, k) => sum + value * right[k], 0)),
  );
  const { values, vectors } = symmetricEigen(gram);
  const singularValues = values.map((value) => Math.sqrt(Math.max(0, value))).toReversed();
  const maxResponse = singularValues[0];
  if (maxResponse < NO_RESPONSE) return { maxResponse, singularValues, maxDirection: null, maxStrain: null };
  const direction = vectors[2];
  const strain = [0, 1, 2, 3, 4, 5].map(
    (column) =>
      direction.reduce((sum, component, row) => sum + component * tensor[row][column], 0) / maxResponse,
  );
  return { maxResponse, singularValues, maxDirection: direction, maxStrain: strain };
}
