/**
 * What a crystal drawing shows, as plain data: atoms with those repeated on the faces of the cell, bonds between drawn
 * atoms, coordination polyhedra and the edges of the cell. All coordinates are Cartesian, in Å. No renderer here.
 */
import { bonds, coordinationPolyhedra, type Site, type Structure } from '@unitcell/crystal';
import { elementBySymbol } from '@unitcell/elements';
import { add3, rowTimesMatrix3, type Vec3 } from '@unitcell/numerics';
import { type HullFace, polyhedronFaces } from './polyhedron-faces.ts';

/** Cells with at most this many sites are drawn 2×2×2, larger ones once (spec §9). */
export const MULTIPLE_CELLS_LIMIT = 20;

/** More atoms than this make phones stutter; then fewer cells are drawn. */
export const ATOM_BUDGET = 1500;

/** Labels beyond this number hide the crystal and slow the page. */
export const LABEL_BUDGET = 250;

/** Fractional coordinates this near a face lie on it: sites are given to four or five decimals. */
export const FACE_TOLERANCE = 1e-3;

export interface SceneAtom {
  readonly element: string;
  /** All species of the site, `Fe/Mn` where it is shared. */
  readonly label: string;
  readonly position: Vec3;
  /** Index of the site in the structure. */
  readonly site: number;
  /** Outside the drawn cells: only there as the corner of a polyhedron. */
  readonly isCorner: boolean;
}

export interface ScenePolyhedron {
  readonly element: string;
  readonly vertices: readonly Vec3[];
  readonly faces: readonly HullFace[];
}

export interface Scene {
  readonly atoms: readonly SceneAtom[];
  /** Pairs of indices into `atoms`. */
  readonly bonds: readonly (readonly [number, number])[];
  readonly polyhedra: readonly ScenePolyhedron[];
  /** The twelve edges of one unit cell. */
  readonly cellEdges: readonly (readonly [Vec3, Vec3])[];
  /** Ends of a, b and c, for their names. */
  readonly axes: readonly Vec3[];
  /** Cells drawn along each axis. */
  readonly repeats: 1 | 2;
}

const mainSpecies = (site: Site): string =>
  site.species.reduce((most, species) => (species.occupancy > most.occupancy ? species : most)).element;

/** A coordinate in [0, 1), what lies on the far face brought to the near one. */
function wrap(x: number): number {
  const inside = x - Math.floor(x);
  return inside > 1 - FACE_TOLERANCE ? 0 : inside;
}

const wrapped = (structure: Structure): Structure => ({
  ...structure,
  sites: structure.sites.map((site) => ({
    ...site,
    fractionalCoords: site.fractionalCoords.map(wrap) as unknown as Vec3,
  })),
});

/** Cells to draw: two a side for small cells, unless that overruns the budget. */
export function repeatsFor(siteCount: number): 1 | 2 {
  return siteCount <= MULTIPLE_CELLS_LIMIT && siteCount * 27 <= ATOM_BUDGET ? 2 : 1;
}

/** Translations along one axis that keep a coordinate within the drawn cells, their far faces included. */
function shifts(x: number, repeats: number): readonly number[] {
  const all: number[] = [];
  for (let shift = 0; x + shift <= repeats + FACE_TOLERANCE; shift++) all.push(shift);
  return all;
}

const keyOf = (site: number, image: readonly number[]): string => `${site}:${image.join(',')}`;

/** Collects atoms, each site and translation once. */
class AtomList {
  readonly atoms: SceneAtom[] = [];
  /** Translation of each atom. */
  readonly images: Vec3[] = [];
  private readonly indices = new Map<string, number>();
  private readonly structure: Structure;

  constructor(structure: Structure) {
    this.structure = structure;
  }

  find(site: number, image: Vec3): number | undefined {
    return this.indices.get(keyOf(site, image));
  }

  add(index: number, image: Vec3, isCorner: boolean): void {
    const key = keyOf(index, image);
    const site = this.structure.sites[index];
    if (!site || this.indices.has(key)) return;
    this.indices.set(key, this.atoms.length);
    this.images.push(image);
    this.atoms.push({
      element: mainSpecies(site),
      label: site.species.map(({ element }) => element).join('/'),
      position: rowTimesMatrix3(add3(site.fractionalCoords, image), this.structure.latticeVectors),
      site: index,
      isCorner,
    });
  }
}

