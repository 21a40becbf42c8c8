/** The orthogonal matrix nearest to a matrix: the change of axes without the strain. */
import { inverse3, type Mat3, multiply3, symmetricEigen, transpose3 } from '@unitcell/numerics';

export interface PolarParts {
  /** Orthogonal up to rounding. */
  readonly rotation: Mat3;
  /** Largest relative stretch along any direction. */
  readonly strain: number;
}

/**
 * Newton's iteration converges quadratically: a few steps suffice for any change of axes. The limit is for singular
 * input.
 */
const MAX_STEPS = 60;
const CONVERGED = 1e-15;

/**
 * Rotation R and stretch U of M = R·U, by Newton's iteration R ← (R + R⁻ᵀ)/2.
 * N. J. Higham, SIAM J. Sci. Stat. Comput. 7 (1986) 1160, doi:10.1137/0907079.
 * @param matrix of columns, not singular
 */
export function polarRotation(matrix: Mat3): PolarParts {
  let rotation = matrix;
  for (let step = 0; step < MAX_STEPS; step++) {
    const mate = transpose3(inverse3(rotation));
    const mean = (i: 0 | 1 | 2, j: 0 | 1 | 2): number => (rotation[i][j] + mate[i][j]) / 2;
    const next: Mat3 = [
      [mean(0, 0), mean(0, 1), mean(0, 2)],
      [mean(1, 0), mean(1, 1), mean(1, 2)],
      [mean(2, 0), mean(2, 1), mean(2, 2)],
    ];
    const change = Math.max(
      ...next.flatMap((row, i) => row.map((value, j) => Math.abs(value - rotation[i][j]))),
    );
    rotation = next;
    if (change < CONVERGED) break;
  }
  const stretches = symmetricEigen(multiply3(transpose3(rotation), matrix)).values;
  return { rotation, strain: Math.max(...stretches.map((value) => Math.abs(value - 1))) };
}
