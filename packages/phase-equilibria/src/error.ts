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

/** The only error this package throws for bad input; `subjects` names the ids, elements or formulas meant. */
export class PhaseEquilibriaError extends Error {
  override readonly name = 'PhaseEquilibriaError' as const;
  readonly code: PhaseEquilibriaErrorCode;
  readonly subjects: readonly string[];

  constructor(code: PhaseEquilibriaErrorCode, message: string, subjects: readonly string[] = []) {
    super(message);
    this.code = code;
    this.subjects = subjects;
  }
}
