/** Budgets shared by all processes: a token bucket per key, kept in PostgreSQL (table rate_bucket). */
import type { Queryable } from './database.ts';

export interface Budget {
  /** Tokens a full bucket holds: how many may be spent at once. */
  readonly capacity: number;
  /** Seconds in which an empty bucket fills up. */
  readonly refillSeconds: number;
}

export interface Spent {
  readonly allowed: boolean;
  /** Seconds until one token is there; 0 when allowed. */
  readonly retryAfterSeconds: number;
}

/**
 * Takes one token from the bucket `key`, in one atomic statement: two processes never spend the same token.
 * The bucket refills continuously; a new key starts full.
 */
export async function spendToken(db: Queryable, key: string, budget: Budget): Promise<Spent> {
  const perSecond = budget.capacity / budget.refillSeconds;
  const { rows } = await db.query<{ tokens: number }>(
    `INSERT INTO rate_bucket AS bucket (key, tokens, updated_at) VALUES ($1, $2::float8 - 1, now())
     ON CONFLICT (key) DO UPDATE SET
       tokens = least($2::float8, greatest(bucket.tokens, 0)
                + extract(epoch FROM now() - bucket.updated_at) * $3::float8) - 1,
       updated_at = now()
     WHERE least($2::float8, greatest(bucket.tokens, 0)
                + extract(epoch FROM now() - bucket.updated_at) * $3::float8) >= 1
     RETURNING tokens`,
    [key, budget.capacity, perSecond],
  );
  if (rows.length > 0) return { allowed: true, retryAfterSeconds: 0 };
  const { rows: left } = await db.query<{ missing: number }>(
    `SELECT 1 - (tokens + extract(epoch FROM now() - updated_at) * $2::float8) AS missing FROM rate_bucket WHERE key = $1`,
    [key, perSecond],
  );
  return {
    allowed: false,
    retryAfterSeconds: Math.max(1, Math.ceil((left[0]?.missing ?? 1) / perSecond)),
  };
}

/** Gives one token back: for a service that failed through no fault of the person who asked. */
export async function refundToken(db: Queryable, key: string, budget: Budget): Promise<void> {
  await db.query('UPDATE rate_bucket SET tokens = least($2::float8, tokens + 1) WHERE key = $1', [
    key,
    budget.capacity,
  ]);
}
