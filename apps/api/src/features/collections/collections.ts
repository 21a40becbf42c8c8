/** Collections and what is in them. */
import { randomBytes } from 'node:crypto';
import {
  type changeCollection,
  type Collection,
  type CollectionDetail,
  MAX_COLLECTED,
  MAX_COLLECTIONS,
  type saveCollection,
} from '@unitcell/contract/collections';
import type { CallRequest } from '@unitcell/contract/define-call';
import { sql } from 'kysely';
import { lockLivingAccount } from '../../domain/living-account.ts';
import type { Database, Db } from '../../infra/database.ts';
import { anyOf, lastRelease, now } from '../../infra/sql.ts';
import { AppError } from '../../messages/app-error.ts';

type CollectionsRepository = ReturnType<typeof collectionsRepository>;
type CollectionRow = NonNullable<Awaited<ReturnType<CollectionsRepository['byId']>>>;

function collectionsRepository(db: Db) {
  const rows = db
    .selectFrom('collection')
    .select(['id', 'account_id as accountId', 'name', 'note', 'share_key as shareKey'])
    .select(['release_id as releaseId', 'created_at as createdAt', 'updated_at as updatedAt'])
    .select(({ selectFrom }) =>
      selectFrom('collection_item')
        .select(sql<number>`count(*)::int`.as('n'))
        .whereRef('collection_id', '=', 'collection.id')
        .$asScalar()
        .$notNull()
        .as('count'),
    );
  return {
    list: (accountId: number) =>
      rows.where('account_id', '=', accountId).orderBy('updated_at', 'desc').orderBy('id', 'desc').execute(),

    byId: (id: number) => rows.where('id', '=', id).executeTakeFirst(),

    byShareKey: (key: string) => rows.where('share_key', '=', key).executeTakeFirst(),

    async structIds(id: number): Promise<number[]> {
      const items = await db
        .selectFrom('collection_item')
        .select('struct_id')
        .where('collection_id', '=', id)
        .orderBy('added_at')
        .orderBy('struct_id')
        .execute();
      return items.map(({ struct_id }) => struct_id);
    },

    async insert(accountId: number, name: string, note: string): Promise<number> {
      const { id } = await db
        .insertInto('collection')
        .values({ account_id: accountId, name, note })
        .returning('id')
        .executeTakeFirstOrThrow();
      return id;
    },

    async update(
      id: number,
      change: { readonly name?: string; readonly note?: string; readonly share_key?: string | null },
    ): Promise<void> {
      await db
        .updateTable('collection')
        .set({ ...change, updated_at: now })
        .where('id', '=', id)
        .execute();
    },

    /** The first of these numbers that no material has; null when all are there. */
    async firstUnknown(structIds: readonly number[]): Promise<number | null> {
      const known = await db
        .selectFrom('material')
        .select('struct_id')
        .where('struct_id', '=', anyOf(structIds, 'int'))
        .execute();
      const ids = new Set(known.map(({ struct_id }) => struct_id));
      return structIds.find((id) => !ids.has(id)) ?? null;
    },

    /** Adds what is not there yet, and notes the release it was added at. */
    async add(id: number, structIds: readonly number[]): Promise<void> {
      await db
        .insertInto('collection_item')
        .values(structIds.map((structId) => ({ collection_id: id, struct_id: structId })))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      await db
        .updateTable('collection')
        .set({ updated_at: now, release_id: lastRelease })
        .where('id', '=', id)
        .execute();
    },

    async takeOut(id: number, structIds: readonly number[]): Promise<void> {
      await db
        .deleteFrom('collection_item')
        .where('collection_id', '=', id)
        .where('struct_id', '=', anyOf(structIds, 'int'))
        .execute();
      await db.updateTable('collection').set({ updated_at: now }).where('id', '=', id).execute();
    },
  };
}

// ── The rules ──

/** 128 bits: not to be guessed. */
const KEY_BYTES = 16;

