import { cellVolume, type Structure } from '@unitcell/crystal';
import { GPA_PER_EV_PER_CUBIC_ANGSTROM } from '@unitcell/elements';
import { luFactor, luSolve, scale3 } from '@unitcell/numerics';
import type { Engine } from './engine.ts';
import { PotentialError } from './potential-error.ts';
import { relaxAtoms } from './relax.ts';

export interface EquationOfState {
  /** Volume of the cell in Å³, and its energy in eV. */
  readonly points: readonly { readonly volume: number; readonly energy: number }[];
  /** Volume of the cell at the minimum, Å³. */
  readonly volume: number;
  /** Energy of the cell at the minimum, eV. */
  readonly energy: number;
  /** GPa */
  readonly bulkModulus: number;
  /** Derivative of the bulk modulus with respect to pressure. */
  readonly bulkModulusDerivative: number;
}

/**
 * Coefficients of the polynomial of the given degree with the smallest squared error.
 * @throws PotentialError `no-minimum` with too few points
 */
export function fitPolynomial(x: readonly number[], y: readonly number[], degree: number): Float64Array {
  const size = degree + 1;
  const matrix = new Float64Array(size * size);
  const side = new Float64Array(size);
  x.forEach((value, point) => {
    for (let i = 0; i < size; i++) {
      side[i] += value ** i * y[point];
      for (let j = 0; j < size; j++) matrix[i * size + j] += value ** (i + j);
    }
  });
  const factors = luFactor(matrix, size);
  if (!factors)
    throw new PotentialError('no-minimum', `${x.length} volumes: at least 4 are needed for a fit`);
  return luSolve(factors, side);
}

/**
 * Fits the third-order Birch–Murnaghan equation to energies. With t = (V₀/V)^(2/3) − 1, E = E₀ + (9/8) V₀ B₀
 * (t² + (B₀′ − 4) t³ / 2), a cubic polynomial in V^(−2/3) (F. Birch, Phys. Rev. 71, 809 (1947)).
 * @throws PotentialError `no-minimum` with fewer than four volumes or if the minimum is outside their range
 */
export function birchMurnaghan(points: EquationOfState['points']): EquationOfState {
  const volumes = points.map(({ volume }) => volume);
  const [low, high] = [Math.min(...volumes), Math.max(...volumes)];
  const reference = (low + high) / 2;
  const strain = (volume: number): number => (reference / volume) ** (2 / 3) - 1;
  // Volumes are scaled to [−1, 1] and energies are relative to the lowest, because the normal equations lose half of
  // the digits.
  const width = strain(low);
  const base = Math.min(...points.map(({ energy }) => energy));
  const [c0, c1, c2, c3] = fitPolynomial(
    volumes.map((volume) => strain(volume) / width),
    points.map(({ energy }) => energy - base),
    3,
  );
  // The root of c₁ + 2 c₂ s + 3 c₃ s² where the second derivative is positive.
  const root = Math.sqrt(c2 * c2 - 3 * c1 * c3);
  const s = -c1 / (c2 + root);
  const volume = reference / (1 + s * width) ** (3 / 2);
  if (!(root > 0) || !(volume >= low && volume <= high))
    throw new PotentialError(
      'no-minimum',
      'the energy has no minimum between the smallest and the largest volume; start from the relaxed cell',
      { low, high },
    );
  // The expansion about the minimum, in powers of t = (1 + s width) / (1 + s₀ width) − 1.
  const unit = (1 + s * width) / width;
  const [second, third] = [(c2 + 3 * c3 * s) * unit ** 2, c3 * unit ** 3];
  return {
    points,
    volume,
    energy: base + c0 + s * (c1 + s * (c2 + s * c3)),
    bulkModulus: (GPA_PER_EV_PER_CUBIC_ANGSTROM * 8 * second) / (9 * volume),
    bulkModulusDerivative: 4 + (2 * third) / second,
  };
}

/**
 * The crystal with its cell scaled to a share of its volume; its shape and the fractional coordinates do not change.
 */
export function scaledTo(structure: Structure, ratio: number): Structure {
  const factor = Math.cbrt(ratio);
  const [a, b, c] = structure.latticeVectors;
  return { ...structure, latticeVectors: [scale3(a, factor), scale3(b, factor), scale3(c, factor)] };
}

/** Volumes of the equation of state, from 0.9 to 1.1 of the given volume. */
const RATIOS: readonly number[] = Array.from({ length: 11 }, (_, k) => 0.9 + 0.02 * k);

/**
 * Scales the cell of a crystal to several volumes and fits the equation of state to the energies. At each
 * volume the atoms are relaxed and the shape of the cell is kept.
 * @throws PotentialError as `relaxAtoms` and `birchMurnaghan`
 */
export const equationOfState = (
  engine: Engine,
  structure: Structure,
  ratios: readonly number[] = RATIOS,
): EquationOfState =>
  birchMurnaghan(
    ratios.map((ratio) => {
      const scaled = scaledTo(structure, ratio);
      const { evaluation } = relaxAtoms(engine, scaled);
      return { volume: cellVolume(scaled.latticeVectors), energy: evaluation.energy };
    }),
  );
