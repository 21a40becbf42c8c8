/** The second half of `npm start`: builds, opens the database, and keeps api and worker running. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type Progress, setUp } from '../lib/bootstrap.mjs';
import type { Lock } from '../lib/lock.mjs';
import { apiDist, inRepository } from '../lib/paths.mjs';
import { mustRun } from '../lib/run.mjs';
import { codeOf, UserError } from '../lib/user-error.mjs';
import { hashOf } from '../lib/stamp.mjs';
import { buildApi, buildWeb } from './bundle.ts';
import { type Ended, startChild } from './children.ts';
import { type OpenDatabase, openDatabase, serviceEnvironment } from './environment.ts';
import { superviseProcess } from './supervise.ts';
import { sayOnce } from './database.ts';
import { deployMigrations } from './migrations.ts';

const READY_MS = 60_000;
const POLL_MS = 50;

export interface Start {
  readonly host: string;
  readonly port: number;
  readonly home: string;
  readonly address: string;
  readonly env: NodeJS.ProcessEnv;
  /** Accept a database that a newer version has migrated. */
  readonly force: boolean;
  readonly lock: Lock;
  readonly progress: Progress;
  /** Collects the clean-up steps, which run in reverse order. */
  readonly undo: { push(step: () => unknown): void };
  readonly signal: AbortSignal;
}

export interface Site {
  /** Resolves when the embedded database cannot be restarted. */
  readonly lost: Promise<Error>;
}

const CONNECTION_CAUSES: Record<string, (url: URL) => string> = {
  ECONNREFUSED: ({ host }) => `no server at ${host}`,
  ENOTFOUND: ({ host }) => `unknown host ${host}`,
  ETIMEDOUT: ({ host }) => `${host} does not answer`,
  '28P01': ({ host }) => `${host} rejected the user or password`,
  '3D000': ({ pathname }) => `the server has no database "${pathname.slice(1)}"`,
};

/** Migrates; an unreachable database is the operator's responsibility, so the error is a sentence. */
async function migrate(url: string, force: boolean): Promise<string> {
  try {
    const applied = await deployMigrations(url, { force, onWait: sayOnce() });
    return applied.length > 0 ? `${applied.length} applied` : 'up to date';
  } catch (error) {
    const cause = CONNECTION_CAUSES[codeOf(error)];
    if (cause)
      throw new UserError(
        `The database of DATABASE_URL cannot be used: ${cause(new URL(url))}. Correct DATABASE_URL, or unset it to use the embedded one.`,
      );
    throw error;
  }
}

/** Loads the seed data, and new entries after an upgrade. For an external database the command itself checks. */
async function seed(database: OpenDatabase, env: NodeJS.ProcessEnv): Promise<string | undefined> {
  const mark = database.embedded && join(database.embedded.directory, 'seeded');
  const hash = mark && hashOf([inRepository('seed-data')]);
  if (mark && existsSync(mark) && readFileSync(mark, 'utf8') === hash) return 'already loaded';
  await mustRun('Loading the seed data', process.execPath, [join(apiDist, 'cli.js'), 'seed', '--if-empty'], {
    env,
    cwd: inRepository(),
  });
  if (mark && hash) writeFileSync(mark, hash, { mode: 0o600 });
  return undefined;
}

/** Waits until the api answers its health check; `failure` reports why the api will never answer. */
async function waitUntilHealthy(
  url: string,
  { failure, signal, logFile }: { failure: () => Error | undefined; signal: AbortSignal; logFile: string },
): Promise<void> {
  const deadline = Date.now() + READY_MS;
  while (Date.now() < deadline) {
    signal.throwIfAborted();
    const reason = failure();
    if (reason) throw reason;
    const isHealthy = await fetch(`${url}/api/ready`).then(
      (response) => response.ok,
      () => false,
    );
    if (isHealthy) return;
    await pause(POLL_MS);
  }
  throw new UserError(`The api did not become ready within ${READY_MS / 1000} s. Log: ${logFile}`);
}

/** The last error output of the api comes first, because it states what is wrong. */
const apiFailed = ({ how, lastErrors, logFile }: Ended) =>
  new UserError([...lastErrors, `The api did not start (${how}). Log: ${logFile}`].join('\n'));

/** One line for the terminal about a process that ended and will be restarted. */
function childEnded({ name, how, lastErrors: [first], logFile }: Ended, waitMs: number): string {
  const reason = first === undefined ? '' : `: ${first}`;
  return `  ✗  The ${name} process ended (${how})${reason}; restarting in ${waitMs / 1000} s. Log: ${logFile}`;
}

/** An address for calling the server from this machine; a wildcard host cannot be called. */
function callable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}

/**
 * Opens the site and returns when it answers. Clean-up steps are registered in `undo`, also when it throws.
 */
export async function openSite(start: Start): Promise<Site> {
  const { host, port, home, env, progress, undo, signal } = start;
  const print = (line: string) => void process.stdout.write(`${line}\n`);
  await setUp(progress, [['Building the api', buildApi]]);
  // Loading the seed data needs only the api and one core, so the web client is built meanwhile.
  const web = setUp(progress, [['Building the web client', buildWeb]]);
  web.catch(() => undefined); // reported below
  const database = await progress.step('Starting PostgreSQL', async () => {
    const opened = await openDatabase(env);
    undo.push(opened.release);
    return opened;
  });
  let lost: Promise<Error> = new Promise(() => undefined);
  if (database.embedded) {
    // From now on, commands that are started use this server.
    start.lock.tell({ address: start.address, databasePort: database.embedded.port });
    const supervisor = database.embedded.supervise(print);
    undo.push(supervisor.stop);
    lost = supervisor.lost;
  }
  await progress.step('Migrating the database', () => migrate(database.url, start.force));
  const services = {
    // From Node 22 on, V8 keeps the compiled code here: a start takes a tenth less processor time.
    NODE_COMPILE_CACHE: join(apiDist, 'compiled'),
    ...serviceEnvironment(database, env),
    HOST: host,
    PORT: String(port),
  };
  await progress.step('Loading the seed data', () => seed(database, services));
  await web;
  await progress.step('Starting api and worker', async () => {
    const logDirectory = join(home, 'logs');
    let failure: Error | undefined;
    let isReady = false;
    /** A crash of api or worker never stops the other. Only an api that cannot start ends the launch. */
    const keep = (name: string, script: string) =>
      superviseProcess(
        () =>
          startChild({
            name,
            script: join(apiDist, script),
            env: services,
            nodeArgs: ['--enable-source-maps'],
            cwd: inRepository(),
            logDirectory,
            print,
          }),
        (ended, waitMs) => {
          if (name === 'api' && !isReady) failure = apiFailed(ended);
          else print(childEnded(ended, waitMs));
        },
      );
    const kept = [keep('api', 'main.js'), keep('worker', 'worker.js')];
    undo.push(() => Promise.all(kept.map((each) => each.stop())));
    const logFile = join(logDirectory, 'api.log');
    await waitUntilHealthy(`http://${callable(host)}:${port}`, { failure: () => failure, signal, logFile });
    isReady = true;
  });
  return { lost };
}
