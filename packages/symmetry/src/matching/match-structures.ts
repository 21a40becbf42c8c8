/**
 * Decides whether two structures are the same crystal. Origin, orientation, choice of cell, supercell, order of sites,
 * a small homogeneous strain and small displacements are ignored; by default also the volume.
 *
 * Both are reduced to a primitive cell. Then every basis of the first lattice that resembles the reduced basis of the
 * second is tried, each with all shifts that put one site on another (match-lattices.ts, match-sites.ts). The
 * tolerances have the meaning of pymatgen's StructureMatcher (S. P. Ong et al., Comput. Mater. Sci. 68 (2013) 314,
 * doi:10.1016/j.commatsci.2012.10.028). Mirror images count as the same.
 */
import {
  type Structure,
  cellVolume,
  type Composition,
  compositionOf,
  formulaUnits,
  reducedComposition,
  type Site,
} from '@unitcell/crystal';
import { inverse3, type Mat3, multiply3, transpose3 } from '@unitcell/numerics';
import { polarRotation } from '../polar-rotation.ts';
import { type LatticeVectors, matchLattices, shortVectors } from './match-lattices.ts';
import { matchSites, PERFECT_RMS } from './match-sites.ts';
import { type PreparedStructure, prepareStructure, PRIMITIVE_TOLERANCE } from './prepare-structure.ts';

/** Largest relative difference of the lengths of lattice vectors. */
export const DEFAULT_LENGTH_TOLERANCE = 0.2;
/** Largest difference of lattice angles, degrees. */
export const DEFAULT_ANGLE_TOLERANCE_DEG = 5;
/** Largest displacement of a site, in units of the cube root of the volume per atom (about 2.5 Å). */
export const DEFAULT_SITE_TOLERANCE = 0.3;

export interface MatchOptions {
  readonly lengthTolerance?: number;
  readonly angleToleranceDeg?: number;
  readonly siteTolerance?: number;
  /** Compare at equal volume per atom (default true). */
  readonly scale?: boolean;
  /**
   * Stop at the first mapping within tolerance: faster, but `rms` is then not the smallest (default false).
   */
  readonly firstOnly?: boolean;
}

export interface StructureMatch {
  /** Root mean square displacement in units of the cube root of the volume per atom. */
  readonly rms: number;
  /**
   * v′ = R v, from the Cartesian axes of the first structure to those of the second: orthogonal and without the strain
   * between the two. The determinant is −1 if one is the mirror image of the other.
   */
  readonly rotation: Mat3;
}

/** A structure to be compared with many others. */
export interface MatchCandidate {
  readonly prepared: PreparedStructure;
  readonly vectors: LatticeVectors;
}

/** Prepares a structure for comparison with many prepared ones. */
export const prepareCandidate = (structure: Structure, primitiveTolerance?: number): MatchCandidate => {
  const prepared = prepareStructure(structure, primitiveTolerance);
  return { prepared, vectors: shortVectors(prepared.basis) };
};

/**
 * The best mapping of structure `a` onto structure `b`, or null if they are different crystals.
 * @throws SymmetryError for an empty, non-finite or flat cell.
 * @example matchStructures(conventionalCell, primitiveCell)?.rms // 0
 */
export const matchStructures = (
  a: Structure,
  b: Structure,
  options: MatchOptions = {},
): StructureMatch | null => matchPrepared(prepareCandidate(a), prepareStructure(b), options);

/** Like `matchStructures`, for prepared structures. */
export function matchPrepared(
  { prepared: from, vectors }: MatchCandidate,
  to: PreparedStructure,
  options: MatchOptions = {},
): StructureMatch | null {
  const { scale = true, firstOnly = false } = options;
  const siteTolerance = options.siteTolerance ?? DEFAULT_SITE_TOLERANCE;
  const lengthTolerance = options.lengthTolerance ?? DEFAULT_LENGTH_TOLERANCE;
  const angleToleranceRad = ((options.angleToleranceDeg ?? DEFAULT_ANGLE_TOLERANCE_DEG) * Math.PI) / 180;
  if (!haveEqualCounts(from, to)) return null;
  const factor = scale ? 1 : from.lengthScale / to.lengthScale;
  if (!couldLatticesMatch(from, to, lengthTolerance, factor)) return null;
  const pairing = sameNames(from, to);
  if (!pairing) return null;
  let best: { rms: number; basis: Mat3 } | null = null;
  for (const lattice of matchLattices(vectors, to, { lengthTolerance, angleToleranceRad }, factor)) {
    const rms = matchSites(from, to, lattice, pairing, factor, { siteTolerance, firstOnly });
    if (rms === null || (best && rms >= best.rms)) continue;
    best = { rms, basis: lattice.coefficients };
    if (firstOnly || rms < PERFECT_RMS) break;
  }
  if (!best) return null;
  // The rows of both bases correspond: W = V·F, and Fᵀ transforms columns.
  const strained = transpose3(multiply3(inverse3(multiply3(best.basis, from.basis)), to.basis));
  return { rms: best.rms, rotation: polarRotation(strained).rotation };
}

