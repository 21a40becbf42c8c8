/**
 * Cells that no crystal of the training data is like, told by lengths alone. The network's own distance does not see them: it hears
 * only neighbours within 5.5 Å, so that a lone atom in a box of 60 Å is as familiar to it as silence.
 *
 * The limits are what all but about one in a thousand of 6,025 crystals of the Materials Project keep (docs/science/prediction.md).
 */
import { cellVolume, neighbourList, type Structure } from '@unitcell/crystal';
import { elementBySymbol } from '@unitcell/elements';

/** Å: further away is no neighbour to the network. */
const REACH = 5.5;

/** Distance to the nearest neighbour over the sum of the covalent radii. */
export const NEAREST_BOND = { least: 0.65, most: 2 } as const;

/** Volume of the cell over that of its atoms as spheres of covalent radius. */
export const MOST_ROOM = 25;

const radiusOf = (structure: Structure, site: number): number =>
  elementBySymbol(structure.sites[site]!.species[0]!.element).covalentRadius ?? 1.5;

/** Nearest bond of each atom relative to its radii (infinite for a lone one), and the room that the atoms have. */
export function lengthsOf(structure: Structure): {
  readonly bonds: readonly number[];
  readonly room: number;
} {
  const radii = structure.sites.map((_, site) => radiusOf(structure, site));
  const bonds = neighbourList(structure, REACH).map((neighbours, atom) =>
    Math.min(
      Number.POSITIVE_INFINITY,
      ...neighbours.map(({ site, distance }) => distance / (radii[atom]! + radii[site]!)),
    ),
  );
  const spheres = radii.reduce((sum, radius) => sum + (4 / 3) * Math.PI * radius ** 3, 0);
  return { bonds, room: cellVolume(structure.latticeVectors) / spheres };
}

export function isUnlikeCrystals(structure: Structure): boolean {
  const { bonds, room } = lengthsOf(structure);
  return room > MOST_ROOM || bonds.some((bond) => bond < NEAREST_BOND.least || bond > NEAREST_BOND.most);
}
