/** Collections of materials of an account. */
import { randomBytes } from 'node:crypto';
import {
  changeCollection,
  type Collection,
  type CollectionDetail,
  getCollection,
  listCollections,
  MAX_COLLECTED,
  MAX_COLLECTIONS,
  MAX_SAVED_SEARCHES,
  removeCollection,
  removeSearch,
  saveCollection,
  type SavedSearch,
  saveSearch,
  seeSearch,
  shareCollection,
} from '@unitcell/contract/collections';
import type { FastifyInstance } from 'fastify';
import { sql } from 'kysely';
import { FilterError, parseFilter } from '@unitcell/filter';
import { lockLivingAccount } from '../../domain/living-account.ts';
import type { Services } from '../../domain/services.ts';
import { done, serveCall } from '../../http/serve-call.ts';
import type { Database, Db } from '../../infra/database.ts';
import { currentStructId, lastRelease, now } from '../../infra/sql.ts';
import { AppError } from '../../messages/app-error.ts';

// ── Saved searches: named filters, each with the release in which the owner last saw its result ──

const SEARCH_COLUMNS = ['id', 'name', 'filter', 'scale', 'seen_at', 'seen_release'] as const;

const toSavedSearch = ({ seen_at, ...search }: Omit<SavedSearch, 'seen_at'> & { seen_at: Date }) => ({
  ...search,
  seen_at: seen_at.toISOString(),
});

