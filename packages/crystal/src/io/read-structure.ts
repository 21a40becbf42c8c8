/**
 * What the readers of all formats give back.
 */
import type { Structure } from '../structure.ts';
import type { SymmetryOperation } from '../symmetry-operation.ts';

/** Symmetry as the file declares it; not the outcome of an analysis. */
export interface DeclaredSymmetry {
  /** Operations that made the structure from the listed atoms; one, the identity, when the file has no symmetry. */
  readonly operations: readonly SymmetryOperation[];
  /** Where they come from. */
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
  /** Things a person should know: what was assumed, what was left out. Each once. */
  readonly notices: readonly ReadNotice[];
  /** Their English sentences. */
  readonly warnings: readonly string[];
}

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
