/** Crystal structures from CIF text (CIF 1.1, core dictionary; also the dotted tags of newer dictionaries). */
import { inverse3, type Mat3, rowTimesMatrix3, type Vec3 } from '@unitcell/numerics';
import { compositionOf } from '../composition.ts';
import { CrystalError } from '../error.ts';
import { reducedFormula } from '../formula.ts';
import { latticeVectorsFromParameters } from '../lattice.ts';
import { withNaturalHydrogen } from '../structure.ts';
import type { SymmetryOperation } from '../symmetry-operation.ts';
import {
  type CifBlock,
  type CifTable,
  type CifValue,
  elementOfName,
  readCifBlocks,
  tableWith,
} from './cif-blocks.ts';
import { withMoments } from './cif-moments.ts';
import { declaredComposition, isProportional, readSymmetry } from './cif-symmetry.ts';
import { expandSites, type ListedAtom } from './expand-sites.ts';
import { MAX_CELL_LENGTH, MAX_COORDINATE, MAX_READ_SITES, MAX_STRUCTURES } from './limits.ts';
import type { Notify, ReadNotice, ReadStructure } from './read-structure.ts';
import { parseFileNumber, plainText, refuseAt, shown } from './text.ts';

export interface ReadCifOptions {
  /** Keeps deuterium as `D`, for neutrons; by default it is read as hydrogen. */
  readonly keepsDeuterium?: boolean;
}

export interface ReadCif {
  /** One per data block that describes a crystal, in order of the file. At least one. */
  readonly structures: readonly ReadStructure[];
  /** Blocks that have a cell or atoms but could not be read. */
  readonly refused: readonly { readonly name: string; readonly error: CrystalError }[];
}

const CELL_LENGTHS = ['_cell_length_a', '_cell_length_b', '_cell_length_c'] as const;
const CELL_ANGLES = ['_cell_angle_alpha', '_cell_angle_beta', '_cell_angle_gamma'] as const;
const FRACTIONAL = ['_atom_site_fract_x', '_atom_site_fract_y', '_atom_site_fract_z'] as const;
const CARTESIAN = ['_atom_site_cartn_x', '_atom_site_cartn_y', '_atom_site_cartn_z'] as const;

const isUnknown = (value: CifValue | undefined): boolean =>
  value === undefined ||
  (!value.isQuoted && (value.text === '?' || value.text === '.')) ||
  value.text.trim() === '';

function cellNumber(text: string, block: CifBlock, tag: string): number {
  const item = block.items.get(tag);
  if (!item || isUnknown(item))
    return refuseAt(
      text,
      item?.offset ?? block.offset,
      `data block "${shown(block.name)}" has no ${tag}; expected a number`,
      { reason: 'cif-missing-value', block: shown(block.name), tag },
    );
  const value = parseFileNumber(item.text.trim());
  if (value === undefined)
    refuseAt(text, item.offset, `${tag} is "${shown(item.text)}"; expected a number`, {
      reason: 'cif-no-number',
      tag,
      found: shown(item.text),
    });
  return value;
}

function readCell(text: string, block: CifBlock): Mat3 {
  const [a, b, c] = CELL_LENGTHS.map((tag) => cellNumber(text, block, tag));
  const [alpha, beta, gamma] = CELL_ANGLES.map((tag) => cellNumber(text, block, tag));
  const offset = block.items.get(CELL_LENGTHS[0])?.offset ?? block.offset;
  if (Math.max(a, b, c) > MAX_CELL_LENGTH)
    refuseAt(text, offset, `a cell edge of ${Math.max(a, b, c)} Å; expected at most ${MAX_CELL_LENGTH} Å`, {
      reason: 'cell-too-long',
      found: Math.max(a, b, c),
      limit: MAX_CELL_LENGTH,
    });
  try {
    return latticeVectorsFromParameters({ a, b, c, alpha, beta, gamma });
  } catch (error) {
    return refuseAt(text, offset, error instanceof Error ? error.message : String(error), {
      reason: 'cif-bad-cell',
    });
  }
}

/** Fractional coordinate: a number or, in some files, a fraction such as 1/3. */
function coordinate(text: string, value: CifValue, tag: string): number {
  const [numerator, denominator, ...rest] = value.text.trim().split('/');
  const top = parseFileNumber(numerator);
  const bottom = denominator === undefined ? 1 : parseFileNumber(denominator);
  const number = top === undefined || bottom === undefined || rest.length > 0 ? Number.NaN : top / bottom;
  if (!(Math.abs(number) <= MAX_COORDINATE))
    refuseAt(
      text,
      value.offset,
      `${tag} is "${shown(value.text)}"; expected a number between ±${MAX_COORDINATE}`,
      { reason: 'cif-bad-coordinate', tag, found: shown(value.text), limit: MAX_COORDINATE },
    );
  return number;
}

