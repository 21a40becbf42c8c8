/**
 * The data of one structure that matching needs, computed once: the primitive cell in a reduced basis, scaled to unit
 * volume per atom, with sites grouped by species.
 */
import { cellVolume, findPrimitiveCell, sitesBySpecies, type Structure } from '@unitcell/crystal';
import { dot3, type Mat3, norm3, scale3, type Vec3 } from '@unitcell/numerics';
import { SymmetryError } from '../symmetry-error.ts';

/**
 * Allowed distance of atoms from their translated copies when searching for the primitive cell, in units of the cube
 * root of the volume per atom (about 0.2 Å): more than thermal scatter and rounding, less than a bond length.
 */
export const PRIMITIVE_TOLERANCE = 0.1;

export interface PreparedStructure {
  readonly siteCount: number;
  /** Species of each class of sites. Classes are ordered by rising size, then by name. */
  readonly classKeys: readonly string[];
  /** Class k holds the sites from `classStart[k]` to `classStart[k + 1]`. */
  readonly classStart: readonly number[];
  /** x, y, z of each site in units of the reduced primitive basis. */
  readonly fractional: Float64Array;
  /** Reduced primitive basis as rows, scaled to a volume of 1 per atom. */
  readonly basis: Mat3;
  /** Lengths of the basis vectors, ascending: the successive minima of the lattice. */
  readonly lengths: Vec3;
  /** Angles between b and c, a and c, a and b, radians. */
  readonly anglesRad: Vec3;
  /** Å: the cube root of the volume per atom; all lengths have been divided by it. */
  readonly lengthScale: number;
}

/**
 * Prepares a structure for matching. Keep the result when a structure is compared more than once.
 * @param primitiveTolerance see `PRIMITIVE_TOLERANCE`
 * @throws SymmetryError for an empty, non-finite or flat cell.
 */
export function prepareStructure(
  structure: Structure,
  primitiveTolerance = PRIMITIVE_TOLERANCE,
): PreparedStructure {
  const count = structure.sites.length;
  if (count === 0) throw new SymmetryError('empty-structure', 'the structure has no sites: nothing to match');
  const volume = cellVolume(structure.latticeVectors);
  const isFinite = structure.sites.every(({ fractionalCoords }) => fractionalCoords.every(Number.isFinite));
  if (!isFinite) throw new SymmetryError('not-finite', 'a site has a coordinate that is not a finite number');
  if (!(volume > 0 && Number.isFinite(volume)))
    throw new SymmetryError('flat-cell', `the cell has a volume of ${volume} Å³: expected a positive number`);
  const lengthScale = Math.cbrt(volume / count);
  const cell = findPrimitiveCell(structure, primitiveTolerance * lengthScale);
  const byKey = [...sitesBySpecies(cell.sites)].toSorted(
    ([keyP, p], [keyQ, q]) => p.length - q.length || (keyP < keyQ ? -1 : 1),
  );
  const sites = byKey.flatMap(([, members]) => members);
  const classStart = [0];
  for (const [, members] of byKey) classStart.push(classStart.at(-1)! + members.length);
  const [a, b, c] = cell.latticeVectors.map((vector) => scale3(vector, 1 / lengthScale));
  return {
    siteCount: sites.length,
    classKeys: byKey.map(([key]) => key),
    classStart,
    fractional: Float64Array.from(sites.flatMap(({ fractionalCoords }) => fractionalCoords)),
    basis: [a, b, c],
    lengths: [norm3(a), norm3(b), norm3(c)],
    anglesRad: [angleRad(b, c), angleRad(a, c), angleRad(a, b)],
    lengthScale,
  };
}

const angleRad = (u: Vec3, v: Vec3): number =>
  Math.acos(Math.min(1, Math.max(-1, dot3(u, v) / (norm3(u) * norm3(v)))));
