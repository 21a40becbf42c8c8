/** The error everything in the api may throw: a message for a person, by its key. */
import type { MessageKey, MessageParameters } from './messages.ts';

/**
 * Something a person did that the product cannot do. http/statuses.ts says which codes become a status; every other
 * code is a situation of spec §8 and answers 200 with `error: "true"`.
 */
export class AppError extends Error {
  override readonly name = 'AppError';
  constructor(
    readonly code: MessageKey,
    readonly parameters: MessageParameters = {},
    /** Fields the answer carries beside `error` and `message`. */
    readonly extra: Readonly<Record<string, unknown>> = {},
    /** The sentence, where one code has several. */
    readonly text: MessageKey = code,
  ) {
    super(code);
  }
}
