/** The database: one pool for SQL, one for reads that a replica may serve, and the Prisma client on the first pool. */
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from '../generated/prisma/client.ts';
import type { Config } from '../config.ts';
import { atMost } from './at-most.ts';

export interface Database {
  readonly pool: pg.Pool;
  /** Serves searches; the same pool unless DATABASE_READ_URL names a replica. */
  readonly readPool: pg.Pool;
  readonly prisma: PrismaClient;
  close(): Promise<void>;
}

/** Anything SQL can be sent to: a pool, or a client inside a transaction. */
export type Queryable = Pick<pg.PoolClient, 'query'>;

/** Connections one process may hold. Two api processes, a worker and the queue stay below PostgreSQL's default of 100. */
const POOL_SIZE = 12;
/** A request that waits this long for a connection is better told so than kept. */
const CONNECTION_TIMEOUT_MS = 10_000;

/** Silence after which a connection is probed. */
const KEEP_ALIVE_MS = 10_000;

/** Longest wait for connections to be given back when a process stops. */
const CLOSE_MILLISECONDS = 5_000;

function openPool(connectionString: string, onError: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    max: POOL_SIZE,
    connectionTimeoutMillis: CONNECTION_TIMEOUT_MS,
    // A server whose host went away without a word is noticed by the operating system, not by a query that waits for ever.
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  });
  // An idle connection that breaks (server restart) raises here; the pool replaces it by itself.
  pool.on('error', onError);
  // So does one that is in use but between two queries, and nobody else would hear it: the process would end.
  pool.on('connect', (client) => client.on('error', onError));
  return pool;
}

export function openDatabase(
  config: Pick<Config, 'databaseUrl' | 'databaseReadUrl'>,
  onError: (error: Error) => void,
): Database {
  const pool = openPool(config.databaseUrl, onError);
  const readPool =
    config.databaseReadUrl === config.databaseUrl ? pool : openPool(config.databaseReadUrl, onError);
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
  return {
    pool,
    readPool,
    prisma,
    async close() {
      // A question that is still being answered (or a host that went silent) does not keep a process from stopping.
      await atMost(CLOSE_MILLISECONDS, prisma.$disconnect());
      const pools = readPool === pool ? [pool] : [readPool, pool];
      await atMost(CLOSE_MILLISECONDS, Promise.all(pools.map((each) => each.end())));
    },
  };
}

/** Runs `work` in one transaction on one connection; rolls back when it throws. */
export async function inTransaction<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('BEGIN');
    const result = await work(client);
    await client.query('COMMIT');
    return result;
  } catch (error) {
    await client.query('ROLLBACK').catch((rollbackError: Error) => {
      broken = rollbackError;
    });
    throw error;
  } finally {
    client.release(broken);
  }
}
