/**
 * A database of one connection in one transaction: what works with a pool works with it, and all of it is kept or none. Its own
 * transactions become savepoints, one at a time.
 */
import { Kysely, PostgresDialect } from 'kysely';
import type pg from 'pg';
import type { DB } from '../generated/tables/tables.ts';
import type { Database } from './database.ts';

export type TransactionDatabase = Pick<Database, 'db' | 'readDb' | 'pool' | 'readPool'>;

/** Statements that begin and end a transaction, whoever wrote them. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/^\s*(?:begin|start transaction)\b/i, 'SAVEPOINT inner_transaction'],
  [/^\s*commit\b/i, 'RELEASE SAVEPOINT inner_transaction'],
  [/^\s*rollback\b/i, 'ROLLBACK TO SAVEPOINT inner_transaction'],
];

type Query = (...given: readonly unknown[]) => Promise<unknown>;

/** @param work what it throws, and `false`, roll everything back */
export async function inOneTransaction(
  pool: pg.Pool,
  work: (database: TransactionDatabase) => Promise<boolean>,
): Promise<void> {
  const client = await pool.connect();
  const send: Query = client.query.bind(client) as Query;
  /** Whoever holds the savepoint; the next one waits for it. */
  let turn: Promise<void> = Promise.resolve();

  function borrowed(): pg.PoolClient {
    let end: (() => void) | null = null;
    const finish = (): void => {
      end?.();
      end = null;
    };
    const query: Query = async (given, ...rest) => {
      const text = typeof given === 'string' ? given : (given as { readonly text?: string }).text;
      const word = text === undefined ? -1 : WORDS.findIndex(([pattern]) => pattern.test(text));
      if (word === -1) return send(given, ...rest);
      if (word === 0) {
        const before = turn;
        turn = new Promise((resolve) => {
          end = resolve;
        });
        await before;
      }
      try {
        return await send(WORDS[word]![1]);
      } finally {
        if (word !== 0) finish();
      }
    };
    return Object.assign(Object.create(client) as pg.PoolClient, { query, release: finish });
  }

  const facade = {
    connect: async () => borrowed(),
    query: send,
    end: async () => undefined,
  } as unknown as pg.Pool;
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool: facade }) });
  try {
    await client.query('BEGIN');
    const isKept = await work({ db, readDb: db, pool: facade, readPool: facade });
    await client.query(isKept ? 'COMMIT' : 'ROLLBACK');
    client.release();
  } catch (error) {
    // Closing the connection rolls back, whatever state it is in.
    client.release(true);
    throw error;
  }
}
