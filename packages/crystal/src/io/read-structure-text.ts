/** Reads a structure file of any supported format. */
import { CrystalError } from '../error.ts';
import { readCif } from './read-cif.ts';
import { readPoscar } from './read-poscar.ts';
import type { ReadStructure } from './read-structure.ts';
import { parseFileNumber, plainText } from './text.ts';

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
export function readStructureText(text: string, fileName?: string): ReadStructureText {
  const format = structureFormat(text, fileName);
  if (format === 'cif') return { format, structures: readCif(text).structures };
  if (format === 'poscar') return { format, structures: [readPoscar(text)] };
  throw new CrystalError(
    'format',
    text.trim() === ''
      ? 'the file is empty; expected a CIF or a POSCAR'
      : 'the text is neither a CIF (no "data_" line) nor a POSCAR (no scale factor on line 2)',
    { line: 1, column: 1, why: { reason: text.trim() === '' ? 'empty-file' : 'unknown-format' } },
  );
}
