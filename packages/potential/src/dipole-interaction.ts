/**
 * The interaction of the dipoles of displaced ions. It is the part of the dynamical matrix that is not analytic at Γ
 * and splits longitudinal from transverse optical modes. Only the reciprocal part of the sum of Gonze and Lee, Phys.
 * Rev. B 55, 10355 (1997), eq. 71, is computed; the part in real space is short-ranged and belongs to the force
 * constants.
 */
import { cellVolume, reciprocalLattice, type Structure } from '@unitcell/crystal';
import {
  add3,
  dot3,
  inverse3,
  type Mat3,
  norm3,
  rowTimesMatrix3,
  scale3,
  symmetricEigen,
  transpose3,
  type Vec3,
} from '@unitcell/numerics';
import type { DipoleCharges, ForceConstants } from './force-constants.ts';
import { refuseFile } from './phonon-files/file-error.ts';
import { supercellCells } from './supercell-cells.ts';

/** e²/4πε₀ in eV Å. */
export const COULOMB = 14.3996454784;
/** Terms whose Gaussian factor is below this are left out. */
const NEGLIGIBLE = 1e-12;
/** Wave vectors shorter than this (in fractions) count as Γ. */
const ZERO = 1e-9;

/**
 * Width with which a sum over about 300 reciprocal vectors converges, 1/Å. Any width gives the same matrix at wave
 * vectors of the supercell; this is the width of phonopy, so that the interpolation is equal.
 */
export function defaultDamping({ latticeVectors }: Structure, dielectric: Mat3): number {
  const longest = 2 * Math.PI * ((3 * 300) / (4 * Math.PI * cellVolume(latticeVectors))) ** (1 / 3);
  const mean = (dielectric[0][0] + dielectric[1][1] + dielectric[2][2]) / 3;
  return Math.sqrt((longest ** 2 * mean) / 4 / -Math.log(1e-10));
}

export interface ComplexMatrix {
  readonly re: Float64Array;
  readonly im: Float64Array;
}

/**
 * Returns a function that gives the matrix at a wave vector, eV/Å², with the phases of lattice translations. The next
 * call overwrites the arrays.
 * @throws PotentialError `phonon-file` for a dielectric tensor that is not positive or too uneven
 */
export function dipoleInteraction(
  structure: Structure,
  { born, dielectric, damping }: DipoleCharges,
): (q: Vec3, direction?: Vec3) => ComplexMatrix {
  const { latticeVectors, sites } = structure;
  const reciprocal = reciprocalLattice(latticeVectors).map((row) =>
    scale3(row, 2 * Math.PI),
  ) as unknown as Mat3;
  const size = 3 * sites.length;
  const prefactor = (4 * Math.PI * COULOMB) / cellVolume(latticeVectors);
  const limit = -4 * damping ** 2 * Math.log(NEGLIGIBLE);
  const vectors = latticeWithin(reciprocal, dielectric, limit);
  const [re, im] = [new Float64Array(size * size), new Float64Array(size * size)];
  const [waveRe, waveIm] = [new Float64Array(size), new Float64Array(size)];

  /** Adds the term of one plane wave: for every two components of atoms, the product of their amplitudes. */
  function add(k: Vec3, phase: Vec3, factor: number): void {
    sites.forEach(({ fractionalCoords }, i) => {
      const angle = 2 * Math.PI * dot3(phase, fractionalCoords);
      const [cosine, sine] = [Math.cos(angle), Math.sin(angle)];
      rowTimesMatrix3(k, born[i]).forEach((charge, a) => {
        waveRe[3 * i + a] = charge * cosine;
        waveIm[3 * i + a] = charge * sine;
      });
    });
    for (let row = 0; row < size; row++) {
      const [x, y] = [factor * waveRe[row], factor * waveIm[row]];
      for (let column = 0; column <= row; column++) {
        re[row * size + column] += x * waveRe[column] + y * waveIm[column];
        im[row * size + column] += y * waveRe[column] - x * waveIm[column];
      }
    }
  }

  /** Completes the Hermitian matrix, of which only one half is summed. */
  function mirror(): void {
    for (let row = 0; row < size; row++)
      for (let column = 0; column < row; column++) {
        re[column * size + row] = re[row * size + column];
        im[column * size + row] = -im[row * size + column];
      }
  }

  function sum([x, y, z]: Vec3, direction: Vec3 | undefined): void {
    re.fill(0);
    im.fill(0);
    const q: Vec3 = [x - Math.round(x), y - Math.round(y), z - Math.round(z)];
    for (const g of vectors) {
      const fractions = add3(q, g);
      const isZero = norm3(fractions) < ZERO;
      if (isZero && !direction) continue;
      const k = rowTimesMatrix3(isZero && direction ? direction : fractions, reciprocal);
      const square = dot3(k, rowTimesMatrix3(k, dielectric));
      const damped = isZero ? 1 : Math.exp(-square / (4 * damping ** 2));
      if (damped > NEGLIGIBLE) add(k, fractions, (prefactor * damped) / square);
    }
    mirror();
  }

  // A shift of the whole crystal causes no force, so the sum over atoms at Γ is subtracted from each atom's own
  // block.
  sum([0, 0, 0], undefined);
  const own = sites.map((_, i) =>
    Array.from({ length: 9 }, (_none, k) => {
      const [a, b] = [Math.floor(k / 3), k % 3];
      let total = 0;
      for (let j = 0; j < sites.length; j++)
        total += (re[(3 * i + a) * size + 3 * j + b] + re[(3 * i + b) * size + 3 * j + a]) / 2;
      return total;
    }),
  );
  return (q, direction) => {
    sum(q, direction);
    own.forEach((block, i) =>
      block.forEach((value, k) => {
        re[(3 * i + Math.floor(k / 3)) * size + 3 * i + (k % 3)] -= value;
      }),
    );
    return { re, im };
  };
}

