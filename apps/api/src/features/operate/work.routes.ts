import {
  operateCancel,
  operateDrain,
  operateImports,
  operateQueue,
  operateRelease,
  operateRemoveJob,
  operateRetry,
  operateRetryJob,
  operateSubmissions,
} from '@unitcell/contract/operate';
import type { FastifyInstance } from 'fastify';
import { serveCall } from '../../http/serve-call.ts';
import { by, done } from './by.ts';
import type { operatedImports } from './imports.ts';
import type { operatedJobs } from './jobs.service.ts';
import type { operatedSubmissions } from './submissions.service.ts';

const PAGE = 50;

export interface WorkRoutes {
  readonly submissions: ReturnType<typeof operatedSubmissions>;
  readonly imports: ReturnType<typeof operatedImports>;
  readonly jobs: ReturnType<typeof operatedJobs>;
  readonly backend: 'redis' | 'postgres';
}

export function workRoutes(app: FastifyInstance, { submissions, imports, jobs, backend }: WorkRoutes): void {
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
    await submissions.cancel(by(input), input.body.id);
    return done;
  });
  serveCall(app, operateRetry, async (input) => {
    await submissions.retry(by(input), input.body.id);
    return done;
  });
  serveCall(app, operateDrain, async (input) => {
    await submissions.drain(by(input), input.body.draining);
    return done;
  });

  serveCall(app, operateImports, () => imports.overview());
  serveCall(app, operateRelease, ({ body }) => imports.release(body.id));

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
    await jobs.retry(by(input), input.body.id);
    return done;
  });
  serveCall(app, operateRemoveJob, async (input) => {
    await jobs.remove(by(input), input.body.id);
    return done;
  });
}
