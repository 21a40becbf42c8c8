/** The errors a service may throw, and the one table that turns their codes into HTTP. */
import type { MessageKey, MessageParameters } from '../messages/messages.ts';

/**
 * Something a person did that the product cannot do. Codes of the table below become that status; every other code
 * is a situation of spec §8 and answers 200 with `error: "true"`.
 */
export class AppError extends Error {
  override readonly name = 'AppError';
  constructor(
    readonly code: MessageKey,
    readonly parameters: MessageParameters = {},
    /** Fields the answer carries beside `error` and `message`. */
    readonly extra: Readonly<Record<string, unknown>> = {},
  ) {
    super(code);
  }
}

const STATUS: Partial<Record<MessageKey, number>> = {
  'auth.missing': 401,
  'auth.invalid': 401,
  'auth.expired': 401,
  'auth.scope': 403,
  'auth.internal-only': 403,
  'request.invalid': 400,
  'request.not-json': 400,
  'request.media-type': 415,
  'request.too-large': 413,
  'request.too-many': 429,
  'login.too-soon': 429,
  'login.too-many-codes': 429,
  'request.not-found': 404,
  'account.no-such-session': 404,
  'account.avatar-too-large': 413,
  'material.not-found': 404,
  'xrd.queue-full': 429,
  'server.busy': 503,
  'server.failed': 500,
};

export const statusOf = (code: MessageKey): number => STATUS[code] ?? 200;

/** The words of the specification that clients compare with (spec §8). */
export const DETAIL: Partial<Record<MessageKey, string>> = {
  'auth.missing': 'Invalid token',
  'auth.invalid': 'Invalid token',
  'auth.expired': 'Token has expired',
};
