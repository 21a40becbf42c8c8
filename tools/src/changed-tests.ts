/** `npm test -- --changed`: selects the tests that a change can affect, by the rules in CONTRIBUTING.md. */
import { root } from '../lib/paths.mjs';
import { capture } from '../lib/run.mjs';
import { UserError } from '../lib/user-error.mjs';

async function git(...args: readonly string[]): Promise<string | undefined> {
  const { code, output } = await capture('git', args, { cwd: root });
  return code === 0 ? output.trim() : undefined;
}

/**
 * Files that differ from REF, or from the commit where the branch left main, including uncommitted and new
 * files.
 */
export async function changedFiles(ref?: string): Promise<{ base: string; files: readonly string[] }> {
  const base = ref
    ? await git('rev-parse', '--verify', `${ref}^{commit}`)
    : ((await git('merge-base', 'HEAD', 'origin/main')) ??
      (await git('merge-base', 'HEAD', 'main')) ??
      'HEAD');
  if (base === undefined) throw new UserError(`git does not know "${ref}".`);
  const listed = [
    await git('diff', '--name-only', '--no-renames', base),
    await git('ls-files', '--others', '--exclude-standard'),
  ];
  if (listed.includes(undefined)) throw new UserError('git could not list the changed files.');
  return { base, files: [...new Set(listed.join('\n').split('\n').filter(Boolean))].toSorted() };
}

export interface Reach {
  /** The whole tier, or the tests that vitest finds by imports. */
  readonly unit: 'all' | 'related';
  /** The whole tier, or parts of file paths. */
  readonly api: 'all' | readonly string[];
  /** Parts of file paths. */
  readonly e2e: readonly string[];
}

const CODE = /\.(?:[cm]?[jt]sx?|css)$/;
const TEST = /\.(?:test|e2e|institute|clients|nightly)\.tsx?$/;
const feature = (folder: string) => new RegExp(`^${folder}/([^/]+)/`);

/**
 * unit: tests that import a changed file; all tests if a file changed that tests read without importing it
 * (data, settings, schema). api: for a changed feature of api or contract, the tests of this feature; for a
 * test server or the schema, all tests; otherwise the tests beside the changed file, and for a change below
 * the features also the test that makes every call once. e2e: changed journeys and journeys named like a
 * changed feature; for any product code the journey of a newcomer; for the web client the journey through
 * every page.
 */
export function reachOf(files: readonly string[]): Reach {
  const isRead = (file: string) =>
    !CODE.test(file) && !/^(?:apps|workshop)\//.test(file) && !file.endsWith('.md');
  const api = new Set<string>();
  const e2e = new Set<string>();
  for (const file of files) {
    if (TEST.test(file)) {
      if (/^apps\/api\/.*\.test\.ts$/.test(file)) api.add(file);
      if (file.endsWith('.e2e.ts')) e2e.add(file);
      continue;
    }
    const ofApi = feature('apps/api/src/features').exec(file) ?? feature('packages/contract/src').exec(file);
    const ofWeb = feature('apps/web/src/features').exec(file);
    if (ofApi) api.add(`apps/api/src/features/${ofApi[1]}/`);
    else if (/^(?:apps\/api|packages)\/.*src\//.test(file)) {
      api.add('every-route');
      const beside = /^apps\/api\/src\/[^/]+\//.exec(file);
      if (beside) api.add(beside[0]);
    }
    const name = (ofApi ?? ofWeb)?.[1];
    if (name) e2e.add(`apps/web/e2e/${name}`);
    if (/^(?:apps\/(?:api|web)|packages)\/.*src\//.test(file)) e2e.add('newcomer');
    if (/^apps\/web\/(?:src|e2e\/support)\//.test(file)) e2e.add('every-page');
  }
  const isBelowAll = files.some((file) =>
    /^(?:prisma\/|tools\/src\/(?:test-|api-servers|timeouts))/.test(file),
  );
  return {
    unit: files.some(isRead) ? 'all' : 'related',
    api: isBelowAll ? 'all' : [...api],
    e2e: [...e2e],
  };
}
