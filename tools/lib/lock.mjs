import { linkSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { spawnSync } from 'node:child_process';
import { codeOf } from './user-error.mjs';

const POLL_MS = 100;

/**
 * Content of a lock file.
 * @typedef {{ pid: number, address?: string, databasePort?: number }} Holder
 * @typedef {Omit<Holder, 'pid'>} Facts
 * @typedef {{ release: () => void, tell: (facts: Facts) => void, holder?: undefined }} Lock
 */

/**
 * The command line of a running process, or undefined.
 * @param {number} pid
 */
function commandOf(pid) {
  if (process.platform === 'linux') {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
    } catch {
      return undefined;
    }
  }
  const ps = spawnSync('ps', ['-p', String(pid), '-o', 'command='], { encoding: 'utf8' });
  return ps.status === 0 ? ps.stdout : undefined;
}

/**
 * Whether a process with this id is running; a zombie is not.
 * @param {number} pid
 */
export function isAlive(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (codeOf(error) !== 'EPERM') return false;
  }
  // The command line of a zombie is empty.
  return commandOf(pid) !== '';
}

/**
 * Whether a Node process with this pid is running; after a reboot the pid may belong to another program.
 * @param {number} pid
 */
const isAliveNode = (pid) => isAlive(pid) && /node|npm/i.test(commandOf(pid) ?? '');

/**
 * @param {string} file
 * @returns {Holder | undefined}
 */
function readHolder(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * The content of a lock file whose process is running; undefined when the lock is free.
 * @param {string} file
 */
export function livingHolder(file) {
  const holder = readHolder(file);
  return holder && isAliveNode(holder.pid) ? holder : undefined;
}

/**
 * Written to a temporary file and renamed, so that nobody reads a half-written lock.
 * @param {string} file
 * @param {Facts} facts
 */
function draftOf(file, facts) {
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, JSON.stringify({ pid: process.pid, ...facts }), { mode: 0o600 });
  return draft;
}

/**
 * Takes a lock file. Returns `{ release, tell }`, or `{ holder }` when a running process holds it.
 * @param {string} file
 * @param {Facts} [facts] what others may read about the holder; `tell` replaces them
 * @returns {Lock | { holder: Holder }}
 */
export function takeLock(file, facts = {}) {
  mkdirSync(dirname(file), { recursive: true });
  const draft = draftOf(file, facts);
  try {
    for (;;) {
      try {
        linkSync(draft, file);
        return {
          release: () => rmSync(file, { force: true }),
          tell: (news) => renameSync(draftOf(file, news), file),
        };
      } catch (error) {
        if (codeOf(error) !== 'EEXIST') throw error;
      }
      const holder = readHolder(file);
      if (holder && holder.pid !== process.pid && isAliveNode(holder.pid)) return { holder };
      rmSync(file, { force: true });
    }
  } finally {
    rmSync(draft, { force: true });
  }
}

/**
 * Runs the work while holding a lock file; waits for another process that holds it.
 * @template T
 * @param {string} file
 * @param {() => Promise<T>} work
 * @param {{ onWait?: (holder: Holder) => void }} [options]
 */
export async function withLock(file, work, { onWait } = {}) {
  let lock = takeLock(file);
  if (lock.holder) onWait?.(lock.holder);
  while (lock.holder) {
    await new Promise((wake) => setTimeout(wake, POLL_MS));
    lock = takeLock(file);
  }
  try {
    return await work();
  } finally {
    lock.release();
  }
}

/**
 * A directory that registers the processes sharing a resource (one file per pid), so that the last process to
 * leave can stop the resource.
 * @param {string} directory
 */
export function openRegister(directory) {
  const own = join(directory, String(process.pid));
  return {
    enter() {
      mkdirSync(directory, { recursive: true, mode: 0o700 });
      writeFileSync(own, '', { mode: 0o600 });
    },
    /** Unregisters this process and returns how many running processes remain. */
    leave() {
      rmSync(own, { force: true });
      let others = 0;
      for (const name of readdirSync(directory)) {
        if (isAliveNode(Number(name))) others += 1;
        else rmSync(join(directory, name), { force: true });
      }
      return others;
    },
  };
}
