import { ScienceError } from '@unitcell/errors';

/** Category of the error; the API maps each code to an answer in one place. */
export type PhaseEquilibriaErrorCode =
  /** There are no entries at all, or none in the requested system. */
  | 'empty'
  /** An energy is not finite, or an amount is negative or not finite. */
  | 'invalid-entry'
  /** Two entries share an id. */
  | 'duplicate-id'
  /** A symbol is not an element. */
  | 'unknown-element'
  /** A corner of the diagram has no entry that fixes its energy. */
  | 'missing-reference'
  /** A composition contains an element outside the diagram. */
  | 'outside-system'
  /** Compounds chosen as corners can be formed from one another. */
  | 'dependent-components'
  /** The diagram has more or fewer components than the operation supports. */
  | 'component-count'
  /** The working ion is unknown, or the target consists only of it. */
  | 'working-ion'
  /** A reactant consists only of elements to which the system is open. */
  | 'reactant'
  /** A compound has no known Gibbs energy as a solid at the temperature. */
  | 'no-gibbs-energy';

/** Error for bad input; `subjects` (also a parameter) lists the ids, elements or formulas that it concerns. */
export class PhaseEquilibriaError extends ScienceError<PhaseEquilibriaErrorCode> {
  readonly subjects: readonly string[];

  constructor(code: PhaseEquilibriaErrorCode, message: string, subjects: readonly string[] = []) {
    super('phase-equilibria', code, message, { subjects });
    this.subjects = subjects;
  }
}
