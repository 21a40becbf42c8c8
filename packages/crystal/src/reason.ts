/**
 * Stable reasons of refusals, independent of the English wording, so that a host can translate them. The
 * numbers and words of a message accompany the reason as parameters.
 */

/**
 * Every reason, with the parameters it carries; readers add `line` and `column` when the position is known.
 */
export type CrystalReason =
  // A formula; all but the first carry `position`, from 1.
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
  // Any file.
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
  // POSCAR.
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
  // CIF.
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
  // Volumetric data.
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
  /** A basis that cannot be reduced. */
  | 'cell-in-plane'
  /** Neighbours: `limit`, `cutoff` (Å) */
  | 'too-many-neighbours'
  /** Structure JSON: `path` */
  | 'structure-json'
  /**
   * An error of the calling program, or one too rare to have a reason: only the English message describes it.
   */
  | 'other';

/** The reason of a refusal and the parameters of its text. */
export interface CrystalRefusal {
  readonly reason: CrystalReason;
  readonly [parameter: string]: string | number;
}
