/** Collections and what is in them: only SQL. */
import { sql } from 'kysely';
import type { Db } from '../../infra/database.ts';
import { anyOf, now } from '../../infra/sql.ts';

export type CollectionsRepository = ReturnType<typeof collectionsRepository>;
export type CollectionRow = NonNullable<Awaited<ReturnType<CollectionsRepository['byId']>>>;

export function collectionsRepository(db: Db) {
  const rows = db
    .selectFrom('collection')
    .select(['id', 'account_id as accountId', 'name', 'note', 'share_key as shareKey'])
    .select(['release_id as releaseId', 'created_at as createdAt', 'updated_at as updatedAt'])
    .select(
      sql<number>`(SELECT count(*)::int FROM collection_item WHERE collection_id = collection.id)`.as(
        'count',
      ),
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

    async remove(id: number): Promise<void> {
      await db.deleteFrom('collection').where('id', '=', id).execute();
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
        .set(({ selectFrom }) => ({
          updated_at: now,
          release_id: selectFrom('release')
            .select(({ fn }) => fn.max('id').as('id'))
            .where('finished_at', 'is not', null),
        }))
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
