import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, statfsSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { delimiter, dirname, join } from 'node:path';
import { UserError, codeOf } from './user-error.mjs';

const MIB = 1024 * 1024;
/** Dependencies, their cache, the database and the builds of a first start, measured at about 1.6 GB and rounded up. */
export const FIRST_START_BYTES = 2048 * MIB;
/** Space PostgreSQL needs for its write-ahead log to start and stop safely. */
export const WARM_START_BYTES = 256 * MIB;

/**
 * Refuses to start when the disk would fill up before the start is complete.
 * @param {string} directory
 * @param {number} neededBytes
 * @param {(path: string) => { bavail: number, bsize: number }} statfs
 */
export function checkDiskSpace(directory, neededBytes, statfs = statfsSync) {
  let existing = directory;
  while (!existsSync(existing)) existing = dirname(existing);
  const { bavail, bsize } = statfs(existing);
  const freeBytes = bavail * bsize;
  if (freeBytes >= neededBytes) return;
  const mib = (/** @type {number} */ bytes) => `${Math.floor(bytes / MIB)} MiB`;
  throw new UserError(
    `Not enough disk space: ${mib(freeBytes)} free in ${existing}, ${mib(neededBytes)} needed. Free some space, or set UNITCELL_HOME to a directory on another disk.`,
  );
}

/** Needed to load the api's modules and serve a busy site; systems usually allow 1024 or more. */
const OPEN_FILES = 512;

/**
 * Refuses a limit of open files that would make a process fail later. Node has already raised it to the hard
 * limit.
 */
export function checkOpenFiles(limits = '/proc/self/limits') {
  if (!existsSync(limits)) return;
  const [, limit] = readFileSync(limits, 'utf8').match(/^Max open files +(\d+)/m) ?? [];
  if (limit === undefined || Number(limit) >= OPEN_FILES) return;
  throw new UserError(
    `This process may open only ${limit} files at a time; ${OPEN_FILES} are needed. Raise the limit (ulimit -n 4096, or LimitNOFILE= in a systemd unit), then start again.`,
  );
}

export function readPort(text = '3000') {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 1 && port <= 65_535) return port;
  throw new UserError(`PORT=${text} is not a port. Use a number from 1 to 65535, for example PORT=3000.`);
}

/**
 * Refuses a port that is in use.
 * @param {number} port
 * @param {string} host
 * @returns {Promise<void>}
 */
export function checkPortFree(port, host) {
  return new Promise((done, fail) => {
    const server = createServer();
    server.once('error', (error) => {
      /** @type {Record<string, string>} */
      const sentences = {
        EADDRINUSE: `Port ${port} on ${host} is in use by another program. Stop it, or choose another port: PORT=${port + 1} npm start`,
        EACCES: `No permission to listen on port ${port}. Choose one above 1023: PORT=3000 npm start`,
        EADDRNOTAVAIL: `This machine has no address ${host} to listen on. Set HOST=127.0.0.1 (this machine only) or HOST=0.0.0.0 (every network).`,
        ENOTFOUND: `HOST=${host} is not a known address. Set HOST=127.0.0.1 (this machine only) or HOST=0.0.0.0 (every network).`,
      };
      const sentence = sentences[codeOf(error)];
      fail(sentence ? new UserError(sentence) : error);
    });
    server.listen(port, host, () => server.close(() => done()));
  });
}

/** PostgreSQL runs as this user (and group) when we are root. */
const NOBODY = 65_534;
const isRoot = process.getuid?.() === 0;
const STICKY = 0o1000;

/**
 * Restricts a directory of ours to its owner. If root owns it, the group `nobody` may still pass through,
 * because PostgreSQL then runs as nobody. A directory of another user, or one open to all (/tmp), is not
 * changed.
 * @param {string} directory
 */
export function closeToOthers(directory) {
  const { uid, mode } = statSync(directory);
  if (uid !== process.getuid?.() || mode & STICKY) return;
  if (isRoot) chownSync(directory, 0, NOBODY);
  chmodSync(directory, isRoot ? 0o710 : 0o700);
}

/**
 * Creates the data directory, restricted to its owner, or throws an error with the reason why the directory
 * cannot be used.
 * @param {string} home
 */
export function prepareHome(home) {
  try {
    mkdirSync(home, { recursive: true });
    closeToOthers(home);
  } catch (error) {
    if (codeOf(error) === 'ENOSPC') throw error;
    throw new UserError(
      `The data directory ${home} cannot be made (${codeOf(error)}). Set UNITCELL_HOME to a directory you may write to.`,
    );
  }
}

/**
 * How to get ABINIT for calculations from first principles; empty if it is in PATH, or if another choice was made.
 * @param {NodeJS.ProcessEnv} env
 */
export function abinitAdvice({ PATH = '', RUN4U_ENGINE, RUN4U_EXECUTOR, RUN4U_ABINIT_COMMAND }) {
  if (RUN4U_ENGINE || RUN4U_EXECUTOR || RUN4U_ABINIT_COMMAND) return '';
  const folders = PATH.split(delimiter).filter(Boolean);
  if (folders.some((folder) => existsSync(join(folder, 'abinit')))) return '';
  return 'Run4U predicts with SevenNet-0. For calculations from first principles install ABINIT (Debian, Ubuntu: sudo apt install abinit gpaw-data libopenblas0-pthread); the running site finds it.\n';
}
