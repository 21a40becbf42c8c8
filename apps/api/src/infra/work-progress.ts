/** How far long work is, told to the operator's page: written at most once a second, and gone when the work ends. */
import type { Db } from './database.ts';
import { fromNow, now, secondsBetween } from './sql.ts';

export type WorkKind = 'import' | 'derive';

const WRITE_MILLISECONDS = 1_000;
/** Work that said nothing for so long ended without a word; it is forgotten. */
const FORGOTTEN_SECONDS = 86_400;

export interface WorkProgress {
  /** Never throws: work goes on whether or not somebody can see it. */
  note(detail: string, done: number, total: number): void;
  end(): Promise<void>;
}

/** `db` is no transaction of the work: others are to see it. */
export function workProgress(
  db: Db,
  kind: WorkKind,
  clock: () => number = () => performance.now(),
): WorkProgress {
  let id: Promise<number> | null = null;
  let last = Number.NEGATIVE_INFINITY;
  let writing: Promise<unknown> = Promise.resolve();

  async function write(detail: string, done: number, total: number): Promise<void> {
    id ??= db
      .insertInto('work_progress')
      .values({ kind })
      .returning('id')
      .executeTakeFirstOrThrow()
      .then((row) => row.id);
    await db
      .updateTable('work_progress')
      .set({ detail, done, total, updated_at: now })
      .where('id', '=', await id)
      .execute();
  }

  return {
    note(detail, done, total) {
      if (clock() - last < WRITE_MILLISECONDS) return;
      last = clock();
      writing = writing.then(() => write(detail, done, total)).catch(() => undefined);
    },
    async end() {
      await writing;
      const mine = id === null ? null : await id.catch(() => null);
      if (mine === null) return;
      await db
        .deleteFrom('work_progress')
        .where('id', '=', mine)
        .execute()
        .catch(() => undefined);
    },
  };
}

/** Work that is under way, or stopped without a word within the last day. */
export const workUnderWay = (db: Db) =>
  db
    .selectFrom('work_progress')
    .select(['id', 'kind', 'detail', 'done', 'total', 'started_at as startedAt'])
    .select(({ ref }) => secondsBetween(ref('updated_at'), now).as('secondsAgo'))
    .where('updated_at', '>', fromNow(-FORGOTTEN_SECONDS))
    .orderBy('id')
    .execute();
