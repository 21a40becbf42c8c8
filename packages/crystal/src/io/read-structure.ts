/**
 * What the readers of all formats give back.
 */
import type { SymmetryOperation } from '../symmetry-operation.ts';
import type { ReadNotice } from './read-notice.ts';
import type { Structure } from '../structure.ts';

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
