/** The result of a symmetry analysis, and small operations on it. */
import { applySymmetryOperation, type Structure, type SymmetryOperation } from '@unitcell/crystal';
import { type Mat3, norm3, rowTimesMatrix3, subtract3, type Vec3 } from '@unitcell/numerics';

/** Orbits of sites, and operations, of the input cell. */
interface CrystalOrbits {
  /** For each site the first site of its orbit under the space group of the crystal. */
  readonly orbits: readonly number[];
  /** Number of sites in a primitive cell. */
  readonly primitiveSites: number;
  readonly pointGroup: string;
  /** Operations that keep the lattice of the given cell. */
  readonly operations: readonly SymmetryOperation[];
}

/**
 * Classes of sites under the operations of the input cell. They are the crystallographic orbits unless the
 * input lattice lacks symmetry of the crystal. The images are computed only in that case, which the number of
 * operations shows.
 */
export function findEquivalentAtoms(
  { sites, latticeVectors }: Structure,
  { orbits, primitiveSites, pointGroup, operations }: CrystalOrbits,
): readonly number[] {
  const fullCount = (POINT_GROUP_ORDER[pointGroup] * sites.length) / primitiveSites;
  if (operations.length === fullCount) return orbits;
  const representative = Array.from(orbits, () => -1);
  for (const orbit of groupByRepresentative(orbits)) {
    for (const site of orbit) {
      if (representative[site] >= 0) continue;
      for (const operation of operations) {
        const image = applySymmetryOperation(operation, sites[site].fractionalCoords);
        const distances = orbit.map((other) =>
          wrappedDistance(subtract3(image, sites[other].fractionalCoords), latticeVectors),
        );
        representative[orbit[distances.indexOf(Math.min(...distances))]] = site;
      }
    }
  }
  return representative;
}

// biome-ignore format: a table of the 32 point groups
const POINT_GROUP_ORDER: Readonly<Record<string, number>> = {
  '1': 1, '-1': 2, '2': 2, m: 2, '2/m': 4, '222': 4, mm2: 4, mmm: 8,
  '4': 4, '-4': 4, '4/m': 8, '422': 8, '4mm': 8, '-42m': 8, '4/mmm': 16,
  '3': 3, '-3': 6, '32': 6, '3m': 6, '-3m': 12,
  '6': 6, '-6': 6, '6/m': 12, '622': 12, '6mm': 12, '-6m2': 12, '6/mmm': 24,
  '23': 12, 'm-3': 24, '432': 24, '-43m': 24, 'm-3m': 48,
};

export interface SpaceGroup {
  /** 1 to 230. */
  readonly number: number;
  /** Short Hermann–Mauguin symbol without spaces: `Fm-3m`, `P6_3/mmc`. */
  readonly symbol: string;
  /** Number of the setting and origin, 1 to 530. */
  readonly hallNumber: number;
  readonly hallSymbol: string;
}

export type CrystalSystem =
  | 'triclinic'
  | 'monoclinic'
  | 'orthorhombic'
  | 'tetragonal'
  | 'trigonal'
  | 'hexagonal'
  | 'cubic';

export interface SymmetryDataset {
  readonly spaceGroup: SpaceGroup;
  /** Hermann–Mauguin symbol of the point group: `m-3m`. */
  readonly pointGroup: string;
  readonly crystalSystem: CrystalSystem;
  /** Lattice system: equal to the crystal system, except that trigonal groups are `rhombohedral` or `hexagonal`. */
  readonly latticeType: Exclude<CrystalSystem, 'trigonal'> | 'rhombohedral';
  /** Bravais lattice: `cF`, `hR`, `mS` … */
  readonly bravais: string;
  /** Bravais lattice and number of atoms in the conventional cell: `cF8`. */
  readonly pearsonSymbol: string;
  /** Wyckoff letter of each site of the input. */
  readonly wyckoffs: readonly string[];
  /** Site symmetry symbol of each site of the input, oriented as in International Tables: `4/mm.m`. */
  readonly siteSymmetry: readonly string[];
  /**
   * For each site the first site that an operation of the input cell maps onto it. If the lattice of a
   * supercell is less symmetric than that of its crystal, these classes are finer than
   * `crystallographicOrbits`.
   */
  readonly equivalentAtoms: readonly number[];
  /** For each site the first site of its orbit under the whole space group of the crystal. */
  readonly crystallographicOrbits: readonly number[];
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

/** The indices of the sites that share a representative, in order of their first site. */
function groupByRepresentative(representatives: readonly number[]): number[][] {
  const groups = new Map<number, number[]>();
  representatives.forEach((first, site) => {
    const group = groups.get(first);
    if (group) group.push(site);
    else groups.set(first, [site]);
  });
  return [...groups.values()];
}
