/** Budgets shared by all processes: one token bucket per key, stored in PostgreSQL (table rate_bucket). */
import { type RawBuilder, sql } from 'kysely';
import type { Db } from './database.ts';
import { columnsOf, prepared } from './sql.ts';

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
  /** Tokens that the bucket must hold; default 1. */
  readonly least?: number;
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
const refilled = (capacity: RawBuilder<number>, refillSeconds: RawBuilder<number>) =>
  sql<number>`least(${capacity}, greatest(${bucket('tokens')}, 0)
    + extract(epoch FROM now() - ${bucket('updated_at')}) * ${capacity} / ${refillSeconds})`;

/**
 * Charges as a query with the columns key, capacity, refill, least and place, and the tokens available now,
 * `held`. A subquery for each charge is planned faster than a join, and always uses the index.
 */
const charged = (charges: RawBuilder<string>) => sql`
  SELECT charge.*, coalesce((
    SELECT ${refilled(sql`capacity`, sql`refill`)} FROM rate_bucket WHERE ${bucket('key')} = charge.key
  ), capacity) AS held
  FROM ROWS FROM (
    jsonb_to_recordset(${charges}::jsonb) AS (key text, capacity float8, refill float8, least float8)
  ) WITH ORDINALITY AS charge (key, capacity, refill, least, place)`;

const toJson = (charges: readonly Charge[]): string =>
  JSON.stringify(
    charges.map(({ key, budget: { capacity, refillSeconds }, least = 1 }) => ({
      key,
      capacity,
      refill: refillSeconds,
      least,
    })),
  );

/** The current content of a bucket that exists; `excluded` is the row that a new bucket would get. */
const contentToSpend = refilled(
  sql`(excluded.tokens + 1)`,
  sql`(SELECT refill FROM charge WHERE charge.key = ${bucket('key')})`,
);

/**
 * Takes a token from each bucket, or from none if one is seen to hold too few, in one atomic statement, so two
 * processes never spend the same token. A new bucket is full. Rows are locked in the order of the charges, so
 * requests whose charges have one order cannot deadlock.
 * @returns for each charge the tokens before (0 if another request emptied the bucket meanwhile) and those
 *   left (null if none was taken)
 */
async function takeTokens(db: Db, charges: readonly Charge[]) {
  const rows = await take(db, toJson(charges));
  const isRaced = rows.every(({ held }, i) => held >= (charges[i]?.least ?? 1));
  return rows.map(({ held, left }) => ({ held: isRaced && left === null ? 0 : held, left }));
}

const take = prepared(
  'bucket-take',
  (_, charges: RawBuilder<string>) => sql<{ held: number; left: number | null }>`
    WITH charge AS MATERIALIZED (${charged(charges)}),
    taken AS (
      INSERT INTO rate_bucket (key, tokens, updated_at)
      SELECT key, capacity - 1, now() FROM charge
      WHERE NOT EXISTS (SELECT FROM charge WHERE held < least)
      ORDER BY place
      ON CONFLICT (key) DO UPDATE SET tokens = ${contentToSpend} - 1, updated_at = now()
      WHERE ${contentToSpend} >= 1
      RETURNING ${bucket('key')}, ${bucket('tokens')}
    )
    SELECT held, (SELECT tokens FROM taken WHERE taken.key = charge.key) AS left FROM charge ORDER BY place`,
);

/** Tokens available now, by charge. */
export async function tokensLeft(db: Db, charges: readonly Charge[]): Promise<number[]> {
  const { rows } = await sql<{ held: number }>`
    SELECT held FROM (${charged(sql`${toJson(charges)}`)}) AS charge ORDER BY place`.execute(db);
  return rows.map(({ held }) => held);
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

/**
 * Takes a token from each bucket, or from none.
 * @returns null if they were taken; otherwise the tokens of each bucket
 */
export async function spendTokens(db: Db, charges: readonly Charge[]): Promise<number[] | null> {
  const found = await takeTokens(db, charges);
  if (found.every(({ left }) => left !== null)) return null;
  for (const { key, budget } of charges.filter((_, i) => found[i]!.left !== null))
    await refundToken(db, key, budget);
  return found.map(({ held }) => held);
}

export async function spendToken(db: Db, key: string, budget: Budget): Promise<Spent> {
  const charge = { key, budget };
  const [found = { held: 0, left: null }] = await takeTokens(db, [charge]);
  if (found.left !== null) return { allowed: true, left: Math.floor(found.left), retryAfterSeconds: 0 };
  const { retryAfterSeconds = 1 } = firstEmpty([charge], [found.held]) ?? {};
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
