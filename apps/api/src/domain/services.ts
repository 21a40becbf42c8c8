/** Services shared by all features. app.ts opens them once; a feature takes what it needs. */
import type { Filter } from '@unitcell/filter';
import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { type MetricsSource, queueMetrics } from '../infra/metrics.ts';
import { type CatalogueCaches, openCatalogueCaches } from '../infra/catalogue-cache.ts';
import { type Database, openDatabase, replication, requestTimeouts } from '../infra/database.ts';
import type { IndexRefresher } from '../infra/index-refresher.ts';
import { type JobQueue, openQueue } from '../infra/queue.ts';
import { openSmsProvider, type SmsProvider } from '../infra/sms.ts';
import { now, secondsBetween } from '../infra/sql.ts';
import { type Caller, openThreadPool, type ThreadPool } from '../infra/thread-pool.ts';
import type { Tracing } from '../infra/tracing/otlp-tracing.ts';
import { type PowderPatterns, powderPatterns } from './powder/powder-patterns.ts';
import { type Predictions, predictions } from './prediction/predictions.ts';
import {
  type Completenesses,
  completenesses,
  completenessRepository,
} from './thermodynamics/completeness.ts';
import { type PhaseEntries, phaseEntries } from './thermodynamics/phase-entries.ts';
import {
  type ScaleAccuracy,
  scaleAccuracy,
  scaleAccuracyRepository,
} from './thermodynamics/scale-accuracy.ts';

/** Metrics for Prometheus: waiting derivations, unfinished imports, and the state of backups. */
const catalogueMetrics =
  ({ db }: Pick<Database, 'db'>): MetricsSource =>
  async () => {
    const { dirty, oldest } = await db
      .selectFrom('dirty_system')
      .select(sql<number>`count(*)::int`.as('dirty'))
      .select(({ fn }) => fn.coalesce(secondsBetween(fn.min('marked_at'), now), sql.lit(0)).as('oldest'))
      .executeTakeFirstOrThrow();
    const { open, refused } = await db
      .selectFrom('import_run')
      .select(({ ref }) => [
        sql<number>`count(*) FILTER (WHERE ${ref('finished_at')} IS NULL)::int`.as('open'),
        sql<number>`coalesce(sum(${ref('refused')}), 0)::int`.as('refused'),
      ])
      .executeTakeFirstOrThrow();
    return [
      {
        name: 'unitcell_catalogue_underived_systems',
        help: 'Chemical systems whose hulls wait to be derived.',
        type: 'gauge',
        samples: [{ value: dirty }],
      },
      {
        name: 'unitcell_catalogue_underived_age_seconds',
        help: 'How long the first of them has waited.',
        type: 'gauge',
        samples: [{ value: oldest }],
      },
      {
        name: 'unitcell_imports_open',
        help: 'Imported files that were begun and not ended.',
        type: 'gauge',
        samples: [{ value: open }],
      },
      {
        name: 'unitcell_imports_refused_lines',
        help: 'Lines that imports refused.',
        type: 'gauge',
        samples: [{ value: refused }],
      },
    ];
  };

// Metrics of backups: whether backups are made, the age of the last good backup, and whether the newest backup
// failed.

const backupMetrics =
  ({ db }: Pick<Database, 'db'>): MetricsSource =>
  async () => {
    const { isScheduled, age, bytes, problem } = await db
      .selectNoFrom((is) => [
        is.exists(is.selectFrom('backup_schedule').select('id')).as('isScheduled'),
        is
          .selectFrom('backup')
          .select(({ fn }) => secondsBetween(fn.max('finished_at'), now).as('age'))
          .where('verified_at', 'is not', null)
          .where('problem', '=', '')
          .as('age'),
        is
          .selectFrom('backup')
          .select(({ ref }) => sql<number>`${ref('bytes')}::float8`.as('bytes'))
          .orderBy('id', 'desc')
          .limit(1)
          .as('bytes'),
        is.selectFrom('backup').select('problem').orderBy('id', 'desc').limit(1).as('problem'),
      ])
      .executeTakeFirstOrThrow();
    const gauge = (name: string, help: string, value: number | null) => ({
      name,
      help,
      type: 'gauge' as const,
      samples: value === null ? [] : [{ value }],
    });
    return [
      gauge('unitcell_backup_scheduled', 'Whether backups are made by themselves.', isScheduled ? 1 : 0),
      gauge('unitcell_backup_age_seconds', 'Since the last verified backup.', age),
      gauge('unitcell_backup_bytes', 'Size of the newest backup.', bytes),
      gauge('unitcell_backup_failed', 'Whether the newest backup failed.', problem ? 1 : 0),
    ];
  };