const declaredFormula = (block: CifBlock): string | undefined =>
  block.items.get('_chemical_formula_sum')?.text;

function elementAt(
  text: string,
  table: CifTable,
  row: number,
  hinted: ReadonlySet<string> | undefined,
  keepsDeuterium: boolean,
): string {
  const type = table.value(row, '_atom_site_type_symbol');
  const label = table.value(row, '_atom_site_label');
  const named = type && !isUnknown(type) ? type : label;
  if (!named || isUnknown(named))
    return refuseAt(
      text,
      named?.offset ?? table.offset,
      `atom ${row + 1} has neither a type symbol nor a label`,
      { reason: 'cif-unnamed-atom', row: row + 1 },
    );
  const fromType = named === type ? elementOfName(named.text) : undefined;
  const element = fromType ?? (label ? elementOfName(label.text, hinted) : undefined);
  const from = fromType === undefined ? label : named;
  if (keepsDeuterium && element === 'H' && from && /^d/i.test(from.text)) return 'D';
  return (
    element ??
    refuseAt(
      text,
      named.offset,
      `atom "${shown(named.text)}" names no element; expected a symbol such as Fe or Fe3+`,
      { reason: 'cif-unknown-element', found: shown(named.text) },
    )
  );
}

function occupancyAt(text: string, table: CifTable, row: number): number {
  const value = table.value(row, '_atom_site_occupancy');
  if (value === undefined || isUnknown(value)) return 1;
  const occupancy = parseFileNumber(value.text.trim());
  if (occupancy === undefined || occupancy < 0)
    refuseAt(text, value.offset, `the occupancy is "${shown(value.text)}"; expected a number from 0 to 1`, {
      reason: 'cif-bad-occupancy',
      found: shown(value.text),
    });
  return occupancy;
}

function readAtoms(
  text: string,
  block: CifBlock,
  latticeVectors: Mat3,
  keepsDeuterium: boolean,
  notify: Notify,
): readonly ListedAtom[] {
  const table = tableWith(text, block, [...FRACTIONAL, ...CARTESIAN]);
  if (!table || table.rows === 0)
    return refuseAt(
      text,
      block.offset,
      `data block "${shown(block.name)}" lists no atoms (no _atom_site_fract_x loop)`,
      { reason: 'cif-no-atoms', block: shown(block.name) },
    );
  if (table.rows > MAX_READ_SITES)
    throw new CrystalError(
      'too-large',
      `${table.rows} atoms listed: at most ${MAX_READ_SITES} sites are read`,
      {
        why: { reason: 'too-many-sites', limit: MAX_READ_SITES },
      },
    );
  const isFractional = FRACTIONAL.every((tag) => table.has(tag));
  const tags = isFractional ? FRACTIONAL : CARTESIAN;
  const missing = tags.find((tag) => !table.has(tag));
  if (missing)
    refuseAt(text, table.offset, `the loop of the atoms has no ${missing}`, {
      reason: 'cif-missing-column',
      tag: missing,
    });
  if (!isFractional && block.items.has('_atom_sites_cartn_tran_matrix_11'))
    refuseAt(
      text,
      table.offset,
      'the atoms are given in Cartesian axes of their own; expected fractional coordinates',
      { reason: 'cif-own-axes' },
    );
  const toFractional = isFractional ? undefined : inverse3(latticeVectors);
  const declared = declaredComposition(declaredFormula(block));
  const hinted = declared && new Set(Object.keys(declared));
  const atoms: ListedAtom[] = [];
  for (let row = 0; row < table.rows; row++) {
    const values = tags.map((tag) => table.value(row, tag));
    const label = table.value(row, '_atom_site_label')?.text;
    const isDummy = table.value(row, '_atom_site_calc_flag')?.text.toLowerCase() === 'dum';
    if (isDummy || values.some(isUnknown)) {
      const atom = shown(label ?? String(row + 1));
      notify(
        isDummy ? 'cif-dummy-left-out' : 'cif-no-coordinates-left-out',
        `atom ${atom} ${isDummy ? 'is a dummy' : 'has no coordinates'} and was left out`,
        { atom },
      );
      continue;
    }
    const [x, y, z] = values.map((value, axis) => coordinate(text, value as CifValue, tags[axis]));
    const position: Vec3 = toFractional ? rowTimesMatrix3([x, y, z], toFractional) : [x, y, z];
    const occupancy = occupancyAt(text, table, row);
    if (occupancy === 0) {
      const atom = shown(label ?? String(row + 1));
      notify('cif-empty-left-out', `atom ${atom} has occupancy 0 and was left out`, { atom });
      continue;
    }
    const element = elementAt(text, table, row, hinted, keepsDeuterium);
    atoms.push({ element, occupancy, position, ...(label === undefined ? {} : { label }) });
  }
  if (atoms.length === 0)
    refuseAt(text, table.offset, 'no listed atom has coordinates and an occupancy', {
      reason: 'cif-no-positions',
    });
  return atoms;
}

