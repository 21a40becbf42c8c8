import { type ErrorParameters, ScienceError } from '@unitcell/errors';

/** Reasons why this package refuses a request. */
export type DiffractionErrorCode =
  | 'bad-wavelength'
  | 'bad-range'
  | 'bad-structure'
  | 'bad-size'
  | 'unknown-element'
  | 'unknown-source'
  | 'too-many-reflections'
  | 'unreadable-pattern'
  | 'bad-pattern'
  | 'bad-filter'
  | 'bad-index'
  | 'bad-refinement'
  | 'cancelled';

/** The error of this package: the message states what was found, what was expected and what to do. */
export class DiffractionError extends ScienceError<DiffractionErrorCode> {
  constructor(code: DiffractionErrorCode, message: string, parameters: ErrorParameters = {}) {
    super('diffraction', code, message, parameters);
  }
}
