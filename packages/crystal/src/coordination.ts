/**
 * Coordination polyhedra for drawing: cations in the middle of the anions bonded to them.
 *
 * Which atom is the cation is told by electronegativity, since structures carry no charges: a ligand must be an
 * element that forms anions and be more electronegative than the centre.
 */
import { elementBySymbol } from '@unitcell/elements';
import { add3, rowTimesMatrix3, type Vec3 } from '@unitcell/numerics';
import { BOND_TOLERANCE, bondedNeighbours } from './bonds.ts';
import type { Neighbour } from './neighbours.ts';
import type { Site, Structure } from './structure.ts';

/** Elements that stand at the corners of polyhedra. */
const LIGANDS = new Set(['H', 'N', 'O', 'F', 'P', 'S', 'Cl', 'As', 'Se', 'Br', 'Te', 'I']);

/** Fewest corners that enclose a volume. */
const FEWEST_LIGANDS = 4;

/** Ligands farther than this many times the nearest one belong to the next shell. */
export const SHELL_RATIO = 1.4;

export interface CoordinationPolyhedron {
  /** Index of the centre. */
  readonly center: number;
  /** Cartesian, Å. */
  readonly centerCoords: Vec3;
  readonly ligands: readonly Neighbour[];
  /** Cartesian coordinates of the ligands, Å, in their order. */
  readonly vertices: readonly Vec3[];
}

const mainElement = (site: Site): string =>
  site.species.reduce((most, species) => (species.occupancy > most.occupancy ? species : most)).element;

const electronegativity = (element: string): number => elementBySymbol(element).electronegativity ?? 0;

/** The bonded ligands of the first shell around a cation. */
function firstShell(
  elements: readonly string[],
  center: number,
  neighbours: readonly Neighbour[],
): readonly Neighbour[] {
  const ligands = neighbours.filter(
    ({ site }) =>
      LIGANDS.has(elements[site]) && electronegativity(elements[site]) > electronegativity(elements[center]),
  );
  const nearest = ligands[0]?.distance ?? 0;
  return ligands.filter(({ distance }) => distance <= SHELL_RATIO * nearest);
}

/**
 * The coordination polyhedra of a structure with at least four corners, one for each such cation of the cell.
 * @param tolerance Å beyond the sum of the covalent radii for a bond
 * @example coordinationPolyhedra(rutile).map((p) => p.vertices.length) // [6, 6]
 */
export function coordinationPolyhedra(
  structure: Structure,
  tolerance = BOND_TOLERANCE,
): readonly CoordinationPolyhedron[] {
  const { latticeVectors, sites } = structure;
  const elements = sites.map(mainElement);
  return bondedNeighbours(structure, tolerance).flatMap((neighbours, center) => {
    const ligands = firstShell(elements, center, neighbours);
    if (ligands.length < FEWEST_LIGANDS) return [];
    return [
      {
        center,
        centerCoords: rowTimesMatrix3(sites[center].fractionalCoords, latticeVectors),
        ligands,
        vertices: ligands.map(({ site, image }) =>
          rowTimesMatrix3(add3(sites[site].fractionalCoords, image), latticeVectors),
        ),
      },
    ];
  });
}
