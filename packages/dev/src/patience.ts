/** How long tests wait. How fast a machine is, none of them asks. */

/** Ends what hangs; ms. */
export const PATIENCE_MS = 240_000;

const SECONDS = String(PATIENCE_MS / 1000);

/**
 * Limits of a site (docs/operations.md) that count seconds: nobody is refused because the machine has much else to do. Tests of the
 * limits themselves set their own.
 */
export const PATIENT = {
  LIMIT_TASK_SECONDS: SECONDS,
  LIMIT_DATABASE_WAIT_SECONDS: SECONDS,
  LIMIT_STATEMENT_SECONDS: SECONDS,
  LIMIT_LOCK_SECONDS: SECONDS,
  LIMIT_IDLE_TRANSACTION_SECONDS: SECONDS,
} as const;
