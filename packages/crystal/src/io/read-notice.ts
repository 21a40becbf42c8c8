/**
 * What a reader assumed, mended or left out: a sentence in English, and a code with parameters so that a host can say
 * the same in another language.
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
  /** In English. */
  readonly message: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Takes one notice while a file is read. */
export type Notify = (
  code: ReadNoticeCode,
  message: string,
  parameters?: Readonly<Record<string, string>>,
) => void;
