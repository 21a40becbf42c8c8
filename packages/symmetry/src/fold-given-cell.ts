/**
 * A structure folded to its primitive cell in the frame it was given in: no atom is moved and no axis turned, so
 * tensors, energies and forces that belong to it stay right.
 */
import { findPrimitiveCell, type Structure } from '@unitcell/crystal';
import { inverse3, rowTimesMatrix3, subtract3, type Vec3 } from '@unitcell/numerics';
import { wrappedDistance } from './symmetry-dataset.ts';

/** Å. Copies of an atom in files with five decimals agree within this; what differs by more is another atom. */
export const FOLD_TOLERANCE = 1e-3;

export interface GivenCell {
  /** The structure itself when it is primitive already, or when its copies differ by more than the tolerance. */
  readonly structure: Structure;
  /** Primitive cells in the cell that was given: 1 when nothing was folded. */
  readonly fold: number;
  /** Å, the largest distance between an atom and the copy that stands for it now; 0 when nothing was folded. */
  readonly largestMismatch: number;
}

/**
 * The primitive cell of a structure in its own frame. Of each set of copies the first is kept as it was written.
 * @param tolerance Å between copies
 */
export function foldGivenCell(structure: Structure, tolerance = FOLD_TOLERANCE): GivenCell {
  const kept: GivenCell = { structure, fold: 1, largestMismatch: 0 };
  const { latticeVectors, sites } = findPrimitiveCell(structure, tolerance);
  if (sites.length === structure.sites.length) return kept;
  const toSmall = inverse3(latticeVectors);
  const inSmall = (index: number): Vec3 => {
    const cartesian = rowTimesMatrix3(structure.sites[index].fractionalCoords, structure.latticeVectors);
    return rowTimesMatrix3(cartesian, toSmall);
  };
  let largestMismatch = 0;
  const folded = sites.map(({ sources }) => {
    const first = Math.min(...sources);
    const position = inSmall(first);
    for (const source of sources) {
      const distance = wrappedDistance(subtract3(inSmall(source), position), latticeVectors);
      largestMismatch = Math.max(largestMismatch, distance);
    }
    const [x, y, z] = position;
    const fractionalCoords: Vec3 = [x - Math.floor(x), y - Math.floor(y), z - Math.floor(z)];
    return { first, site: { ...structure.sites[first], fractionalCoords } };
  });
  // Averaging on the way down lets copies drift apart by more than each step allows.
  if (largestMismatch > tolerance) return kept;
  return {
    structure: {
      latticeVectors,
      sites: folded.toSorted((p, q) => p.first - q.first).map(({ site }) => site),
    },
    fold: structure.sites.length / sites.length,
    largestMismatch,
  };
}
