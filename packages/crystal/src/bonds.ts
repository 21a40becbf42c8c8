/**
 * Bonds by covalent radii: two atoms are bonded when their distance is below the sum of their radii plus a tolerance.
 * Exception: two cations that have nearer anions are not bonded, because cations on both sides of a shared edge or face
 * come close without a bond (Li–P in LiFePO4). Radii: B. Cordero et al., Dalton Trans. (2008) 2832; the rule and its
 * tolerance: E. C. Meng & R. A. Lewis, J. Comput. Chem. 12 (1991) 891, https://doi.org/10.1002/jcc.540120716.
 */
import { findElement } from '@unitcell/elements';
import { type Vec3, add3, cross3, dot3, norm3, rowTimesMatrix3, scale3, subtract3 } from '@unitcell/numerics';
import { type Neighbour, neighbourList } from './neighbours.ts';
import type { Site, Structure } from './structure.ts';

/** Å; covers the spread of bond lengths around the sum of the radii. */
const BOND_TOLERANCE = 0.45;

/** Å; nearer atoms are alternatives on split sites and not bonded. */
const MIN_BOND_LENGTH = 0.4;

/** Å; radius of curium, also used for heavier elements, which have no tabulated radius. */
const FALLBACK_RADIUS = 1.69;

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

/** Cache of neighbours by structure, because shells and polyhedra use the same neighbours. */
const known = new WeakMap<Structure, readonly (readonly Neighbour[])[]>();

/**
 * Neighbours of every site that are bonded to it, nearest first. Cached as long as the structure object
 * lives; structures are immutable.
 */
export function bondedNeighbours(structure: Structure): readonly (readonly Neighbour[])[] {
  const bonded = known.get(structure) ?? findBonded(structure);
  known.set(structure, bonded);
  return bonded;
}

