/**
 * Queries the state and figures of every part of the site. A part that does not answer does not delay the
 * others.
 */
import { hostname } from 'node:os';
import type { SitePart } from '@unitcell/contract/operate';
import { sql } from 'kysely';
import type pg from 'pg';
import { z } from 'zod';
import type { Config } from '../../config/config.ts';
import type { Database, Db } from '../../infra/database.ts';
import type { IndexRefresher } from '../../infra/index-refresher.ts';
import { waitUpTo, ownVersion } from '../../infra/process.ts';
import type { JobQueue } from '../../infra/queue.ts';
import { checkedRows, now, secondsBetween } from '../../infra/sql.ts';
import type { ThreadPool } from '../../infra/thread-pool.ts';
import { aboutRepository } from '../about/about.feature.ts';
import { openPlacesOf } from '../about/content-schema.ts';
import { installationShares } from '../account/sign-in-budgets.ts';
import { diskSpaceOf } from './storage.ts';

const server = z.object({
  version: z.string(),
  connections: z.coerce.number(),
  most: z.coerce.number(),
  is_replica: z.boolean(),
  /**
   * Seconds since the last replayed transaction; 0 on a primary, and on a replica that has replayed
   * everything it received; null if a replica has replayed no transaction yet.
   */
  behind: z.coerce.number().nullable(),
});
type ServerState = z.output<typeof server> & { readonly milliseconds: number };

const SERVER = `
  SELECT current_setting('server_version') AS version, current_setting('max_connections') AS most,
         (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend') AS connections,
         pg_is_in_recovery() AS is_replica,
         CASE WHEN pg_is_in_recovery() AND pg_last_wal_receive_lsn() IS DISTINCT FROM pg_last_wal_replay_lsn()
              THEN extract(epoch FROM now() - pg_last_xact_replay_timestamp()) ELSE 0 END AS behind`;

/** The state that a database server reports, and the time until its answer. */
async function serverState(pool: pg.Pool): Promise<ServerState> {
  const began = performance.now();
  const client = await pool.connect();
  try {
    const [state] = await checkedRows(client, SERVER, server);
    if (!state) throw new Error('the server returned no information');
    return { ...state, milliseconds: Math.round(performance.now() - began) };
  } finally {
    client.release();
  }
}

const count = sql<number>`count(*)::int`;

