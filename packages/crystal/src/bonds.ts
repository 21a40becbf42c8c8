/**
 * Bonds by covalent radii: two atoms are bonded when they are nearer than the sum of their radii and a tolerance.
 * Radii: B. Cordero et al., Dalton Trans. (2008) 2832; the rule and its tolerance: E. C. Meng & R. A. Lewis,
 * J. Comput. Chem. 12 (1991) 891, https://doi.org/10.1002/jcc.540120716.
 */
import { findElement } from '@unitcell/elements';
import type { Vec3 } from '@unitcell/numerics';
import { type Neighbour, neighbourList } from './neighbours.ts';
import type { Site, Structure } from './structure.ts';

/** Å; covers the spread of bond lengths around the sum of the radii. */
export const BOND_TOLERANCE = 0.45;

/** Å; nearer atoms are alternatives on split sites, not bonded. */
export const MIN_BOND_LENGTH = 0.4;

/** Å; for elements without a tabulated radius (beyond Cm): that of curium. */
const FALLBACK_RADIUS = 1.69;

export interface Bond {
  /** Indices of the two sites, `from` ≤ `to`. */
  readonly from: number;
  readonly to: number;
  /** The second atom lies at its `fractionalCoords` plus this lattice translation. */
  readonly image: Vec3;
  /** Å */
  readonly length: number;
}

/** The radius of the element with the largest share of a site, Å. */
export function siteRadius(site: Site): number {
  const main = site.species.reduce((most, species) => (species.occupancy > most.occupancy ? species : most));
  return findElement(main.element)?.covalentRadius ?? FALLBACK_RADIUS;
}

/** Bonds, shells and polyhedra of one structure ask for the same neighbours one after the other. */
const known = new WeakMap<
  Structure,
  { readonly tolerance: number; readonly bonded: readonly (readonly Neighbour[])[] }
>();

/**
 * Neighbours of every site that are bonded to it, nearest first. Kept as long as the structure is, which nobody changes.
 * @param tolerance Å beyond the sum of the covalent radii
 */
export function bondedNeighbours(
  structure: Structure,
  tolerance = BOND_TOLERANCE,
): readonly (readonly Neighbour[])[] {
  const before = known.get(structure);
  if (before?.tolerance === tolerance) return before.bonded;
  const bonded = findBonded(structure, tolerance);
  known.set(structure, { tolerance, bonded });
  return bonded;
}

function findBonded(structure: Structure, tolerance: number): readonly (readonly Neighbour[])[] {
  if (structure.sites.length === 0) return [];
  const radii = structure.sites.map(siteRadius);
  const largest = radii.reduce((a, b) => Math.max(a, b), 0);
  return neighbourList(structure, 2 * largest + tolerance).map((neighbours, site) =>
    neighbours.filter(
      ({ site: other, distance }) =>
        distance >= MIN_BOND_LENGTH && distance <= radii[site] + radii[other] + tolerance,
    ),
  );
}

/** True for the one of the two listings of a pair that is kept: ordered by site, then by the sign of the image. */
function isFirstListing(from: number, { site, image }: Neighbour): boolean {
  if (from !== site) return from < site;
  const sign = image.find((shift) => shift !== 0) ?? 0;
  return sign > 0;
}

/** All bonds of the cell, each once. */
export const bonds = (structure: Structure, tolerance = BOND_TOLERANCE): readonly Bond[] =>
  bondedNeighbours(structure, tolerance).flatMap((neighbours, from) =>
    neighbours
      .filter((neighbour) => isFirstListing(from, neighbour))
      .map(({ site, image, distance }) => ({ from, to: site, image, length: distance })),
  );
