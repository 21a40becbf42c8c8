import { linkSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { spawnSync } from 'node:child_process';

const POLL_MS = 100;

/** The command line of a running process, or undefined. */
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

/** Is this the pid of a living Node process? After a reboot the number may belong to something else. */
function isAliveNode(pid) {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if (error.code !== 'EPERM') return false;
  }
  return /node|npm/i.test(commandOf(pid) ?? '');
}

function readHolder(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Takes a lock file. Returns `{ release }`, or `{ holder }` when a living process has it.
 * @param {string} file
 * @param {object} [facts] what others may read about the holder
 */
export function takeLock(file, facts = {}) {
  mkdirSync(dirname(file), { recursive: true });
  // Written aside and linked into place: nobody ever reads a half-written lock.
  const draft = `${file}.${process.pid}`;
  writeFileSync(draft, JSON.stringify({ pid: process.pid, ...facts }));
  try {
    for (;;) {
      try {
        linkSync(draft, file);
        return { release: () => rmSync(file, { force: true }) };
      } catch (error) {
        if (error.code !== 'EEXIST') throw error;
      }
      const holder = readHolder(file);
      if (holder && holder.pid !== process.pid && isAliveNode(holder.pid)) return { holder };
      rmSync(file, { force: true });
    }
  } finally {
    rmSync(draft, { force: true });
  }
}

/** Runs the work while holding a lock file; waits for another process that has it. */
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
 * A directory of the processes that use something together (one file per pid), so that the last one out can turn off the light.
 */
export function openRegister(directory) {
  const own = join(directory, String(process.pid));
  return {
    enter() {
      mkdirSync(directory, { recursive: true });
      writeFileSync(own, '');
    },
    /** Leaves, and returns how many living others remain. */
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
