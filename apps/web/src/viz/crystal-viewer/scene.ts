/**
 * The contents of a crystal drawing as plain data: atoms, also those repeated on the faces of the cells; bonds
 * completed across cell boundaries; polyhedra of the framework; edges of the cells. Cartesian coordinates in Å.
 * Independent of the renderer.
 */
import {
  bondedNeighbours,
  coordinationPolyhedra,
  type CoordinationPolyhedron,
  coordinationShells,
  formsNetworks,
  type HullFace,
  latticeParameters,
  mainElement,
  type Neighbour,
  networkPolyhedra,
  polyhedronFaces,
  type Species,
  type Structure,
} from '@unitcell/crystal';
import { findElement } from '@unitcell/elements';
import { add3, rowTimesMatrix3, type Vec3 } from '@unitcell/numerics';

export type Repeats = readonly [number, number, number];

/**
 * Fractional coordinates this near a face of a cell count as on it, because sites are given to four or five decimals.
 */
const FACE_TOLERANCE = 1e-3;

/** Cells with at most this many sites are drawn twice along each axis, larger ones once (spec §9). */
const MULTIPLE_CELLS_LIMIT = 20;
/** Å; an axis of this length is not repeated. */
const LONG_AXIS = 16;
/**
 * Short axes are repeated until their length reaches this share of the longest, so that an elongated cell becomes a
 * block.
 */
const FEWEST_ASPECT = 0.45;
const MAX_ALONG_SHORT_AXES = 4;
/** More atoms than this would hide each other. */
export const ATOM_BUDGET = 900;
/** Maximum number of atoms of a supercell. */
export const MOST_ATOMS = 20_000;

/** Cells along a, b and c: two for small cells, more along the short axes of long ones, within `ATOM_BUDGET`. */
export function repeatsFor({ latticeVectors, sites }: Structure): Repeats {
  const { a, b, c } = latticeParameters(latticeVectors);
  const lengths = [a, b, c];
  const base = lengths.map((length) => (sites.length <= MULTIPLE_CELLS_LIMIT && length < LONG_AXIS ? 2 : 1));
  const longest = Math.max(...lengths.map((length, axis) => length * (base[axis] ?? 1)));
  const repeats = lengths.map((length, axis) =>
    Math.max(base[axis] ?? 1, Math.min(MAX_ALONG_SHORT_AXES, Math.round((FEWEST_ASPECT * longest) / length))),
  );
  const count = (): number => sites.length * repeats.reduce((product, n) => product * n, 1);
  while (count() > ATOM_BUDGET && Math.max(...repeats) > 1) {
    const most = repeats.indexOf(Math.max(...repeats));
    repeats[most] = (repeats[most] ?? 2) - 1;
  }
  return [repeats[0] ?? 1, repeats[1] ?? 1, repeats[2] ?? 1];
}

// Selects the bonds to draw, and the atoms that they add to the drawing.

const categoryOf = (element: string): string => findElement(element)?.category ?? '';
const isNonmetal = (element: string): boolean => ['nonmetal', 'halogen'].includes(categoryOf(element));
const isMetal = (element: string): boolean =>
  !isNonmetal(element) && !['metalloid', 'noble-gas'].includes(categoryOf(element));

/**
 * Neighbours to which a line is drawn: ligands and their cations, nonmetals bonded to each other, and atoms that both
 * lack a shell of ligands. No line connects two cations, which are separated by their shells of anions, or two metals
 * in a compound with nonmetals, in which the metals are ions.
 */
