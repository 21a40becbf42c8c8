/** Keys of programs: only SQL. */
import { sql } from 'kysely';
import type { Db } from '../../infra/database.ts';
import { fromNow, now } from '../../infra/sql.ts';

/** `last_used_at` is written at most this often, in seconds. */
const TOUCH_SECONDS = 60;

export interface StoredApiKey {
  readonly accountId: number;
  readonly label: string;
  readonly prefix: string;
  readonly keyHash: Buffer;
  readonly scopes: readonly string[];
  readonly ratePerMinute: number;
  readonly expiresAt: Date;
}

export type ApiKeyRow = Awaited<ReturnType<ReturnType<typeof apiKeysRepository>['list']>>[number];

export function apiKeysRepository(db: Db) {
  return {
    async insert(key: StoredApiKey): Promise<number> {
      const { id } = await db
        .insertInto('api_key')
        .values({
          account_id: key.accountId,
          label: key.label,
          prefix: key.prefix,
          key_hash: key.keyHash,
          scopes: [...key.scopes],
          rate_per_minute: key.ratePerMinute,
          expires_at: key.expiresAt,
        })
        .returning('id')
        .executeTakeFirstOrThrow();
      return id;
    },

    async list(accountId?: number) {
      return db
        .selectFrom('api_key')
        .innerJoin('account', 'account.id', 'api_key.account_id')
        .select(['api_key.id', 'account_id as accountId', 'label', 'prefix', 'scopes'])
        .select(sql<string>`coalesce(nullif(account.name, ''), account.username)`.as('account'))
        .select('rate_per_minute as ratePerMinute')
        .select(['api_key.created_at as createdAt', 'expires_at as expiresAt'])
        .select(['last_used_at as lastUsedAt', 'revoked_at as revokedAt'])
        .$if(accountId !== undefined, (query) => query.where('account_id', '=', accountId!))
        .orderBy('api_key.id')
        .execute();
    },

    /** @returns the account whose key it was; null when there is no such key or it has ended */
    async revoke(id: number, accountId?: number): Promise<number | null> {
      const revoked = await db
        .updateTable('api_key')
        .set({ revoked_at: now })
        .where('id', '=', id)
        .where('revoked_at', 'is', null)
        .$if(accountId !== undefined, (query) => query.where('account_id', '=', accountId!))
        .returning('account_id')
        .executeTakeFirst();
      return revoked?.account_id ?? null;
    },

    async byHash(hash: Buffer) {
      return db
        .selectFrom('api_key')
        .innerJoin('account', 'account.id', 'api_key.account_id')
        .select(['api_key.id', 'account_id as accountId', 'user_type as userType', 'scopes'])
        .select('rate_per_minute as ratePerMinute')
        .select((at) => at('api_key.expires_at', '<', now).as('isOver'))
        .select((at) =>
          at
            .or([at('last_used_at', 'is', null), at('last_used_at', '<', fromNow(-TOUCH_SECONDS))])
            .as('isStale'),
        )
        .where('key_hash', '=', hash)
        .where('revoked_at', 'is', null)
        .where('account.deleted_at', 'is', null)
        .where('account.blocked_at', 'is', null)
        .executeTakeFirst();
    },

    async touch(id: number): Promise<void> {
      await db.updateTable('api_key').set({ last_used_at: now }).where('id', '=', id).execute();
    },
  };
}
