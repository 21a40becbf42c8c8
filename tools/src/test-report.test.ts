import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { inRepository } from '../lib/paths.mjs';
import { addReports, NOTHING, readReport, type Report, summary } from './test-report.ts';
import { reachOf } from './changed-tests.ts';

mkdirSync(inRepository('.test-results'), { recursive: true });
const folder = mkdtempSync(inRepository('.test-results/report-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** Test files with their results in vitest. */
const FILES = {
  'plain.test.ts': `it('holds', () => {}); it('does not', () => { throw new Error('x'); });`,
  'skipped.test.ts': `it('needs a printer', ({ skip }) => skip('no printer here'));
    describe.skip('on the moon', () => it('weighs less', () => {}));`,
  'broken.test.ts': `import './absent.ts'; it('is never reached', () => {});`,
  'hook.test.ts': `describe('a server', () => { beforeAll(() => { throw new Error('no'); }); it('serves', () => {}); it('ends', () => {}); });`,
  'late-hook.test.ts': `afterAll(() => { throw new Error('late'); }); it('holds as well', () => {});`,
};

/** The report of a vitest run of these files. */
function run(...names: (keyof typeof FILES)[]): Report {
  const root = mkdtempSync(join(folder, 'run-'));
  writeFileSync(join(root, 'vitest.config.mjs'), 'export default {};');
  for (const name of names)
    writeFileSync(
      join(root, name),
      `import { afterAll, beforeAll, describe, it } from 'vitest';\n${FILES[name]}`,
    );
  const reporter = inRepository('tools/src/test-report.ts');
  const file = join(root, 'report.json');
  const { status } = spawnSync(
    process.execPath,
    [inRepository('node_modules/vitest/vitest.mjs'), 'run', '--reporter', reporter],
    { cwd: root, env: { ...process.env, UNITCELL_REPORT: file }, stdio: 'ignore' },
  );
  return readReport(file, status ?? 1);
}

describe('readReport', () => {
  let all: Report;
  beforeAll(() => {
    all = run('plain.test.ts', 'skipped.test.ts', 'broken.test.ts', 'hook.test.ts', 'late-hook.test.ts');
  });

  it('counts as failures: failed tests, a file that cannot be loaded, tests with a failed hook, and a failed last hook', () => {
    expect([all.passed, all.failed]).toEqual([2, 1 + 1 + 2 + 1]);
  });

  it('lists every skipped test with its file and its reason', () => {
    expect(all.skips).toEqual([
      { file: 'skipped.test.ts', name: 'needs a printer', reason: 'no printer here' },
      { file: 'skipped.test.ts', name: 'weighs less', reason: 'on the moon' },
    ]);
  });

  it('never reports success for a run that wrote no report or ended with an error', () => {
    expect(readReport(join(folder, 'absent.json'), 0).failed).toBe(1);
    const file = join(folder, 'passed.json');
    writeFileSync(file, JSON.stringify({ ...NOTHING, passed: 5 }));
    expect([readReport(file, 0).failed, readReport(file, 1).failed]).toEqual([0, 1]);
  });
});

describe('summary', () => {
  const counts = addReports({ ...NOTHING, passed: 3 }, { ...NOTHING, passed: 4, failed: 1 });

  it('ends with the line that continuous integration parses', () => {
    expect(summary(counts)).toBe('7 passed, 1 failed');
  });

  it('names the omitted tiers in the last line', () => {
    expect(summary(counts, ['api', 'e2e'])).toBe('without-api-e2e: 7 passed, 1 failed');
  });

  it('gives the reason of each skipped test before the last line', () => {
    const skips = [{ file: 'a.test.ts', name: 'flies', reason: 'no wings' }];
    expect(summary({ ...counts, skips })).toBe(
      '  SKIPPED a.test.ts: flies (no wings)\n7 passed, 1 failed, 1 skipped',
    );
  });
});

it('a change of documentation selects no test that needs a server or browser', () => {
  expect(reachOf(['README.md', 'docs/api/index.md'])).toEqual({ unit: 'related', api: [], e2e: [] });
});

it.each([
  ['a feature of the api', 'apps/api/src/features/xrd/xrd.service.ts', ['apps/api/src/features/xrd/']],
  ['its contract', 'packages/contract/src/xrd/match.ts', ['apps/api/src/features/xrd/']],
  ['what all features share', 'apps/api/src/infra/queue.ts', ['every-route', 'apps/api/src/infra/']],
  ['a package of science', 'packages/crystal/src/lattice.ts', ['every-route']],
  ['a test of the api', 'apps/api/src/infra/queue.test.ts', ['apps/api/src/infra/queue.test.ts']],
  ['the web client', 'apps/web/src/lib/time.ts', []],
])('%s selects the api tests that depend on it', (_, file, api) => {
  expect(reachOf([file]).api).toEqual(api);
});

it.each([
  ['a page', 'apps/web/src/features/xrd/xrd-page.tsx', ['apps/web/e2e/xrd', 'newcomer', 'every-page']],
  ['a call', 'apps/api/src/features/xrd/xrd.service.ts', ['apps/web/e2e/xrd', 'newcomer']],
  ['a journey', 'apps/web/e2e/paper.e2e.ts', ['apps/web/e2e/paper.e2e.ts']],
  ['a test of a page', 'apps/web/src/features/xrd/xrd.unit.test.ts', []],
])('%s selects the browser tests that depend on it', (_, file, e2e) => {
  expect(reachOf([file]).e2e).toEqual(e2e);
});

it('a changed file that tests read without importing it selects the whole tier', () => {
  expect(reachOf(['docker-compose.yml']).unit).toBe('all');
  expect(reachOf(['seed-data/materials.jsonl']).unit).toBe('all');
  expect(reachOf(['prisma/migrations/1_x/migration.sql'])).toMatchObject({ unit: 'all', api: 'all' });
});
