import { ScienceError } from '@unitcell/errors';

/** Reasons why a tensor cannot be used. */
export type TensorErrorCode =
  /** The tensor does not have the expected number of rows and columns. */
  | 'wrong-shape'
  /** A component is NaN or infinite. */
  | 'not-finite'
  /** A tensor that must be symmetric is not. */
  | 'not-symmetric'
  /** No compliance exists: some strain costs no energy. */
  | 'singular'
  /** The value is impossible for a crystal: a negative electronic permittivity, a direction of length zero. */
  | 'unphysical';

export class TensorError extends ScienceError<TensorErrorCode> {
  constructor(code: TensorErrorCode, message: string) {
    super('tensors', code, message);
  }
}
