/** The rules of collections: whose they are, how many, how large, and who else may read one. */
import { randomBytes } from 'node:crypto';
import {
  type CallRequest,
  type changeCollection,
  type Collection,
  type CollectionDetail,
  MAX_COLLECTED,
  MAX_COLLECTIONS,
  type saveCollection,
} from '@unitcell/contract';
import { lockLivingAccount } from '../../domain/living-account.ts';
import type { Db } from '../../infra/database.ts';
import { AppError } from '../../messages/app-error.ts';
import type { CollectionRow, CollectionsRepository } from './collections.repository.ts';

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

export function collections(db: Db, repositoryOf: (db: Db) => CollectionsRepository) {
  const stored = repositoryOf(db);

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
      const own = repositoryOf(tx);
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

    async remove(accountId: number, id: number): Promise<void> {
      await assertOwn(accountId, id);
      await stored.remove(id);
    },
  };
}
