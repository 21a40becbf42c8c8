import { ScienceError } from '@unitcell/errors';

/** What went wrong, for the one place that turns codes into answers. */
export type PhaseEquilibriaErrorCode =
  /** No entries at all, or none in the asked system. */
  | 'empty'
  /** An energy is not finite, or an amount is negative or not finite. */
  | 'invalid-entry'
  /** Two entries share an id. */
  | 'duplicate-id'
  /** A symbol is not an element. */
  | 'unknown-element'
  /** A corner of the diagram has no entry that fixes its energy. */
  | 'missing-reference'
  /** A composition holds something the diagram does not. */
  | 'outside-system'
  /** Compounds chosen as corners can be made from one another. */
  | 'dependent-components'
  /** The diagram has more or fewer components than the operation takes. */
  | 'component-count'
  /** The ion is not one of the working ions, or the target consists of it. */
  | 'working-ion'
  /** A reactant does not take part in the reaction (it is the open element itself). */
  | 'reactant';

/** What this package throws for bad input; `subjects` (also a parameter) names the ids, elements or formulas meant. */
export class PhaseEquilibriaError extends ScienceError<PhaseEquilibriaErrorCode> {
  readonly subjects: readonly string[];

  constructor(code: PhaseEquilibriaErrorCode, message: string, subjects: readonly string[] = []) {
    super('phase-equilibria', code, message, { subjects });
    this.subjects = subjects;
  }
}