function findBonded(structure: Structure): readonly (readonly Neighbour[])[] {
  if (structure.sites.length === 0) return [];
  const radii = structure.sites.map(siteRadius);
  const largest = radii.reduce((a, b) => Math.max(a, b), 0);
  const near = neighbourList(structure, 2 * largest + BOND_TOLERANCE).map((neighbours, site) =>
    neighbours.filter(
      ({ site: other, distance }) =>
        distance >= MIN_BOND_LENGTH && distance <= radii[site] + radii[other] + BOND_TOLERANCE,
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

// Coordination polyhedra for drawing: cations surrounded by the anions bonded to them.
// Structures carry no charges, so electronegativity decides which atom is the cation: a ligand must be an
// element that forms anions and be more electronegative than the centre.

/**
 * Flat faces of the convex hull of a few points, as polygons, by trying every plane through three of them. This is fast
 * enough for coordination polyhedra, which have at most about two dozen corners. Unlike an incremental hull it handles
 * faces with more than three corners.
 */
export interface HullFace {
  /** Indices of the corners, counter-clockwise seen from outside. */
  readonly corners: readonly number[];
  /** Unit vector pointing outwards. */
  readonly normal: Vec3;
}

/** Å; corners this near to a plane belong to the face, because real polyhedra are slightly puckered. */
export const FLATNESS_TOLERANCE = 0.05;

/** Corners of a face in order around its normal, starting with the smallest index. */
function around(corners: readonly number[], vertices: readonly Vec3[], normal: Vec3): readonly number[] {
  const points = corners.map((corner) => vertices[corner]);
  const middle = scale3(
    points.reduce<Vec3>((sum, p) => [sum[0] + p[0], sum[1] + p[1], sum[2] + p[2]], [0, 0, 0]),
    1 / points.length,
  );
  const x = subtract3(points[0], middle);
  const y = cross3(normal, x);
  const angle = (corner: number): number => {
    const arm = subtract3(vertices[corner], middle);
    const found = Math.atan2(dot3(arm, y), dot3(arm, x));
    return found < -1e-9 ? found + 2 * Math.PI : found;
  };
  return corners.toSorted((a, b) => angle(a) - angle(b));
}

/** The face through three corners with all other corners on one side; null if there is no such face. */
function faceThrough(vertices: readonly Vec3[], a: Vec3, b: Vec3, c: Vec3): HullFace | null {
  const product = cross3(subtract3(b, a), subtract3(c, a));
  const length = norm3(product);
  // Three collinear corners define no plane; another triple of corners of the same face does.
  if (length < FLATNESS_TOLERANCE) return null;
  const unit = scale3(product, 1 / length);
  const heights = vertices.map((vertex) => dot3(unit, subtract3(vertex, a)));
  const isBehind = heights.every((height) => height <= FLATNESS_TOLERANCE);
  const isInFront = heights.every((height) => height >= -FLATNESS_TOLERANCE);
  // All corners lie in one plane, so there is no polyhedron.
  if (isBehind === isInFront) return null;
  const normal = isBehind ? unit : scale3(unit, -1);
  const corners = heights.flatMap((height, index) => (Math.abs(height) <= FLATNESS_TOLERANCE ? [index] : []));
  return { corners: around(corners, vertices, normal), normal };
}

/** Faces of the hull; none when the points enclose no volume. */
export function polyhedronFaces(vertices: readonly Vec3[]): readonly HullFace[] {
  const faces = new Map<string, HullFace>();
  for (const [i, a] of vertices.entries())
    for (const [j, b] of vertices.entries())
      for (const [k, c] of vertices.entries()) {
        const face = i < j && j < k ? faceThrough(vertices, a, b, c) : null;
        if (face) faces.set(face.corners.toSorted((m, n) => m - n).join(' '), face);
      }
  return [...faces.values()];
}

/** A face as triangles, for renderers. */
export const triangles = ({ corners }: HullFace): readonly (readonly [number, number, number])[] =>
  corners.slice(2).map((third, at) => [corners[0], corners[at + 1], third] as const);

/** Edges of the polyhedron, each once. */
export function polyhedronEdges(faces: readonly HullFace[]): readonly (readonly [number, number])[] {
  const edges = new Map<string, readonly [number, number]>();
  for (const { corners } of faces)
    for (const [at, from] of corners.entries()) {
      const to = corners[(at + 1) % corners.length];
      const edge = from < to ? ([from, to] as const) : ([to, from] as const);
      edges.set(edge.join(' '), edge);
    }
  return [...edges.values()];
}

/** Smallest number of corners that enclose a volume. */
const FEWEST_LIGANDS = 4;

/** Ligands farther than this multiple of the shortest distance belong to the next shell. */
export const SHELL_RATIO = 1.4;

export interface CoordinationPolyhedron {
  /** Index of the central site. */
  readonly center: number;
  readonly ligands: readonly Neighbour[];
  /** Cartesian coordinates of the ligands in Å, in the order of `ligands`. */
  readonly vertices: readonly Vec3[];
}

/**
 * Minimum Pauling electronegativity of a cation that binds its ligands strongly enough to form a framework: P,
 * Si, Al, Ti, Fe, Zr and Mg form frameworks; the alkali metals, Ca, Sr, Ba, Y and the lanthanides fill the
 * gaps.
 */
export const NETWORK_ELECTRONEGATIVITY = 1.3;

/** Most corners of a polyhedron that belongs to a framework; larger ones are cages around a guest atom. */
const MAX_NETWORK_CORNERS = 8;
/**
 * If a crystal has centres with at most this many corners, centres with more corners fill the gaps (Pb in
 * PbTiO3).
 */
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
 * For every site, the bonded ligands of the first shell to which the site is a cation, nearest first; empty for
 * all other sites.
 */
export function coordinationShells(structure: Structure): readonly (readonly Neighbour[])[] {
  const elements = structure.sites.map(mainElement);
  return bondedNeighbours(structure).map((neighbours, center) => firstShell(elements, center, neighbours));
}

/**
 * The coordination polyhedra with at least four corners, one per cation of the cell.
 * @example coordinationPolyhedra(rutile).map((p) => p.vertices.length) // [6, 6]
 */
export function coordinationPolyhedra(structure: Structure): readonly CoordinationPolyhedron[] {
  const { latticeVectors, sites } = structure;
  return coordinationShells(structure).flatMap((ligands, center) =>
    ligands.length < FEWEST_LIGANDS
      ? []
      : [
          {
            center,
            ligands,
            vertices: ligands.map(({ site, image }) =>
              rowTimesMatrix3(add3(sites[site].fractionalCoords, image), latticeVectors),
            ),
          },
        ],
  );
}

/**
 * Whether an element forms frameworks with more electronegative neighbours: see `NETWORK_ELECTRONEGATIVITY`.
 */
export const formsNetworks = (element: string): boolean =>
  electronegativity(element) >= NETWORK_ELECTRONEGATIVITY;

/**
 * The polyhedra that form the framework of a crystal: PO4 and FeO6 of LiFePO4, not LiO6; TiO6 of PbTiO3, not PbO12.
 * Salts of alkali metals have none.
 */
export function networkPolyhedra(
  structure: Structure,
  polyhedra: readonly CoordinationPolyhedron[],
): readonly CoordinationPolyhedron[] {
  const firm = polyhedra.filter(
    ({ center, ligands }) =>
      formsNetworks(mainElement(structure.sites[center])) && ligands.length <= MAX_NETWORK_CORNERS,
  );
  const usual = firm.filter(({ ligands }) => ligands.length <= USUAL_NETWORK_CORNERS);
  return usual.length > 0 ? usual : firm;
}
