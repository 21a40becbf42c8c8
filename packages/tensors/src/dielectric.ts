/**
 * Scalars of the dielectric tensor ε = ε_electronic + ε_ionic (relative permittivity, no unit).
 *
 * The refractive index of the polycrystal is n = √(mean diagonal of the electronic part), at optical frequencies, well
 * below the gap; the principal indices are the roots of its eigenvalues. Conventions of the Materials Project
 * (I. Petousis et al., Sci. Data 4 (2017) 160134, doi:10.1038/sdata.2016.134).
 */
import { symmetricEigen } from '@unitcell/numerics';
import { TensorError } from './tensor-error.ts';
import { assertShape, symmetrised } from './voigt.ts';

type Tensor3 = readonly (readonly number[])[];

export interface DielectricTensors {
  /** Clamped ions: the response of the electrons alone (ε∞). */
  readonly electronic: Tensor3;
  /** What the ions add at low frequency. */
  readonly ionic: Tensor3;
}

export interface DielectricProperties {
  readonly total: Tensor3;
  /** Mean of the diagonal of each tensor. */
  readonly meanTotal: number;
  readonly meanIonic: number;
  readonly meanElectronic: number;
  readonly refractiveIndex: number;
  /** Ascending. */
  readonly principalRefractiveIndices: readonly number[];
  /** Of the total tensor, ascending. */
  readonly eigenvaluesTotal: readonly number[];
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
  const principal = symmetricEigen(symmetrised(electronic, 'the electronic dielectric tensor')).values;
  if (!(principal[0] > 0))
    throw new TensorError(
      'unphysical',
      `the electronic dielectric tensor has the eigenvalue ${principal[0]}: expected positive values (a metal has none)`,
    );
  return {
    total,
    meanTotal: meanDiagonal(total),
    meanIonic: meanDiagonal(ionic),
    meanElectronic: meanDiagonal(electronic),
    refractiveIndex: Math.sqrt(meanDiagonal(electronic)),
    principalRefractiveIndices: principal.map(Math.sqrt),
    eigenvaluesTotal: symmetricEigen(symmetrised(total, 'the dielectric tensor')).values,
  };
}

const meanDiagonal = (m: Tensor3): number => (m[0][0] + m[1][1] + m[2][2]) / 3;
