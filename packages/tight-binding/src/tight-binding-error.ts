/** Everything that this package refuses, with a code that callers can act on. */
export type TightBindingErrorCode =
  | 'invalid-symbol'
  | 'not-euclidean'
  | 'degenerate-net'
  | 'unknown-net'
  | 'ratio-out-of-range'
  | 'invalid-onsite'
  | 'too-many-k-points'
  | 'invalid-option';

export class TightBindingError extends Error {
  override readonly name = 'TightBindingError' as const;
  readonly code: TightBindingErrorCode;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(code: TightBindingErrorCode, message: string, details: Readonly<Record<string, unknown>> = {}) {
    super(message);
    this.code = code;
    this.details = details;
  }
}
