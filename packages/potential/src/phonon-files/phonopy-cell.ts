/** Cells and numbers in the documents of phonopy. */
import type { Structure } from '@unitcell/crystal';
import { isElementSymbol } from '@unitcell/elements';
import { determinant3, type Mat3, scale3, type Vec3 } from '@unitcell/numerics';
import type { Moment } from '../site-symmetry.ts';
import { MOST_ATOMS, refuseFile } from './file-error.ts';
import type { Yaml } from './plain-yaml.ts';

export interface Cell {
  readonly structure: Structure;
  /** Mass of each atom in u, if the file states it. */
  readonly masses?: readonly number[];
  /** Magnetic moment of each atom, if the file states it. */
  readonly moments?: readonly Moment[];
}

export const isMap = (node: Yaml | undefined): node is { readonly [key: string]: Yaml } =>
  typeof node === 'object' && node !== null && !Array.isArray(node);

/** @throws PotentialError `phonon-file` */
export const listOf = (node: Yaml | undefined, file: string, where: string): readonly Yaml[] =>
  Array.isArray(node) ? node : refuseFile(file, `${where}: expected a list`);

export function numberOf(node: Yaml | undefined, file: string, where: string): number {
  return typeof node === 'number'
    ? node
    : refuseFile(file, `${where}: expected a number, found ${JSON.stringify(node ?? null).slice(0, 40)}`);
}

export function vectorOf(node: Yaml | undefined, file: string, where: string): Vec3 {
  const [x, y, z, ...more] = listOf(node, file, where);
  if (more.length > 0) refuseFile(file, `${where}: expected three numbers`);
  return [numberOf(x, file, where), numberOf(y, file, where), numberOf(z, file, where)];
}

export function matrixOf(node: Yaml | undefined, file: string, where: string): Mat3 {
  const [a, b, c, ...more] = listOf(node, file, where);
  if (more.length > 0) refuseFile(file, `${where}: expected three rows`);
  return [vectorOf(a, file, where), vectorOf(b, file, where), vectorOf(c, file, where)];
}

/** @param length the file's unit of length in Å */
export function cellOf(node: Yaml, length: number, file: string, where: string): Cell {
  if (!isMap(node)) return refuseFile(file, `${where}: expected lattice and points`);
  const [a, b, c] = matrixOf(node.lattice, file, `${where}, lattice`);
  const latticeVectors: Mat3 = [scale3(a, length), scale3(b, length), scale3(c, length)];
  if (!(Math.abs(determinant3(latticeVectors)) > 1e-3)) refuseFile(file, `${where}: the cell has no volume`);
  const points = listOf(node.points ?? node.atoms, file, `${where}, points`);
  if (points.length === 0 || points.length > MOST_ATOMS.supercell)
    refuseFile(file, `${where}: ${points.length} atoms, expected 1 to ${MOST_ATOMS.supercell}`);
  const masses: number[] = [];
  const moments: Moment[] = [];
  const sites = points.map((point, index) => {
    const place = `${where}, point ${index + 1}`;
    if (!isMap(point)) return refuseFile(file, `${place}: expected symbol and coordinates`);
    // A symbol may have a number appended: Cr1.
    const element = (typeof point.symbol === 'string' && /^[A-Z][a-z]?/.exec(point.symbol)?.[0]) || '';
    if (!isElementSymbol(element))
      refuseFile(file, `${place}: ${JSON.stringify(point.symbol ?? null)} is not an element`);
    if (typeof point.mass === 'number' && point.mass > 0) masses.push(point.mass);
    const moment = point.magnetic_moment;
    if (typeof moment === 'number') moments.push(moment);
    else if (moment !== undefined) moments.push(vectorOf(moment, file, `${place}, magnetic_moment`));
    return {
      species: [{ element, occupancy: 1 }] as const,
      fractionalCoords: vectorOf(point.coordinates ?? point.position, file, place),
    };
  });
  return {
    structure: { latticeVectors, sites },
    ...(masses.length === sites.length && { masses }),
    ...(moments.length === sites.length && { moments }),
  };
}
