/**
 * One site of every orbit, moved exactly onto its symmetry.
 */
import { add3, scale3, type Vec3 } from '@unitcell/numerics';
import { CrystalError } from './error.ts';
import { createSiteIndex, shortestDifference } from './io/site-index.ts';
import type { Site, Structure } from './structure.ts';
import { applySymmetryOperation, type SymmetryOperation, wrapFraction } from './symmetry-operation.ts';

/** Å; computed structures keep their symmetry to about a tenth of an ångström. */
export const DEFAULT_SYMMETRY_TOLERANCE = 0.1;

export interface AsymmetricSite {
  /** At the exact position the operations give it. */
  readonly site: Site;
  /** Sites of the cell this one stands for. */
  readonly multiplicity: number;
  /** Their indices. */
  readonly members: readonly number[];
}

const isSameOccupation = (a: Site, b: Site): boolean =>
  a.species.length === b.species.length &&
  a.species.every(({ element, occupancy }) =>
    b.species.some((other) => other.element === element && Math.abs(other.occupancy - occupancy) < 1e-3),
  );

/** W⁻¹ · d for a difference d: the transpose of the cofactors, as the determinant is ±1. */
function rotatedBack({ rotation: r }: SymmetryOperation, d: Vec3): Vec3 {
  const cofactor = (i: number, j: number): number => {
    const [i1, i2, j1, j2] = [(i + 1) % 3, (i + 2) % 3, (j + 1) % 3, (j + 2) % 3];
    return r[i1][j1] * r[i2][j2] - r[i1][j2] * r[i2][j1];
  };
  const determinant = r[0][0] * cofactor(0, 0) + r[0][1] * cofactor(0, 1) + r[0][2] * cofactor(0, 2);
  const component = (i: number): number =>
    (cofactor(0, i) * d[0] + cofactor(1, i) * d[1] + cofactor(2, i) * d[2]) / determinant;
  return [component(0), component(1), component(2)];
}

/**
 * The sites that make the structure under the operations. The position of each is the mean of all sites of its
 * orbit carried back by the operations that map it there, so images that should coincide do.
 * @param operations all operations of the cell, centring translations included
 * @param tolerance Å between a site and the image of another that count as the same
 * @throws CrystalError `symmetry` when an operation maps a site to a place where there is none like it
 */
export function asymmetricUnit(
  structure: Structure,
  operations: readonly SymmetryOperation[],
  tolerance = DEFAULT_SYMMETRY_TOLERANCE,
): readonly AsymmetricSite[] {
  const { latticeVectors, sites } = structure;
  const index = createSiteIndex(latticeVectors, tolerance);
  const wrapped = sites.map(({ fractionalCoords }) => fractionalCoords.map(wrapFraction) as unknown as Vec3);
  for (const position of wrapped) index.add(position);
  const isTaken = sites.map(() => false);
  const unit: AsymmetricSite[] = [];
  sites.forEach((site, start) => {
    if (isTaken[start]) return;
    const orbit = new Set<number>();
    let drift: Vec3 = [0, 0, 0];
    for (const operation of operations) {
      const image = applySymmetryOperation(operation, wrapped[start]);
      const found = index.find(image.map(wrapFraction) as unknown as Vec3);
      if (found < 0 || !isSameOccupation(site, sites[found]))
        throw new CrystalError(
          'symmetry',
          `site ${start + 1} has no partner within ${tolerance} Å under one of the operations; use the operations of this cell or a larger tolerance`,
        );
      orbit.add(found);
      drift = add3(drift, rotatedBack(operation, shortestDifference(image, wrapped[found])));
    }
    for (const member of orbit) isTaken[member] = true;
    const exact = add3(wrapped[start], scale3(drift, 1 / operations.length));
    unit.push({ site: { ...site, fractionalCoords: exact }, multiplicity: orbit.size, members: [...orbit] });
  });
  return unit;
}
