/** Where the next page begins: carries the release and the query it belongs to. */
import { createHash } from 'node:crypto';
import { AppError } from '../../messages/app-error.ts';

interface Place {
  readonly release: number;
  /** Of filter, scale and sort. */
  readonly query: string;
  readonly after: number;
}

/** A query in few characters. */
export const fingerprintOf = (...parts: readonly string[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 16);

export const writeCursor = ({ release, query, after }: Place): string =>
  Buffer.from(`${release}.${query}.${after}`).toString('base64url');

/** The id the page begins behind. @throws AppError screen.cursor-* */
export function readCursor(cursor: string, now: Omit<Place, 'after'>): number {
  const match = /^(\d{1,10})\.([\w-]{16})\.(\d{1,10})$/.exec(
    Buffer.from(cursor, 'base64url').toString('latin1'),
  );
  if (!match) throw new AppError('screen.cursor-unreadable');
  const [, release, query, after] = match;
  if (query !== now.query) throw new AppError('screen.cursor-query');
  if (Number(release) !== now.release)
    throw new AppError('screen.cursor-release', { release: Number(release), now: now.release });
  return Number(after);
}
