import { type ErrorParameters, ScienceError } from '@unitcell/errors';

/** Reasons why a net or a model is refused. */
export type TightBindingErrorCode =
  | 'unknown-net'
  | 'degenerate-net'
  | 'ratio-out-of-range'
  | 'invalid-onsite'
  | 'too-many-k-points'
  | 'invalid-option';

export class TightBindingError extends ScienceError<TightBindingErrorCode> {
  constructor(code: TightBindingErrorCode, message: string, parameters: ErrorParameters = {}) {
    super('tight-binding', code, message, parameters);
  }
}
