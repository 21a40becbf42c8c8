/** What a worker says of itself on WORKER_PORT: /api/health, /api/ready and /metrics, as the api does. */
import type { Pool } from 'pg';
import fastify, { type FastifyBaseLogger } from 'fastify';
import type { Logger } from 'pino';
import { Counter, Histogram, Registry } from 'prom-client';
import type { Config } from '../config/config.ts';
import type { JobQueue } from '../infra/queue.ts';
import { registerErrors } from './errors.ts';
import { healthRoutes } from './health.ts';
import { metricsRoute, queueMetrics } from './metrics.ts';

/** Seconds; from a message that wakes to a catalogue that is predicted anew. */
const JOB_BUCKETS = [0.1, 1, 10, 60, 600, 3600, 36_000];

interface WorkerHealthOptions {
  readonly config: Config;
  readonly log: Logger;
  readonly queue: Pick<JobQueue, 'counts'>;
  readonly pool: Pool;
  readonly refusalOf: Parameters<typeof registerErrors>[1];
}

export async function serveWorkerHealth({ config, log, queue, pool, refusalOf }: WorkerHealthOptions) {
  const own = new Registry();
  const registers = [own];
  const ended = new Counter({
    name: 'unitcell_jobs_total',
    help: 'Jobs that this worker came to the end of.',
    labelNames: ['job', 'outcome'],
    registers,
  });
  const seconds = new Histogram({
    name: 'unitcell_job_seconds',
    help: 'Time a job took.',
    labelNames: ['job'],
    buckets: JOB_BUCKETS,
    registers,
  });
  const loggerInstance: FastifyBaseLogger = log;
  const app = fastify({ loggerInstance });
  registerErrors(app, refusalOf);
  healthRoutes(app, config);
  metricsRoute(app, { token: config.metricsToken, sources: [queueMetrics(queue)], own, pool, log });
  if (config.workerPort !== null) await app.listen({ host: config.host, port: config.workerPort });
  return {
    /** Counts a job. */
    jobEnded(job: string, outcome: 'done' | 'failed', took: number): void {
      ended.inc({ job, outcome });
      seconds.observe({ job }, took);
    },
    app,
    close: () => app.close(),
  };
}
