/** Which sites of a cell its own symmetry operations exchange. */
import { applySymmetryOperation, type Structure, type SymmetryOperation } from '@unitcell/crystal';
import { subtract3 } from '@unitcell/numerics';
import { groupByRepresentative, wrappedDistance } from './symmetry-dataset.ts';

export interface CrystalOrbits {
  /** For each site the first site of its orbit under the space group of the crystal. */
  readonly orbits: readonly number[];
  /** Number of sites in a primitive cell. */
  readonly primitiveSites: number;
  readonly pointGroup: string;
  /** Operations that keep the lattice of the cell given. */
  readonly operations: readonly SymmetryOperation[];
}

/**
 * Classes of sites under the operations of the input cell. They are the crystallographic orbits unless the input
 * lattice lacks symmetry of the crystal, which shows in the number of operations; only then are the images
 * worked out.
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
