/** One site of every orbit, moved exactly onto its special position. */
import { add3, inverse3, rowTimesMatrix3, scale3, transpose3, type Vec3 } from '@unitcell/numerics';
import { CrystalError } from './error.ts';
import { createSiteIndex, shortestDifference } from './io/site-index.ts';
import type { Site, Structure } from './structure.ts';
import { applySymmetryOperation, type SymmetryOperation, wrapFraction } from './symmetry-operation.ts';

/** Å. Cells in a tabulated setting have their symmetry within the precision of the stored coordinates. */
export const SETTING_TOLERANCE = 0.01;

export interface AsymmetricSite {
  /** The site at exactly the position that the operations require. */
  readonly site: Site;
  /** Number of sites of the cell in this orbit. */
  readonly multiplicity: number;
  /** Indices of the sites of this orbit. */
  readonly members: readonly number[];
}

const isSameOccupation = (a: Site, b: Site): boolean =>
  a.species === b.species ||
  (a.species.length === b.species.length &&
    a.species.every(({ element, occupancy }) =>
      b.species.some((other) => other.element === element && Math.abs(other.occupancy - occupancy) < 1e-3),
    ));

const wrapPosition = ([x, y, z]: Vec3): Vec3 => [wrapFraction(x), wrapFraction(y), wrapFraction(z)];

/**
 * One site per orbit of the structure under the operations. Its position is the mean of all sites of the orbit,
 * each mapped back by the operation that generates it, so that images that should coincide do coincide.
 * @param operations all operations of the cell, centring translations included
 * @param tolerance Å; a site and the image of another count as the same within this distance
 * @throws CrystalError `symmetry` when an operation maps a site to a position without an equal site
 */
export function asymmetricUnit(
  structure: Structure,
  operations: readonly SymmetryOperation[],
  tolerance: number,
): readonly AsymmetricSite[] {
  const { latticeVectors, sites } = structure;
  const index = createSiteIndex(latticeVectors, tolerance);
  const wrapped = sites.map(({ fractionalCoords }) => wrapPosition(fractionalCoords));
  for (const position of wrapped) index.add(position);
  const backRotations = operations.map(({ rotation }) => transpose3(inverse3(rotation)));
  const isTaken = sites.map(() => false);
  const unit: AsymmetricSite[] = [];
  sites.forEach((site, start) => {
    if (isTaken[start]) return;
    const orbit = new Set<number>();
    let drift: Vec3 = [0, 0, 0];
    for (const [at, operation] of operations.entries()) {
      const image = applySymmetryOperation(operation, wrapped[start]);
      const found = index.find(wrapPosition(image));
      if (found < 0 || !isSameOccupation(site, sites[found]))
        throw new CrystalError(
          'symmetry',
          `site ${start + 1} has no partner within ${tolerance} Å under one of the operations; use the operations of this cell or a larger tolerance`,
        );
      orbit.add(found);
      drift = add3(drift, rowTimesMatrix3(shortestDifference(image, wrapped[found]), backRotations[at]));
    }
    for (const member of orbit) isTaken[member] = true;
    const exact = add3(wrapped[start], scale3(drift, 1 / operations.length));
    unit.push({ site: { ...site, fractionalCoords: exact }, multiplicity: orbit.size, members: [...orbit] });
  });
  return unit;
}
