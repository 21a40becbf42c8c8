/** Collections of materials and saved searches of an account. */
import {
  changeCollection,
  getCollection,
  listCollections,
  MAX_SAVED_SEARCHES,
  removeCollection,
  removeSearch,
  saveCollection,
  type SavedSearch,
  saveSearch,
  seeSearch,
  shareCollection,
} from '@unitcell/contract/collections';
import type { CallRequest } from '@unitcell/contract/define-call';
import { FilterError, parseFilter } from '@unitcell/filter';
import type { FastifyInstance } from 'fastify';
import { lockLivingAccount } from '../../domain/living-account.ts';
import type { Services } from '../../domain/services.ts';
import { serveCall } from '../../http/serve-call.ts';
import type { Database, Db } from '../../infra/database.ts';
import { lastRelease, now } from '../../infra/sql.ts';
import { AppError } from '../../messages/app-error.ts';
import { type Collections, collections } from './collections.ts';

/** Saved searches. */
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

function savedSearchesRepository(db: Db) {
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
  };
}

// ── The rules ──

type SavedSearches = ReturnType<typeof savedSearches>;

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

function savedSearches({ db, prisma }: Database) {
  const stored = savedSearchesRepository(db);
  return {
    list: async (accountId: number) => (await stored.list(accountId)).map(toSavedSearch),

    /** @throws AppError collections.bad-filter, collections.too-many-searches */
    async save(
      accountId: number,
      { name, filter, scale = '' }: CallRequest<typeof saveSearch>,
    ): Promise<SavedSearch> {
      assertReadable(filter);
      return db.transaction().execute(async (tx) => {
        const own = savedSearchesRepository(tx);
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
      const { count } = await prisma.savedSearch.deleteMany({ where: { id, accountId } });
      if (count === 0) throw new AppError('collections.not-found');
    },
  };
}

export function collectionsFeature(app: FastifyInstance, { database }: Services): void {
  collectionsRoutes(app, {
    collections: collections(database),
    searches: savedSearches(database),
  });
}

interface CollectionsRoutesOptions {
  readonly collections: Collections;
  readonly searches: SavedSearches;
}

const done = { error: 'false', message: '' } as const;

function collectionsRoutes(app: FastifyInstance, saved: CollectionsRoutesOptions): void {
  serveCall(app, listCollections, async ({ identity: { accountId } }) => ({
    ...done,
    collections: await saved.collections.list(accountId),
    searches: await saved.searches.list(accountId),
  }));
  serveCall(app, getCollection, async ({ body, identity: { accountId } }) => ({
    ...done,
    collection: await ('id' in body
      ? saved.collections.own(accountId, body.id)
      : saved.collections.shared(accountId, body.key)),
  }));
  serveCall(app, saveCollection, async ({ body, identity: { accountId } }) => ({
    ...done,
    collection: await saved.collections.save(accountId, body),
  }));
  serveCall(app, changeCollection, async ({ body, identity: { accountId } }) => ({
    ...done,
    collection: await saved.collections.change(accountId, body),
  }));
  serveCall(app, shareCollection, async ({ body, identity: { accountId } }) => ({
    ...done,
    share_key: await saved.collections.share(accountId, body.id, body.is_shared),
  }));
  serveCall(app, removeCollection, async ({ body, identity: { accountId } }) => {
    await saved.collections.remove(accountId, body.id);
    return done;
  });
  serveCall(app, saveSearch, async ({ body, identity: { accountId } }) => ({
    ...done,
    search: await saved.searches.save(accountId, body),
  }));
  serveCall(app, seeSearch, async ({ body, identity: { accountId } }) => ({
    ...done,
    search: await saved.searches.see(accountId, body.id),
  }));
  serveCall(app, removeSearch, async ({ body, identity: { accountId } }) => {
    await saved.searches.remove(accountId, body.id);
    return done;
  });
}
