/** Saved searches. */
import { MAX_SAVED_SEARCHES, type SavedSearch, type saveSearch } from '@unitcell/contract/collections';
import type { CallRequest } from '@unitcell/contract/define-call';
import { FilterError, parseFilter } from '@unitcell/filter';
import { lockLivingAccount } from '../../domain/living-account.ts';
import type { Db } from '../../infra/database.ts';
import { lastRelease, now } from '../../infra/sql.ts';
import { AppError } from '../../messages/app-error.ts';

type SavedSearchesRepository = ReturnType<typeof savedSearchesRepository>;
type SavedSearchRow = Awaited<ReturnType<SavedSearchesRepository['list']>>[number];

const COLUMNS = [
  'id',
  'name',
  'filter',
  'scale',
  'seen_at as seenAt',
  'seen_release as seenRelease',
] as const;

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

// ── The rules ──

export type SavedSearches = ReturnType<typeof savedSearches>;

const toSavedSearch = ({ seenAt, seenRelease, ...search }: SavedSearchRow): SavedSearch => ({
  ...search,
  seen_at: seenAt.toISOString(),
  seen_release: seenRelease,
});

/** @throws AppError collections.bad-filter */
function assertReadable(filter: string): void {
  if (filter.trim() === '') return;
  try {
    parseFilter(filter);
  } catch (error) {
    throw error instanceof FilterError ? new AppError('collections.bad-filter') : error;
  }
}

export function savedSearches(db: Db, repositoryOf: (db: Db) => SavedSearchesRepository) {
  const stored = repositoryOf(db);
  return {
    list: async (accountId: number) => (await stored.list(accountId)).map(toSavedSearch),

    /** @throws AppError collections.bad-filter, collections.too-many-searches */
    async save(
      accountId: number,
      { name, filter, scale = '' }: CallRequest<typeof saveSearch>,
    ): Promise<SavedSearch> {
      assertReadable(filter);
      return db.transaction().execute(async (tx) => {
        const own = repositoryOf(tx);
        await lockLivingAccount(tx, accountId);
        if ((await own.list(accountId)).length >= MAX_SAVED_SEARCHES)
          throw new AppError('collections.too-many-searches', { limit: MAX_SAVED_SEARCHES });
        return toSavedSearch(await own.insert(accountId, { name, filter: filter.trim(), scale }));
      });
    },

    /** @throws AppError collections.not-found */
    async see(accountId: number, id: number): Promise<SavedSearch> {
      const seen = await stored.see(accountId, id);
      if (!seen) throw new AppError('collections.not-found');
      return toSavedSearch(seen);
    },

    /** @throws AppError collections.not-found */
    async remove(accountId: number, id: number): Promise<void> {
      if (!(await stored.remove(accountId, id))) throw new AppError('collections.not-found');
    },
  };
}
