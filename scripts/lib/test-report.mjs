import { existsSync, readFileSync } from 'node:fs';

/**
 * Counts of one tier from the JSON that vitest wrote. A file that failed to load counts as one failure; a run that failed
 * without a failing test (an unhandled error) too.
 * @param {string} file
 * @param {number} exitCode of vitest
 * @returns {{ passed: number, failed: number, skipped: number }}
 */
export function readCounts(file, exitCode) {
  if (!existsSync(file)) return { passed: 0, failed: exitCode === 0 ? 0 : 1, skipped: 0 };
  const report = JSON.parse(readFileSync(file, 'utf8'));
  const brokenFiles = report.testResults.filter(
    ({ status, assertionResults }) =>
      status === 'failed' && !assertionResults.some((test) => test.status === 'failed'),
  );
  const passed = report.numPassedTests;
  const failed = report.numFailedTests + brokenFiles.length;
  const skipped = report.numPendingTests + (report.numTodoTests ?? 0);
  return { passed, failed: failed === 0 && exitCode !== 0 ? 1 : failed, skipped };
}

/** Sum of the tiers. */
export const addCounts = (a, b) => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skipped: a.skipped + b.skipped,
});

/** The last line of a run. */
export const summary = ({ passed, failed, skipped }) =>
  `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
