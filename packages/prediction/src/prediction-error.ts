import { ScienceError } from '@unitcell/errors';

/** Why a prediction is refused. */
export type PredictionErrorCode =
  /** Sites shared by elements or partly vacant: the network handles fully occupied sites only. */
  | 'disordered'
  /** An element that is too rare in the training data. */
  | 'unknown-element'
  /** More atoms than any crystal of the training data. */
  | 'too-large'
  /** Two atoms closer than any bond. */
  | 'overlapping-atoms'
  /** A damaged file of weights, or one of an unsupported version. */
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
