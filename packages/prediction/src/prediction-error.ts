import { ScienceError } from '@unitcell/errors';

/** Why nothing is predicted. */
export type PredictionErrorCode =
  /** Sites shared by elements or partly vacant: the network knows whole atoms only. */
  | 'disordered'
  /** An element that the training data hold too rarely. */
  | 'unknown-element'
  /** More atoms than any crystal of the training data. */
  | 'too-large'
  /** Two atoms nearer than any bond. */
  | 'overlapping-atoms'
  /** A file of weights that is damaged, or of a version that this program does not read. */
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
