/**
 * Bonds by covalent radii: two atoms are bonded when their distance is below the sum of their radii plus a tolerance.
 * Exception: two cations that have nearer anions are not bonded, because cations on both sides of a shared edge or face
 * come close without a bond (Li–P in LiFePO4). Radii: B. Cordero et al., Dalton Trans. (2008) 2832; the rule and its
 * tolerance: E. C. Meng & R. A. Lewis, J. Comput. Chem. 12 (1991) 891, https://doi.org/10.1002/jcc.540120716.
 */
import { findElement } from '@unitcell/elements';
import type { Vec3 } from '@unitcell/numerics';
import { type Neighbour, neighbourList } from './neighbours.ts';
import type { Site, Structure } from './structure.ts';

/** Å; covers the spread of bond lengths around the sum of the radii. */
export const BOND_TOLERANCE = 0.45;

/** Å; nearer atoms are alternatives on split sites and not bonded. */
export const MIN_BOND_LENGTH = 0.4;

/** Å; radius of curium, also used for heavier elements, which have no tabulated radius. */
const FALLBACK_RADIUS = 1.69;

export interface Bond {
  /** Indices of the two sites, `from` ≤ `to`. */
  readonly from: number;
  readonly to: number;
  /** The second atom is at its `fractionalCoords` plus this lattice translation. */
  readonly image: Vec3;
  /** Å */
  readonly length: number;
}

/** The element with the largest share of a site. */
export const mainElement = (site: Site): string =>
  site.species.reduce((most, species) => (species.occupancy > most.occupancy ? species : most)).element;

/** The radius of the element with the largest share of a site, Å. */
export const siteRadius = (site: Site): number =>
  findElement(mainElement(site))?.covalentRadius ?? FALLBACK_RADIUS;

/** Elements that form anions, the ligands of coordination polyhedra. */
const ANIONS = new Set(['H', 'N', 'O', 'F', 'P', 'S', 'Cl', 'As', 'Se', 'Br', 'Te', 'I']);
const NON_METALS = new Set([...ANIONS, 'B', 'C', 'Si']);

const electronegativity = (element: string): number => findElement(element)?.electronegativity ?? 0;

/** Whether `ligand` is an anion to `center`; structures carry no charges, so Pauling's electronegativities decide. */
export const isAnionTo = (ligand: string, center: string, leastDifference = 0): boolean =>
  ANIONS.has(ligand) &&
  electronegativity(ligand) > electronegativity(center) &&
  electronegativity(ligand) - electronegativity(center) >= leastDifference;

/**
 * Minimum difference in Pauling electronegativity between a cation and its anion. N–O (0.40) exceeds it; Ga–As (0.37)
 * and Ni–As (0.27) do not, so Ga and Ni are not cations in arsenides.
 */
const IONIC_DIFFERENCE = 0.39;

/**
 * Minimum difference if the anion is carbon. Carbon is an anion in the carbides of calcium and of the lanthanides (C2,
 * C), but not in metallic carbides such as TiC.
 */
const CARBIDE_DIFFERENCE = 1.2;

const isAnionOrCarbideOf = (ligand: string, center: string): boolean =>
  isAnionTo(ligand, center, IONIC_DIFFERENCE) ||
  (ligand === 'C' && electronegativity(ligand) - electronegativity(center) >= CARBIDE_DIFFERENCE);

/**
 * Two cations nearer than this multiple of the sum of their radii are bonded in spite of nearer anions: C–C of
 * oxalates, Re–Re of Re2Cl8.
 */
const BONDED_CATIONS = { nonMetals: 1.1, others: 0.8 } as const;

/** Cache of neighbours by structure, because bonds, shells and polyhedra use the same neighbours. */
const known = new WeakMap<
  Structure,
  { readonly tolerance: number; readonly bonded: readonly (readonly Neighbour[])[] }
>();

/**
 * Neighbours of every site that are bonded to it, nearest first. Cached as long as the structure object
 * lives; structures are immutable.
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
  const near = neighbourList(structure, 2 * largest + tolerance).map((neighbours, site) =>
    neighbours.filter(
      ({ site: other, distance }) =>
        distance >= MIN_BOND_LENGTH && distance <= radii[site] + radii[other] + tolerance,
    ),
  );
  const elements = structure.sites.map(mainElement);
  const toAnion = near.map(
    (neighbours, site) =>
      neighbours.find(({ site: other }) => isAnionOrCarbideOf(elements[other], elements[site]))?.distance ??
      Number.POSITIVE_INFINITY,
  );
  return near.map((neighbours, site) =>
    neighbours.filter(({ site: other, distance }) => {
      if (distance <= toAnion[site] || distance <= toAnion[other]) return true;
      const areNonMetals = NON_METALS.has(elements[site]) && NON_METALS.has(elements[other]);
      const most = areNonMetals ? BONDED_CATIONS.nonMetals : BONDED_CATIONS.others;
      return distance <= most * (radii[site] + radii[other]);
    }),
  );
}

/**
 * Inserts the pair in the lists of both sites; keeps each list ordered by site, then by the sign of the image.
 */
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