/** Limit of reciprocal vectors. Crystals need a few thousand; a layer with much vacuum needs 100,000. */
const MOST_VECTORS = 1_000_000;

/**
 * Reciprocal lattice vectors K (integers) for which K·ε·K may be below the limit after a wave vector of the
 * first cell is added.
 */
function latticeWithin(reciprocal: Mat3, dielectric: Mat3, limit: number): Vec3[] {
  const { values } = symmetricEigen(dielectric);
  const reach = reciprocal.reduce((sum, row) => sum + norm3(row) / 2, 0);
  const radius = Math.sqrt(limit / Math.min(...values)) + reach;
  const [x, y, z] = reciprocalLattice(reciprocal).map((row) => Math.ceil(radius * norm3(row)));
  // The product is NaN if an eigenvalue is negative, so the comparison is written in this form.
  if (!((2 * x + 1) * (2 * y + 1) * (2 * z + 1) <= MOST_VECTORS))
    refuseFile(
      'Born charges',
      `the dielectric tensor has the eigenvalues ${values.map((value) => value.toPrecision(3)).join(', ')}; in this cell the dipoles cannot be summed with them`,
    );
  const vectors: Vec3[] = [];
  for (let h = -x; h <= x; h++)
    for (let k = -y; k <= y; k++)
      for (let l = -z; l <= z; l++)
        if (norm3(rowTimesMatrix3([h, k, l], reciprocal)) <= radius) vectors.push([h, k, l]);
  return vectors;
}

/** Wave vectors that fit a supercell, in fractions of the reciprocal vectors of the cell, from −½ to ½. */
export function commensurate(supercell: Mat3): Vec3[] {
  const inverse = transpose3(inverse3(supercell));
  return supercellCells(transpose3(supercell)).cells.map((cell) => {
    const [x, y, z] = rowTimesMatrix3(cell, inverse);
    return [x - Math.round(x), y - Math.round(y), z - Math.round(z)];
  });
}

/** Computes force constants in real space, eV/Å², from matrices at the wave vectors that fit the supercell. */
export function toRealSpace(
  { sites }: Structure,
  supercell: Mat3,
  matrixAt: (q: Vec3) => ComplexMatrix,
): Float64Array {
  const atoms = sites.length;
  const { cells } = supercellCells(supercell);
  const values = new Float64Array(atoms * cells.length * atoms * 9);
  for (const q of commensurate(supercell)) {
    const { re, im } = matrixAt(q);
    cells.forEach((cell, c) => {
      const phase = 2 * Math.PI * dot3(q, cell);
      const [cosine, sine] = [Math.cos(phase) / cells.length, Math.sin(phase) / cells.length];
      for (let row = 0; row < 3 * atoms; row++)
        for (let column = 0; column < 3 * atoms; column++) {
          const [i, j] = [Math.floor(row / 3), Math.floor(column / 3)];
          const from = row * 3 * atoms + column;
          values[((i * cells.length + c) * atoms + j) * 9 + 3 * (row % 3) + (column % 3)] +=
            re[from] * cosine + im[from] * sine;
        }
    });
  }
  return values;
}

/**
 * Removes the dipole interaction from force constants of a supercell, so that the remainder is short-ranged and can be
 * interpolated. Frequencies at wave vectors of the supercell do not change, except for the splitting at Γ.
 */
export function withCharges(
  constants: ForceConstants,
  { born, dielectric }: Pick<DipoleCharges, 'born' | 'dielectric'>,
): ForceConstants {
  const { structure, supercell } = constants;
  const charges = { born: neutral(born), dielectric, damping: defaultDamping(structure, dielectric) };
  const dipoles = toRealSpace(structure, supercell, dipoleInteraction(structure, charges));
  return { ...constants, charges, values: constants.values.map((value, k) => value - dipoles[k]) };
}

/** The charges with their sum set to zero: the excess is subtracted equally from all atoms. */
export function neutral(born: readonly Mat3[]): Mat3[] {
  const sum = born.reduce((a, b) => [add3(a[0], b[0]), add3(a[1], b[1]), add3(a[2], b[2])]);
  return born.map((tensor) => {
    const row = (k: 0 | 1 | 2) => add3(tensor[k], scale3(sum[k], -1 / born.length));
    return [row(0), row(1), row(2)];
  });
}
