/**
 * Voigt notation: pairs of Cartesian indices as one index, in the order xx yy zz yz xz xy used everywhere
 * except in VASP, which writes xx yy zz xy yz xz.
 *
 * Stiffness C is the fourth-rank tensor without factors; strains are engineering strains (γ = 2ε), so the compliance
 * has factors: S₄₄ = 4 s₂₃₂₃, S₁₄ = 2 s₁₁₂₃. J. F. Nye, Physical Properties of Crystals (Oxford, 1957), chapter VIII.
 */
import { luFactor, luInverse } from '@unitcell/numerics';
import { TensorError } from './tensor-error.ts';

/** Rows of a 6×6 matrix in Voigt order. */
export type Voigt6 = readonly (readonly number[])[];

/** The Cartesian indices of each Voigt index. */
export const VOIGT_PAIRS = [
  [0, 0],
  [1, 1],
  [2, 2],
  [1, 2],
  [0, 2],
  [0, 1],
] as const;

/**
 * Share of the largest component by which C_ij and C_ji may differ: finite differences cause a few tenths of a per
 * cent, a matrix read in the wrong order much more.
 */
export const SYMMETRY_TOLERANCE = 0.02;

/** @throws TensorError when the matrix has another shape or a component is not finite. */
export function assertShape(
  matrix: readonly (readonly number[])[],
  rows: number,
  columns: number,
  what: string,
): void {
  if (matrix.length !== rows || matrix.some((row) => row.length !== columns)) {
    const found = `${matrix.length} rows of ${[...new Set(matrix.map((row) => row.length))].join(' or ')}`;
    throw new TensorError(
      'wrong-shape',
      `${what} has ${found} components: expected ${rows} rows of ${columns}`,
    );
  }
  if (!matrix.flat().every(Number.isFinite))
    throw new TensorError('not-finite', `${what} has a component that is not a finite number`);
}

/** The mean of a matrix and its transpose. @throws TensorError when the two differ by more than the tolerance. */
export function symmetrised(matrix: readonly (readonly number[])[], what: string): number[][] {
  const largest = Math.max(...matrix.flat().map(Math.abs));
  return matrix.map((row, i) =>
    row.map((value, j) => {
      if (Math.abs(value - matrix[j][i]) > SYMMETRY_TOLERANCE * largest)
        throw new TensorError(
          'not-symmetric',
          `${what} has ${value} in row ${i + 1}, column ${j + 1} but ${matrix[j][i]} in its mirror place`,
        );
      return (value + matrix[j][i]) / 2;
    }),
  );
}

/**
 * Compliance (1/GPa) of a stiffness tensor (GPa).
 * @throws TensorError when the stiffness is singular.
 */
export function complianceOf(stiffness: Voigt6): number[][] {
  const factors = luFactor(stiffness.flat(), 6);
  if (!factors)
    throw new TensorError(
      'singular',
      'the elastic tensor is singular: some strain costs no energy, so it has no compliance',
    );
  const inverse = luInverse(factors);
  return Array.from({ length: 6 }, (_unused, row) => Array.from(inverse.subarray(6 * row, 6 * row + 6)));
}
