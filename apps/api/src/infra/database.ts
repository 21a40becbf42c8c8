/**
 * The database: SQL checked against the schema (Kysely, with tables generated from schema.prisma), a second pool for reads
 * that a replica may serve, and the Prisma client for plain CRUD.
 */
import { PrismaPg } from '@prisma/adapter-pg';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import type { Config } from '../config/config.ts';
import type { Limits } from '../config/limits.ts';
import { PrismaClient } from '../generated/prisma/client.ts';
import type { DB } from '../generated/tables/tables.ts';
import { databaseTrouble } from './database-trouble.ts';
import { atMost } from './process.ts';
import { traceSql, type Tracing } from './tracing/tracing.ts';

/** The pool of a read replica. While the replica is away the primary serves, so that no reader meets it. */
const LOOK_AGAIN_MILLISECONDS = 5_000;

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

/** A name that is not known is as good as a server that does not answer. */
const isAway = (error: unknown): boolean =>
  databaseTrouble(error) === 'away' ||
  /ENOTFOUND|EAI_AGAIN/.test(String((error as { code?: unknown })?.code));

interface ReadPoolOptions {
  readonly replica: pg.PoolConfig;
  readonly primary: pg.Pool;
  /** Told when it goes and when it is back. */
  readonly onChange: (isAway: boolean, error?: Error) => void;
}

/** Connections to the replica; from the moment one is refused until one is made again, those of the primary. */
class ReadPool extends pg.Pool {
  private looking: NodeJS.Timeout | undefined;
  private readonly primary: pg.Pool;
  private readonly onChange: ReadPoolOptions['onChange'];

  constructor({ replica, primary, onChange }: ReadPoolOptions) {
    super(replica);
    this.primary = primary;
    this.onChange = onChange;
  }

  private async take(): Promise<pg.PoolClient> {
    if (this.looking) return this.primary.connect();
    try {
      return await super.connect();
    } catch (error) {
      if (!isAway(error)) throw error;
      if (!this.looking) {
        this.onChange(true, error as Error);
        this.lookAgain();
      }
      return this.primary.connect();
    }
  }

  /** Nobody waits for a replica that is away: it is asked aside. */
  private lookAgain(): void {
    this.looking = setTimeout(() => void this.look(), LOOK_AGAIN_MILLISECONDS).unref();
  }

  private async look(): Promise<void> {
    try {
      (await super.connect()).release();
      this.looking = undefined;
      this.onChange(false);
    } catch {
      if (!this.ended) this.lookAgain();
    }
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(callback: Connected): void;
  override connect(callback?: Connected): Promise<pg.PoolClient> | void {
    const taken = this.take();
    if (!callback) return taken;
    void this.hand(taken, callback);
  }

  /** What the pool's own `query` asks for. */
  private async hand(taken: Promise<pg.PoolClient>, callback: Connected): Promise<void> {
    let client: pg.PoolClient;
    try {
      client = await taken;
    } catch (error) {
      callback(error as Error, undefined, () => undefined);
      return;
    }
    callback(undefined, client, (release) => client.release(release as Error | boolean));
  }

  override async end(): Promise<void> {
    clearTimeout(this.looking);
    await super.end();
  }
}

/** SQL is sent to it: the database, or a transaction of it. A column the schema does not have fails the type check. */
export type Db = Kysely<DB>;

export interface Database {
  readonly db: Db;
  /** Serves searches; the same as `db` unless DATABASE_READ_URL names a replica. */
  readonly readDb: Db;
  /** The connections below `db`: for COPY, cursors and measurements. */
  readonly pool: pg.Pool;
  readonly readPool: pg.Pool;
  readonly prisma: PrismaClient;
  close(): Promise<void>;
}

/** How long the server and the pool bear with a connection that gets nowhere, and how many connections there are. */
interface Timeouts {
  readonly connections: number;
  /** Wait for a free connection. */
  readonly waitSeconds: number;
  readonly statementSeconds: number;
  readonly lockSeconds: number;
  /** Pause between two statements of a transaction, which keeps its locks. */
  readonly idleTransactionSeconds: number;
}

/** Worker and commands: an import or a rebuild is not cut short, but what hangs for good ends by itself. */
const LONG_TIMEOUTS: Timeouts = {
  connections: 12,
  waitSeconds: 60,
  statementSeconds: 4 * 3600,
  lockSeconds: 3600,
  idleTransactionSeconds: 3600,
};

/** Requests: somebody is waiting. */
export const requestTimeouts = (limits: Limits): Timeouts => ({
  connections: limits.databaseConnections,
  waitSeconds: limits.databaseWaitSeconds,
  statementSeconds: limits.statementSeconds,
  lockSeconds: limits.lockSeconds,
  idleTransactionSeconds: limits.idleTransactionSeconds,
});

/** Silence after which a connection is probed. */
const KEEP_ALIVE_MS = 10_000;

/** Longest wait for connections to be given back when a process stops. */
const CLOSE_MILLISECONDS = 5_000;

const poolConfig = (connectionString: string, timeouts: Timeouts): pg.PoolConfig => ({
  connectionString,
  max: timeouts.connections,
  connectionTimeoutMillis: timeouts.waitSeconds * 1000,
  statement_timeout: timeouts.statementSeconds * 1000,
  lock_timeout: timeouts.lockSeconds * 1000,
  idle_in_transaction_session_timeout: timeouts.idleTransactionSeconds * 1000,
  // A server whose host went away without a word is noticed by the operating system, not by a query that waits for ever.
  keepAlive: true,
  keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
});

/** Errors of connections are heard, or the process would end. */
function heard(pool: pg.Pool, onError: (error: Error) => void): pg.Pool {
  // An idle connection that breaks (server restart) raises here; the pool replaces it by itself.
  pool.on('error', onError);
  // So does one that is in use but between two queries, and nobody else would hear it: the process would end.
  pool.on('connect', (client) => client.on('error', onError));
  return pool;
}

export function openDatabase(
  config: Pick<Config, 'databaseUrl' | 'databaseReadUrl'>,
  onError: (error: Error) => void,
  timeouts = LONG_TIMEOUTS,
  onReplica: (sentence: string) => void = () => undefined,
  tracing: Tracing | null = null,
): Database {
  const pool = heard(new pg.Pool(poolConfig(config.databaseUrl, timeouts)), onError);
  const readPool =
    config.databaseReadUrl === config.databaseUrl
      ? pool
      : heard(
          new ReadPool({
            replica: poolConfig(config.databaseReadUrl, timeouts),
            primary: pool,
            onChange: (away, error) =>
              onReplica(
                away
                  ? `the read replica (DATABASE_READ_URL) does not answer (${error?.message}); the primary serves reads until it does`
                  : 'the read replica (DATABASE_READ_URL) is back and serves reads again',
              ),
          }),
          onError,
        );
  if (tracing) for (const each of new Set([pool, readPool])) traceSql(each, tracing);
  const prisma = new PrismaClient({ adapter: new PrismaPg(pool) });
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) });
  return {
    db,
    readDb: readPool === pool ? db : new Kysely<DB>({ dialect: new PostgresDialect({ pool: readPool }) }),
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
