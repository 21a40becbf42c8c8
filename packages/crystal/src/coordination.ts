/**
 * Coordination polyhedra for drawing: cations in the middle of the anions bonded to them.
 *
 * Which atom is the cation is told by electronegativity, since structures carry no charges: a ligand must be an
 * element that forms anions and be more electronegative than the centre.
 */
import { elementBySymbol } from '@unitcell/elements';
import { add3, rowTimesMatrix3, type Vec3 } from '@unitcell/numerics';
import { BOND_TOLERANCE, bondedNeighbours, isAnionTo, mainElement } from './bonds.ts';
import type { Neighbour } from './neighbours.ts';
import type { Structure } from './structure.ts';

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

const electronegativity = (element: string): number => elementBySymbol(element).electronegativity ?? 0;

/**
 * Pauling electronegativity from which a cation holds its ligands firmly enough to build a framework: P, Si, Al, Ti, Fe,
 * Zr and Mg do; the alkali metals, Ca, Sr, Ba, Y and the lanthanides fill the room between.
 */
export const NETWORK_ELECTRONEGATIVITY = 1.3;

/** Corners of a polyhedron that still builds a framework; larger ones are cages around something that fills them. */
const MOST_NETWORK_CORNERS = 8;
/** Beside centres with at most so many, those with more fill the room between (Pb in PbTiO3). */
const USUAL_NETWORK_CORNERS = 6;

/** The bonded ligands of the first shell around a cation. */
function firstShell(
  elements: readonly string[],
  center: number,
  neighbours: readonly Neighbour[],
): readonly Neighbour[] {
  const ligands = neighbours.filter(({ site }) => isAnionTo(elements[site], elements[center]));
  const nearest = ligands[0]?.distance ?? 0;
  return ligands.filter(({ distance }) => distance <= SHELL_RATIO * nearest);
}

/**
 * The bonded ligands around every site that is a cation to them, nearest first; empty for all others.
 * @param tolerance Å beyond the sum of the covalent radii for a bond
 */
export function coordinationShells(
  structure: Structure,
  tolerance = BOND_TOLERANCE,
): readonly (readonly Neighbour[])[] {
  const elements = structure.sites.map(mainElement);
  return bondedNeighbours(structure, tolerance).map((neighbours, center) =>
    firstShell(elements, center, neighbours),
  );
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
  return coordinationShells(structure, tolerance).flatMap((ligands, center) =>
    ligands.length < FEWEST_LIGANDS
      ? []
      : [
          {
            center,
            centerCoords: rowTimesMatrix3(sites[center].fractionalCoords, latticeVectors),
            ligands,
            vertices: ligands.map(({ site, image }) =>
              rowTimesMatrix3(add3(sites[site].fractionalCoords, image), latticeVectors),
            ),
          },
        ],
  );
}

/** True for an element that builds frameworks with more electronegative neighbours: see `NETWORK_ELECTRONEGATIVITY`. */
export const formsNetworks = (element: string): boolean =>
  electronegativity(element) >= NETWORK_ELECTRONEGATIVITY;

/**
 * Those of the polyhedra that build the framework of a crystal: PO4 and FeO6 of LiFePO4, not LiO6; TiO6 of PbTiO3, not
 * PbO12. None for a salt of alkali metals.
 */
export function networkPolyhedra(
  structure: Structure,
  polyhedra: readonly CoordinationPolyhedron[],
): readonly CoordinationPolyhedron[] {
  const firm = polyhedra.filter(
    ({ center, ligands }) =>
      formsNetworks(mainElement(structure.sites[center])) && ligands.length <= MOST_NETWORK_CORNERS,
  );
  const usual = firm.filter(({ ligands }) => ligands.length <= USUAL_NETWORK_CORNERS);
  return usual.length > 0 ? usual : firm;
}
