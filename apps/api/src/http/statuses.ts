/** The one table that turns the codes of errors into HTTP. */
import type { MessageKey } from '../messages/messages.ts';

const STATUS: Partial<Record<MessageKey, number>> = {
  'auth.missing': 401,
  'auth.invalid': 401,
  'auth.expired': 401,
  'auth.scope': 403,
  'request.invalid': 400,
  'request.not-json': 400,
  'request.not-multipart': 400,
  'request.media-type': 415,
  'request.too-large': 413,
  'request.too-many': 429,
  'login.too-soon': 429,
  'login.too-many-codes': 429,
  'login.too-many-here': 429,
  'login.sms-spent': 429,
  'second-factor.too-many': 429,
  'request.not-found': 404,
  'request.method': 405,
  'account.no-such-session': 404,
  'key.not-found': 404,
  'account.avatar-too-large': 413,
  'collections.not-found': 404,
  'material.not-found': 404,
  'run4u.not-found': 404,
  'design.not-found': 404,
  'material.no-given-cell': 404,
  'material.shared-sites': 404,
  'xrd.queue-full': 429,
  'server.busy': 503,
  'server.too-costly': 503,
  // Nobody reads it: the connection is closed. The number is the one proxies log for that.
  'request.abandoned': 499,
  'server.disk-full': 507,
  'server.failed': 500,
};

export const statusOf = (code: MessageKey): number => STATUS[code] ?? 200;

/** The words of the specification that clients compare with (spec §8). */
export const DETAIL: Partial<Record<MessageKey, string>> = {
  'auth.missing': 'Invalid token',
  'auth.invalid': 'Invalid token',
  'auth.expired': 'Token has expired',
};
