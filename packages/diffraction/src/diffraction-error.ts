import { type ErrorParameters, ScienceError } from '@unitcell/errors';

/** Reasons why this package refuses a request. */
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
  | 'bad-refinement'
  | 'cancelled';

/** The error of this package: the message states what was found, what was expected and what to do. */
export class DiffractionError extends ScienceError<DiffractionErrorCode> {
  constructor(code: DiffractionErrorCode, message: string, parameters: ErrorParameters = {}) {
    super('diffraction', code, message, parameters);
  }
}

// The refusal of a file that contains no pattern.

export type NotTextReason = 'picture' | 'document' | 'archive' | 'binary';

/** Reasons to refuse a file: `parameters.reason` of an `unreadable-pattern`, with the values of its message. */
type UnreadableReason =
  | NotTextReason
  | 'instrument-file'
  | 'not-two-theta'
  | 'time-of-flight'
  | 'columns'
  | 'empty'
  | 'markup'
  | 'no-numbers'
  | 'not-finite'
  | 'angle'
  | 'too-few'
  | 'constant'
  | 'negative';

/** The error contains `reason` and the values of the message, for callers that translate it. */
export const unreadable = (
  reason: UnreadableReason,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
): DiffractionError => new DiffractionError('unreadable-pattern', message, { reason, ...details });

/** The error for a file of an instrument that is cut off, damaged, or of an unknown version. */
export const damaged = (format: string): DiffractionError =>
  unreadable(
    'instrument-file',
    `the ${format} file is cut off, damaged or of an unknown version: export two columns, angle and intensity`,
    { format },
  );
