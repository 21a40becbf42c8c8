import { ScienceError } from '@unitcell/errors';

/** Why a tensor could not be used. */
export type TensorErrorCode =
  /** Not the expected number of rows and columns. */
  | 'wrong-shape'
  /** A component is NaN or infinite. */
  | 'not-finite'
  /** A tensor that must be symmetric is not. */
  | 'not-symmetric'
  /** No compliance exists: some strain costs no energy. */
  | 'singular'
  /** A value that no crystal has: a negative electronic permittivity, a direction of length zero. */
  | 'unphysical';

export class TensorError extends ScienceError<TensorErrorCode> {
  constructor(code: TensorErrorCode, message: string) {
    super('tensors', code, message);
  }
}
