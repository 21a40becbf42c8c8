import { ScienceError } from '@unitcell/errors';

/** Why a symmetry calculation could not be done. */
export type SymmetryErrorCode =
  /** The WebAssembly module has not been handed over yet. */
  | 'not-initialised'
  /** The structure has no sites. */
  | 'empty-structure'
  /** More sites than the analysis is meant for. */
  | 'too-many-sites'
  /** A coordinate, lattice vector or tolerance is NaN, infinite or out of range. */
  | 'not-finite'
  /** The lattice vectors span no volume. */
  | 'flat-cell'
  /** Two sites lie on top of each other. */
  | 'overlapping-sites'
  /** The engine crashed; it cannot be used again in this thread, so the host should start a fresh one. */
  | 'engine-crashed'
  /** The search itself failed at this tolerance. */
  | 'analysis-failed';

/** What this package throws. */
export class SymmetryError extends ScienceError<SymmetryErrorCode> {
  constructor(code: SymmetryErrorCode, message: string) {
    super('symmetry', code, message);
  }
}
