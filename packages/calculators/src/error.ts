import { ScienceError } from '@unitcell/errors';

/** Category of the error; the API maps each code to an answer in one place. */
export type CalculatorErrorCode =
  /** The structure cannot be written as a deck: a partly occupied site, or no sites. */
  | 'structure'
  /** No data set (pseudopotential) was given for an element. */
  | 'no-data-set'
  /** The file of a data set is invalid. */
  | 'data-set'
  /** An output lacks data that its step must write. */
  | 'output';

/** Error of this package: states what was found, what was expected and where. */
export class CalculatorError extends ScienceError<CalculatorErrorCode> {
  constructor(code: CalculatorErrorCode, message: string) {
    super('calculators', code, message);
  }
}
