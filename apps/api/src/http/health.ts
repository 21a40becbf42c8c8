/** Whether this process is alive and can serve. */
import { statfs } from 'node:fs/promises';
import fastify, { type FastifyBaseLogger, type FastifyInstance } from 'fastify';
import pg, { type Pool } from 'pg';
import type { Logger } from 'pino';
import { Counter, Histogram, Registry } from 'prom-client';
import type { Config } from '../config/config.ts';
import type { JobQueue } from '../infra/queue.ts';
import { registerErrors } from './errors.ts';
import { metricsRoute, queueMetrics } from './metrics.ts';

// What a worker says of itself on WORKER_PORT: /api/health, /api/ready and /metrics, as the api does.

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

const ANSWER_MILLISECONDS = 2_000;

interface DatabaseProbe {
  /** Answers within four seconds: two to connect, two to be answered. */
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
  /** The question under way: those who ask meanwhile get its answer. */
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

// `/api/health`: this process is alive; it asks nobody, so that no queue makes a supervisor restart what is merely busy.
// `/api/ready`: it can serve; asked by `npm start` and load balancers.

/** Below this pictures and calculations find no room. */
const FULL_BYTES = 16 * 1024 * 1024;

/** Room where pictures are kept; null where that cannot be told. */
async function freeBytes(directory: string): Promise<number | null> {
  const found = await statfs(directory).catch(() => null);
  return found && found.bavail * found.bsize;
}

// Asked every few seconds by balancers and containers: in the log it would bury everything else.
const QUIET = { logLevel: 'warn' } as const;

export function healthRoutes(app: FastifyInstance, { databaseUrl, home }: Config): void {
  const database = openDatabaseProbe(databaseUrl, (error) =>
    app.log.warn({ err: error }, 'connection of /api/ready lost'),
  );
  app.addHook('onClose', () => database.close());

  app.get('/api/health', QUIET, async () => ({ status: 'ok' }));

  app.get('/api/ready', QUIET, async (_request, reply) => {
    if (!(await database.isThere())) return reply.status(503).send({ status: 'database unreachable' });
    const free = await freeBytes(home);
    // Searches, pages and sign-ins go on without room for files: the site stays in service and says what it lacks.
    return { status: 'ok', disk: free !== null && free < FULL_BYTES ? 'full' : 'ok' };
  });
}
