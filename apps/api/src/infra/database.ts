/**
 * The database: SQL checked against the schema (Kysely, with tables generated from schema.prisma), a second
 * pool for reads from a replica, and the Prisma client for plain CRUD.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { PrismaPg } from '@prisma/adapter-pg';
import { Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import type { Config } from '../config/config.ts';
import type { Limits } from '../config/limits.ts';
import { PrismaClient } from '../generated/prisma/client.ts';
import type { DB } from '../generated/tables/tables.ts';
import { KEEP_ALIVE } from './notifications.ts';
import { waitUpTo } from './process.ts';
import type { Tracing } from './tracing/otlp-tracing.ts';
import { traceSql } from './tracing/tracing.ts';

/** Interval of attempts to reach a read replica that is unavailable. Meanwhile the primary serves its reads. */
const LOOK_AGAIN_MILLISECONDS = 5_000;

type Connected = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  done: (release?: unknown) => void,
) => void;

/** An unresolvable host name counts as an outage. */
const isAway = (error: unknown): boolean =>
  ['away', 'lost'].includes(databaseTrouble(error) ?? '') ||
  /ENOTFOUND|EAI_AGAIN/.test(String((error as { code?: unknown })?.code));

interface ReadPoolOptions {
  readonly replica: pg.PoolConfig;
  readonly primary: pg.Pool;
  /** Called when the replica becomes unavailable and when it is available again. */
  readonly onChange: (isAway: boolean, error?: Error) => void;
}

/** Connections to the replica; during an outage, connections to the primary. */
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

  /** Reconnects in the background, so no query waits for the replica. */
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
    void this.connectThen(taken, callback);
  }

  /** Signature used by the pool's own `query`. */
  private async connectThen(taken: Promise<pg.PoolClient>, callback: Connected): Promise<void> {
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

/** Executes SQL on the database or in a transaction. An unknown column fails the type check. */
export type Db = Kysely<DB>;

export interface Database {
  readonly db: Db;
  /** Serves searches; equals `db` unless DATABASE_READ_URL names a replica. */
  readonly readDb: Db;
  /** The connections of `db`, for COPY, cursors and metrics. */
  readonly pool: pg.Pool;
  readonly readPool: pg.Pool;
  readonly prisma: PrismaClient;
  close(): Promise<void>;
}

/** Timeouts of server and pool, and the number of connections. */
interface Timeouts {
  readonly connections: number;
  /** Longest wait for a free connection. */
  readonly waitSeconds: number;
  readonly statementSeconds: number;
  readonly lockSeconds: number;
  /** Longest pause between two statements of a transaction, during which its locks remain. */
  readonly idleTransactionSeconds: number;
}

/** For worker and commands: imports and rebuilds are not cut short, but hung statements end eventually. */
const LONG_TIMEOUTS: Timeouts = {
  connections: 12,
  waitSeconds: 60,
  statementSeconds: 4 * 3600,
  lockSeconds: 3600,
  idleTransactionSeconds: 3600,
};

/** For requests, which have a waiting caller. */
export const requestTimeouts = (limits: Limits): Timeouts => ({
  connections: limits.databaseConnections,
  waitSeconds: limits.databaseWaitSeconds,
  statementSeconds: limits.statementSeconds,
  lockSeconds: limits.lockSeconds,
  idleTransactionSeconds: limits.idleTransactionSeconds,
});

/** Longest wait for connections to be released when a process stops. */
const CLOSE_MILLISECONDS = 5_000;

const poolConfig = (connectionString: string, timeouts: Timeouts): pg.PoolConfig => ({
  connectionString,
  max: timeouts.connections,
  connectionTimeoutMillis: timeouts.waitSeconds * 1000,
  statement_timeout: timeouts.statementSeconds * 1000,
  lock_timeout: timeouts.lockSeconds * 1000,
  idle_in_transaction_session_timeout: timeouts.idleTransactionSeconds * 1000,
  ...KEEP_ALIVE,
});

/** Handles connection errors, which would otherwise end the process. */
function withErrorHandler(pool: pg.Pool, onError: (error: Error) => void): pg.Pool {
  // An idle connection that breaks (server restart) emits its error here; the pool replaces it.
  pool.on('error', onError);
  // A connection in use emits an error between two queries here, and no other listener handles it.
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
  const pool = withErrorHandler(new pg.Pool(poolConfig(config.databaseUrl, timeouts)), onError);
  const readPool =
    config.databaseReadUrl === config.databaseUrl
      ? pool
      : withErrorHandler(
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
      // A running query or an unreachable host must not keep the process from stopping.
      await waitUpTo(CLOSE_MILLISECONDS, prisma.$disconnect());
      const pools = readPool === pool ? [pool] : [readPool, pool];
      await waitUpTo(CLOSE_MILLISECONDS, Promise.all(pools.map((each) => each.end())));
    },
  };
}

