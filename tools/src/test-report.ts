/** The result of a vitest run: the reporter that writes it, and its summary. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestCase, TestModule } from 'vitest/node';

export interface Skip {
  readonly file: string;
  readonly name: string;
  readonly reason: string;
}

export interface Report {
  readonly passed: number;
  readonly failed: number;
  readonly skips: readonly Skip[];
}

export const NOTHING: Report = { passed: 0, failed: 0, skips: [] };

/** A test that did not run because its file or a hook failed. */
function isUnreached({ parent, module }: TestCase): boolean {
  if (module.errors().length > 0) return true;
  for (let suite = parent; suite.type === 'suite'; suite = suite.parent)
    if (suite.errors().length > 0) return true;
  return false;
}

/** The reason of a skipped test: from `skip(reason)`, or the name of the skipped group. */
function skipOf(test: TestCase, root: string): Skip {
  const result = test.result();
  const note = result.state === 'skipped' ? result.note : undefined;
  const reason = note ?? (test.parent.type === 'suite' ? test.parent.name : 'skipped by its condition');
  return { file: relative(root, test.module.moduleId), name: test.name, reason };
}

function reportOn(module: TestModule, root: string): Report {
  const tests = [...module.children.allTests()];
  const states = tests.map((test) => test.result().state);
  const skipped = tests.filter((test, index) => states[index] === 'skipped' && !isUnreached(test));
  const passed = states.filter((state) => state === 'passed').length;
  const failed = tests.length - passed - skipped.length;
  return {
    passed,
    // A file that cannot be loaded has no tests, and a hook can fail after all tests passed.
    failed: failed === 0 && module.state() === 'failed' ? 1 : failed,
    skips: skipped.map((test) => skipOf(test, root)),
  };
}

/** Used by vitest (`--reporter`); writes to the file named by UNITCELL_REPORT. */
export default class implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const reports = modules.map((module) => reportOn(module, process.cwd()));
    const errors = { ...NOTHING, failed: unhandled.length };
    writeFileSync(process.env.UNITCELL_REPORT!, JSON.stringify([...reports, errors].reduce(addReports)));
  }
}

/** The report of a run. A run without a report, or with an error outside the tests, has failed. */
export function readReport(file: string, exitCode: number): Report {
  const report: Report = existsSync(file)
    ? JSON.parse(readFileSync(file, 'utf8'))
    : { ...NOTHING, failed: 1 };
  return report.failed === 0 && exitCode !== 0 ? { ...report, failed: 1 } : report;
}

export const addReports = (a: Report, b: Report): Report => ({
  passed: a.passed + b.passed,
  failed: a.failed + b.failed,
  skips: [...a.skips, ...b.skips],
});

/** Each skipped test with its reason, and the counts in the last line, which starts with omitted tiers. */
export function summary({ passed, failed, skips }: Report, without: readonly string[] = []): string {
  const listed = skips.map(({ file, name, reason }) => `  SKIPPED ${file}: ${name} (${reason})\n`).join('');
  const mark = without.length > 0 ? `without-${without.join('-')}: ` : '';
  return `${listed}${mark}${passed} passed, ${failed} failed${skips.length > 0 ? `, ${skips.length} skipped` : ''}`;
}