function cellCorner(structure: Structure, i: number, j: number, k: number): Vec3 {
  return rowTimesMatrix3([i, j, k], structure.latticeVectors);
}

function cellEdges(structure: Structure): readonly (readonly [Vec3, Vec3])[] {
  const corner = (i: number, j: number, k: number) => cellCorner(structure, i, j, k);
  const both = [0, 1];
  return both.flatMap((u) =>
    both.flatMap((v) => [
      [corner(0, u, v), corner(1, u, v)] as const,
      [corner(u, 0, v), corner(u, 1, v)] as const,
      [corner(u, v, 0), corner(u, v, 1)] as const,
    ]),
  );
}

/** The drawing of a crystal. Sites outside the cell are brought into it first. */
export function buildScene(original: Structure, repeats: 1 | 2 = repeatsFor(original.sites.length)): Scene {
  const structure = wrapped(original);
  const list = new AtomList(structure);
  for (const [index, site] of structure.sites.entries()) {
    const [x, y, z] = site.fractionalCoords;
    for (const i of shifts(x, repeats))
      for (const j of shifts(y, repeats))
        for (const k of shifts(z, repeats)) list.add(index, [i, j, k], false);
  }
  const drawnCount = list.atoms.length;
  const coordinated = coordinationPolyhedra(structure);
  const polyhedra = coordinated.flatMap((polyhedron): ScenePolyhedron[] => {
    const faces = polyhedronFaces(polyhedron.vertices);
    if (faces.length === 0) return [];
    const images = list.images.filter(
      (_, atom) => atom < drawnCount && list.atoms[atom]?.site === polyhedron.center,
    );
    return images.flatMap((image): ScenePolyhedron[] => {
      const corners = polyhedron.ligands.map(({ site, image: cell }) => ({ site, at: add3(cell, image) }));
      const missing = corners.filter(({ site, at }) => list.find(site, at) === undefined);
      // Past the budget only polyhedra whose corners are drawn anyway: large cells show those inside.
      if (missing.length > 0 && list.atoms.length + missing.length > ATOM_BUDGET) return [];
      for (const { site, at } of missing) list.add(site, at, true);
      const offset = rowTimesMatrix3(image, structure.latticeVectors);
      return [
        {
          element: list.atoms[list.find(polyhedron.center, image) ?? 0]?.element ?? '',
          vertices: polyhedron.vertices.map((vertex) => add3(vertex, offset)),
          faces,
        },
      ];
    });
  });
  // Cations in shells of anions touch by covalent radii without being bonded; such lines would hide the structure.
  const centers = new Set(coordinated.map((polyhedron) => polyhedron.center));
  const bonded = bonds(structure).filter((bond) => !centers.has(bond.from) || !centers.has(bond.to));
  const drawnBonds = list.atoms.flatMap((atom, index) =>
    bonded
      .filter((bond) => bond.from === atom.site)
      .flatMap((bond): (readonly [number, number])[] => {
        const image = list.images[index];
        const partner = image && list.find(bond.to, add3(image, bond.image));
        return partner === undefined ? [] : [[index, partner]];
      }),
  );
  return {
    atoms: list.atoms,
    bonds: drawnBonds,
    polyhedra,
    cellEdges: cellEdges(structure),
    axes: structure.latticeVectors,
    repeats,
  };
}

/** Radius a ball is drawn with, Å: less than half a bond, so that bonds show. */
export const ballRadius = (element: string): number =>
  0.16 + 0.24 * (elementBySymbol(element).covalentRadius ?? 1.5);

/** What there is to see, for those who cannot: centres with their number of corners, each kind once. */
export function describeCoordination(structure: Structure): readonly string[] {
  const kinds = coordinationPolyhedra(structure).map(({ center, ligands }) => {
    const site = structure.sites[center];
    const corners = new Set(ligands.flatMap((ligand) => structure.sites[ligand.site] ?? []).map(mainSpecies));
    return `${site ? mainSpecies(site) : ''}${[...corners].join('/')}${ligands.length}`;
  });
  return [...new Set(kinds)];
}
