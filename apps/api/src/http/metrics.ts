/**
 * Metrics for Prometheus at `/metrics`, protected by METRICS_TOKEN. Without that setting the page does not
 * exist, because the figures are not public and a proxy on the same machine makes every visitor look local.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Pool } from 'pg';
import type { Logger } from 'pino';
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Metric, MetricsSource } from '../infra/metrics.ts';
import { waitUpTo } from '../infra/process.ts';
import type { ThreadPool } from '../infra/thread-pool.ts';
import { AppError } from '../messages/app-error.ts';

/** A source that takes longer is omitted, so that the answer is sent before Prometheus stops waiting (10 s). */
const SOURCE_MILLISECONDS = 3_000;
/** Bucket limits in seconds, from a cached answer to the longest calculation. */
const REQUEST_BUCKETS = [0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20];

/** A histogram whose counts come from the database. */
class CountedHistogram extends Histogram {
  constructor(private readonly metric: Metric) {
    super({ name: metric.name, help: metric.help, registers: [] });
  }
  /** Called by the library when it renders the text. */
  async getForPromString() {
    const { name, help, samples } = this.metric;
    const values = samples.map(({ suffix = '', labels = {}, value }) => ({
      labels,
      value,
      metricName: name + suffix,
    }));
    return { name, help, type: 'histogram', values };
  }
}

/** Converts a source's metric to the library's type. */
function libraryMetric(metric: Metric): Gauge | Histogram {
  if (metric.type === 'histogram') return new CountedHistogram(metric);
  const { name, help, samples } = metric;
  // An empty metric gets a label, because the library would report 0 for a metric without labels.
  const labelNames = samples.length === 0 ? ['none'] : Object.keys(samples[0]?.labels ?? {});
  const gauge = new Gauge({ name, help, labelNames, registers: [] });
  for (const { labels = {}, value } of samples) gauge.set(labels, value);
  return gauge;
}

export interface MetricsOptions {
  readonly token: string | null;
  readonly sources: readonly MetricsSource[];
  /** The thread pool for requests; a worker has none. */
  readonly threads?: Pick<ThreadPool, 'counts'>;
  /** Further metrics of this process. */
  readonly own?: Registry;
  readonly pool: Pick<Pool, 'waitingCount' | 'totalCount' | 'idleCount'>;
  readonly log: Logger;
}

/** Metrics counted in this process. */
function ownFigures(app: FastifyInstance, { threads, pool }: MetricsOptions): Registry {
  const registry = new Registry();
  const registers = [registry];
  collectDefaultMetrics({ register: registry });
  const gauge = (name: string, help: string, read: () => number) =>
    new Gauge({
      name,
      help,
      registers,
      collect() {
        this.set(read());
      },
    });
  gauge('process_uptime_seconds', 'Time since the process started.', () => process.uptime());
  if (threads) {
    gauge('unitcell_threads_running', 'Calculations of requests under way.', () => threads.counts().running);
    gauge('unitcell_threads_waiting', 'Calculations that wait for a thread.', () => threads.counts().waiting);
  }
  gauge('unitcell_database_waiting', 'Queries that wait for a connection.', () => pool.waitingCount);
  gauge('unitcell_database_busy', 'Connections in use.', () => pool.totalCount - pool.idleCount);
  const seconds = new Histogram({
    name: 'unitcell_request_seconds',
    help: 'Time to answer, by route and status.',
    labelNames: ['method', 'route', 'status'],
    buckets: REQUEST_BUCKETS,
    registers,
  });
  const refusals = new Counter({
    name: 'unitcell_refusals_total',
    help: 'Refused requests by code; login.wrong-code, login.wrong-token, directory.wrong and second-factor.wrong-code are failed sign-ins.',
    labelNames: ['code'],
    registers,
  });
  app.addHook('onResponse', async ({ method, routeOptions }, reply) => {
    const route = routeOptions.url ?? 'none';
    seconds.observe({ method, route, status: reply.statusCode }, reply.elapsedTime / 1000);
    if (reply.refusal !== null) refusals.inc({ code: reply.refusal.code });
  });
  return registry;
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/**
 * Serves the metrics to requests with `Authorization: Bearer <token>`. Register it before the routes that it
 * counts.
 */
export function metricsRoute(app: FastifyInstance, options: MetricsOptions): void {
  const { token, sources, log } = options;
  if (token === null) {
    // Otherwise the web client's page would be sent, which Prometheus cannot parse.
    app.get('/metrics', () => {
      throw new AppError('request.not-found');
    });
    return;
  }
  const expected = digest(token);
  const own = ownFigures(app, options);
  app.get('/metrics', async (request, reply) => {
    const given = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
    if (!timingSafeEqual(digest(given), expected)) throw new AppError('auth.invalid');
    const asked = new Registry();
    const ask = async (source: MetricsSource): Promise<void> => {
      try {
        for (const metric of await source()) asked.registerMetric(libraryMetric(metric));
      } catch (error) {
        log.warn({ err: error }, 'some values are missing from /metrics');
      }
    };
    await Promise.all(sources.map((source) => waitUpTo(SOURCE_MILLISECONDS, ask(source))));
    return reply
      .type(own.contentType)
      .header('Cache-Control', 'no-store')
      .send(await Registry.merge([own, asked, ...(options.own ? [options.own] : [])]).metrics());
  });
}
