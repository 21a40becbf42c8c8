/**
 * An expected failure, told to the person in one sentence: what is wrong and what to do. Everything else that is thrown
 * is a bug and is printed with its stack.
 */
export class Sentence extends Error {
  name = 'Sentence';
}

const DISK_FULL = /ENOSPC|no space left on device/i;

/** Text for the terminal: a sentence for what we expect, the stack for what we do not. */
export function explain(error) {
  if (error instanceof Sentence) return error.message;
  if (DISK_FULL.test(`${error?.code} ${error?.message}`)) {
    return 'The disk is full. Free some space (or set UNITCELL_HOME to a directory on another disk), then start again; nothing that was saved is lost.';
  }
  if (error?.code === 'EACCES' || error?.code === 'EROFS') {
    return `No permission to ${error.syscall ?? 'use'} ${error.path ?? 'a file'}. Set UNITCELL_HOME to a directory you may write to, or correct the permissions.`;
  }
  return error?.stack ?? String(error);
}
