/** Why a tensor could not be used. */
export type TensorErrorCode =
  /** Not the expected number of rows and columns. */
  | 'wrong-shape'
  /** A component is NaN or infinite. */
  | 'not-finite'
  /** A tensor that must be symmetric is not. */
  | 'not-symmetric'
  /** No compliance: some strain costs no energy. */
  | 'singular'
  /** A value no crystal has: a negative electronic permittivity, a direction of length zero. */
  | 'unphysical';

/** The one error class of this package. */
export class TensorError extends Error {
  override readonly name = 'TensorError' as const;
  readonly code: TensorErrorCode;

  constructor(code: TensorErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
