/** Upper limits for tests. Generous on purpose: no test may depend on the speed of the machine. */

/** Ends a test that hangs; ms. */
export const TEST_TIMEOUT_MS = 240_000;

const SECONDS = String(TEST_TIMEOUT_MS / 1000);
const MANY = '100000';

/**
 * Limits of a site (docs/operating/operations.md) that depend on the clock, so high that a slow or fast machine never meets them. Tests of
 * the limits themselves set their own.
 */
export const TEST_LIMITS = {
  LIMIT_TASK_SECONDS: SECONDS,
  LIMIT_DATABASE_WAIT_SECONDS: SECONDS,
  LIMIT_STATEMENT_SECONDS: SECONDS,
  LIMIT_LOCK_SECONDS: SECONDS,
  LIMIT_IDLE_TRANSACTION_SECONDS: SECONDS,
  LIMIT_CALCULATIONS_PER_MINUTE: MANY,
  LIMIT_UPLOADS_PER_MINUTE: MANY,
  LIMIT_CALLS_PER_MINUTE: MANY,
  LIMIT_OPTIMADE_PER_MINUTE: MANY,
} as const;
