import {
  operateCancel,
  operateDrain,
  operateQueue,
  operateRemoveJob,
  operateRetry,
  operateRetryJob,
  operateSubmissions,
} from '@unitcell/contract/operate';
import type { FastifyInstance } from 'fastify';
import { done, serveCall } from '../../http/serve-call.ts';
import type { Database } from '../../infra/database.ts';
import { waitUpTo } from '../../infra/process.ts';
import type { JobQueue, ListedJob } from '../../infra/queue.ts';
import { AppError } from '../../messages/app-error.ts';
import { askedBy, type AuditEvent, type By, writeAudit } from '../account/audit-log.ts';
import { operationsRepository } from '../run4u/operations.repository.ts';
import { submissionsRepository } from '../run4u/submissions.repository.ts';

// The queue, for operators.

/** Timeout, because the queue may be unreachable. */
const QUEUE_MILLISECONDS = 3_000;
/** Jobs listed per state. */
const LISTED = 50;

interface QueueState {
  /** False if the queue did not respond in time. */
  readonly isThere: boolean;
  readonly counts: Readonly<Record<string, number>>;
  readonly jobs: readonly ListedJob[];
}

export function operatedJobs({ db }: Pick<Database, 'db'>, queue: JobQueue) {
  async function act(by: By, event: 'job-retried' | 'job-removed', id: string, work: () => Promise<boolean>) {
    if (!(await work()))
      throw new AppError(event === 'job-retried' ? 'operate.job-not-failed' : 'operate.job-runs');
    await writeAudit(db, { ...by, accountId: null, event, detail: { job: id } });
  }

  return {
    async state(): Promise<QueueState> {
      let found: QueueState = { isThere: false, counts: {}, jobs: [] };
      const ask = async (): Promise<void> => {
        const [counts, jobs] = await Promise.all([queue.counts(), queue.list(LISTED)]);
        found = { isThere: true, counts, jobs };
      };
      await waitUpTo(
        QUEUE_MILLISECONDS,
        ask().catch(() => undefined),
      );
      return found;
    },

    /** @throws AppError operate.job-not-failed */
    retry: (by: By, id: string) => act(by, 'job-retried', id, () => queue.retry(id)),

    /** @throws AppError operate.job-runs */
    remove: (by: By, id: string) => act(by, 'job-removed', id, () => queue.remove(id)),
  };
}

const PAGE = 50;

interface WorkRoutes {
  readonly submissions: ReturnType<typeof operatedSubmissions>;
  readonly jobs: ReturnType<typeof operatedJobs>;
  readonly backend: 'redis' | 'postgres';
}

export function workRoutes(app: FastifyInstance, { submissions, jobs, backend }: WorkRoutes): void {
  serveCall(app, operateSubmissions, async ({ body }) => {
    const [found, metrics, workers] = await Promise.all([
      submissions.list(body.status, PAGE + 1, body.before),
      submissions.metrics(),
      submissions.workers(),
    ]);
    return {
      submissions: found.slice(0, PAGE).map(({ accountId, structId, submittedAt, ...row }) => ({
        ...row,
        account_id: accountId,
        struct_id: structId,
        submitted_at: submittedAt.toISOString(),
      })),
      has_more: found.length > PAGE,
      counts: { ...metrics.byStatus },
      wait: metrics.waitSeconds,
      run: metrics.runSeconds,
      oldest_waiting_seconds: metrics.oldestWaitingSeconds,
      is_draining: metrics.isDraining,
      workers: workers.map(({ engineVersion, secondsAgo, ...worker }) => ({
        ...worker,
        engine_version: engineVersion,
        seconds_ago: secondsAgo,
      })),
    };
  });
  serveCall(app, operateCancel, async (input) => {
    await submissions.cancel(askedBy(input), input.body.id);
    return done;
  });
  serveCall(app, operateRetry, async (input) => {
    await submissions.retry(askedBy(input), input.body.id);
    return done;
  });
  serveCall(app, operateDrain, async (input) => {
    await submissions.drain(askedBy(input), input.body.draining);
    return done;
  });

  serveCall(app, operateQueue, async () => {
    const { isThere, counts, jobs: listed } = await jobs.state();
    return {
      backend,
      is_there: isThere,
      counts: { ...counts },
      jobs: listed.map(({ addedAt, startedAt, finishedAt, ...job }) => ({
        ...job,
        added_at: addedAt.toISOString(),
        started_at: startedAt?.toISOString() ?? null,
        finished_at: finishedAt?.toISOString() ?? null,
      })),
    };
  });
  serveCall(app, operateRetryJob, async (input) => {
    await jobs.retry(askedBy(input), input.body.id);
    return done;
  });
  serveCall(app, operateRemoveJob, async (input) => {
    await jobs.remove(askedBy(input), input.body.id);
    return done;
  });
}

// Operations on submissions and workers.

/** @param timeZone time zone of the quota's day */
export function operatedSubmissions(database: Pick<Database, 'db'>, timeZone: string) {
  const { db } = database;
  const operations = operationsRepository(database);
  const submissions = submissionsRepository(database);

  /** @throws AppError operate.not-found, or `refusal` when `work` returns false */
  async function change(
    by: By,
    id: number,
    event: AuditEvent,
    refusal: 'run4u.not-cancellable' | 'run4u.not-resubmittable',
    work: () => Promise<boolean>,
  ): Promise<void> {
    const accountId = await operations.ownerOf(id);
    if (accountId === null) throw new AppError('operate.not-found');
    if (!(await work())) throw new AppError(refusal);
    await writeAudit(db, { ...by, accountId, event, detail: { submission: id } });
  }

  return {
    list: operations.list,
    metrics: operations.metrics,
    workers: operations.workers,

    /** @throws AppError operate.not-found, run4u.not-cancellable */
    cancel: (by: By, id: number) =>
      change(by, id, 'submission-cancelled', 'run4u.not-cancellable', () =>
        submissions.cancel(id, null, 'cancelled-by-operator', timeZone),
      ),

    /** @throws AppError operate.not-found, run4u.not-resubmittable */
    retry: (by: By, id: number) =>
      change(by, id, 'submission-retried', 'run4u.not-resubmittable', () => operations.retry(id)),

    /** Stops or resumes the start of submissions. */
    async drain(by: By, isDraining: boolean): Promise<void> {
      await operations.setDraining(isDraining);
      await writeAudit(db, { ...by, accountId: null, event: isDraining ? 'run4u-drained' : 'run4u-resumed' });
    },
  };
}
