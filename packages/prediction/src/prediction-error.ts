import { ScienceError } from '@unitcell/errors';

/** Reasons to refuse a prediction. */
export type PredictionErrorCode =
  /** Sites are shared by elements or partly vacant: the network handles fully occupied sites only. */
  | 'disordered'
  /** An element is too rare in the training data. */
  | 'unknown-element'
  /** The crystal has more atoms than any crystal of the training data. */
  | 'too-large'
  /** Two atoms are closer than any bond. */
  | 'overlapping-atoms'
  /** The file of weights is damaged or of an unsupported version. */
  | 'model-file';

export class PredictionError extends ScienceError<PredictionErrorCode> {
  declare readonly parameters: Readonly<Record<string, string | number>>;

  constructor(
    code: PredictionErrorCode,
    message: string,
    parameters: Readonly<Record<string, string | number>> = {},
  ) {
    super('prediction', code, message, parameters);
  }
}
