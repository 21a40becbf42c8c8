import { ScienceError } from '@unitcell/errors';

/**
 * Every reason of a refusal with the parameters it carries. They do not depend on the English wording, so that
 * a host can translate them. Parsers add `line` and `column` if the position is known.
 */
export type CrystalReason =
  // Reasons for formulas; all but the first also carry `position`, counted from 1.
  /** `length`, `limit` */
  | 'formula-too-long'
  /** `found`, `least`, `limit` */
  | 'formula-amount'
  /** `element`, `limit` */
  | 'formula-too-many-atoms'
  | 'formula-element-expected'
  /** `found` */
  | 'formula-unknown-element'
  /** `found` */
  | 'formula-unopened-bracket'
  /** `found`, `opened` (position), `expected` */
  | 'formula-wrong-bracket'
  | 'formula-empty-brackets'
  | 'formula-dot-in-brackets'
  /** `found` */
  | 'formula-unexpected'
  /** `expected` */
  | 'formula-open-bracket'
  // Reasons for any file.
  /** `length`, `limit` */
  | 'text-too-long'
  | 'empty-file'
  | 'unknown-format'
  | 'file-ends'
  /** `limit` */
  | 'too-many-sites'
  | 'flat-cell'
  /** `found` (Å), `limit` (Å) */
  | 'cell-too-long'
  /** `limit` (cells) */
  | 'position-too-far'
  /** `site`, `sum` */
  | 'occupancy-sum'
  // Reasons for POSCAR.
  /** `found`, `expected` (numbers on the line) */
  | 'poscar-missing-numbers'
  /** `found` */
  | 'poscar-no-number'
  /** `found` (numbers on the line) */
  | 'poscar-scale-count'
  | 'poscar-scale-zero'
  | 'poscar-scale-negative'
  /** `found` */
  | 'poscar-unknown-element'
  | 'poscar-endless-elements'
  | 'poscar-no-counts'
  /** `found` */
  | 'poscar-bad-count'
  /** `elements`, `counts` (how many of each) */
  | 'poscar-counts-differ'
  | 'poscar-no-atoms'
  /** `found` */
  | 'poscar-mode'
  | 'poscar-unnamed-elements'
  // Reasons for CIF.
  | 'cif-open-text'
  | 'cif-open-quotation'
  /** `tag`, `values`, `columns`, `found` (the last value) */
  | 'cif-incomplete-row'
  /** `found`, `limit` */
  | 'cif-too-many-operations'
  /** `found` */
  | 'cif-bad-operation'
  /** `found`, `percent` (change of the edges) */
  | 'cif-operation-misfit'
  /** `found` */
  | 'cif-bad-hall-symbol'
  /** `found` */
  | 'cif-hall-misfit'
  /** `found` */
  | 'cif-unknown-space-group'
  /** `found` */
  | 'cif-space-group-misfit'
  /** `block`, `tag` */
  | 'cif-missing-value'
  /** `tag`, `found` */
  | 'cif-no-number'
  | 'cif-bad-cell'
  /** `tag`, `found`, `limit` */
  | 'cif-bad-coordinate'
  /** `row`, from 1 */
  | 'cif-unnamed-atom'
  /** `found` */
  | 'cif-unknown-element'
  /** `found` */
  | 'cif-bad-occupancy'
  /** `block` */
  | 'cif-no-atoms'
  /** `tag` */
  | 'cif-missing-column'
  | 'cif-own-axes'
  | 'cif-no-positions'
  | 'cif-no-crystal'
  /** `found`, `limit` */
  | 'cif-too-many-blocks'
  // Reasons for volumetric data.
  | 'volume-unknown-format'
  /** `found`, `expected` (values) */
  | 'volume-values-missing'
  /** `found` */
  | 'volume-no-number'
  /** `found` (sizes) */
  | 'volume-bad-grid'
  /** `found`, `limit` */
  | 'volume-too-many-points'
  | 'volume-too-many-blocks'
  /** `found` */
  | 'volume-unknown-element'
  /** The basis cannot be reduced. */
  | 'cell-in-plane'
  /** Neighbours: `limit`, `cutoff` (Å) */
  | 'too-many-neighbours'
  /** Structure JSON: `path` */
  | 'structure-json'
  /**
   * An error of the calling program, or an error too rare for a separate reason; only the English message describes it.
   */
  | 'other';

/** The reason of a refusal and the parameters of its text. */
export interface CrystalRefusal {
  readonly reason: CrystalReason;
  readonly [parameter: string]: string | number;
}

/** Category of the error; the API maps each code to an answer in one place. */
export type CrystalErrorCode =
  /** A chemical formula cannot be parsed. */
  | 'formula'
  /** The text is not a CIF, or does not describe a crystal. */
  | 'cif'
  /** The text is not a POSCAR, or does not describe a crystal. */
  | 'poscar'
  /** The text has no volumetric data, or data that cannot be parsed. */
  | 'volume'
  /** The text is in none of the formats that this package reads. */
  | 'format'
  /** The input has more atoms, data or text than the limit that the message states. */
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
  /** Stable reason with its parameters, for messages in other languages. */
  readonly why?: CrystalRefusal;
}

/**
 * Error for bad input: states what was found, what was expected and where. Its parameters contain the reason, the
 * position and the values that a translated message needs; see CrystalReason.
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
