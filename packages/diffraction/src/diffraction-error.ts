/** What can be wrong with a request to this package. */
export type DiffractionErrorCode =
  | 'bad-wavelength'
  | 'bad-range'
  | 'bad-structure'
  | 'bad-size'
  | 'unknown-element'
  | 'unknown-source'
  | 'too-many-reflections'
  | 'unreadable-pattern'
  | 'bad-pattern'
  | 'bad-filter'
  | 'bad-index'
  | 'cancelled';

/** The one error type of this package: the message says what was found, what was expected and what to do. */
export class DiffractionError extends Error {
  override readonly name = 'DiffractionError' as const;

  constructor(
    readonly code: DiffractionErrorCode,
    message: string,
    readonly details: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
  }
}
