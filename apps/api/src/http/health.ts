/** Liveness and readiness of this process. */
import { statfs } from 'node:fs/promises';
import fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import pg, { type Pool } from 'pg';
import type { Logger } from 'pino';
import { Counter, Histogram, Registry } from 'prom-client';
import type { Config } from '../config/config.ts';
import type { JobQueue } from '../infra/queue.ts';
import { registerErrors, withoutAjv } from './errors.ts';
import { queueMetrics } from '../infra/metrics.ts';
import { metricsRoute } from './metrics.ts';

// The endpoints of a worker on WORKER_PORT. The api has the same endpoints: /api/health, /api/ready and
// /metrics.

/** Bucket limits in seconds, from a short notification to a prediction of the whole catalogue. */
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
  const app = fastify({ loggerInstance, schemaController: withoutAjv });
  registerErrors(app, refusalOf);
  healthRoutes(app, config);
  metricsRoute(app, { token: config.metricsToken, sources: [queueMetrics(queue)], own, pool, log });
  if (config.workerPort !== null) await app.listen({ host: config.host, port: config.workerPort });
  return {
    jobEnded(job: string, outcome: 'done' | 'failed', took: number): void {
      ended.inc({ job, outcome });
      seconds.observe({ job }, took);
    },
    app,
    close: () => app.close(),
  };
}

const ANSWER_MILLISECONDS = 2_000;

interface DatabaseProbe {
  /** Resolves within four seconds: two seconds to connect, two for the query. */
  isThere(): Promise<boolean>;
  close(): Promise<void>;
}

function openDatabaseProbe(connectionString: string, onError: (error: Error) => void): DatabaseProbe {
  const pool = new pg.Pool({
    connectionString,
    max: 1,
    connectionTimeoutMillis: ANSWER_MILLISECONDS,
    query_timeout: ANSWER_MILLISECONDS,
  });
  pool.on('error', onError);
  /** The current check; concurrent callers share its result. */
  let asked: Promise<boolean> | null = null;
  const ask = async (): Promise<boolean> => {
    try {
      await pool.query('SELECT 1');
      return true;
    } catch {
      return false;
    } finally {
      asked = null;
    }
  };
  return {
    isThere() {
      asked ??= ask();
      return asked;
    },
    close: () => pool.end(),
  };
}

// `/api/health`: this process is alive. Nothing else is checked, so a supervisor does not restart a busy
// process.
// `/api/ready`: this process can serve requests. `npm start` and load balancers use it.

/** Least free space with which pictures and calculations can be stored. */
const FULL_BYTES = 16 * 1024 * 1024;

/** Free space in the directory of pictures; null if unknown. */
async function freeBytes(directory: string): Promise<number | null> {
  const found = await statfs(directory).catch(() => null);
  return found && found.bavail * found.bsize;
}

// Load balancers and containers call this every few seconds, which would fill the log. Answers are not
// compressed, because the first answer that may be compressed loads all of `fetch`.
const QUIET = { logLevel: 'warn', compress: false } as const;

export function healthRoutes(app: FastifyInstance, { databaseUrl, home }: Config): void {
  const database = openDatabaseProbe(databaseUrl, (error) =>
    app.log.warn({ err: error }, 'connection of /api/ready lost'),
  );
  app.addHook('onClose', () => database.close());

  app.get('/api/health', QUIET, async () => ({ status: 'ok' }));

  app.get('/api/ready', QUIET, async (_request, reply) => {
    if (!(await database.isThere())) return reply.status(503).send({ status: 'database unreachable' });
    const free = await freeBytes(home);
    // Searches, pages and sign-ins work without disk space, so the site stays in service and reports the
    // problem.
    return { status: 'ok', disk: free !== null && free < FULL_BYTES ? 'full' : 'ok' };
  });
}