/** The stored structures that match a candidate, each with its position in the list. */
export function* findMatches(
  candidate: MatchCandidate,
  stored: Iterable<PreparedStructure>,
  options: MatchOptions = {},
): Generator<{ readonly index: number; readonly match: StructureMatch }> {
  let index = 0;
  for (const other of stored) {
    const match = matchPrepared(candidate, other, options);
    if (match) yield { index, match };
    index++;
  }
}

function haveEqualCounts(from: PreparedStructure, to: PreparedStructure): boolean {
  if (from.siteCount !== to.siteCount || from.classStart.length !== to.classStart.length) return false;
  return from.classStart.every((start, index) => start === to.classStart[index]);
}

/**
 * A necessary condition of a match: the k-th successive minimum of the first lattice is at most as long as the longest
 * of the k vectors that correspond to those of the second.
 */
function couldLatticesMatch(
  from: PreparedStructure,
  to: PreparedStructure,
  lengthTolerance: number,
  factor: number,
): boolean {
  const limit = 1 + lengthTolerance;
  return from.lengths.every((length, index) => length * factor <= to.lengths[index] * limit);
}

/** The only pairing of classes by name; null if the names differ. */
function sameNames(from: PreparedStructure, to: PreparedStructure): number[] | null {
  const pairing = from.classKeys.map((key) => to.classKeys.indexOf(key));
  const fits = pairing.every((other, group) => other >= 0 && classSize(to, other) === classSize(from, group));
  return fits ? pairing : null;
}

const classSize = ({ classStart }: PreparedStructure, group: number): number =>
  classStart[group + 1] - classStart[group];

// Groups compounds of one host: their structures match after a working ion is removed, so that they differ only
// by insertion of the ion (topotactic reactions).

/**
 * Ordered ions distort the framework, so that its primitive cell is found only with a larger tolerance. Unit as
 * for `PRIMITIVE_TOLERANCE`. The larger value is about 0.6 Å, still below the tolerance of a match.
 */
const PRIMITIVE_TOLERANCES = [PRIMITIVE_TOLERANCE, 0.25];

/**
 * Largest ratio of two volumes per framework unit. Layered hosts expand by a third for large ions; alloys that
 * change their framework expand more.
 */
const MAX_VOLUME_RATIO = 1.5;

/**
 * Maximum number of atoms in a primitive framework that is compared: the time of matching grows with its
 * square.
 */
const MAX_FRAMEWORK_SITES = 200;

/** Maximum number of members of a group with which a new structure is compared. */
const COMPARED_MEMBERS = 4;

/** A structure without its working ions, prepared for matching. */
export interface HostFramework {
  /** Atoms per formula unit of the framework, without the ion. */
  readonly unit: Composition;
  /** Ions per framework unit. */
  readonly ionContent: number;
  /** Å³ per framework unit */
  readonly volume: number;
  /** Primitive cells to several tolerances, the finest first. */
  readonly cells: readonly MatchCandidate[];
}

function withoutIon({ species, ...place }: Site, ion: string): Site[] {
  const rest = species.filter(({ element }) => element !== ion);
  return rest.length > 0 ? [{ ...place, species: rest }] : [];
}

/**
 * The framework of a structure; null if nothing remains without the ion, or if the framework is too large to be
 * compared.
 * @throws SymmetryError for a non-finite or flat cell.
 */
export function frameworkOf(structure: Structure, ion: string): HostFramework | null {
  const framework = { ...structure, sites: structure.sites.flatMap((site) => withoutIon(site, ion)) };
  if (framework.sites.length === 0) return null;
  const finest = prepareCandidate(framework);
  if (finest.prepared.siteCount > MAX_FRAMEWORK_SITES) return null;
  const composition = compositionOf(framework);
  const units = formulaUnits(composition);
  const cells = PRIMITIVE_TOLERANCES.slice(1).map((tolerance) => prepareCandidate(framework, tolerance));
  return {
    unit: reducedComposition(composition),
    ionContent: (compositionOf(structure)[ion] ?? 0) / units,
    volume: cellVolume(structure.latticeVectors) / units,
    cells: [finest, ...cells.filter(({ prepared }) => prepared.siteCount < finest.prepared.siteCount)],
  };
}

function isSameHost(a: HostFramework, b: HostFramework): boolean {
  const ratio = a.volume / b.volume;
  if (ratio > MAX_VOLUME_RATIO || ratio < 1 / MAX_VOLUME_RATIO) return false;
  return a.cells.some((from) =>
    b.cells.some(({ prepared: to }) => matchPrepared(from, to, { firstOnly: true }) !== null),
  );
}

/**
 * Groups frameworks of one composition that match each other; returns positions in the list. Each framework
 * joins the first group that contains a matching framework.
 */
export function groupByFramework(frameworks: readonly HostFramework[]): readonly (readonly number[])[] {
  const groups: number[][] = [];
  frameworks.forEach((framework, index) => {
    const own = groups.find((members) =>
      members.slice(0, COMPARED_MEMBERS).some((member) => isSameHost(framework, frameworks[member])),
    );
    if (own) own.push(index);
    else groups.push([index]);
  });
  return groups;
}
