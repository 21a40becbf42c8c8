import { ScienceError } from '@unitcell/errors';

/** What went wrong; the API maps codes to answers in one place. */
export type CalculatorErrorCode =
  /** The structure cannot be written as a deck: a partly occupied site, or no sites. */
  | 'structure'
  /** No data set (pseudopotential) of an element was given. */
  | 'no-data-set'
  /** Invalid data set file. */
  | 'data-set'
  /** An output lacks data that its step must write. */
  | 'output';

/** Error of this package: says what was found, what was expected and where. */
export class CalculatorError extends ScienceError<CalculatorErrorCode> {
  constructor(code: CalculatorErrorCode, message: string) {
    super('calculators', code, message);
  }
}
