/** Saved searches: only SQL. */
import { sql } from 'kysely';
import type { Db } from '../../infra/database.ts';
import { now } from '../../infra/sql.ts';

export type SavedSearchesRepository = ReturnType<typeof savedSearchesRepository>;
export type SavedSearchRow = Awaited<ReturnType<SavedSearchesRepository['list']>>[number];

const COLUMNS = [
  'id',
  'name',
  'filter',
  'scale',
  'seen_at as seenAt',
  'seen_release as seenRelease',
] as const;

/** The last rebuild of derived data. */
const lastRelease = sql<number | null>`(SELECT max(id) FROM release WHERE finished_at IS NOT NULL)`;

export function savedSearchesRepository(db: Db) {
  return {
    list: (accountId: number) =>
      db
        .selectFrom('saved_search')
        .select(COLUMNS)
        .where('account_id', '=', accountId)
        .orderBy('id', 'desc')
        .execute(),

    insert: (
      accountId: number,
      search: { readonly name: string; readonly filter: string; readonly scale: string },
    ) =>
      db
        .insertInto('saved_search')
        .values({ account_id: accountId, ...search, seen_release: lastRelease })
        .returning(COLUMNS)
        .executeTakeFirstOrThrow(),

    see: (accountId: number, id: number) =>
      db
        .updateTable('saved_search')
        .set({ seen_at: now, seen_release: lastRelease })
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .returning(COLUMNS)
        .executeTakeFirst(),

    /** @returns whether there was one */
    async remove(accountId: number, id: number): Promise<boolean> {
      const { numDeletedRows } = await db
        .deleteFrom('saved_search')
        .where('id', '=', id)
        .where('account_id', '=', accountId)
        .executeTakeFirst();
      return numDeletedRows > 0n;
    },
  };
}
