import type { CrystalReason, CrystalRefusal } from './reason.ts';

/** What went wrong, for the one place that turns codes into answers. */
export type CrystalErrorCode =
  /** A chemical formula cannot be read. */
  | 'formula'
  /** The text is not a CIF, or its content describes no crystal. */
  | 'cif'
  /** The text is not a POSCAR, or its content describes no crystal. */
  | 'poscar'
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

/** The only error this package throws for bad input: says what was found, what was expected and where. */
export class CrystalError extends Error {
  override readonly name = 'CrystalError' as const;
  readonly code: CrystalErrorCode;
  readonly line: number | undefined;
  readonly column: number | undefined;
  readonly reason: CrystalReason;
  /** What a text about the reason needs, the place included: see CrystalReason. */
  readonly parameters: Readonly<Record<string, string | number>>;

  constructor(code: CrystalErrorCode, message: string, details: CrystalErrorDetails = {}) {
    const { line, column, why = { reason: 'other' } } = details;
    const place =
      line === undefined ? '' : `line ${line}${column === undefined ? '' : `, column ${column}`}: `;
    super(place + message);
    this.code = code;
    this.line = line;
    this.column = column;
    const { reason, ...parameters } = why;
    this.reason = reason;
    this.parameters = {
      ...parameters,
      ...(line !== undefined && { line }),
      ...(column !== undefined && { column }),
    };
  }
}
