/** How long tests wait. How fast a machine is, none of them asks. */

/** Ends what hangs; ms. */
export const PATIENCE_MS = 240_000;

const SECONDS = String(PATIENCE_MS / 1000);
const MANY = '100000';

/**
 * Limits of a site (docs/operations.md) that the clock decides: nobody is refused because the machine is slow, or fast. Tests of
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
