import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bootstrap } from './bootstrap.mjs';
import { buildApi, buildWeb } from './bundle.mjs';
import { startChild } from './children.mjs';
import { loadDotEnv, openDatabase, serviceEnvironment } from './environment.mjs';
import { takeLock } from './lock.mjs';
import { apiDist, inRepository, stampDirectory, unitcellHome } from './paths.mjs';
import {
  FIRST_START_BYTES,
  WARM_START_BYTES,
  checkDiskSpace,
  checkPortFree,
  prepareHome,
  readPort,
} from './preflight.mjs';
import { createProgress } from './progress.mjs';
import { mustRun, stopRunningCommands } from './run.mjs';
import { Sentence, explain } from './sentence.mjs';
import { hashOf } from './stamp.mjs';
import { onStopRequested } from './stop-signals.mjs';

const READY_MS = 60_000;
const POLL_MS = 50;

/** Thrown between two steps after Ctrl-C. */
const STOPPED = Symbol('stopped');

/** What was started, to be stopped in reverse order. */
function createUndo() {
  const steps = [];
  return {
    push: (step) => steps.push(step),
    async run() {
      for (const step of steps.splice(0).reverse()) await step();
    },
  };
}

function takeHome(home, address) {
  const lock = takeLock(join(home, 'up.lock'), { address });
  if (!lock.holder) return lock;
  throw new Sentence(
    `Unitcell is already running here (process ${lock.holder.pid}, ${lock.holder.address}). Stop it with Ctrl-C in its terminal, or start a second one with its own data: UNITCELL_HOME=.unitcell-2 PORT=3001 npm start`,
  );
}

/** With somebody's own database this is no trial any more: what people could abuse or be misled by has to be chosen. */
function requireSettings(env) {
  if (!env.DATABASE_URL) return;
  const missing = ['PUBLIC_URL', 'JWT_SECRET'].filter((name) => !env[name]);
  if (missing.length === 0) return;
  throw new Sentence(
    `With DATABASE_URL, ${missing.join(' and ')} must be set too: PUBLIC_URL is the address people open, JWT_SECRET a random text that signs logins (openssl rand -hex 32).`,
  );
}

/** Migrates; a database that cannot be reached is the operator's to repair, so it gets a sentence. */
async function migrate(url) {
  const { deployMigrations } = await import('../../prisma/deploy.mjs');
  try {
    const applied = await deployMigrations(url);
    return applied.length > 0 ? `${applied.length} applied` : 'up to date';
  } catch (error) {
    const { host, pathname } = new URL(url);
    const code = error.code ?? error.errors?.[0]?.code;
    const causes = {
      ECONNREFUSED: `nothing answers at ${host}`,
      ENOTFOUND: `the host ${host} is not known`,
      ETIMEDOUT: `${host} does not answer`,
      '28P01': `${host} refuses the user or password`,
      '3D000': `the server has no database "${pathname.slice(1)}"`,
    };
    if (causes[code])
      throw new Sentence(
        `The database of DATABASE_URL cannot be used: ${causes[code]}. Correct DATABASE_URL, or unset it to use the embedded one.`,
      );
    throw error;
  }
}

/** Loads seed-data once. The mark lies beside the embedded data; another database is asked by the command itself. */
async function seed(database, env) {
  const mark = database.directory && join(database.directory, 'seeded');
  const version = hashOf([inRepository('seed-data')]);
  if (mark && existsSync(mark)) return 'done before';
  const cli = join(apiDist, 'cli.js');
  await mustRun('Loading the seed data', process.execPath, [cli, 'seed', '--if-empty'], {
    env,
    cwd: inRepository(),
  });
  if (mark) writeFileSync(mark, version);
  return undefined;
}

/** Waits until the api answers its health check, or a child ends. */
async function waitUntilHealthy(address, children, stop) {
  const deadline = Date.now() + READY_MS;
  let ended;
  for (const child of children) child.exited.then((how) => (ended = how));
  while (Date.now() < deadline) {
    if (stop.requested) throw STOPPED;
    if (ended) throw childEnded(ended);
    const healthy = await fetch(`${address}/api/health`).then(
      (response) => response.ok,
      () => false,
    );
    if (healthy) return;
    await new Promise((wake) => setTimeout(wake, POLL_MS));
  }
  throw new Sentence(
    `The api did not become ready within ${READY_MS / 1000} s. Its log: ${join(unitcellHome(), 'logs/api.log')}`,
  );
}

