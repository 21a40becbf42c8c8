/** Budgets shared by all processes: one token bucket per key, stored in PostgreSQL (table rate_bucket). */
import { type RawBuilder, sql } from 'kysely';
import type { Db } from './database.ts';
import { columnsOf } from './sql.ts';

export interface Budget {
  /** Tokens in a full bucket: the largest burst. */
  readonly capacity: number;
  /** Seconds in which an empty bucket refills. */
  readonly refillSeconds: number;
}

/** One token of the bucket `key`. */
export interface Charge {
  readonly key: string;
  readonly budget: Budget;
}

export interface Spent {
  readonly allowed: boolean;
  /** Whole tokens left. */
  readonly left: number;
  /** Seconds until a token is available; 0 when allowed. */
  readonly retryAfterSeconds: number;
}

const bucket = columnsOf('rate_bucket');

/** Charges as a table with the columns key, capacity, refill and place. */
const charged = (charges: readonly Charge[]) =>
  sql`unnest(
    ${charges.map(({ key }) => key)}::text[],
    ${charges.map(({ budget }) => budget.capacity)}::float8[],
    ${charges.map(({ budget }) => budget.refillSeconds)}::float8[]
  ) WITH ORDINALITY AS charge (key, capacity, refill, place)`;

/** The current content of a bucket, which refills continuously. */
const refilled = (capacity: RawBuilder<number>, refillSeconds: RawBuilder<number>) =>
  sql<number>`least(${capacity}, greatest(${bucket('tokens')}, 0)
    + extract(epoch FROM now() - ${bucket('updated_at')}) * ${capacity} / ${refillSeconds})`;

const content = refilled(sql`capacity`, sql`refill`);

/** For a bucket that exists; `excluded` is the row of a new one. */
const contentToSpend = refilled(
  sql`(excluded.tokens + 1)`,
  sql`(SELECT refill FROM charge WHERE charge.key = ${bucket('key')})`,
);

/**
 * Takes a token from each bucket, or from none if one is seen to be empty, in one atomic statement, so two
 * processes never spend the same token. A new bucket is full. Rows are locked in the order of the charges, so
 * requests whose charges have one order cannot deadlock.
 * @returns the tokens left by key, without buckets that another request emptied meanwhile
 */
async function takeTokens(db: Db, charges: readonly Charge[]): Promise<ReadonlyMap<string, number>> {
  const { rows } = await sql<{ key: string; tokens: number }>`
    WITH charge AS MATERIALIZED (SELECT * FROM ${charged(charges)})
    INSERT INTO rate_bucket (key, tokens, updated_at)
    SELECT key, capacity - 1, now() FROM charge
    WHERE NOT EXISTS (SELECT FROM charge JOIN rate_bucket USING (key) WHERE ${content} < 1)
    ORDER BY place
    ON CONFLICT (key) DO UPDATE SET tokens = ${contentToSpend} - 1, updated_at = now()
    WHERE ${contentToSpend} >= 1
    RETURNING ${bucket('key')}, ${bucket('tokens')}`.execute(db);
  return new Map(rows.map(({ key, tokens }) => [key, tokens]));
}

/** Tokens available now, by charge. */
export async function tokensLeft(db: Db, charges: readonly Charge[]): Promise<number[]> {
  const { rows } = await sql<{ tokens: number }>`
    SELECT coalesce(${content}, capacity) AS tokens
    FROM ${charged(charges)} LEFT JOIN rate_bucket USING (key) ORDER BY place`.execute(db);
  return rows.map(({ tokens }) => tokens);
}

/** The first charge whose bucket is empty, and the seconds until it has a token. */
export function firstEmpty<Any extends Charge>(charges: readonly Any[], left: readonly number[]) {
  const place = left.findIndex((tokens) => tokens < 1);
  const charge = charges[place];
  if (!charge) return null;
  const { capacity, refillSeconds } = charge.budget;
  const missing = 1 - left[place]!;
  return { charge, retryAfterSeconds: Math.max(1, Math.ceil((missing * refillSeconds) / capacity)) };
}

/** Takes a token from each bucket, or from none. @returns the charge that could not be made, if any */
export async function spendTokens<Any extends Charge>(db: Db, charges: readonly Any[]) {
  const taken = await takeTokens(db, charges);
  if (taken.size === charges.length) return null;
  for (const { key, budget } of charges) if (taken.has(key)) await refundToken(db, key, budget);
  const charge = charges.find(({ key }) => !taken.has(key))!;
  return firstEmpty(charges, await tokensLeft(db, charges)) ?? { charge, retryAfterSeconds: 1 };
}

/** Takes one token from the bucket `key`. */
export async function spendToken(db: Db, key: string, budget: Budget): Promise<Spent> {
  const charge = { key, budget };
  const left = (await takeTokens(db, [charge])).get(key);
  if (left !== undefined) return { allowed: true, left: Math.floor(left), retryAfterSeconds: 0 };
  const { retryAfterSeconds = 1 } = firstEmpty([charge], await tokensLeft(db, [charge])) ?? {};
  return { allowed: false, left: 0, retryAfterSeconds };
}

/** Returns one token after a failure that the caller did not cause. */
export async function refundToken(db: Db, key: string, budget: Budget): Promise<void> {
  await db
    .updateTable('rate_bucket')
    .set({ tokens: sql`least(${budget.capacity}::float8, ${bucket('tokens')} + 1)` })
    .where('key', '=', key)
    .execute();
}