/** Saved searches, newest first. */
async function listSearches(db: Db, accountId: number): Promise<SavedSearch[]> {
  const rows = await db
    .selectFrom('saved_search')
    .select(SEARCH_COLUMNS)
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

function savedSearchRoutes(app: FastifyInstance, { db, prisma }: Database): void {
  serveCall(app, saveSearch, async ({ body: { name, filter, scale = '' }, identity: { accountId } }) => {
    assertReadable(filter);
    const search = await db.transaction().execute(async (tx) => {
      await lockLivingAccount(tx, accountId);
      if ((await listSearches(tx, accountId)).length >= MAX_SAVED_SEARCHES)
        throw new AppError('collections.too-many-searches', { limit: MAX_SAVED_SEARCHES });
      return tx
        .insertInto('saved_search')
        .values({ account_id: accountId, name, filter: filter.trim(), scale, seen_release: lastRelease })
        .returning(SEARCH_COLUMNS)
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
      .returning(SEARCH_COLUMNS)
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

/** Bytes of a key: 128 bits cannot be guessed. */
const KEY_BYTES = 16;

/** Current id of a collected material. After a merge, two materials of a collection may share their id. */
const currentId = sql<number>`coalesce(retired_id.target_id, collection_item.struct_id)`;

const items = (db: Db) =>
  db
    .selectFrom('collection_item')
    .leftJoin('retired_id', 'retired_id.struct_id', 'collection_item.struct_id');

const stored = (db: Db) =>
  db
    .selectFrom('collection')
    .select(['id', 'account_id as accountId', 'name', 'note', 'share_key as shareKey'])
    .select(['release_id as releaseId', 'created_at as createdAt', 'updated_at as updatedAt'])
    .select(
      items(db)
        .select(sql<number>`count(DISTINCT ${currentId})::int`.as('n'))
        .where('collection_id', '=', sql.ref<number>('collection.id'))
        .$asScalar()
        .$notNull()
        .as('count'),
    );

type CollectionRow = Awaited<ReturnType<ReturnType<typeof stored>['executeTakeFirstOrThrow']>>;

const listOf = (db: Db, accountId: number): Promise<CollectionRow[]> =>
  stored(db)
    .where('account_id', '=', accountId)
    .orderBy('updated_at', 'desc')
    .orderBy('id', 'desc')
    .execute();

/** @throws AppError collections.not-found if it does not exist or belongs to another account */
async function ownCollection(db: Db, accountId: number, id: number): Promise<CollectionRow> {
  const row = await stored(db).where('id', '=', id).executeTakeFirst();
  if (row?.accountId !== accountId) throw new AppError('collections.not-found');
  return row;
}

async function structIdsOf(db: Db, id: number): Promise<number[]> {
  const found = await items(db)
    .select(currentId.as('id'))
    .where('collection_id', '=', id)
    .groupBy(currentId)
    .orderBy(({ fn }) => fn.min('added_at'))
    .orderBy(currentId)
    .execute();
  return found.map((item) => item.id);
}

const toCollection = (row: CollectionRow): Collection => ({
  id: row.id,
  name: row.name,
  note: row.note,
  share_key: row.shareKey,
  release: row.releaseId,
  count: row.count,
  created_at: row.createdAt.toISOString(),
  updated_at: row.updatedAt.toISOString(),
});

const detailOf = async (db: Db, row: CollectionRow, accountId: number): Promise<CollectionDetail> => ({
  ...toCollection(row),
  struct_ids: await structIdsOf(db, row.id),
  is_own: row.accountId === accountId,
});

async function update(
  db: Db,
  id: number,
  change: { readonly name?: string; readonly note?: string; readonly share_key?: string | null },
): Promise<void> {
  await db
    .updateTable('collection')
    .set({ ...change, updated_at: now })
    .where('id', '=', id)
    .execute();
}

/**
 * Adds missing materials and records the current release.
 * @throws AppError collections.unknown-material, collections.full
 */
async function addTo(db: Db, id: number, add: readonly number[]): Promise<void> {
  if (add.length === 0) return;
  const { rows } = await sql<{ given: number; id: number }>`
    SELECT given, struct_id AS id FROM unnest(${[...add]}::int[]) AS given
    JOIN material ON struct_id = current_struct_id(given)`.execute(db);
  const known = new Set(rows.map(({ given }) => given));
  const unknown = add.find((structId) => !known.has(structId));
  if (unknown !== undefined) throw new AppError('collections.unknown-material', { id: unknown });
  const count = new Set([...(await structIdsOf(db, id)), ...rows.map((row) => row.id)]).size;
  if (count > MAX_COLLECTED) throw new AppError('collections.full', { limit: MAX_COLLECTED, count });
  await db
    .insertInto('collection_item')
    .values(rows.map((row) => ({ collection_id: id, struct_id: row.id })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await db
    .updateTable('collection')
    .set({ updated_at: now, release_id: lastRelease })
    .where('id', '=', id)
    .execute();
}

export function collectionsFeature(app: FastifyInstance, { database }: Services): void {
  const { db, prisma } = database;

  /** Makes a change in a transaction, one at a time per account, and returns the changed collection. */
  const changed = (accountId: number, change: (tx: Db) => Promise<number>): Promise<CollectionDetail> =>
    db.transaction().execute(async (tx) => {
      // This keeps the limits under concurrent requests.
      await lockLivingAccount(tx, accountId);
      return detailOf(tx, await ownCollection(tx, accountId, await change(tx)), accountId);
    });

  serveCall(app, listCollections, async ({ identity: { accountId } }) => ({
    ...done,
    collections: (await listOf(db, accountId)).map(toCollection),
    searches: await listSearches(db, accountId),
  }));

  serveCall(app, getCollection, async ({ body, identity: { accountId } }) => {
    const row =
      'id' in body
        ? await ownCollection(db, accountId, body.id)
        : await stored(db).where('share_key', '=', body.key).executeTakeFirst();
    if (!row) throw new AppError('collections.not-found');
    return { ...done, collection: await detailOf(db, row, accountId) };
  });

  serveCall(app, saveCollection, async ({ body: { id, name, note, add = [] }, identity: { accountId } }) => ({
    ...done,
    collection: await changed(accountId, async (tx) => {
      if (id !== undefined) {
        await ownCollection(tx, accountId, id);
        await update(tx, id, { name, ...(note === undefined ? {} : { note }) });
        await addTo(tx, id, add);
        return id;
      }
      if ((await listOf(tx, accountId)).length >= MAX_COLLECTIONS)
        throw new AppError('collections.too-many', { limit: MAX_COLLECTIONS });
      const made = await tx
        .insertInto('collection')
        .values({ account_id: accountId, name, note: note ?? '' })
        .returning('id')
        .executeTakeFirstOrThrow();
      await addTo(tx, made.id, add);
      return made.id;
    }),
  }));

  serveCall(
    app,
    changeCollection,
    async ({ body: { id, add = [], remove = [] }, identity: { accountId } }) => ({
      ...done,
      collection: await changed(accountId, async (tx) => {
        await ownCollection(tx, accountId, id);
        if (remove.length > 0) {
          await tx
            .deleteFrom('collection_item')
            .where('collection_id', '=', id)
            .where(
              currentStructId(sql.ref<number>('struct_id')),
              '=',
              // The id of a merged material removes the material into which it was merged.
              sql<number>`ANY(SELECT current_struct_id(given) FROM unnest(${[...remove]}::int[]) AS given)`,
            )
            .execute();
          await update(tx, id, {});
        }
        await addTo(tx, id, add);
        return id;
      }),
    }),
  );

  // A collection that is already shared keeps its key.
  serveCall(app, shareCollection, async ({ body: { id, is_shared: isShared }, identity: { accountId } }) => {
    const { share_key } = await changed(accountId, async (tx) => {
      const { shareKey } = await ownCollection(tx, accountId, id);
      if (isShared !== (shareKey !== null))
        await update(tx, id, { share_key: isShared ? randomBytes(KEY_BYTES).toString('base64url') : null });
      return id;
    });
    return { ...done, share_key };
  });

  serveCall(app, removeCollection, async ({ body: { id }, identity: { accountId } }) => {
    const { count } = await prisma.collection.deleteMany({ where: { id, accountId } });
    if (count === 0) throw new AppError('collections.not-found');
    return done;
  });

  savedSearchRoutes(app, database);
}
