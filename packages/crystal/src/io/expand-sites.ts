/**
 * The sites of a cell from the listed atoms and the symmetry operations.
 *
 * Every atom is mapped by every operation. Coinciding images of one atom become one site on a special position. It is
 * placed at their mean, which is exact even if the coordinates were rounded (0.3333 for a third). Coinciding atoms of
 * different rows share a site.
 */
import { type Mat3, norm3, rowTimesMatrix3, type Vec3 } from '@unitcell/numerics';
import { CrystalError } from '../error.ts';
import type { Site, Species } from '../structure.ts';
import { applySymmetryOperation, type SymmetryOperation, wrapFraction } from '../symmetry-operation.ts';
import { MAX_IMAGES, MAX_READ_SITES } from './limits.ts';
import { createSiteIndex, shortestDifference } from './site-index.ts';
import type { Notify } from './read-structure.ts';

/**
 * Å. Rounding of published coordinates (three or four decimals) moves images of a special position at most
 * this far.
 */
export const SPECIAL_POSITION_TOLERANCE = 0.01;

/**
 * Å. Two fully occupied atoms cannot be this close. If two images of one fully occupied atom are this close, the atom
 * is on a special position whose coordinates were refined or rounded. Split atoms with partial occupancy may be this
 * close and stay separate.
 */
export const FULL_ATOM_TOLERANCE = 0.1;

/** Rounding and refinement may raise the total occupancy of a site above one by this much; it is then scaled to one. */
export const OCCUPANCY_TOLERANCE = 0.05;

/**
 * If the occupancies of one element on a site add up to no more than this, the excess over one is rounding, not
 * a second listing of the atom.
 */
const FULL = 1 + 1e-6;

export interface ListedAtom {
  readonly element: string;
  readonly occupancy: number;
  readonly position: Vec3;
  readonly label?: string;
}

interface GrowingSite {
  readonly first: Vec3;
  /** Sum of the differences of all images from the first image, and the number of images. */
  readonly drift: [number, number, number];
  images: number;
  /** Index of the listed atom whose images are being added. */
  row: number;
  readonly firstRow: number;
  readonly species: Species[];
  readonly label: string | undefined;
}

const wrap = (x: Vec3): Vec3 => [wrapFraction(x[0]), wrapFraction(x[1]), wrapFraction(x[2])];

const total = (species: readonly Species[]): number =>
  species.reduce((sum, { occupancy }) => sum + occupancy, 0);

/** Adds another atom to a site. Listing a full atom twice changes nothing; a partial occupancy is added. */
function share(site: GrowingSite, atom: ListedAtom, notify: Notify): void {
  const same = site.species.findIndex(({ element }) => element === atom.element);
  const isRepeated = same >= 0 && total(site.species) + atom.occupancy > FULL + OCCUPANCY_TOLERANCE;
  if (isRepeated)
    notify(
      'atom-listed-twice',
      `atom ${atom.label ?? atom.element} is listed twice at the same place and was taken once`,
      { atom: atom.label ?? atom.element },
    );
  else if (same < 0) site.species.push({ element: atom.element, occupancy: atom.occupancy });
  else {
    const { element, occupancy } = site.species[same];
    site.species[same] = { element, occupancy: occupancy + atom.occupancy };
  }
}

function settledSite(site: GrowingSite, notify: Notify): Site {
  const { first, drift, images } = site;
  const sum = total(site.species);
  const sumText = String(Math.round(sum * 1e4) / 1e4);
  const names = site.species.map(({ element, occupancy }) => `${element} ${occupancy}`).join(', ');
  if (sum > 1 + OCCUPANCY_TOLERANCE)
    throw new CrystalError(
      'structure',
      `the occupancies at ${site.label ?? 'a site'} (${first.map((x) => x.toFixed(4)).join(', ')}) add up to ${sumText}: ${names}; expected at most 1`,
      {
        why: {
          reason: 'occupancy-sum',
          site: site.label ?? first.map((x) => x.toFixed(4)).join(', '),
          sum: sumText,
        },
      },
    );
  if (sum > FULL)
    notify(
      'occupancies-scaled',
      `the occupancies at ${site.label ?? 'a site'} add up to ${sumText} and were scaled to 1: ${names}`,
      { site: site.label ?? first.map((x) => x.toFixed(4)).join(', '), sum: sumText, species: names },
    );
  const scale = sum > FULL ? 1 / sum : 1;
  const species = site.species.map(({ element, occupancy }) => ({
    element,
    occupancy: Math.min(1, occupancy * scale),
  }));
  const fractionalCoords =
    images === 1
      ? first
      : wrap([first[0] + drift[0] / images, first[1] + drift[1] / images, first[2] + drift[2] / images]);
  return site.label === undefined
    ? { species, fractionalCoords }
    : { species, fractionalCoords, label: site.label };
}

/**
 * All sites of the cell, in the order of the atoms.
 * @param latticeVectors rows, Å
 * @throws CrystalError `too-large`, or `structure` when atoms at one position have a total occupancy above 1
 */
export function expandSites(
  latticeVectors: Mat3,
  atoms: readonly ListedAtom[],
  operations: readonly SymmetryOperation[],
  notify: Notify,
): readonly Site[] {
  if (atoms.length > MAX_READ_SITES || atoms.length * operations.length > MAX_IMAGES)
    throw new CrystalError(
      'too-large',
      `${atoms.length} atoms under ${operations.length} operations: at most ${MAX_READ_SITES} sites and ${MAX_IMAGES} images are read`,
      { why: { reason: 'too-many-sites', limit: MAX_READ_SITES } },
    );
  const index = createSiteIndex(latticeVectors, FULL_ATOM_TOLERANCE);
  const sites: GrowingSite[] = [];
  /** Index of the site to which an image belongs, or −1. */
  const sameSite = (atom: ListedAtom, row: number, image: Vec3): number => {
    const nearest = index.find(image);
    if (nearest < 0) return -1;
    const difference = shortestDifference(sites[nearest].first, image);
    const distance = norm3(rowTimesMatrix3(difference, latticeVectors));
    if (distance <= SPECIAL_POSITION_TOLERANCE) return nearest;
    if (sites[nearest].firstRow !== row || atom.occupancy < 1) return -1;
    notify(
      'moved-to-special-position',
      `atom ${atom.label ?? atom.element} was put on the special position ${distance.toFixed(3)} Å from its images`,
      { atom: atom.label ?? atom.element, distance: distance.toFixed(3) },
    );
    return nearest;
  };
  atoms.forEach((atom, row) => {
    for (const operation of operations) {
      const image = wrap(applySymmetryOperation(operation, atom.position));
      const found = sameSite(atom, row, image);
      if (found < 0) {
        if (sites.length === MAX_READ_SITES)
          throw new CrystalError(
            'too-large',
            `more than ${MAX_READ_SITES} sites: larger cells are not read`,
            {
              why: { reason: 'too-many-sites', limit: MAX_READ_SITES },
            },
          );
        index.add(image);
        const species = [{ element: atom.element, occupancy: atom.occupancy }];
        sites.push({
          first: image,
          drift: [0, 0, 0],
          images: 1,
          row,
          firstRow: row,
          species,
          label: atom.label,
        });
        continue;
      }
      const site = sites[found];
      if (site.row !== row) {
        site.row = row;
        share(site, atom, notify);
      }
      if (site.firstRow !== row) continue;
      const difference = shortestDifference(site.first, image);
      for (let axis = 0; axis < 3; axis++) site.drift[axis] += difference[axis];
      site.images++;
    }
  });
  return sites.map((site) => settledSite(site, notify));
}
