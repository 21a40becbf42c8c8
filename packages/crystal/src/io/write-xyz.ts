/**
 * Extended XYZ text of an ordered structure: the number of atoms, a line of `key=value` with the cell, a line per atom.
 * @see https://github.com/libAtoms/extxyz, the format as ASE and OVITO read it
 */
import { rowTimesMatrix3 } from '@unitcell/numerics';
import { CrystalError } from '../error.ts';
import { isOrdered, type Structure } from '../structure.ts';

/** Å; the same precision as the lengths of a CIF. */
const DECIMALS = 10;

export interface WriteXyzOptions {
  /** Further keys of the second line, written as quoted text. */
  readonly info?: Readonly<Record<string, string>>;
}

const row = (values: readonly number[]): string => values.map((value) => value.toFixed(DECIMALS)).join(' ');

/** Quotes and line ends would end the text early. */
const quoted = (text: string): string =>
  `"${text
    .replaceAll('\\', '\\\\')
    .replaceAll('"', '\\"')
    .replaceAll(/[\r\n]+/g, ' ')}"`;

/**
 * The structure as extended XYZ with Cartesian coordinates in Å, in the frame of its lattice vectors.
 * @throws CrystalError `structure` when it has no sites, or a site is shared or partly empty, which XYZ
 * cannot express
 */
export function writeXyz({ latticeVectors, sites }: Structure, { info = {} }: WriteXyzOptions = {}): string {
  if (sites.length === 0) throw new CrystalError('structure', 'the structure has no sites; XYZ needs atoms');
  if (!isOrdered({ latticeVectors, sites }))
    throw new CrystalError(
      'structure',
      'the structure has shared or partly empty sites, which XYZ cannot say',
    );
  const keys = [
    `Lattice="${latticeVectors.map(row).join(' ')}"`,
    'Properties=species:S:1:pos:R:3',
    'pbc="T T T"',
    ...Object.entries(info).map(([key, text]) => `${key}=${quoted(text)}`),
  ];
  const atoms = sites.map(
    ({ species: [{ element }], fractionalCoords }) =>
      `${element} ${row(rowTimesMatrix3(fractionalCoords, latticeVectors))}`,
  );
  return `${[sites.length, keys.join(' '), ...atoms].join('\n')}\n`;
}
