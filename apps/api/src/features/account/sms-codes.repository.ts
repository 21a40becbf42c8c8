/** Codes and confirmations: only SQL. */
import { sql } from 'kysely';
import type { Db } from '../../infra/database.ts';
import type { SmsPurpose } from '../../infra/sms/sms-provider.ts';
import { fromNow, now } from '../../infra/sql.ts';

/** Stores a code and burns the older ones of the phone and purpose. @returns its id */
export async function storeCode(
  db: Db,
  code: { mobile: string; purpose: SmsPurpose; hash: Buffer; lifetimeSeconds: number },
): Promise<number> {
  const { mobile, purpose, hash, lifetimeSeconds } = code;
  const { id } = await db
    .with('burnt', (of) =>
      of
        .updateTable('sms_code')
        .set({ consumed_at: now })
        .where('mobile', '=', mobile)
        .where('purpose', '=', purpose)
        .where('consumed_at', 'is', null),
    )
    .insertInto('sms_code')
    .values({ mobile, purpose, code_hash: hash, expires_at: fromNow(lifetimeSeconds) })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function deleteCode(db: Db, id: number): Promise<void> {
  await db.deleteFrom('sms_code').where('id', '=', id).execute();
}

/** The code that counts, locked until the transaction ends. */
export async function lockCode(db: Db, mobile: string, purpose: SmsPurpose) {
  return db
    .selectFrom('sms_code')
    .select(['id', 'code_hash', 'attempts'])
    .where('mobile', '=', mobile)
    .where('purpose', '=', purpose)
    .where('consumed_at', 'is', null)
    .where('expires_at', '>', now)
    .orderBy('id', 'desc')
    .limit(1)
    .forUpdate()
    .executeTakeFirst();
}

export async function countWrongTry(db: Db, id: number, isBurnt: boolean): Promise<void> {
  await db
    .updateTable('sms_code')
    .set({ attempts: sql`attempts + 1`, ...(isBurnt ? { consumed_at: now } : {}) })
    .where('id', '=', id)
    .execute();
}

/** Uses a code up and stores the confirmation it is exchanged for. */
export async function exchangeCode(
  db: Db,
  codeId: number,
  token: {
    hash: Buffer;
    mobile: string;
    purpose: SmsPurpose;
    accountId: number | null;
    lifetimeSeconds: number;
  },
): Promise<void> {
  const { hash, mobile, purpose, accountId, lifetimeSeconds } = token;
  await db.updateTable('sms_code').set({ consumed_at: now }).where('id', '=', codeId).execute();
  await db
    .insertInto('sms_token')
    .values({
      token_hash: hash,
      mobile,
      purpose,
      account_id: accountId,
      expires_at: fromNow(lifetimeSeconds),
    })
    .execute();
}

/** Uses a confirmation up, if it is one of that purpose (and phone, and account, where they are named). */
export async function consumeToken(
  db: Db,
  token: { hash: Buffer; purpose: SmsPurpose; mobile?: string | undefined; accountId?: number | undefined },
) {
  const { hash, purpose, mobile, accountId } = token;
  return db
    .updateTable('sms_token')
    .set({ consumed_at: now })
    .where('token_hash', '=', hash)
    .where('purpose', '=', purpose)
    .where('consumed_at', 'is', null)
    .where('expires_at', '>', now)
    .$if(mobile !== undefined, (query) => query.where('mobile', '=', mobile!))
    .$if(accountId !== undefined, (query) => query.where('account_id', '=', accountId!))
    .returning(['mobile', 'created_at as confirmedAt'])
    .executeTakeFirst();
}
