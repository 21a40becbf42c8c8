import { existsSync } from 'node:fs';
import { bootstrap, loadSite } from './bootstrap.mjs';
import { takeLock } from './lock.mjs';
import { siteLock, stampDirectory, unitcellHome } from './paths.mjs';
import {
  abinitAdvice,
  checkDiskSpace,
  checkOpenFiles,
  checkPortFree,
  FIRST_START_BYTES,
  prepareHome,
  readPort,
  WARM_START_BYTES,
} from './preflight.mjs';
import { createProgress } from './progress.mjs';
import { onStopRequested, stopRunningCommands } from './run.mjs';
import { explain, UserError } from './user-error.mjs';
import { completeSettings, loadDotEnv } from './settings.mjs';

/** Collects what was started, to stop it in reverse order. */
function createUndo() {
  /** @type {(() => unknown)[]} */
  const steps = [];
  return {
    /** @param {() => unknown} step */
    push: (step) => void steps.push(step),
    async run() {
      for (const step of steps.splice(0).reverse()) await step();
    },
  };
}

/**
 * @param {string} home
 * @param {string} address
 */
function takeHome(home, address) {
  const lock = takeLock(siteLock(home), { address });
  if (!lock.holder) return lock;
  throw new UserError(
    `Unitcell is already running here (process ${lock.holder.pid}, ${lock.holder.address}). Stop it with Ctrl-C in its terminal, or start a second one with its own data: UNITCELL_HOME=.unitcell-2 PORT=3001 npm start`,
  );
}

/**
 * With an external database the site is no longer a trial: settings that affect security or could mislead
 * users must be set explicitly.
 * @param {NodeJS.ProcessEnv} env
 */
function requireSettings(env) {
  if (!env.DATABASE_URL) return;
  const missing = ['PUBLIC_URL', 'JWT_SECRET'].filter((name) => !env[name]);
  if (missing.length === 0) return;
  throw new UserError(
    `With DATABASE_URL, ${missing.join(' and ')} must be set too: PUBLIC_URL is the address people open, JWT_SECRET a random text that signs logins (openssl rand -hex 32).`,
  );
}

/**
 * Runs all checks first, so that a start that must fail does so before the install, which takes minutes. Then
 * installs and starts the site.
 * @param {ReturnType<typeof createUndo>} undo
 * @param {AbortSignal} signal aborted by Ctrl-C
 */
async function start(undo, signal) {
  loadDotEnv();
  completeSettings();
  const { env } = process;
  const host = env.HOST || '127.0.0.1';
  const port = readPort(env.PORT || undefined);
  const home = unitcellHome(env);
  const address = `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
  /** @param {string} text */
  const write = (text) => void process.stdout.write(text);
  const progress = createProgress({ write, onStep: () => signal.throwIfAborted() });
  const begun = performance.now();

  checkOpenFiles();
  requireSettings(env);
  prepareHome(home);
  checkDiskSpace(home, existsSync(stampDirectory) ? WARM_START_BYTES : FIRST_START_BYTES);
  const lock = takeHome(home, address);
  undo.push(lock.release);
  await checkPortFree(port, host);

  progress.say('Starting Unitcell');
  await bootstrap(progress);
  const { openSite } = await loadSite();
  const force = process.argv.includes('--force');
  const site = await openSite({ host, port, home, address, env, force, lock, progress, undo, signal });
  progress.say(`\nUnitcell is ready at ${address}`);
  progress.say(
    `Set up in ${progress.seconds(performance.now() - begun)}. Data and logs: ${home}. Stop with Ctrl-C.\n`,
  );
  const advice = abinitAdvice(env);
  if (advice) progress.say(advice);
  return site;
}

/** Runs until Ctrl-C (exit code 0), or until the start fails or the database is lost for good (exit code 1). */
export async function main() {
  const undo = createUndo();
  const stop = new AbortController();
  // Writing fails after the terminal was closed; the clean stop must continue.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  const asked = new Promise((done) => {
    onStopRequested(() => {
      stop.abort();
      process.stdout.write('\nStopping …\n');
      stopRunningCommands();
      done(undefined);
    });
  });
  let failure;
  try {
    const { lost } = await start(undo, stop.signal);
    failure = await Promise.race([asked, lost]);
  } catch (error) {
    if (!stop.signal.aborted) failure = error;
  }
  stopRunningCommands();
  try {
    await undo.run();
  } catch (error) {
    failure ??= error;
  }
  if (failure) process.stderr.write(`\n${explain(failure)}\n`);
  else process.stdout.write('Stopped.\n');
  process.exit(failure ? 1 : 0);
}
