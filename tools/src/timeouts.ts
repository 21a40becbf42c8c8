import { setTimeout as pause } from 'node:timers/promises';

/** Upper limit in ms for a hung test. Generous on purpose: no test may depend on the speed of the machine. */
export const TEST_TIMEOUT_MS = 240_000;

const SECONDS = String(TEST_TIMEOUT_MS / 1000);
const MANY = '100000';

/**
 * Waits until the condition holds; an error counts as "not yet". @returns the elapsed seconds @throws Error
 * when the time limit is exceeded
 */
export async function until(
  what: string,
  isTrue: () => unknown,
  seconds = TEST_TIMEOUT_MS / 1000,
): Promise<number> {
  const begun = performance.now();
  while (!(await (async () => isTrue())().catch(() => false))) {
    if (performance.now() - begun > seconds * 1000) throw new Error(`${what}: not within ${seconds} s`);
    await pause(50);
  }
  return (performance.now() - begun) / 1000;
}

/** Rate limits of a site, too high for tests to reach. Tests of the limits set other values. */
export const TEST_LIMITS = {
  LIMIT_TASK_SECONDS: SECONDS,
  LIMIT_DATABASE_WAIT_SECONDS: SECONDS,
  LIMIT_STATEMENT_SECONDS: SECONDS,
  LIMIT_LOCK_SECONDS: SECONDS,
  LIMIT_IDLE_TRANSACTION_SECONDS: SECONDS,
  LIMIT_CALCULATIONS_PER_MINUTE: MANY,
  LIMIT_UPLOADS_PER_MINUTE: MANY,
  LIMIT_CALLS_PER_MINUTE: MANY,
  LIMIT_DETAILS_PER_MINUTE: MANY,
  LIMIT_VISITOR_CALLS_PER_MINUTE: MANY,
  LIMIT_OPTIMADE_PER_MINUTE: MANY,
} as const;
