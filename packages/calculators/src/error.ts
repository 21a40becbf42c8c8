import { ScienceError } from '@unitcell/errors';

/** What went wrong, for the one place that turns codes into answers. */
export type CalculatorErrorCode =
  /** The structure cannot be written as a deck: a partly occupied site, no site at all. */
  | 'structure'
  /** No data set (pseudopotential) of an element was given. */
  | 'no-data-set'
  /** A file of data sets is not what it should be. */
  | 'data-set'
  /** An output lacks what its step must have written. */
  | 'output';

/** What this package throws: says what was found, what was expected and where. */
export class CalculatorError extends ScienceError<CalculatorErrorCode> {
  constructor(code: CalculatorErrorCode, message: string) {
    super('calculators', code, message);
  }
}
