/** Budgets shared by all processes: one token bucket per key, stored in PostgreSQL (table rate_bucket). */
import { sql } from 'kysely';
import type { Db } from './database.ts';
import { columnsOf, now } from './sql.ts';

export interface Budget {
  /** Tokens in a full bucket: the largest burst. */
  readonly capacity: number;
  /** Seconds in which an empty bucket refills. */
  readonly refillSeconds: number;
}

export interface Spent {
  readonly allowed: boolean;
  /** Whole tokens left. */
  readonly left: number;
  /** Seconds until a token is available; 0 when allowed. */
  readonly retryAfterSeconds: number;
}

const bucket = columnsOf('rate_bucket');

/** The current content of a bucket, which refills continuously. */
const refilled = (budget: Budget) =>
  sql<number>`least(${budget.capacity}::float8, greatest(${bucket('tokens')}, 0)
    + extract(epoch FROM now() - ${bucket('updated_at')}) * ${budget.capacity / budget.refillSeconds}::float8)`;

/**
 * Takes one token from the bucket `key` in one atomic statement, so two processes never spend the same token.
 * A new bucket is full.
 */
export async function spendToken(db: Db, key: string, budget: Budget): Promise<Spent> {
  const taken = await db
    .insertInto('rate_bucket')
    .values({ key, tokens: budget.capacity - 1, updated_at: now })
    .onConflict((conflict) =>
      conflict
        .column('key')
        .doUpdateSet({ tokens: sql`${refilled(budget)} - 1`, updated_at: now })
        .where(refilled(budget), '>=', 1),
    )
    .returning('tokens')
    .executeTakeFirst();
  if (taken) return { allowed: true, left: Math.floor(taken.tokens), retryAfterSeconds: 0 };
  const missing = 1 - (await tokensLeft(db, key, budget));
  return {
    allowed: false,
    left: 0,
    retryAfterSeconds: Math.max(1, Math.ceil((missing * budget.refillSeconds) / budget.capacity)),
  };
}

/** Tokens available now. */
export async function tokensLeft(db: Db, key: string, budget: Budget): Promise<number> {
  const left = await db
    .selectFrom('rate_bucket')
    .select(refilled(budget).as('tokens'))
    .where('key', '=', key)
    .executeTakeFirst();
  return left?.tokens ?? budget.capacity;
}

/** Returns one token after a failure that the caller did not cause. */
export async function refundToken(db: Db, key: string, budget: Budget): Promise<void> {
  await db
    .updateTable('rate_bucket')
    .set({ tokens: sql`least(${budget.capacity}::float8, ${bucket('tokens')} + 1)` })
    .where('key', '=', key)
    .execute();
}
