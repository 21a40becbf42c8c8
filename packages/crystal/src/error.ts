import { ScienceError } from '@unitcell/errors';
import type { CrystalReason, CrystalRefusal } from './reason.ts';

/** What went wrong; the API maps codes to answers in one place. */
export type CrystalErrorCode =
  /** A chemical formula cannot be parsed. */
  | 'formula'
  /** The text is not a CIF, or does not describe a crystal. */
  | 'cif'
  /** The text is not a POSCAR, or does not describe a crystal. */
  | 'poscar'
  /** The text has no volumetric data, or data that cannot be parsed. */
  | 'volume'
  /** The text is neither of the formats this package reads. */
  | 'format'
  /** More atoms, data or text than the stated limit. */
  | 'too-large'
  /** A symmetry operation, Hall symbol or Hermann-Mauguin symbol cannot be parsed. */
  | 'symmetry'
  /** A structure object is invalid (interchange JSON, supercell request, missing radius …). */
  | 'structure';

export interface CrystalErrorDetails {
  /** Line in the text, from 1. */
  readonly line?: number;
  /** Column in the line, from 1. */
  readonly column?: number;
  /** Stable reason and parameters, for messages in other languages. */
  readonly why?: CrystalRefusal;
}

/**
 * Error for bad input: says what was found, what was expected and where. Its parameters contain the reason,
 * the position and the values that a translated message needs: see CrystalReason.
 */
export class CrystalError extends ScienceError<CrystalErrorCode> {
  readonly line: number | undefined;
  readonly column: number | undefined;
  readonly reason: CrystalReason;

  constructor(code: CrystalErrorCode, message: string, details: CrystalErrorDetails = {}) {
    const { line, column, why = { reason: 'other' } } = details;
    const place =
      line === undefined ? '' : `line ${line}${column === undefined ? '' : `, column ${column}`}: `;
    super('crystal', code, place + message, {
      ...why,
      ...(line !== undefined && { line }),
      ...(column !== undefined && { column }),
    });
    this.line = line;
    this.column = column;
    this.reason = why.reason;
  }
}
