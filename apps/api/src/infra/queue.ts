/**
 * The job queue. Only this module uses BullMQ and its backend, which is Redis when REDIS_URL is set and
 * otherwise the PostgreSQL database in its own schema.
 */
import type { Job, JobPayload } from '@unitcell/contract/jobs';
import { createPostgresBackend, DelayedError, type Job as BullJob, Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import type { Logger } from 'pino';
import type { Config } from '../config/config.ts';
import { waitUpTo } from './process.ts';
import type { Tracing } from './tracing/otlp-tracing.ts';
import { asJob } from './tracing/tracing.ts';

const QUEUE_NAME = 'unitcell';
const POSTGRES_SCHEMA = 'bullmq';
const POSTGRES_CONNECTIONS = 6;
/** Time for which finished jobs are kept for inspection. Their results are in the tables. */
const KEEP_SECONDS = 86_400;
const KEEP_FAILED_SECONDS = 7 * 86_400;
/** A worker without a heartbeat for this long counts as dead, and another worker gets its job. */
const LOCK_MILLISECONDS = 30_000;

/**
 * A job unknown to this worker waits for a newer worker: milliseconds until the job is offered again, and the
 * longest wait in seconds.
 */
const UNKNOWN_RETRY_MILLISECONDS = 15_000;
const UNKNOWN_LONGEST_SECONDS = 86_400;

/** Longest wait of a request for an unavailable Redis. Its job is sent when Redis is available again. */
const SEND_MILLISECONDS = 2_000;
/** Longest wait for the backend and running jobs when a process stops. */
const CLOSE_MILLISECONDS = 5_000;

export interface JobContext {
  /** Aborted on timeout or when the worker stops. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** Stores the progress, from 0 to 1. The job goes on meanwhile, also when the backend does not answer. */
  progress(share: number): void;
}

export type JobHandler<J extends Job = Job> = (payload: JobPayload<J>, context: JobContext) => Promise<void>;

export interface JobRegistration {
  readonly job: Job;
  readonly handler: JobHandler;
}

/** Binds a handler to its job with the payload's type. */
export const handles = <J extends Job>(job: J, handler: JobHandler<J>): JobRegistration => ({
  job,
  handler,
});

/**
 * Checks that every job has exactly one handler.
 * @throws Error naming the job and the line to add or remove
 */
export function assertComplete(jobs: readonly Job[], registrations: readonly JobRegistration[]): void {
  const problems: string[] = [];
  for (const job of jobs) {
    const count = registrations.filter((registration) => registration.job.name === job.name).length;
    if (count === 0)
      problems.push(`no handler for job "${job.name}": add handles(${job.name}, …) in worker.ts`);
    if (count > 1) problems.push(`${count} handlers for job "${job.name}": remove all but one in worker.ts`);
  }
  for (const { job } of registrations)
    if (!jobs.some((known) => known.name === job.name))
      problems.push(`a handler for "${job.name}", which is not in the contract's list of jobs: add it there`);
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

type QueueConfig = Pick<Config, 'redisUrl' | 'databaseUrl'>;

/** Milliseconds before the next attempt to reach Redis. */
const retryAfter = (times: number): number => Math.min(Math.max(Math.exp(times), 1_000), 20_000);

/**
 * BullMQ options of the configured backend. The two backends have different option types.
 */
function backendOf({ redisUrl, databaseUrl }: QueueConfig) {
  const redis =
    redisUrl === null ? null : new Redis(redisUrl, { maxRetriesPerRequest: null, retryStrategy: retryAfter });
  return redis
    ? { connection: redis, factory: [] as const, disconnect: () => redis.disconnect() }
    : {
        connection: {
          connectionString: databaseUrl,
          schema: POSTGRES_SCHEMA,
          max: POSTGRES_CONNECTIONS,
          migrate: true,
        },
        factory: [createPostgresBackend] as const,
        disconnect: () => undefined,
      };
}

/** Listed job states; `waiting` includes jobs made unique by a `jobId`. */
const LISTED_STATES = ['active', 'waiting', 'delayed', 'failed', 'completed'] as const;

/** A job as shown to an operator. */
export interface ListedJob {
  readonly id: string;
  readonly name: string;
  readonly state: (typeof LISTED_STATES)[number];
  /** Progress from 0 to 1; null: unknown. */
  readonly progress: number | null;
  readonly attempts: number;
  readonly addedAt: Date;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly reason: string;
}

const timeOf = (milliseconds: number | undefined): Date | null =>
  milliseconds === undefined ? null : new Date(milliseconds);

export interface JobQueue {
  /**
   * Adds a job. A job with the same `jobId` is ignored while the first one waits or runs. A job with the same
   * `changeId` is ignored while the first one waits. While the first one runs, one more job is added, because
   * the running job may have read its data before the change. While Redis is unavailable the job is kept in
   * this process.
   */
  enqueue<J extends Job>(
    job: J,
    payload: JobPayload<J>,
    options?: { readonly jobId?: string; readonly changeId?: string; readonly delaySeconds?: number },
  ): Promise<void>;
  /** Number of jobs by state. */
  counts(): Promise<Readonly<Record<string, number>>>;
  /** Removes a waiting job; false when it is running or missing, or Redis is unavailable. */
  remove(jobId: string): Promise<boolean>;
  /** Retries a failed job; false when it has not failed or is missing. */
  retry(jobId: string): Promise<boolean>;
  /** Up to `limit` jobs per state, newest first. */
  list(limit: number): Promise<ListedJob[]>;
  close(): Promise<void>;
}

/** Logs an outage once, not at every attempt to reconnect. */
function outageLogger(
  redisUrl: string | null,
  onError: (error: Error) => void,
  onBack: (sentence: string) => void,
) {
  const where = redisUrl && URL.canParse(redisUrl) ? `Redis at ${new URL(redisUrl).host} (REDIS_URL)` : null;
  let isLogged = false;
  return {
    tell(error: Error): void {
      if (!where) onError(error);
      else if (!isLogged)
        onError(
          new Error(`${where} cannot be used: ${error.message || (error as NodeJS.ErrnoException).code}`, {
            cause: error,
          }),
        );
      isLogged = true;
    },
    end(): void {
      if (isLogged && where) onBack(`${where} is back`);
      isLogged = false;
    },
  };
}

/**
 * Monitors the connections of a queue or worker. Redis only carries messages that wake workers, so processes
 * start without it and connect later. With PostgreSQL the tables of the queue must exist first.
 */
async function followBackend(
  bull: Pick<Queue, 'getBackend' | 'waitUntilReady'>,
  redisUrl: string | null,
  outage: ReturnType<typeof outageLogger>,
): Promise<void> {
  bull.getBackend().on('ready', outage.end);
  const ready = bull.waitUntilReady();
  if (redisUrl) ready.catch(outage.tell);
  else await ready;
}

export async function openQueue(
  config: QueueConfig,
  onError: (error: Error) => void,
  onBack: (sentence: string) => void = () => undefined,
): Promise<JobQueue> {
  const { connection, factory, disconnect } = backendOf(config);
  const queue = new Queue(QUEUE_NAME, { connection }, ...(factory as unknown as []));
  const outage = outageLogger(config.redisUrl, onError, onBack);
  queue.on('error', outage.tell);
  await followBackend(queue, config.redisUrl, outage);
  /** Returns the backend's answer or, with Redis after a short timeout, the fallback. */
  const answered = async <T>(work: Promise<T>, otherwise: T): Promise<T> => {
    work.catch(outage.tell);
    if (!config.redisUrl) return work;
    let answer = otherwise;
    const done = work.then((value) => void (answer = value));
    await waitUpTo(SEND_MILLISECONDS, done);
    return answer;
  };
  return {
    async enqueue(job, payload, options = {}) {
      const isUnique = options.jobId !== undefined || options.changeId !== undefined;
      const added = queue.add(job.name, job.payload.parse(payload), {
        ...(options.jobId ? { jobId: options.jobId } : {}),
        ...(options.changeId ? { deduplication: { id: options.changeId, keepLastIfActive: true } } : {}),
        ...(options.delaySeconds ? { delay: options.delaySeconds * 1000 } : {}),
        attempts: job.attempts,
        backoff: { type: 'exponential', delay: job.backoffSeconds * 1000 },
        removeOnComplete: isUnique ? true : { age: KEEP_SECONDS },
        removeOnFail: isUnique ? true : { age: KEEP_FAILED_SECONDS },
      });
      await answered<unknown>(added, null);
    },
    counts: () => queue.getJobCounts('waiting', 'active', 'delayed', 'completed', 'failed'),
    remove(jobId) {
      const remove = async (): Promise<boolean> => {
        const job = await queue.getJob(jobId);
        if (!job || (await job.isActive())) return false;
        await job.remove();
        return true;
      };
      return answered(remove(), false);
    },
    retry(jobId) {
      const retry = async (): Promise<boolean> => {
        const job = await queue.getJob(jobId);
        if (!job || !(await job.isFailed())) return false;
        await job.retry('failed');
        return true;
      };
      return answered(retry(), false);
    },
    async list(limit) {
      const lists = Promise.all(
        LISTED_STATES.map(async (state) => {
          const found = await queue.getJobs([state], 0, limit - 1, false);
          return found.map((job) => ({
            id: String(job.id),
            name: job.name,
            state,
            progress: typeof job.progress === 'number' ? job.progress : null,
            attempts: job.attemptsMade,
            addedAt: new Date(job.timestamp),
            startedAt: timeOf(job.processedOn),
            finishedAt: timeOf(job.finishedOn),
            reason: job.failedReason ?? '',
          }));
        }),
      );
      return (await answered(lists, [])).flat();
    },
    async close() {
      await waitUpTo(CLOSE_MILLISECONDS, queue.close());
      disconnect();
    },
  };
}

export interface JobWorker {
  /** Aborts running jobs, waits briefly until they end, and stops. */
  close(): Promise<void>;
}

export interface JobWorkerOptions {
  readonly config: QueueConfig;
  readonly log: Logger;
  readonly registrations: readonly JobRegistration[];
  readonly concurrency?: number;
  /** Receives the spans of jobs; default: none. */
  readonly tracing?: Tracing | null;
  /** Called after every job. */
  readonly onEnd?: (job: string, outcome: 'done' | 'failed', seconds: number) => void;
  /** Time after which a job unknown to this worker is offered again. */
  readonly unknownMilliseconds?: number;
}

export async function startJobWorker(options: JobWorkerOptions): Promise<JobWorker> {
  const { config, log, registrations, tracing = null, concurrency = 1 } = options;
  const { unknownMilliseconds = UNKNOWN_RETRY_MILLISECONDS } = options;
  const { connection, factory, disconnect } = backendOf(config);
  const byName = new Map(registrations.map((registration) => [registration.job.name, registration]));
  const stopping = new AbortController();
  /**
   * During an upgrade an older worker may receive jobs of the newer version; it leaves them to newer workers.
   */
  const putBack = async (bullJob: BullJob, token: string | undefined): Promise<never> => {
    if (Date.now() - bullJob.timestamp > UNKNOWN_LONGEST_SECONDS * 1000)
      throw new Error(`no handler for job "${bullJob.name}"`);
    log.warn({ job: bullJob.name, jobId: bullJob.id }, 'job of a newer version left to newer workers');
    await bullJob.moveToDelayed(Date.now() + unknownMilliseconds, token);
    throw new DelayedError();
  };
  const run = async (bullJob: BullJob, token?: string): Promise<void> => {
    const registration = byName.get(bullJob.name);
    if (!registration) return putBack(bullJob, token);
    const { job, handler } = registration;
    const signal = AbortSignal.any([stopping.signal, AbortSignal.timeout(job.timeoutSeconds * 1000)]);
    const begun = performance.now();
    let outcome: 'done' | 'failed' = 'failed';
    const jobLog = log.child({ job: job.name, jobId: bullJob.id });
    let stored = Promise.resolve();
    try {
      const context: JobContext = {
        signal,
        log: jobLog,
        progress(share) {
          stored = stored
            .then(() => bullJob.updateProgress(Math.round(share * 100)))
            .catch((error: unknown) => jobLog.warn({ err: error }, 'progress of a job not stored'));
        },
      };
      const attributes = { 'unitcell.job': job.name, 'unitcell.job_id': String(bullJob.id) };
      await asJob(tracing, { name: `job ${job.name}`, attributes }, () =>
        handler(job.payload.parse(bullJob.data), context),
      );
      outcome = 'done';
    } finally {
      // A finished job is removed, and then its progress cannot be stored.
      await stored;
      options.onEnd?.(job.name, outcome, (performance.now() - begun) / 1000);
    }
  };
  const workerOptions = {
    connection,
    concurrency,
    lockDuration: LOCK_MILLISECONDS,
    stalledInterval: LOCK_MILLISECONDS,
  };
  const worker = new Worker(QUEUE_NAME, run, workerOptions, ...(factory as unknown as []));
  const outage = outageLogger(
    config.redisUrl,
    (error) => log.error({ err: error }, 'queue error'),
    (sentence) => log.info(sentence),
  );
  worker.on('failed', (job, error) => log.warn({ err: error, job: job?.name, jobId: job?.id }, 'job failed'));
  worker.on('error', outage.tell);
  await followBackend(worker, config.redisUrl, outage);
  return {
    async close() {
      stopping.abort(new Error('the worker is stopping'));
      await waitUpTo(CLOSE_MILLISECONDS, worker.close());
      disconnect();
    },
  };
}
