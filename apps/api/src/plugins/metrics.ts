/**
 * Figures for Prometheus at `/metrics` (text format 0.0.4), for whoever has METRICS_TOKEN. Without one there is no such
 * page: the figures say how busy the site is, and a proxy on the same machine makes every visitor look local.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { AppError } from './app-error.ts';
import { atMost } from './at-most.ts';
import type { JobQueue } from './queue.ts';

export interface Sample {
  /** Added to the metric's name: `_bucket`, `_sum`, `_count` of a histogram. */
  readonly suffix?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: 'counter' | 'gauge' | 'histogram';
  readonly samples: readonly Sample[];
}

export type MetricsSource = () => Promise<readonly Metric[]>;

/** A source that does not answer in this time is left out: what can be said is said before Prometheus gives up (10 s). */
const SOURCE_MILLISECONDS = 3_000;

const escapeLabel = (text: string): string =>
  text.replaceAll('\\', String.raw`\\`).replaceAll('"', String.raw`\"`).replaceAll('\n', String.raw`\n`);

function lineOf(name: string, { suffix = '', labels = {}, value }: Sample): string {
  const pairs = Object.entries(labels).map(([key, text]) => `${key}="${escapeLabel(text)}"`);
  return `${name}${suffix}${pairs.length === 0 ? '' : `{${pairs.join(',')}}`} ${value}`;
}

/** The text Prometheus reads. */
export const metricsText = (metrics: readonly Metric[]): string =>
  metrics
    .flatMap(({ name, help, type, samples }) => [
      `# HELP ${name} ${help}`,
      `# TYPE ${name} ${type}`,
      ...samples.map((sample) => lineOf(name, sample)),
    ])
    .map((line) => `${line}\n`)
    .join('');

const gauge = (name: string, help: string, value: number): Metric => ({
  name,
  help,
  type: 'gauge',
  samples: [{ value }],
});

/** Memory and time of this process. */
export async function processMetrics(): Promise<readonly Metric[]> {
  const { user, system } = process.cpuUsage();
  return [
    {
      name: 'process_cpu_seconds_total',
      help: 'Processor time of the api process.',
      type: 'counter',
      samples: [{ value: (user + system) / 1e6 }],
    },
    gauge('process_resident_memory_bytes', 'Memory of the api process.', process.memoryUsage.rss()),
    gauge('process_uptime_seconds', 'Time since the api process started.', process.uptime()),
  ];
}

/** Jobs of the queue by state. */
export const queueMetrics = (queue: Pick<JobQueue, 'counts'>): MetricsSource => {
  return async () => [
    {
      name: 'unitcell_queue_jobs',
      help: 'Jobs of the queue by state.',
      type: 'gauge',
      samples: Object.entries(await queue.counts()).map(([state, value]) => ({ labels: { state }, value })),
    },
  ];
};

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();

/** Serves the figures of all sources to requests with `Authorization: Bearer <token>`. */
export function metricsRoute(
  app: FastifyInstance,
  { token, sources, log }: { token: string | null; sources: readonly MetricsSource[]; log: Logger },
): void {
  if (token === null) return;
  const expected = digest(token);
  app.get('/metrics', async (request, reply) => {
    const given = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
    if (!timingSafeEqual(digest(given), expected)) throw new AppError('auth.invalid');
    const found: (readonly Metric[])[] = sources.map(() => []);
    const ask = async (source: MetricsSource, index: number): Promise<void> => {
      try {
        found[index] = await source();
      } catch (error) {
        log.warn({ err: error }, 'figures are missing from /metrics');
      }
    };
    await Promise.all(sources.map((source, index) => atMost(SOURCE_MILLISECONDS, ask(source, index))));
    return reply
      .type('text/plain; version=0.0.4; charset=utf-8')
      .header('Cache-Control', 'no-store')
      .send(metricsText(found.flat()));
  });
}
