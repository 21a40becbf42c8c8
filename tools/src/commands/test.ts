/**
 * `npm test`: the static checks beside the tier unit, then api and e2e; the last line is `N passed, N failed`.
 *
 *   npm test -- unit lattice         one tier, the files whose path contains the word;
 *                                    also institute, nightly and workshop
 *   npm test -- --changed [REF]      the checks and tests that the difference to REF can affect
 *                                    (default: where the branch left main)
 *   npm test -- --without e2e,api    all but these tiers; the last line says so
 *   npm test -- e2e --shard=1/2      words with dashes are vitest's own
 *
 * Each tier starts its own servers (globalSetup in vitest.config.ts), so `npx vitest run --project api x`
 * also works.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { inRepository, root } from '../../lib/paths.mjs';
import { createProgress } from '../../lib/progress.mjs';
import { onStopRequested, stopRunningCommands } from '../../lib/run.mjs';
import { explain, UserError } from '../../lib/user-error.mjs';
import { changedFiles, reachOf } from '../changed-tests.ts';
import { BUILD, CHECKS, type Check, MIGRATION_DRIFT, runChecks } from '../checks.ts';
import { answersFolder } from '../clients/kept-folder.ts';
import { addReports, NOTHING, readReport, type Report, summary } from '../test-report.ts';

const DEFAULT_TIERS = ['unit', 'api', 'e2e'];
const ASKED_FOR = ['institute', 'nightly', 'workshop'];
const TIERS = [...DEFAULT_TIERS, ...ASKED_FOR];
const RESULTS = inRepository('.test-results');

const progress = createProgress({ write: (text) => void process.stdout.write(text) });
let report: Report = NOTHING;
let vitest: ChildProcess | undefined;
let isStopped = false;

/** Runs one vitest project and adds its result. Finding no test is a failure unless `mayBeEmpty`. */
async function runTier(tier: string, words: readonly string[], mayBeEmpty = false): Promise<void> {
  if (isStopped) return;
  progress.say(`\n── ${tier} ──`);
  const file = `${RESULTS}/${tier}.json`;
  const args = [
    inRepository('node_modules/vitest/vitest.mjs'),
    'run',
    // The unit tier consists of several projects: `unit`, `unit:web` and `unit:tools`.
    `--project=${tier}*`,
    '--passWithNoTests',
    '--reporter=default',
    `--reporter=${inRepository('tools/src/test-report.ts')}`,
  ];
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    NODE_ENV: 'test',
    UNITCELL_REPORT: file,
    ...(process.stdout.isTTY ? {} : { NO_COLOR: '1' }),
  };
  // A complete run of the tier records its answers for the type tests of the institute tier.
  if (tier === 'api' && words.length === 0) {
    env.UNITCELL_ANSWERS = answersFolder();
    rmSync(env.UNITCELL_ANSWERS, { recursive: true });
  }
  const code = await new Promise<number>((done) => {
    vitest = spawn(process.execPath, [...args, ...words], { cwd: root, env, stdio: 'inherit' });
    vitest.on('error', () => done(1)).on('close', (exitCode) => done(exitCode ?? 1));
  });
  const found = readReport(file, code);
  const isEmpty = found.passed + found.failed + found.skips.length === 0;
  if (isEmpty) progress.say(`No test of the tier ${tier} ${words.length > 0 ? 'matches' : 'was found'}.`);
  report = addReports(report, isEmpty && !mayBeEmpty ? { ...NOTHING, failed: 1 } : found);
}

/**
 * Runs the checks and the first tier at once, because neither keeps two cores busy to its end. The checks
 * print when the tier is done. A failed check counts as a failed test, so that the last line and the exit
 * code agree.
 */
async function checkBeside(checks: readonly Check[], firstTier: () => Promise<void>): Promise<void> {
  let lines = '\n── checks ──\n';
  const collected = createProgress({ write: (text) => void (lines += text) });
  const [failed] = await Promise.all([runChecks(checks, collected), firstTier()]);
  process.stdout.write(lines);
  report = addReports(report, { ...NOTHING, failed });
}

async function runChanged(ref: string | undefined): Promise<void> {
  const { base, files } = await changedFiles(ref);
  progress.say(`${files.length} files differ from ${base}.`);
  const { unit, api, e2e } = reachOf(files);
  await checkBeside([...CHECKS, MIGRATION_DRIFT], () =>
    runTier('unit', unit === 'all' ? [] : [`--changed=${base}`], true),
  );
  if (api === 'all') await runTier('api', []);
  else if (api.length > 0) await runTier('api', api, true);
  if (e2e.length > 0) await runTier('e2e', e2e, true);
  progress.say('\nOnly tests affected by the change were run; npm test and the workflow run the rest.');
}

/** @returns the deliberately omitted tiers */
async function run(words: readonly string[]): Promise<readonly string[]> {
  rmSync(RESULTS, { recursive: true, force: true });
  mkdirSync(RESULTS, { recursive: true });
  const [first, ...rest] = words;
  if (first === '--changed') {
    await runChanged(rest[0]);
    return [];
  }
  if (first !== undefined && first !== '--without') {
    if (!TIERS.includes(first))
      throw new UserError(
        `There is no tier "${first}". Use: npm test -- ${TIERS.join(' | ')} [part of a file name]`,
      );
    await runTier(first, rest);
    return [];
  }
  const without = first === undefined ? [] : rest.flatMap((word) => word.split(','));
  const unknown = without.find((tier) => !DEFAULT_TIERS.includes(tier));
  if (unknown !== undefined || (first !== undefined && without.length === 0))
    throw new UserError(`--without takes one of ${DEFAULT_TIERS.join(', ')}; several with commas.`);
  const [firstTier, ...others] = DEFAULT_TIERS.filter((tier) => !without.includes(tier));
  const build = without.includes('e2e') ? [] : [BUILD];
  await checkBeside([...CHECKS, MIGRATION_DRIFT, ...build], async () => {
    if (firstTier !== undefined) await runTier(firstTier, []);
  });
  for (const tier of others) await runTier(tier, []);
  progress.say(`\nNot part of npm test: ${ASKED_FOR.map((tier) => `npm test -- ${tier}`).join(', ')}.`);
  if (without.length > 0) progress.say(`Skipped by --without: ${without.join(', ')}.`);
  return without;
}

export async function main(words: readonly string[]): Promise<void> {
  onStopRequested(() => {
    isStopped = true;
    stopRunningCommands();
    vitest?.kill('SIGTERM');
  });
  let without: readonly string[] = [];
  try {
    without = await run(words);
  } catch (error) {
    process.stderr.write(`\n${explain(error)}\n`);
    report = addReports(report, { ...NOTHING, failed: 1 });
  }
  process.stdout.write(isStopped ? '\nStopped early.\n' : `\n${summary(report, without)}\n`);
  process.exit(isStopped ? 130 : report.failed > 0 ? 1 : 0);
}
