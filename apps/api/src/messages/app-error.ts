/** The error that any part of the api may throw. It contains the key of a message for a person. */
import type { MessageKey, MessageParameters } from './messages.ts';

/**
 * An error caused by the user's request. http/errors.ts maps some codes to a status; every other code is a
 * situation of spec §8 and is answered with 200 and `error: "true"`.
 */
export class AppError extends Error {
  override readonly name = 'AppError';
  constructor(
    readonly code: MessageKey,
    readonly parameters: MessageParameters = {},
    /** Fields of the answer besides `error` and `message`. */
    readonly extra: Readonly<Record<string, unknown>> = {},
    /** The key of the text, if one code has several texts. */
    readonly text: MessageKey = code,
  ) {
    super(code);
  }
}
