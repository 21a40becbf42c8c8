/** The result type common to the parsers of all formats. */
import type { Structure } from '../structure.ts';

export interface ReadStructure {
  /** Name of the data block or comment line; may be empty. */
  readonly name: string;
  readonly structure: Structure;
  /** Notices for the user about what was assumed or left out. No duplicates. */
  readonly notices: readonly ReadNotice[];
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
