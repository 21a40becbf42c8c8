/**
 * `npm test`: the static checks, then every tier of tests; the last line is `N passed, N failed`.
 *
 *   npm test                      everything
 *   npm test -- api               one tier: unit, api or e2e
 *   npm test -- unit lattice      the files of a tier whose path contains the pattern
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { bootstrap } from './lib/bootstrap.mjs';
import { buildApi, buildWeb } from './lib/bundle.mjs';
import { runChecks } from './lib/checks.mjs';
import { inRepository, root } from './lib/paths.mjs';
import { createProgress } from './lib/progress.mjs';
import { stopRunningCommands } from './lib/run.mjs';
import { Sentence, explain } from './lib/sentence.mjs';
import { onStopRequested } from './lib/stop-signals.mjs';
import { findAbinit, findChromium, findSlurm } from './lib/system-packages.mjs';
import { addCounts, readCounts, summary } from './lib/test-report.mjs';
import { startTestRedis } from './lib/test-redis.mjs';

const TIERS = ['unit', 'api', 'e2e'];
const RESULTS = inRepository('.test-results');
const inCi = Boolean(process.env.CI);

const progress = createProgress({ write: (text) => process.stdout.write(text) });
const undo = [];
let counts = { passed: 0, failed: 0, skipped: 0 };
let vitest;

async function cleanUp() {
  for (const step of undo.splice(0).reverse()) await step();
}

onStopRequested(async () => {
  stopRunningCommands();
  vitest?.kill('SIGTERM');
  await cleanUp();
  process.stdout.write('\nStopped before the end.\n');
  process.exit(130);
});

/** Runs one vitest project and adds its counts. */
async function runTier(tier, patterns, env) {
  progress.say(`\n── ${tier} ──`);
  const output = `${RESULTS}/${tier}.json`;
  const args = [
    inRepository('node_modules/vitest/vitest.mjs'),
    'run',
    '--project',
    tier,
    '--passWithNoTests',
  ];
  args.push('--reporter=default', '--reporter=json', `--outputFile.json=${output}`, ...patterns);
  const code = await new Promise((done) => {
    vitest = spawn(process.execPath, args, { cwd: root, env, stdio: ['ignore', 'inherit', 'inherit'] });
    vitest.on('error', () => done(1)).on('close', (exitCode) => done(exitCode ?? 1));
  });
  const tierCounts = readCounts(output, code);
  if (tierCounts.passed + tierCounts.failed + tierCounts.skipped === 0) progress.say(`No ${tier} tests.`);
  counts = addCounts(counts, tierCounts);
}

/** A tier that cannot run here: said aloud, and a failure in CI. */
function skipTier(tier, reason) {
  progress.say(`\n── ${tier} ──\nSKIPPED: ${reason}`);
  if (inCi) counts.failed += 1;
  else counts.skipped += 1;
}

/** The journeys of a folder exist, so there is something a browser is needed for. */
const hasJourneys = () =>
  existsSync(inRepository('apps/web/e2e')) &&
  readdirSync(inRepository('apps/web/e2e')).some((name) => name.endsWith('.e2e.ts'));

async function main([wanted, ...patterns]) {
  if (wanted !== undefined && !TIERS.includes(wanted)) {
    throw new Sentence(
      `There is no tier "${wanted}". Use: npm test -- unit | api | e2e [part of a file name]`,
    );
  }
  const tiers = wanted === undefined ? TIERS : [wanted];
  rmSync(RESULTS, { recursive: true, force: true });
  mkdirSync(RESULTS, { recursive: true });

  await bootstrap(progress);
  const env = { ...process.env, NODE_ENV: 'test', ...(process.stdout.isTTY ? {} : { NO_COLOR: '1' }) };
  if (tiers.includes('api') || tiers.includes('e2e')) {
    // Loaded only now: it needs the installed packages.
    const { startTestPostgres, ensureTemplate } = await import('./lib/test-postgres.mjs');
    await progress.step('Starting PostgreSQL for the tests', async () => {
      const server = await startTestPostgres();
      undo.push(server.stop);
      env.TEST_DATABASE_URL = server.url;
      env.TEST_DATABASE_TEMPLATE = await ensureTemplate(server.url);
      return server.description;
    });
  }
  if (tiers.includes('api')) {
    const redis = await startTestRedis(progress);
    if (redis.url) {
      env.TEST_REDIS_URL = redis.url;
      undo.push(redis.stop);
    } else {
      skipTier('api on Redis', redis.missing);
    }
    const slurm = await findSlurm(progress);
    if (slurm.missing) skipTier('api on Slurm', slurm.missing);
  }

  if (wanted === undefined) {
    progress.say('\n── checks ──');
    // A failed check counts as a failed test, so that the last line and the exit code say the same.
    counts.failed += await runChecks(progress, { databaseUrl: env.TEST_DATABASE_URL });
  }
  for (const tier of tiers) {
    if (tier === 'e2e' && hasJourneys()) {
      const chromium = await findChromium(progress);
      if (chromium.missing) {
        skipTier(tier, chromium.missing);
        continue;
      }
      env.CHROMIUM_PATH = chromium.path;
      const engine = await findAbinit(progress);
      if (engine.missing) skipTier('e2e of Run4U', engine.missing);
      await progress.step('Building the api', buildApi);
      await progress.step('Building the web client', buildWeb);
    }
    await runTier(tier, patterns, env);
  }
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`\n${explain(error)}\n`);
  counts.failed += 1;
}
await cleanUp();
process.stdout.write(`\n${summary(counts)}\n`);
process.exit(counts.failed > 0 ? 1 : 0);