/** The catalogue, its last derivation, and pending work. */
async function catalogueState(db: Db) {
  const counts = await db
    .selectNoFrom(({ selectFrom }) => [
      selectFrom('material').select(count.as('n')).$asScalar().$notNull().as('materials'),
      selectFrom('dirty_system').select(count.as('n')).$asScalar().$notNull().as('systems'),
      selectFrom('dirty_window').select(count.as('n')).$asScalar().$notNull().as('windows'),
    ])
    .executeTakeFirstOrThrow();
  const last = await db
    .selectFrom('release')
    .select(['id', 'finished_at as finishedAt'])
    .where('finished_at', 'is not', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return { ...counts, release: last?.id ?? null, finishedAt: last?.finishedAt ?? null };
}

/** All workers with a heartbeat within a day, each with the seconds since its last heartbeat. */
async function workersSeen(db: Db) {
  return db
    .selectFrom('run4u_worker')
    .select(['id', 'host', 'engine', 'slots'])
    .select(({ ref }) => secondsBetween(ref('seen_at'), now).as('secondsAgo'))
    .orderBy('seen_at', 'desc')
    .limit(100)
    .execute();
}

// ── The parts ──

type State = SitePart['state'];
type Facts = SitePart['facts'];
interface Found {
  readonly state: State;
  readonly facts: Facts;
}

/** Timeout per part. */
const PART_MILLISECONDS = 3_000;
/** Workers report every few seconds. */
const SILENT_SECONDS = 90;
const BEHIND_SECONDS = 30;
/** Used share of the server's connections or of the disk above which a part needs attention. */
const TIGHT = 0.9;
const FULL_BYTES = 1024 ** 3;

interface HealthOptions {
  readonly config: Config;
  readonly database: Database;
  readonly queue: JobQueue;
  /** Figures that only an api process has; the command line omits them. */
  readonly process?: {
    readonly threads: ThreadPool;
    readonly indexes: ReadonlyMap<string, Pick<IndexRefresher<unknown>, 'freshAt'>>;
  };
}

const ofServer = ({ version: name, connections, most, milliseconds, behind }: ServerState): Found => ({
  state: connections > TIGHT * most || (behind ?? 0) > BEHIND_SECONDS ? 'watch' : 'well',
  facts: { version: name, milliseconds, connections, most, behind },
});

export function siteHealth({ config, database, queue, process: own }: HealthOptions) {
  const { db } = database;

  const PARTS: Readonly<Record<SitePart['part'], () => Promise<Found>>> = {
    api: async () => {
      const { pool } = database;
      const facts = {
        version: await ownVersion(),
        node: process.versions.node,
        host: hostname(),
        uptime_seconds: Math.round(process.uptime()),
        memory_bytes: process.memoryUsage.rss(),
        connections_busy: pool.totalCount - pool.idleCount,
        connections_waiting: pool.waitingCount,
      };
      return { state: pool.waitingCount > 0 ? 'watch' : 'well', facts };
    },
    database: async () => ofServer(await serverState(database.pool)),
    replica: async () => {
      if (database.readPool === database.pool) return { state: 'off', facts: {} };
      // While the replica is unavailable, its pool returns connections of the primary.
      const found = await serverState(database.readPool);
      return found.is_replica ? ofServer(found) : { state: 'down', facts: {} };
    },
    queue: async () => {
      const counts = await queue.counts();
      const facts = { backend: config.redisUrl ? 'Redis' : 'PostgreSQL', ...counts };
      return { state: (counts.failed ?? 0) > 0 ? 'watch' : 'well', facts };
    },
    threads: async () => {
      if (!own) return { state: 'off', facts: {} };
      const { running, waiting } = own.threads.counts();
      return { state: waiting > 0 ? 'watch' : 'well', facts: { size: own.threads.size, running, waiting } };
    },
    workers: async () => {
      const all = await workersSeen(db);
      const heard = all.filter(({ secondsAgo }) => secondsAgo < SILENT_SECONDS);
      const able = heard.filter(({ engine }) => engine !== null);
      const facts = {
        workers: heard.length,
        able: able.length,
        slots: able.reduce((sum, { slots }) => sum + slots, 0),
        last_heard_seconds: all[0] ? Math.round(all[0].secondsAgo) : null,
      };
      if (heard.length === 0) return { state: 'down', facts };
      return { state: able.length === 0 ? 'watch' : 'well', facts };
    },
    storage: async () => {
      const room = await diskSpaceOf(config.home);
      if (!room) return { state: 'down', facts: { home: config.home } };
      const isTight = room.free < FULL_BYTES || room.free < (1 - TIGHT) * room.total;
      return {
        state: isTight ? 'watch' : 'well',
        facts: { home: config.home, free_bytes: room.free, total_bytes: room.total },
      };
    },
    catalogue: async () => {
      const { materials, systems, windows, release, finishedAt } = await catalogueState(db);
      return {
        state: materials === 0 ? 'down' : systems + windows > 0 ? 'watch' : 'well',
        facts: {
          materials,
          systems_waiting: systems,
          windows_waiting: windows,
          release,
          finished_at: finishedAt?.toISOString() ?? null,
        },
      };
    },
    indexes: async () => {
      if (!own) return { state: 'off', facts: {} };
      const facts = Object.fromEntries(
        [...own.indexes].map(([name, index]) => [`${name}_at`, index.freshAt()?.toISOString() ?? null]),
      );
      return { state: Object.values(facts).includes(null) ? 'watch' : 'well', facts };
    },
    messages: async () => {
      const { provider } = config.sms;
      if (provider === 'none') return { state: 'off', facts: { provider } };
      const { all, strangers } = await installationShares(db, config.limits);
      // With printed codes anyone who reads the terminal can sign in to any account.
      const isWatched = provider === 'console' || all < 1 - TIGHT;
      return {
        state: isWatched ? 'watch' : 'well',
        facts: { provider, share_left: all, share_left_to_strangers: strangers },
      };
    },
    texts: async () => {
      const rows = await aboutRepository(database).stored();
      const open = rows.reduce((sum, { body }) => sum + openPlacesOf(body).length, 0);
      return { state: open > 0 ? 'watch' : 'well', facts: { open_places: open } };
    },
  };

  /** Queries one part; a failure or timeout counts as down. */
  async function ask(part: SitePart['part']): Promise<SitePart> {
    let found: Found = { state: 'down', facts: {} };
    const look = async (): Promise<void> => {
      found = await PARTS[part]();
    };
    await waitUpTo(
      PART_MILLISECONDS,
      look().catch(() => undefined),
    );
    return { part, ...found, facts: { ...found.facts } };
  }

  return (): Promise<SitePart[]> =>
    Promise.all((Object.keys(PARTS) as SitePart['part'][]).map((part) => ask(part)));
}
