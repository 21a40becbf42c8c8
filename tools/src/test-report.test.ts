import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { addCounts, readCounts, summary } from './test-report.ts';

const directory = mkdtempSync(join(tmpdir(), 'unitcell-report-'));
afterAll(() => rmSync(directory, { recursive: true }));

const report = (content: object) => {
  const file = join(directory, 'report.json');
  writeFileSync(
    file,
    JSON.stringify({ numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, testResults: [], ...content }),
  );
  return file;
};

describe('readCounts', () => {
  it('reads passed, failed and skipped', () => {
    const testResults = [{ status: 'failed', assertionResults: [{ status: 'failed' }] }];
    const file = report({ numPassedTests: 5, numFailedTests: 1, numPendingTests: 2, testResults });
    expect(readCounts(file, 1)).toEqual({ passed: 5, failed: 1, skipped: 2 });
  });

  it('counts a file that did not load as a failure', () => {
    const file = report({ numPassedTests: 5, testResults: [{ status: 'failed', assertionResults: [] }] });
    expect(readCounts(file, 1)).toEqual({ passed: 5, failed: 1, skipped: 0 });
  });

  it('never reports success for a run that failed', () => {
    expect(readCounts(report({ numPassedTests: 5 }), 1).failed).toBe(1);
    expect(readCounts(join(directory, 'absent.json'), 1).failed).toBe(1);
    expect(readCounts(join(directory, 'absent.json'), 0).failed).toBe(0);
  });
});

describe('summary', () => {
  it('is the line the continuous integration reads', () => {
    const counts = addCounts({ passed: 3, failed: 0, skipped: 0 }, { passed: 4, failed: 1, skipped: 0 });
    expect(summary(counts)).toBe('7 passed, 1 failed');
    expect(summary({ ...counts, skipped: 2 })).toBe('7 passed, 1 failed, 2 skipped');
  });
});
