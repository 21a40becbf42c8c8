/** Saved searches of an account: a filter by name, with the release in which the owner last saw its result. */
import {
  MAX_SAVED_SEARCHES,
  removeSearch,
  type SavedSearch,
  saveSearch,
  seeSearch,
} from '@unitcell/contract/collections';
import { FilterError, parseFilter } from '@unitcell/filter';
import type { FastifyInstance } from 'fastify';
import { lockLivingAccount } from '../../domain/living-account.ts';
import { done, serveCall } from '../../http/serve-call.ts';
import type { Database, Db } from '../../infra/database.ts';
import { lastRelease, now } from '../../infra/sql.ts';
import { AppError } from '../../messages/app-error.ts';

const COLUMNS = ['id', 'name', 'filter', 'scale', 'seen_at', 'seen_release'] as const;

const toSavedSearch = ({ seen_at, ...search }: Omit<SavedSearch, 'seen_at'> & { seen_at: Date }) => ({
  ...search,
  seen_at: seen_at.toISOString(),
});

/** Newest first. */
export async function listSearches(db: Db, accountId: number): Promise<SavedSearch[]> {
  const rows = await db
    .selectFrom('saved_search')
    .select(COLUMNS)
    .where('account_id', '=', accountId)
    .orderBy('id', 'desc')
    .execute();
  return rows.map(toSavedSearch);
}

/** @throws AppError collections.bad-filter */
function assertReadable(filter: string): void {
  if (filter.trim() === '') return;
  try {
    parseFilter(filter);
  } catch (error) {
    throw error instanceof FilterError ? new AppError('collections.bad-filter') : error;
  }
}

export function savedSearchRoutes(app: FastifyInstance, { db, prisma }: Database): void {
  serveCall(app, saveSearch, async ({ body: { name, filter, scale = '' }, identity: { accountId } }) => {
    assertReadable(filter);
    const search = await db.transaction().execute(async (tx) => {
      await lockLivingAccount(tx, accountId);
      if ((await listSearches(tx, accountId)).length >= MAX_SAVED_SEARCHES)
        throw new AppError('collections.too-many-searches', { limit: MAX_SAVED_SEARCHES });
      return tx
        .insertInto('saved_search')
        .values({ account_id: accountId, name, filter: filter.trim(), scale, seen_release: lastRelease })
        .returning(COLUMNS)
        .executeTakeFirstOrThrow();
    });
    return { ...done, search: toSavedSearch(search) };
  });

  serveCall(app, seeSearch, async ({ body: { id }, identity: { accountId } }) => {
    const seen = await db
      .updateTable('saved_search')
      .set({ seen_at: now, seen_release: lastRelease })
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .returning(COLUMNS)
      .executeTakeFirst();
    if (!seen) throw new AppError('collections.not-found');
    return { ...done, search: toSavedSearch(seen) };
  });

  serveCall(app, removeSearch, async ({ body: { id }, identity: { accountId } }) => {
    const { count } = await prisma.savedSearch.deleteMany({ where: { id, accountId } });
    if (count === 0) throw new AppError('collections.not-found');
    return done;
  });
}
