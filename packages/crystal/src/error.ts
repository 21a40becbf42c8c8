import { ScienceError } from '@unitcell/errors';
import type { CrystalReason, CrystalRefusal } from './reason.ts';

/** What went wrong, for the one place that turns codes into answers. */
export type CrystalErrorCode =
  /** A chemical formula cannot be read. */
  | 'formula'
  /** The text is not a CIF, or its content describes no crystal. */
  | 'cif'
  /** The text is not a POSCAR, or its content describes no crystal. */
  | 'poscar'
  /** The text holds no volumetric data, or data that cannot be read. */
  | 'volume'
  /** The text is neither of the formats this package reads. */
  | 'format'
  /** More atoms, data or text than the stated limit. */
  | 'too-large'
  /** A symmetry operation, Hall symbol or Hermann-Mauguin symbol cannot be read. */
  | 'symmetry'
  /** A structure object is unsound (interchange JSON, supercell request, missing radius …). */
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
 * What this package throws for bad input: says what was found, what was expected and where. Its parameters are what a text about
 * the reason needs, the reason and the place included: see CrystalReason.
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