function drawnNeighbours(
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

/**
 * The neighbours of a site that are drawn even outside the drawn cells: all ligands of a framework cation,
 * and the hydrogen atoms bonded to a site that is not a metal.
 */
function completedShell(
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
 * True if an atom repeated on the far faces is drawn. A bonded atom is drawn only if one of its partners is or will be
 * drawn, because otherwise it would be isolated.
 */
function isHeld(
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

export interface SceneAtom {
  /** The element with the largest share of the site. */
  readonly element: string;
  readonly species: readonly Species[];
  /** All species of the site, `Fe/Mn` if it is shared. */
  readonly label: string;
  readonly position: Vec3;
  /** Index of the site in the structure. */
  readonly site: number;
  /** Lattice translation of the atom from its site; 0 0 0 is the cell at the origin. */
  readonly image: Vec3;
  /**
   * Set for atoms outside the drawn cells, which are drawn only to complete bonds (and polyhedra), or only polyhedra.
   */
  readonly completes?: 'bonds' | 'polyhedra';
}

interface ScenePolyhedron {
  readonly element: string;
  /** Index of the centre in `atoms`. */
  readonly center: number;
  readonly vertices: readonly Vec3[];
  readonly faces: readonly HullFace[];
}

export interface Scene {
  readonly atoms: readonly SceneAtom[];
  /** Pairs of indices into `atoms`. */
  readonly bonds: readonly (readonly [number, number])[];
  /**
   * True for each site with a cation in the gaps of a framework. The bonds of such a cation would hide the polyhedra.
   */
  readonly fillsGaps: readonly boolean[];
  readonly polyhedra: readonly ScenePolyhedron[];
  /** The twelve edges of each drawn cell; shared edges occur once. */
  readonly cellEdges: readonly (readonly [Vec3, Vec3])[];
  /** a, b and c. */
  readonly axes: readonly [Vec3, Vec3, Vec3];
  /** Fractional coordinates of a drawn atom, with its translation. */
  readonly fractional: (atom: SceneAtom) => Vec3;
  /** Magnetic moment of each site, μB; undefined if the file has none. */
  readonly moments: readonly (number | undefined)[];
  /** The neighbours bonded to each site of the structure, nearest first. The sites are in the cell at the origin. */
  readonly neighbours: readonly (readonly Neighbour[])[];
  /** The drawing in words for screen readers: centres with their number of corners, each kind once: `TiO6`. */
  readonly coordination: readonly string[];
  /** Whether to draw polyhedra (for a framework) and bonds (for anything but a dense metal) at first. */
  readonly suggests: { readonly hasPolyhedra: boolean; readonly hasBonds: boolean };
}

/** A coordinate in [0, 1): the far face is mapped to the near one. */
function wrap(x: number): number {
  const inside = x - Math.floor(x);
  return inside > 1 - FACE_TOLERANCE ? 0 : inside;
}

const wrapped = (structure: Structure): Structure => ({
  ...structure,
  sites: structure.sites.map((site) => {
    const [x, y, z] = site.fractionalCoords;
    return { ...site, fractionalCoords: [wrap(x), wrap(y), wrap(z)] };
  }),
});

/** Translations along one axis that keep a coordinate within the drawn cells, including their far faces. */
const shifts = (x: number, repeats: number): readonly number[] =>
  Array.from({ length: Math.floor(repeats + FACE_TOLERANCE - x) + 1 }, (_, shift) => shift);

/** Collects atoms; each site and translation occurs once. */
class AtomList {
  readonly atoms: SceneAtom[] = [];
  private readonly indices = new Map<string, number>();
  private readonly structure: Structure;

  constructor(structure: Structure) {
    this.structure = structure;
  }

  find(site: number, image: Vec3): number | undefined {
    return this.indices.get(`${site}:${image[0]},${image[1]},${image[2]}`);
  }

  add(index: number, image: Vec3, completes?: SceneAtom['completes']): void {
    const known = this.find(index, image);
    const site = this.structure.sites[index];
    if (known !== undefined || !site) return;
    this.indices.set(`${index}:${image[0]},${image[1]},${image[2]}`, this.atoms.length);
    this.atoms.push({
      element: mainElement(site),
      species: site.species,
      label: site.species.map(({ element }) => element).join('/'),
      position: rowTimesMatrix3(add3(site.fractionalCoords, image), this.structure.latticeVectors),
      site: index,
      image,
      ...(completes && { completes }),
    });
  }
}

/** Edges of all drawn cells: along each axis, one segment per cell from every grid point across it. */
function cellEdges({ latticeVectors }: Structure, repeats: Repeats): readonly (readonly [Vec3, Vec3])[] {
  const edges: (readonly [Vec3, Vec3])[] = [];
  const point = (at: Vec3): Vec3 => rowTimesMatrix3(at, latticeVectors);
  for (let i = 0; i <= repeats[0]; i++)
    for (let j = 0; j <= repeats[1]; j++)
      for (let k = 0; k <= repeats[2]; k++) {
        const here: Vec3 = [i, j, k];
        if (i < repeats[0]) edges.push([point(here), point([i + 1, j, k])]);
        if (j < repeats[1]) edges.push([point(here), point([i, j + 1, k])]);
        if (k < repeats[2]) edges.push([point(here), point([i, j, k + 1])]);
      }
  return edges;
}

/** Builds the drawing of a crystal. Sites outside the cell are moved into it first. */
export function buildScene(original: Structure, repeats: Repeats = repeatsFor(original)): Scene {
  const structure = wrapped(original);
  const shells = coordinationShells(structure);
  const neighbours = drawnNeighbours(structure, shells);
  const list = new AtomList(structure);
  for (const [index, site] of structure.sites.entries()) {
    const [x, y, z] = site.fractionalCoords;
    for (const i of shifts(x, repeats[0]))
      for (const j of shifts(y, repeats[1]))
        for (const k of shifts(z, repeats[2])) {
          const isImage = i >= repeats[0] || j >= repeats[1] || k >= repeats[2];
          if (!isImage || isHeld(structure, index, [i, j, k], repeats, shells, neighbours))
            list.add(index, [i, j, k]);
        }
  }
  const inside = list.atoms.slice();
  const known = coordinationPolyhedra(structure);
  const network = networkPolyhedra(structure, known);
  const shown = network.length > 0 ? network : known;
  const completed = structure.sites.map((_, site) => completedShell(structure, site, shells, neighbours));
  for (const atom of inside)
    for (const { site, image } of completed[atom.site] ?? [])
      list.add(site, add3(image, atom.image), 'bonds');
  const polyhedra = drawnPolyhedra(structure, shown, inside, list);
  const bonds = list.atoms.flatMap((atom, index) =>
    (neighbours[atom.site] ?? []).flatMap(({ site, image }): (readonly [number, number])[] => {
      const partner = list.find(site, add3(image, atom.image));
      return partner === undefined || partner <= index ? [] : [[index, partner]];
    }),
  );
  return {
    atoms: list.atoms,
    bonds,
    polyhedra,
    cellEdges: cellEdges(structure, repeats),
    axes: [structure.latticeVectors[0], structure.latticeVectors[1], structure.latticeVectors[2]],
    fractional: ({ site, image }) => add3(structure.sites[site]?.fractionalCoords ?? [0, 0, 0], image),
    neighbours,
    coordination: describeCoordination(structure, known),
    moments: structure.sites.map(({ moment }) => moment),
    fillsGaps: structure.sites.map(
      (site, index) =>
        network.length > 0 && !formsNetworks(mainElement(site)) && (shells[index]?.length ?? 0) > 0,
    ),
    suggests: {
      hasPolyhedra: network.length > 0 && hasMoreLigands(network),
      hasBonds: !structure.sites.every((site) => isMetal(mainElement(site))),
    },
  };
}

/**
 * True for corner-sharing frameworks: they have more ligands than centres. With equal numbers, the polyhedra would fill
 * all of space.
 */
function hasMoreLigands(polyhedra: readonly CoordinationPolyhedron[]): boolean {
  const ligands = new Set(polyhedra.flatMap((polyhedron) => polyhedron.ligands.map(({ site }) => site)));
  return ligands.size > polyhedra.length;
}

/** The polyhedra around all drawn centres; their corners are added to the atoms. */
function drawnPolyhedra(
  structure: Structure,
  polyhedra: readonly CoordinationPolyhedron[],
  inside: readonly SceneAtom[],
  list: AtomList,
): readonly ScenePolyhedron[] {
  const kinds = new Map(
    polyhedra.map((polyhedron) => [
      polyhedron.center,
      { polyhedron, faces: polyhedronFaces(polyhedron.vertices) },
    ]),
  );
  return inside.flatMap((atom, center): ScenePolyhedron[] => {
    const kind = kinds.get(atom.site);
    if (!kind || kind.faces.length === 0) return [];
    for (const { site, image } of kind.polyhedron.ligands)
      list.add(site, add3(image, atom.image), 'polyhedra');
    const offset = rowTimesMatrix3(atom.image, structure.latticeVectors);
    return [
      {
        element: atom.element,
        center,
        vertices: kind.polyhedron.vertices.map((vertex) => add3(vertex, offset)),
        faces: kind.faces,
      },
    ];
  });
}

/** Drawn radius of an atom, Å: less than half a bond, so that bonds are visible. */
export const ballRadius = (element: string): number =>
  0.16 + 0.24 * (findElement(element)?.covalentRadius ?? 1.5);

function describeCoordination(
  structure: Structure,
  polyhedra: readonly CoordinationPolyhedron[],
): readonly string[] {
  const kinds = polyhedra.map(({ center, ligands }) => {
    const site = structure.sites[center];
    const corners = new Set(ligands.flatMap((ligand) => structure.sites[ligand.site] ?? []).map(mainElement));
    return `${site ? mainElement(site) : ''}${[...corners].join('/')}${ligands.length}`;
  });
  return [...new Set(kinds)];
}
