/** The result of a symmetry analysis, and the distance of sites. */
import type { CrystalSystem, Structure, SymmetryOperation } from '@unitcell/crystal';
import { type Mat3, norm3, rowTimesMatrix3, type Vec3 } from '@unitcell/numerics';

export interface SpaceGroup {
  /** 1 to 230. */
  readonly number: number;
  /** Short Hermann–Mauguin symbol without spaces: `Fm-3m`, `P6_3/mmc`. */
  readonly symbol: string;
  /** Number of the setting and origin, 1 to 530. */
  readonly hallNumber: number;
  readonly hallSymbol: string;
}

export interface SymmetryDataset {
  readonly spaceGroup: SpaceGroup;
  /** Hermann–Mauguin symbol of the point group: `m-3m`. */
  readonly pointGroup: string;
  readonly crystalSystem: CrystalSystem;
  /** Lattice system: equal to the crystal system, except that trigonal groups are `rhombohedral` or `hexagonal`. */
  readonly latticeType: Exclude<CrystalSystem, 'trigonal'> | 'rhombohedral';
  /** Bravais lattice: `cF`, `hR`, `mS` … */
  readonly bravais: string;
  /** Wyckoff letter of each site of the input. */
  readonly wyckoffs: readonly string[];
  /** Operations of the input cell, centring translations included. */
  readonly operations: readonly SymmetryOperation[];
  /** Conventional cell in spglib's standard setting, idealised, in its own orientation. */
  readonly standardizedCell: Structure;
  /** A primitive cell of the `standardizedCell`. */
  readonly primitiveCell: Structure;
  /**
   * Rows a, b, c (Å) of the conventional cell in the orientation of the input, before idealising and
   * rotating: the reference axes for tensors of the input.
   */
  readonly conventionalVectors: Mat3;
  /** Å, position of the origin of this cell in the Cartesian frame of the input. */
  readonly conventionalOrigin: Vec3;
  /** Å, the tolerance that was used. */
  readonly symprec: number;
}

/**
 * Length in Å of a difference of fractional coordinates, modulo lattice translations; exact for near
 * coincidences.
 */
export function wrappedDistance(difference: Vec3, latticeVectors: Mat3): number {
  const [x, y, z] = difference;
  return norm3(rowTimesMatrix3([x - Math.round(x), y - Math.round(y), z - Math.round(z)], latticeVectors));
}