export interface Services {
  readonly config: Config;
  readonly log: Logger;
  readonly database: Database;
  readonly queue: JobQueue;
  /** Caches that are valid until the catalogue changes. */
  readonly catalogueCaches: CatalogueCaches;
  /** The thread pool for all calculations of requests, within the configured limits. */
  readonly threads: ThreadPool;
  readonly phaseEntries: PhaseEntries;
  readonly completeness: Completenesses;
  readonly scaleAccuracy: ScaleAccuracy;
  readonly materialFinder: MaterialFinder;
  readonly powderPatterns: PowderPatterns;
  readonly predictions: Predictions;
  readonly smsProvider: SmsProvider;
  /** In-memory indexes of the catalogue by name, whose age is shown to the operator. */
  readonly indexes: Map<string, Pick<IndexRefresher<unknown>, 'freshAt'>>;
  /** Metrics for /metrics; a feature adds its own. */
  readonly metrics: MetricsSource[];
}

export interface ServicesOptions {
  readonly config: Config;
  readonly log: Logger;
  /** Receives spans; default: no tracing. */
  readonly tracing?: Tracing | null;
  /** Replaces the configured provider, so that tests can read the codes. */
  readonly smsProvider?: SmsProvider;
}

/** Opens the services; `close` releases everything. */
export async function openServices(
  options: ServicesOptions,
): Promise<{ services: Services; close: () => Promise<void> }> {
  const { config, log, tracing = null, smsProvider = openSmsProvider(config.sms) } = options;
  const database = openDatabase(
    config,
    (error) => log.error({ err: error }, 'database connection lost'),
    requestTimeouts(config.limits),
    (sentence) => log.warn(sentence),
    tracing,
  );
  const queue = await openQueue(
    config,
    (error) => log.error({ err: error }, 'queue error'),
    (sentence) => log.info(sentence),
  );
  const catalogueCaches = await openCatalogueCaches(
    config.databaseUrl,
    (error) => log.error({ err: error }, 'catalogue listener lost'),
    replication(database),
  );
  const { limits } = config;
  const threads = openThreadPool({
    isKeptWarm: true,
    size: limits.threads,
    taskSeconds: limits.taskSeconds,
    waiting: limits.tasksWaiting,
    perOwner: { running: limits.tasksPerOwner, waiting: limits.tasksWaitingPerOwner },
  });
  const entries = phaseEntries(database, catalogueCaches, config.defaultFunctional);
  return {
    services: {
      config,
      log,
      database,
      queue,
      catalogueCaches,
      threads,
      phaseEntries: entries,
      completeness: completenesses(completenessRepository(database), catalogueCaches),
      scaleAccuracy: scaleAccuracy(scaleAccuracyRepository(database), catalogueCaches),
      materialFinder: materialFinder(),
      powderPatterns: powderPatterns(threads, limits.reflections),
      predictions: predictions({ database, entries, threads, home: config.home }),
      smsProvider,
      indexes: new Map(),
      metrics: [queueMetrics(queue), backupMetrics(database), catalogueMetrics(database)],
    },
    async close() {
      await threads.close();
      await catalogueCaches.close();
      await queue.close();
      await database.close();
    },
  };
}

/** A search by a filter on in-memory columns. The screening feature provides it to other features. */
interface FinderQuery {
  /** A filter on the columns of the screening index and of `federated-texts.ts`; null matches all. */
  readonly filter: Filter | null;
  /** Sort column, unknown values last; null: by id. */
  readonly sort: { readonly field: string; readonly desc: boolean } | null;
  readonly limit: number;
  /** Start after this id. */
  readonly after: number | null;
}

export interface FoundMaterials {
  readonly total: number;
  /** null: the material in `after` no longer exists. */
  readonly ids: readonly number[] | null;
  readonly isLast: boolean;
}

/**
 * Returns null while the in-memory columns are not loaded, or if the catalogue has changed since they were
 * loaded.
 */
type FindMaterials = (query: FinderQuery, caller: Caller) => Promise<FoundMaterials | null>;

export interface MaterialFinder {
  offer(find: FindMaterials): void;
  readonly find: FindMaterials;
}

function materialFinder(): MaterialFinder {
  let offered: FindMaterials = async () => null;
  return {
    offer(find) {
      offered = find;
    },
    find: (query, caller) => offered(query, caller),
  };
}
