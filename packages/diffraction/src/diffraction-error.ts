import { type ErrorParameters, ScienceError } from '@unitcell/errors';

/** What can be wrong with a request to this package. */
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
  | 'cancelled';

/** What this package throws: the message says what was found, what was expected and what to do. */
export class DiffractionError extends ScienceError<DiffractionErrorCode> {
  constructor(code: DiffractionErrorCode, message: string, parameters: ErrorParameters = {}) {
    super('diffraction', code, message, parameters);
  }
}
