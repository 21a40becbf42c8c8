/**
 * `npm test`: the static checks, then every tier of tests; the last line is `N passed, N failed`.
 *
 *   npm test                      everything
 *   npm test -- api               one tier: unit, api or e2e
 *   npm test -- clients           programs of others (optimade-validator, pymatgen, ASE, gemmi) read the site; only when asked for
 *   npm test -- unit lattice      the files of a tier whose path contains the pattern
 *   npm test -- --install         installs the programs some tests need with apt-get (as root; so does CI=true)
 *
 * Servers are the tiers' own (globalSetup in vitest.config.ts): `npx vitest run --project api x` works by itself.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { inRepository, root } from '../../lib/paths.mjs';
import { createProgress } from '../../lib/progress.mjs';
import { stopRunningCommands } from '../../lib/run.mjs';
import { Sentence, explain } from '../../lib/sentence.mjs';
import { onStopRequested } from '../../lib/stop-signals.mjs';
import { CHECKS, MIGRATION_DRIFT, runChecks } from '../checks.ts';
import { answersFolder } from '../clients/kept-folder.ts';
import { NEEDED, findOrInstall } from '../system-packages.ts';
import { type Counts, addCounts, readCounts, summary } from '../test-report.ts';

const TIERS = ['unit', 'api', 'e2e', 'clients'] as const;
type Tier = (typeof TIERS)[number];

/** Programs of the machine that a tier needs, and what is not tested without them. */
const PROGRAMS: Record<Tier, readonly (readonly [what: string, program: keyof typeof NEEDED])[]> = {
  unit: [['the proxy of the composition', 'caddy']],
  api: [
    ['api on Redis', 'redis'],
    ['api on Slurm', 'slurm'],
    ['api on Slurm over ssh', 'sshd'],
    ['api on Slurm over ssh', 'rsync'],
    ['api with an LDAP directory', 'slapd'],
    ['the rules of monitoring', 'promtool'],
  ],
  e2e: [
    ['e2e', 'chromium'],
    ['e2e of Run4U', 'abinit'],
  ],
  clients: [],
};
/** Needs Python's registry, which not every machine reaches. */
const ASKED_FOR: Tier = 'clients';
const RESULTS = inRepository('.test-results');
const inCi = Boolean(process.env.CI);

const progress = createProgress({ write: (text) => void process.stdout.write(text) });
let counts: Counts = { passed: 0, failed: 0, skipped: 0 };
let vitest: ChildProcess | undefined;
let isStopped = false;

/** Runs one vitest project and adds its counts. */
async function runTier(tier: Tier, patterns: readonly string[]): Promise<void> {
  progress.say(`\n── ${tier} ──`);
  const output = `${RESULTS}/${tier}.json`;
  const program = inRepository('node_modules/vitest/vitest.mjs');
  // The unit tier is several projects: `unit`, `unit:web` and `unit:tools`.
  const args = [program, 'run', '--project', `${tier}*`, '--passWithNoTests'];
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${output}`];
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    NODE_ENV: 'test',
    ...(process.stdout.isTTY ? {} : { NO_COLOR: '1' }),
  };
  // The whole tier writes down what it was answered, for the types that the clients tier compiles against it.
  if (tier === 'api' && patterns.length === 0) {
    env.UNITCELL_ANSWERS = answersFolder();
    rmSync(env.UNITCELL_ANSWERS, { recursive: true });
  }
  const code = await new Promise<number>((done) => {
    vitest = spawn(process.execPath, [...args, ...reporters, ...patterns], {
      cwd: root,
      env,
      stdio: 'inherit',
    });
    vitest.on('error', () => done(1)).on('close', (exitCode) => done(exitCode ?? 1));
  });
  const tierCounts = readCounts(output, code);
  if (tierCounts.passed + tierCounts.failed + tierCounts.skipped === 0) progress.say(`No ${tier} tests.`);
  counts = addCounts(counts, tierCounts);
}

/** Says what cannot be tested here, and why; in CI that is a failure. */
async function hasPrograms(tier: Tier, mayInstall: boolean): Promise<boolean> {
  let isWhole = true;
  for (const [what, name] of PROGRAMS[tier]) {
    const program = await findOrInstall(NEEDED[name], { progress, mayInstall });
    if ('path' in program) continue;
    progress.say(`\n── ${what} ──\nSKIPPED: ${program.missing}`);
    counts = addCounts(counts, { passed: 0, failed: inCi ? 1 : 0, skipped: inCi ? 0 : 1 });
    if (what === tier) isWhole = false;
  }
  return isWhole;
}

async function run(words: readonly string[]): Promise<void> {
  const [wanted, ...patterns] = words.filter((word) => word !== '--install');
  const tiers = TIERS.filter((tier) => (wanted === undefined ? tier !== ASKED_FOR : tier === wanted));
  if (tiers.length === 0)
    throw new Sentence(
      `There is no tier "${wanted}". Use: npm test -- unit | api | e2e | clients [part of a file name]`,
    );
  rmSync(RESULTS, { recursive: true, force: true });
  mkdirSync(RESULTS, { recursive: true });
  if (wanted === undefined) {
    progress.say('── checks ──');
    // A failed check counts as a failed test, so that the last line and the exit code say the same.
    const failed = await runChecks([...CHECKS, MIGRATION_DRIFT], progress);
    counts = addCounts(counts, { passed: 0, failed, skipped: 0 });
  }
  const mayInstall = inCi || words.includes('--install');
  for (const tier of tiers)
    if (!isStopped && (await hasPrograms(tier, mayInstall))) await runTier(tier, patterns);
}

export async function main(words: readonly string[]): Promise<void> {
  onStopRequested(() => {
    isStopped = true;
    stopRunningCommands();
    vitest?.kill('SIGTERM');
  });
  try {
    await run(words);
  } catch (error) {
    process.stderr.write(`\n${explain(error)}\n`);
    counts = addCounts(counts, { passed: 0, failed: 1, skipped: 0 });
  }
  process.stdout.write(isStopped ? '\nStopped before the end.\n' : `\n${summary(counts)}\n`);
  process.exit(isStopped ? 130 : counts.failed > 0 ? 1 : 0);
}