export type Collections = ReturnType<typeof collections>;

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

export function collections({ db, prisma }: Database) {
  const stored = collectionsRepository(db);

  /** @throws AppError collections.not-found, whether it does not exist or is somebody else's */
  async function assertOwn(accountId: number, id: number, from = stored): Promise<CollectionRow> {
    const row = await from.byId(id);
    if (row?.accountId !== accountId) throw new AppError('collections.not-found');
    return row;
  }

  const detailOf = async (
    row: CollectionRow,
    accountId: number,
    from = stored,
  ): Promise<CollectionDetail> => ({
    ...toCollection(row),
    struct_ids: await from.structIds(row.id),
    is_own: row.accountId === accountId,
  });

  /** Runs alone among the changes of the account, whole or not at all, and answers the collection it leaves. */
  const changed = (
    accountId: number,
    change: (own: CollectionsRepository) => Promise<number>,
  ): Promise<CollectionDetail> =>
    db.transaction().execute(async (tx) => {
      const own = collectionsRepository(tx);
      // Its limits hold, however many come at once.
      await lockLivingAccount(tx, accountId);
      const id = await change(own);
      return detailOf(await assertOwn(accountId, id, own), accountId, own);
    });

  /** @throws AppError collections.unknown-material, collections.full */
  async function addTo(own: CollectionsRepository, id: number, add: readonly number[]): Promise<void> {
    if (add.length === 0) return;
    const unknown = await own.firstUnknown(add);
    if (unknown !== null) throw new AppError('collections.unknown-material', { id: unknown });
    const count = new Set([...(await own.structIds(id)), ...add]).size;
    if (count > MAX_COLLECTED) throw new AppError('collections.full', { limit: MAX_COLLECTED, count });
    await own.add(id, add);
  }

  return {
    list: async (accountId: number) => (await stored.list(accountId)).map(toCollection),

    own: async (accountId: number, id: number) => detailOf(await assertOwn(accountId, id), accountId),

    /** @throws AppError collections.not-found */
    async shared(accountId: number, key: string): Promise<CollectionDetail> {
      const row = await stored.byShareKey(key);
      if (!row) throw new AppError('collections.not-found');
      return detailOf(row, accountId);
    },

    /** @throws AppError collections.* */
    save: (accountId: number, { id, name, note, add = [] }: CallRequest<typeof saveCollection>) =>
      changed(accountId, async (own) => {
        if (id !== undefined) {
          await assertOwn(accountId, id, own);
          await own.update(id, { name, ...(note === undefined ? {} : { note }) });
          await addTo(own, id, add);
          return id;
        }
        if ((await own.list(accountId)).length >= MAX_COLLECTIONS)
          throw new AppError('collections.too-many', { limit: MAX_COLLECTIONS });
        const made = await own.insert(accountId, name, note ?? '');
        await addTo(own, made, add);
        return made;
      }),

    /** @throws AppError collections.* */
    change: (accountId: number, { id, add = [], remove = [] }: CallRequest<typeof changeCollection>) =>
      changed(accountId, async (own) => {
        await assertOwn(accountId, id, own);
        if (remove.length > 0) await own.takeOut(id, remove);
        await addTo(own, id, add);
        return id;
      }),

    /** @returns the key; a collection that is shared already keeps its own */
    async share(accountId: number, id: number, isShared: boolean): Promise<string | null> {
      const { share_key: key } = await changed(accountId, async (own) => {
        const { shareKey } = await assertOwn(accountId, id, own);
        if (isShared !== (shareKey !== null))
          await own.update(id, {
            share_key: isShared ? randomBytes(KEY_BYTES).toString('base64url') : null,
          });
        return id;
      });
      return key;
    },

    /** @throws AppError collections.not-found */
    async remove(accountId: number, id: number): Promise<void> {
      const { count } = await prisma.collection.deleteMany({ where: { id, accountId } });
      if (count === 0) throw new AppError('collections.not-found');
    },
  };
}
