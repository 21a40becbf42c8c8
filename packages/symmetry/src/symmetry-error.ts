import { ScienceError } from '@unitcell/errors';

/** Reasons why a symmetry calculation fails. */
export type SymmetryErrorCode =
  /** The WebAssembly module has not been passed to `initSymmetry` yet. */
  | 'not-initialised'
  /** The structure has no sites. */
  | 'empty-structure'
  /** More sites than the analysis supports. */
  | 'too-many-sites'
  /** A coordinate, lattice vector or tolerance is NaN, infinite or out of range. */
  | 'not-finite'
  /** The lattice vectors span no volume. */
  | 'flat-cell'
  /** Two sites are on top of each other. */
  | 'overlapping-sites'
  /** The engine crashed and cannot be used again in this thread; the host should start a new one. */
  | 'engine-crashed'
  /** The search failed at this tolerance. */
  | 'analysis-failed';

export class SymmetryError extends ScienceError<SymmetryErrorCode> {
  constructor(code: SymmetryErrorCode, message: string) {
    super('symmetry', code, message);
  }
}
