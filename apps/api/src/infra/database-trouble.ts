/** Errors of database and disk that are not caused by the request; a retry may succeed. */

/**
 * `locked`: another session held the lock. `slow`: the statement timed out. `full`: no connection was free.
 * `away`: the server does not answer or closed the connection. `disk-full`: there was no room to store data.
 */
export type DatabaseTrouble = 'locked' | 'slow' | 'full' | 'away' | 'disk-full';

/** SQLSTATE codes (PostgreSQL 18, appendix A), error codes of the operating system, and one of Prisma's. */
const BY_CODE: Readonly<Record<string, DatabaseTrouble>> = {
  '55P03': 'locked', // lock_not_available
  '40P01': 'locked', // deadlock_detected
  '40001': 'locked', // serialization_failure
  '57014': 'slow', // query_canceled, by statement_timeout
  '25P03': 'slow', // idle_in_transaction_session_timeout
  '53300': 'full', // too_many_connections
  '53100': 'disk-full',
  ENOSPC: 'disk-full',
  EDQUOT: 'disk-full',
  '57P01': 'away', // admin_shutdown
  '57P02': 'away', // crash_shutdown
  '57P03': 'away', // cannot_connect_now
  '08006': 'away', // connection_failure
  ECONNREFUSED: 'away',
  ECONNRESET: 'away',
  EPIPE: 'away',
  ETIMEDOUT: 'away',
  P2024: 'full',
};

/** Errors of pg that have no code. */
const BY_TEXT: readonly (readonly [RegExp, DatabaseTrouble])[] = [
  [/^timeout exceeded when trying to connect/, 'full'],
  [/^Connection terminated/, 'away'],
  [/^Client (was closed|has encountered a connection error) and is not queryable/, 'away'],
];

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Maximal depth of wrapped errors. */
const DEEPEST = 5;

/** The kind of database trouble in an error or in one it wraps, as Prisma's do; null for other errors. */
export function databaseTrouble(error: unknown, depth = 0): DatabaseTrouble | null {
  if (!isObject(error) || depth > DEEPEST) return null;
  for (const code of [error.code, error.originalCode]) {
    const known = typeof code === 'string' ? BY_CODE[code] : undefined;
    if (known) return known;
  }
  const { message } = error;
  const known = typeof message === 'string' ? BY_TEXT.find(([pattern]) => pattern.test(message)) : undefined;
  if (known) return known[1];
  const inner = [error.cause, isObject(error.meta) ? error.meta.driverAdapterError : undefined];
  // Several addresses of one host were tried without success.
  if (Array.isArray(error.errors)) inner.push(error.errors[0]);
  for (const each of inner) {
    const trouble = databaseTrouble(each, depth + 1);
    if (trouble) return trouble;
  }
  return null;
}
