/** What every feature may build on. app.ts opens it once; a feature takes what it needs. */
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { type CatalogueCaches, openCatalogueCaches } from '../infra/catalogue-cache.ts';
import { type Database, openDatabase, patienceOfRequests } from '../infra/database.ts';
import type { IndexKeeper } from '../infra/index-keeper.ts';
import { type JobQueue, openQueue } from '../infra/queue.ts';
import { openSmsProvider } from '../infra/sms/open-sms-provider.ts';
import type { SmsProvider } from '../infra/sms/sms-provider.ts';
import { openThreadPool, type ThreadPool } from '../infra/thread-pool.ts';
import type { Tracing } from '../infra/tracing/tracing.ts';
import { type MetricsSource, queueMetrics } from '../http/metrics.ts';
import { backupMetrics, catalogueMetrics } from './metrics.ts';
import { type MaterialFinder, materialFinder } from './material-finder.ts';
import { type Predictions, predictions } from './prediction/predictions.ts';
import { type PowderPatterns, powderPatterns } from './powder/powder-patterns.ts';
import { completenessRepository } from './thermodynamics/completeness.repository.ts';
import { type Completenesses, completenesses } from './thermodynamics/completeness.ts';
import { type PhaseEntries, phaseEntries, phaseEntriesRepository } from './thermodynamics/phase-entries.ts';
import { type ScaleTrust, scaleTrust, scaleTrustRepository } from './thermodynamics/scale-trust.ts';

export interface Services {
  readonly config: Config;
  readonly log: Logger;
  readonly database: Database;
  readonly queue: JobQueue;
  /** Caches that live as long as the catalogue stays as it is. */
  readonly catalogueCaches: CatalogueCaches;
  /** The threads all calculations of requests share, within the limits of the configuration. */
  readonly threads: ThreadPool;
  readonly phaseEntries: PhaseEntries;
  readonly completeness: Completenesses;
  readonly scaleTrust: ScaleTrust;
  readonly materialFinder: MaterialFinder;
  readonly powderPatterns: PowderPatterns;
  readonly predictions: Predictions;
  readonly smsProvider: SmsProvider;
  /** What features keep in memory of the catalogue, by name: for the operator to see how old it is. */
  readonly indexes: Map<string, Pick<IndexKeeper<unknown>, 'freshAt'>>;
  /** Figures for /metrics; a feature adds its own. */
  readonly metrics: MetricsSource[];
}

export interface ServicesOptions {
  readonly config: Config;
  readonly log: Logger;
  /** Where spans go; left out: nothing is measured. */
  readonly tracing?: Tracing | null;
  /** Replaces the provider the configuration names: tests read their codes here. */
  readonly smsProvider?: SmsProvider;
}

/** Opens them; `close` releases everything again. */
export async function openServices(
  options: ServicesOptions,
): Promise<{ services: Services; close: () => Promise<void> }> {
  const { config, log, tracing = null, smsProvider = openSmsProvider(config.sms) } = options;
  const database = openDatabase(
    config,
    (error) => log.error({ err: error }, 'database connection lost'),
    patienceOfRequests(config.limits),
    (sentence) => log.warn(sentence),
    tracing,
  );
  const queue = await openQueue(
    config,
    (error) => log.error({ err: error }, 'queue error'),
    (sentence) => log.info(sentence),
  );
  const catalogueCaches = await openCatalogueCaches(config.databaseUrl, (error) =>
    log.error({ err: error }, 'catalogue listener lost'),
  );
  const { limits } = config;
  const threads = openThreadPool({
    size: limits.threads,
    taskSeconds: limits.taskSeconds,
    waiting: limits.tasksWaiting,
    perOwner: { running: limits.tasksPerOwner, waiting: limits.tasksWaitingPerOwner },
  });
  const entries = phaseEntries(phaseEntriesRepository(database), catalogueCaches, config.defaultFunctional);
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
      scaleTrust: scaleTrust(scaleTrustRepository(database), catalogueCaches),
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
