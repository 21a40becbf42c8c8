/**
 * An expected failure, reported to the user in one sentence: what is wrong and what to do. Any other error is
 * a bug and is printed with its stack.
 */
export class UserError extends Error {
  /** @override */
  name = 'UserError';
}

const DISK_FULL = /ENOSPC|no space left on device/i;

/**
 * The code of an error of Node, PostgreSQL or the system; for several nested errors, the code of the first;
 * empty when there is none.
 * @param {unknown} error
 * @returns {string}
 */
export const codeOf = (error) => {
  if (error instanceof AggregateError) return codeOf(error.errors[0]);
  return error instanceof Error && 'code' in error ? String(error.code) : '';
};

/**
 * @param {unknown} error
 * @param {string} name
 */
const detailOf = (error, name) => {
  const detail =
    error instanceof Error ? Object.entries(error).find(([key]) => key === name)?.[1] : undefined;
  return typeof detail === 'string' ? detail : undefined;
};

/**
 * Text for the terminal: one sentence for expected errors, the stack for all others.
 * @param {unknown} error
 */
export function explain(error) {
  if (error instanceof UserError) return error.message;
  if (DISK_FULL.test(`${codeOf(error)} ${error instanceof Error ? error.message : String(error)}`)) {
    return 'The disk is full. Free some space (or set UNITCELL_HOME to a directory on another disk), then start again; nothing that was saved is lost.';
  }
  if (['EACCES', 'EROFS'].includes(codeOf(error))) {
    return `No permission to ${detailOf(error, 'syscall') ?? 'use'} ${detailOf(error, 'path') ?? 'a file'}. Set UNITCELL_HOME to a directory you may write to, or correct the permissions.`;
  }
  return (error instanceof Error && error.stack) || String(error);
}