/** Interval of asking a replica whether it has caught up. */
const REPLAY_MILLISECONDS = 200;

/** Waits until the replica has what the primary has now. Null if the primary serves all reads. */
export const replication = ({ db, readDb }: Pick<Database, 'db' | 'readDb'>) =>
  readDb === db
    ? null
    : async (): Promise<void> => {
        const { rows } = await sql<{ lsn: string }>`SELECT pg_current_wal_lsn() AS lsn`.execute(db);
        const hasIt = sql<{ has_it: boolean }>`SELECT NOT pg_is_in_recovery()
          OR pg_last_wal_replay_lsn() >= ${rows[0]!.lsn}::pg_lsn AS has_it`;
        // oxlint-disable-next-line no-await-in-loop
        while (!(await hasIt.execute(readDb)).rows[0]!.has_it)
          await pause(REPLAY_MILLISECONDS, undefined, { ref: false });
      };

/** Runs `work` in a transaction on one connection; rolls back when it throws. */
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

/**
 * `locked`: another session held the lock. `slow`: the statement timed out. `full`: no connection was free.
 * `away`: the server does not respond. `lost`: the connection broke, perhaps while a statement ran, so that its
 * outcome is unknown. `disk-full`: there was no space for data.
 */
export type DatabaseTrouble = 'locked' | 'slow' | 'full' | 'away' | 'lost' | 'disk-full';

/** SQLSTATE codes (PostgreSQL 18, appendix A), error codes of the operating system, and one of Prisma's. */
const BY_CODE: Readonly<Record<string, DatabaseTrouble>> = {
  '55P03': 'locked', // lock_not_available
  '40P01': 'locked', // deadlock_detected
  '40001': 'locked', // serialization_failure
  '57014': 'slow', // query_canceled, by statement_timeout
  '25P03': 'slow', // idle_in_transaction_session_timeout
  '53300': 'full', // too_many_connections
  '53100': 'disk-full',
  ENOSPC: 'disk-full',
  EDQUOT: 'disk-full',
  '57P01': 'lost', // admin_shutdown
  '57P02': 'lost', // crash_shutdown
  '57P03': 'away', // cannot_connect_now
  '08006': 'lost', // connection_failure
  ECONNREFUSED: 'away',
  ECONNRESET: 'lost',
  EPIPE: 'lost',
  ETIMEDOUT: 'lost',
  P2024: 'full',
};

/** Errors of pg that have no code. */
const BY_TEXT: readonly (readonly [RegExp, DatabaseTrouble])[] = [
  [/^timeout exceeded when trying to connect/, 'full'],
  [/^Connection terminated due to connection timeout/, 'away'],
  [/^Connection terminated/, 'lost'],
  [/^Client (was closed|has encountered a connection error) and is not queryable/, 'away'],
];

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Largest depth of wrapped errors. */
const DEEPEST = 5;

/**
 * The kind of database trouble in an error or in an error that it wraps (Prisma wraps them); null for other
 * errors.
 */
export function databaseTrouble(error: unknown, depth = 0): DatabaseTrouble | null {
  if (!isObject(error) || depth > DEEPEST) return null;
  for (const code of [error.code, error.originalCode]) {
    const known = typeof code === 'string' ? BY_CODE[code] : undefined;
    if (known) return known;
  }
  const { message } = error;
  const known = typeof message === 'string' ? BY_TEXT.find(([pattern]) => pattern.test(message)) : undefined;
  if (known) return known[1];
  const inner = [error.cause, isObject(error.meta) ? error.meta.driverAdapterError : undefined];
  // Several addresses of one host were tried without success.
  if (Array.isArray(error.errors)) inner.push(error.errors[0]);
  for (const each of inner) {
    const trouble = databaseTrouble(each, depth + 1);
    if (trouble) return trouble;
  }
  return null;
}
