/** The result type common to the parsers of all formats. */
import type { Structure } from '../structure.ts';
import type { SymmetryOperation } from '../symmetry-operation.ts';
import { CrystalError } from '../error.ts';
import { type ReadCifOptions, readCif } from './read-cif.ts';
import { readPoscar } from './read-poscar.ts';
import { parseFileNumber, plainText } from './text.ts';

/** Symmetry as the file declares it, not determined from the atoms. */
export interface DeclaredSymmetry {
  /**
   * Operations that generated the structure from the listed atoms; only the identity if the file declares no symmetry.
   */
  readonly operations: readonly SymmetryOperation[];
  /** Where the operations come from. */
  readonly source: 'operations' | 'hall' | 'hermann-mauguin' | 'number' | 'none';
  /** Hermann-Mauguin symbol as written. */
  readonly symbol?: string;
  /** 1 to 230 */
  readonly number?: number;
}

export interface ReadStructure {
  /** Name of the data block or comment line; may be empty. */
  readonly name: string;
  readonly structure: Structure;
  readonly symmetry: DeclaredSymmetry;
  /** Notices for the user about what was assumed or left out. No duplicates. */
  readonly notices: readonly ReadNotice[];
  /** The English sentences of the notices. */
  readonly warnings: readonly string[];
}

/**
 * A notice about what a parser assumed, corrected or left out: an English sentence, and a code with parameters
 * for translated texts.
 */

export type ReadNoticeCode =
  | 'cif-no-data-line'
  /** `found` */
  | 'cif-unread-hall-symbol'
  | 'cif-no-symmetry'
  /** `found`, `used` (full symbol, with the choice in brackets) */
  | 'cif-several-settings'
  /** `atom` */
  | 'cif-dummy-left-out'
  /** `atom` */
  | 'cif-no-coordinates-left-out'
  /** `atom` */
  | 'cif-empty-left-out'
  /** `found`, `declared` (formulas) */
  | 'cif-other-formula'
  /** `atom` */
  | 'atom-listed-twice'
  /** `site`, `sum`, `species` */
  | 'occupancies-scaled'
  /** `atom`, `distance` (Å) */
  | 'moved-to-special-position'
  | 'poscar-names-differ';

export interface ReadNotice {
  readonly code: ReadNoticeCode;
  /** English sentence. */
  readonly message: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Receives each notice while a file is parsed. */
export type Notify = (
  code: ReadNoticeCode,
  message: string,
  parameters?: Readonly<Record<string, string>>,
) => void;

// Reads a structure file of any supported format.

export type StructureFormat = 'cif' | 'poscar';

export interface ReadStructureText {
  readonly format: StructureFormat;
  /** At least one structure; a POSCAR has exactly one. */
  readonly structures: readonly ReadStructure[];
}

function formatOfName(fileName: string): StructureFormat | undefined {
  const base = fileName
    .slice(Math.max(fileName.lastIndexOf('/'), fileName.lastIndexOf('\\')) + 1)
    .toLowerCase();
  if (base.endsWith('.cif') || base.endsWith('.mcif')) return 'cif';
  if (
    base.startsWith('poscar') ||
    base.startsWith('contcar') ||
    base.endsWith('.vasp') ||
    base.endsWith('.poscar')
  )
    return 'poscar';
  return undefined;
}

/** Detects the format: after its comments a CIF starts with a reserved word or tag; a POSCAR has a number on line 2. */
function formatOfText(text: string): StructureFormat | undefined {
  const lines = text.split('\n', 2000);
  const second = lines[1]?.trim().split(' ')[0] ?? '';
  for (const line of lines) {
    const trimmed = line.trimStart();
    if (trimmed === '' || trimmed.startsWith('#')) continue;
    const head = trimmed.slice(0, 5).toLowerCase();
    if (head === 'data_' || head === 'loop_' || head === 'save_') return 'cif';
    if (trimmed.startsWith('_') && parseFileNumber(second) === undefined) return 'cif';
    break;
  }
  return parseFileNumber(second) === undefined ? undefined : 'poscar';
}

/** The format of a text by its content, otherwise by its file name; undefined if neither identifies it. */
export function structureFormat(text: string, fileName = ''): StructureFormat | undefined {
  return formatOfText(plainText(text)) ?? formatOfName(fileName);
}

/**
 * The structures of a CIF or POSCAR; content takes precedence over the file name.
 * @throws CrystalError `format` when the text is neither, otherwise the errors of `readCif` and `readPoscar`
 */
export function readStructureText(
  text: string,
  fileName?: string,
  options: ReadCifOptions = {},
): ReadStructureText {
  const format = structureFormat(text, fileName);
  if (format === 'cif') return { format, structures: readCif(text, options).structures };
  if (format === 'poscar') return { format, structures: [readPoscar(text, options)] };
  throw new CrystalError(
    'format',
    text.trim() === ''
      ? 'the file is empty; expected a CIF or a POSCAR'
      : 'the text is neither a CIF (no "data_" line) nor a POSCAR (no scale factor on line 2)',
    { line: 1, column: 1, why: { reason: text.trim() === '' ? 'empty-file' : 'unknown-format' } },
  );
}