function childEnded({ name, how, lastErrors, logFile }) {
  const reason = lastErrors.length > 0 ? `\n${lastErrors.join('\n')}` : '';
  return new Sentence(
    `The ${name} process ended unexpectedly (${how}); everything else was stopped. Its log: ${logFile}${reason}`,
  );
}

const hostInUrl = (host) => (host.includes(':') ? `[${host}]` : host);
/** An address to call the server at from this machine: a wildcard host is not one. */
const callable = (host) => ({ '0.0.0.0': '127.0.0.1', '::': '[::1]' })[host] ?? hostInUrl(host);

async function start(undo, stop) {
  loadDotEnv();
  const env = process.env;
  const host = env.HOST || '127.0.0.1';
  const port = readPort(env.PORT || undefined);
  const home = unitcellHome(env);
  const publicAddress = `http://${hostInUrl(host)}:${port}`;
  const print = (line) => process.stdout.write(`${line}\n`);
  const onStep = () => {
    if (stop.requested) throw STOPPED;
  };
  const progress = createProgress({ write: (text) => process.stdout.write(text), onStep });
  const begun = performance.now();

  requireSettings(env);
  prepareHome(home);
  checkDiskSpace(home, existsSync(stampDirectory) ? WARM_START_BYTES : FIRST_START_BYTES);
  const lock = takeHome(home, publicAddress);
  undo.push(lock.release);
  await checkPortFree(port, host);

  progress.say('Starting Unitcell');
  await bootstrap(progress, [
    ['Building the api', buildApi],
    ['Building the web client', buildWeb],
  ]);
  let database;
  await progress.step('Starting PostgreSQL', async () => {
    database = await openDatabase(env);
    undo.push(database.release);
    return database.note;
  });
  await progress.step('Migrating the database', () => migrate(database.url));
  const services = { ...serviceEnvironment(database, env), HOST: host, PORT: String(port) };
  await progress.step('Loading the seed data', () => seed(database, services));
  const children = [];
  await progress.step('Starting api and worker', async () => {
    for (const [name, script] of [
      ['api', 'main.js'],
      ['worker', 'worker.js'],
    ]) {
      const nodeArgs = ['--enable-source-maps'];
      const options = { name, script: join(apiDist, script), env: services, nodeArgs, cwd: inRepository() };
      children.push(startChild({ ...options, logDirectory: join(home, 'logs'), print }));
    }
    undo.push(() => Promise.all(children.map((child) => child.stop())));
    await waitUntilHealthy(`http://${callable(host)}:${port}`, children, stop);
  });
  progress.say(`\nUnitcell is ready at ${publicAddress}`);
  progress.say(
    `Set up in ${progress.seconds(performance.now() - begun)}. Data and logs: ${home}. Stop with Ctrl-C.\n`,
  );
  return children;
}

/** Runs until Ctrl-C (exit code 0) or until something fails (exit code 1). */
export async function main() {
  const undo = createUndo();
  const stop = { requested: false };
  // A terminal that closes takes its output along; stopping cleanly matters more.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  const asked = new Promise((done) => {
    onStopRequested(() => {
      stop.requested = true;
      process.stdout.write('\nStopping …\n');
      stopRunningCommands();
      done();
    });
  });
  let failure;
  try {
    const children = await start(undo, stop);
    const ended = await Promise.race([asked, ...children.map((child) => child.exited)]);
    if (ended) failure = childEnded(ended);
  } catch (error) {
    if (!stop.requested) failure = error;
  }
  try {
    await undo.run();
  } catch (error) {
    failure ??= error;
  }
  if (failure) process.stderr.write(`\n${explain(failure)}\n`);
  else process.stdout.write('Stopped.\n');
  process.exit(failure ? 1 : 0);
}