function readBlock(text: string, block: CifBlock, keepsDeuterium: boolean): ReadStructure {
  const notices = new Map<string, ReadNotice>();
  const notify: Notify = (code, message, parameters = {}) => {
    if (!notices.has(message)) notices.set(message, { code, message, parameters });
  };
  if (!block.hasHeading)
    notify(
      'cif-no-data-line',
      'the crystal stands before any "data_" line, with which every block of a CIF begins; it was read all the same',
    );
  const latticeVectors = readCell(text, block);
  const atoms = readAtoms(text, block, latticeVectors, keepsDeuterium, notify);
  const expand = (applied: readonly SymmetryOperation[], tell: Notify) => ({
    latticeVectors,
    sites: expandSites(latticeVectors, atoms, applied, tell),
  });
  const operations = readSymmetry(
    text,
    block,
    latticeVectors,
    {
      formula: declaredFormula(block),
      composition: (tried) => {
        try {
          return compositionOf(withNaturalHydrogen(expand(tried, () => {})));
        } catch (error) {
          // A setting that puts atoms on top of each other is wrong.
          if (error instanceof CrystalError) return undefined;
          throw error;
        }
      },
    },
    notify,
  );
  const plain = expand(operations, notify);
  const structure = {
    ...plain,
    sites: withMoments(text, block, latticeVectors, plain.sites, operations.length === 1),
  };
  const declared = declaredComposition(declaredFormula(block));
  const content = compositionOf(withNaturalHydrogen(structure));
  if (declared && !isProportional(content, declared))
    notify(
      'cif-other-formula',
      `the atoms make ${reducedFormula(content)}, but the file declares ${reducedFormula(declared)}`,
      { found: reducedFormula(content), declared: reducedFormula(declared) },
    );
  return { name: block.name, structure, notices: [...notices.values()] };
}

const describesCrystal = (block: CifBlock): boolean =>
  CELL_LENGTHS.some((tag) => block.items.has(tag)) ||
  block.loops.some(({ tags }) => tags.includes(FRACTIONAL[0]) || tags.includes(CARTESIAN[0]));

/**
 * The crystal structures of a CIF. Linear in the length of the text; special positions are merged within
 * `SPECIAL_POSITION_TOLERANCE`, and uncertainties in brackets are ignored. Blocks without cell
 * and atoms (`data_global`) are skipped.
 * @throws CrystalError with line and column when the text gives no structure at all; errors of single blocks
 * of a longer file are in `refused`.
 * @example readCif(text).structures[0].structure.sites.length
 */
export function readCif(text: string, options: ReadCifOptions = {}): ReadCif {
  const plain = plainText(text);
  if (plain.trim() === '')
    throw new CrystalError('cif', 'the file is empty; expected a CIF that starts with "data_"', {
      why: { reason: 'empty-file' },
    });
  const blocks = readCifBlocks(plain).filter(describesCrystal);
  if (blocks.length > MAX_STRUCTURES)
    throw new CrystalError('too-large', `${blocks.length} data blocks: at most ${MAX_STRUCTURES} are read`, {
      why: { reason: 'cif-too-many-blocks', found: blocks.length, limit: MAX_STRUCTURES },
    });
  const structures: ReadStructure[] = [];
  const refused: { name: string; error: CrystalError }[] = [];
  for (const block of blocks) {
    try {
      structures.push(readBlock(plain, block, options.keepsDeuterium === true));
    } catch (error) {
      if (!(error instanceof CrystalError)) throw error;
      refused.push({ name: block.name, error });
    }
  }
  if (structures.length > 0) return { structures, refused };
  throw (
    refused[0]?.error ??
    new CrystalError(
      'cif',
      'no data block has a cell and atoms; expected _cell_length_a and an _atom_site_fract_x loop',
      {
        line: 1,
        column: 1,
        why: { reason: 'cif-no-crystal' },
      },
    )
  );
}
