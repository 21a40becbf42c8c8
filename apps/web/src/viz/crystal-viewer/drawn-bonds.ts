/** Which bonds of a crystal are drawn, and which atoms they bring into the picture. */
import {
  bondedNeighbours,
  formsNetworks,
  mainElement,
  type Neighbour,
  type Structure,
} from '@unitcell/crystal';
import { findElement } from '@unitcell/elements';
import type { Vec3 } from '@unitcell/numerics';
import { FACE_TOLERANCE, type Repeats } from './repeats.ts';

const categoryOf = (element: string): string => findElement(element)?.category ?? '';
const isNonmetal = (element: string): boolean => ['nonmetal', 'halogen'].includes(categoryOf(element));
export const isMetal = (element: string): boolean =>
  !isNonmetal(element) && !['metalloid', 'noble-gas'].includes(categoryOf(element));

/**
 * Neighbours a line is drawn to: ligands and their cations, nonmetals bonded to each other, and bonds of atoms that are
 * nobody's cation. Cations merely touch through their shells of anions, and metals beside anything else are ions.
 */
export function drawnNeighbours(
  structure: Structure,
  shells: readonly (readonly Neighbour[])[],
): readonly (readonly Neighbour[])[] {
  const elements = structure.sites.map(mainElement);
  const areAllMetals = elements.every(isMetal);
  const pairs = new Set(
    shells.flatMap((shell, site) =>
      shell.flatMap(({ site: other, image: [i, j, k] }) => [
        `${site} ${other} ${i} ${j} ${k}`,
        `${other} ${site} ${0 - i} ${0 - j} ${0 - k}`,
      ]),
    ),
  );
  const isDrawn = (site: number, { site: other, image: [i, j, k] }: Neighbour): boolean => {
    if (pairs.has(`${site} ${other} ${0 + i} ${0 + j} ${0 + k}`)) return true;
    const [one = '', two = ''] = [elements[site], elements[other]];
    if (isNonmetal(one) && isNonmetal(two)) return true;
    if (isMetal(one) && isMetal(two) && !areAllMetals) return false;
    return shells[site]?.length === 0 && shells[other]?.length === 0;
  };
  return bondedNeighbours(structure).map((neighbours, site) =>
    neighbours.filter((neighbour) => isDrawn(site, neighbour)),
  );
}

/** Sites whose ligands are drawn even outside of the cells: framework cations, and whatever hydrogen is bonded to. */
export function completedShell(
  structure: Structure,
  site: number,
  shells: readonly (readonly Neighbour[])[],
  neighbours: readonly (readonly Neighbour[])[],
): readonly Neighbour[] {
  const center = structure.sites[site];
  if (!center) return [];
  if (formsNetworks(mainElement(center))) return shells[site] ?? [];
  return (neighbours[site] ?? []).filter(({ site: other }) => {
    const ligand = structure.sites[other];
    return ligand !== undefined && mainElement(ligand) === 'H' && !isMetal(mainElement(center));
  });
}

/**
 * Whether an atom repeated on the far faces belongs in the picture: a bonded one does when one of its partners is drawn
 * or will be; without any it would hang in the air.
 */
export function isHeld(
  structure: Structure,
  index: number,
  at: Vec3,
  repeats: Repeats,
  shells: readonly (readonly Neighbour[])[],
  neighbours: readonly (readonly Neighbour[])[],
): boolean {
  const partners = neighbours[index] ?? [];
  const site = structure.sites[index];
  if (partners.length === 0 || !site) return true;
  if (formsNetworks(mainElement(site)) && (shells[index]?.length ?? 0) > 0) return true;
  return partners.some(({ site: other, image }) => {
    const partner = structure.sites[other];
    return partner?.fractionalCoords.every((x, axis) => {
      const place = x + (image[axis] ?? 0) + (at[axis] ?? 0);
      return place > -FACE_TOLERANCE && place < (repeats[axis] ?? 1) + FACE_TOLERANCE;
    });
  });
}
