/** Run4U for users: uploads, submissions and their status. Workers do the calculations (pipeline/). */
import {
  dashboardHandle,
  run4uCancel,
  run4uDetail,
  run4uExpect,
  run4uHandle,
  run4uResubmit,
  run4uSubmit,
  watchSubmissions,
} from '@unitcell/contract/run4u';
import { parseStructId } from '@unitcell/contract/common';
import { materialDensityCube } from '@unitcell/contract/matdata';
import type { FastifyInstance } from 'fastify';
import type { Services } from '../../domain/services.ts';
import { eventStreams } from '../../http/event-streams.ts';
import { RawJson, serveCall } from '../../http/serve-call.ts';
import { serveFile } from '../../http/serve-file.ts';
import { type Listener, listenTo } from '../../infra/notifications.ts';
import { oneAtATime } from '../../infra/process.ts';
import { AppError } from '../../messages/app-error.ts';
import { densityOf } from './pipeline/kept-density.ts';
import { readRun4uSettings } from './run4u-settings.ts';
import type * as run4uThread from './run4u.thread.ts';
import { SUBMISSION_CHANNEL, submissionsRepository } from './submissions.repository.ts';
import { submissions } from './submissions.service.ts';
import type { Metric, MetricsSource, Sample } from '../../infra/metrics.ts';
import type { Database } from '../../infra/database.ts';
import { type KnownWorker, operationsRepository, type TimeHistogram } from './operations.repository.ts';

/** An empty message: the page shows "Only CIF or VASP format file is valid !" (spec §8). */
const NOT_A_STRUCTURE = { error: 'true', message: '' } as const;

export async function run4uFeature(app: FastifyInstance, services: Services): Promise<void> {
  const { config, database, queue, log, threads, predictions } = services;
  const settings = readRun4uSettings(config);
  const repository = submissionsRepository(database);
  const service = submissions({
    repository,
    threads: threads.open<typeof run4uThread>(new URL('./run4u.thread.ts', import.meta.url)),
    queue,
    predictions,
    settings,
    timeZone: config.timeZone,
    log,
  });
  const openStream = eventStreams(app, config.limits.streamsPerAccount);
  const events = await submissionEvents(config.databaseUrl, (error) =>
    log.error({ err: error }, 'submission listener lost'),
  );
  serveFile(app, materialDensityCube, async ({ structId: typed }) => {
    const structId = parseStructId(typed);
    if (structId === null) throw new AppError('material.not-found', { id: typed.slice(0, 20) });
    for (const id of await repository.calculationsOf(structId)) {
      const text = await densityOf(settings, id);
      if (text !== null) return { name: `${structId}-density.cube`, text };
    }
    throw new AppError('material.no-density', { id: structId });
  });
  app.addHook('onClose', () => events.close());

  serveCall(
    app,
    run4uHandle,
    async ({ file, t, caller }) =>
      (await service.readFile(file.bytes, file.name, t, caller)) ?? NOT_A_STRUCTURE,
  );

  serveCall(app, run4uSubmit, ({ body, identity, t, caller }) =>
    service.submit(identity.accountId, body, t, caller),
  );
  serveCall(app, run4uExpect, ({ body, t, caller }) => service.expect(body.structure, t, caller));
  serveCall(app, run4uCancel, ({ body, identity }) => service.cancel(identity.accountId, body.id));
  serveCall(app, run4uResubmit, ({ body, identity, t, caller }) =>
    service.resubmit(identity.accountId, body.id, t, caller),
  );
  serveCall(
    app,
    run4uDetail,
    async ({ body, identity, t, caller }) =>
      new RawJson(JSON.stringify(await service.detail(identity.accountId, body.id, t, caller))),
  );
  serveCall(
    app,
    dashboardHandle,
    async ({ identity, t, caller }) =>
      new RawJson(JSON.stringify(await service.dashboard(identity.accountId, t, caller))),
  );

  // Sends the dashboard now and after every change, until the page is closed.
  serveCall(app, watchSubmissions, async ({ identity: { accountId }, request, reply, t, caller }) => {
    const stream = openStream(request, reply);
    let last = '';
    const send = oneAtATime(async () => {
      // If the database is briefly unavailable or the site is busy, the next change or refresh sends the dashboard.
      const dashboard = await service.dashboard(accountId, t, caller).catch(() => null);
      const text = JSON.stringify(dashboard);
      if (dashboard !== null && text !== last) stream.send('dashboard', text);
      last = dashboard === null ? last : text;
    });
    stream.onClose(events.subscribe(accountId, send));
    send();
    return '';
  });
}

// ── Live status: notifies every open page of an account when one of its submissions changes ──

/**
 * Positions and estimates depend on other submissions, so they are sent again after this time even without a
 * change.
 */
const REFRESH_MILLISECONDS = 10_000;

interface SubmissionEvents {
  /**
   * Calls back after each change of the account's submissions and at intervals; returns an unsubscribe
   * function.
   */
  subscribe(accountId: number, onChange: () => void): () => void;
  close(): Promise<void>;
}

async function submissionEvents(
  databaseUrl: string,
  onError: (error: Error) => void,
): Promise<SubmissionEvents> {
  const subscribers = new Map<number, Set<() => void>>();
  const tell = (accountId: number): void => subscribers.get(accountId)?.forEach((onChange) => onChange());
  const tellAll = (): void => [...subscribers.keys()].forEach(tell);
  const listener: Listener = await listenTo(databaseUrl, SUBMISSION_CHANNEL, {
    // Sends changes that were missed while the connection was down.
    onListening: tellAll,
    onLost: (error) => error && onError(error),
    onMessage: (payload) => tell(Number(payload)),
  });
  const refresh = setInterval(tellAll, REFRESH_MILLISECONDS);
  refresh.unref();
  return {
    subscribe(accountId, onChange) {
      const own = subscribers.get(accountId) ?? new Set();
      subscribers.set(accountId, own.add(onChange));
      return () => {
        own.delete(onChange);
        if (own.size === 0) subscribers.delete(accountId);
      };
    },
    async close() {
      clearInterval(refresh);
      await listener.close();
    },
  };
}

// Prometheus metrics of Run4U. They come from the rows, so every api process reports the same.

const STATUSES = ['queued', 'running', 'finished', 'existed', 'failed', 'cancelled'];

function histogram(name: string, help: string, { buckets, sum, count }: TimeHistogram): Metric {
  const below = buckets.map(
    ({ le, n }): Sample => ({ suffix: '_bucket', labels: { le: String(le) }, value: n }),
  );
  return {
    name,
    help,
    type: 'histogram',
    samples: [
      ...below,
      { suffix: '_bucket', labels: { le: '+Inf' }, value: count },
      { suffix: '_sum', value: sum },
      { suffix: '_count', value: count },
    ],
  };
}

function ofWorkers(workers: readonly KnownWorker[]): Metric[] {
  const able = workers.filter(({ engine }) => engine !== null);
  return [
    {
      name: 'unitcell_run4u_workers',
      help: 'Workers heard of within ten minutes, by whether they have an engine.',
      type: 'gauge',
      samples: [
        { labels: { engine: 'yes' }, value: able.length },
        { labels: { engine: 'no' }, value: workers.length - able.length },
      ],
    },
    {
      name: 'unitcell_run4u_slots',
      help: 'Calculations that may run at the same time.',
      type: 'gauge',
      samples: [{ value: able.reduce((sum, { slots }) => sum + slots, 0) }],
    },
  ];
}

export function run4uMetrics(database: Pick<Database, 'db'>): MetricsSource {
  const operations = operationsRepository(database);
  return async () => {
    const [{ byStatus, oldestWaitingSeconds, isDraining }, histograms, workers] = await Promise.all([
      operations.metrics(),
      operations.histograms(),
      operations.workers(),
    ]);
    return [
      {
        name: 'unitcell_run4u_submissions',
        help: 'Submissions by status; queued is the depth of the queue.',
        type: 'gauge',
        samples: STATUSES.map((status) => ({ labels: { status }, value: byStatus[status] ?? 0 })),
      },
      {
        name: 'unitcell_run4u_oldest_waiting_seconds',
        help: 'Age of the submission that waits longest.',
        type: 'gauge',
        samples: [{ value: oldestWaitingSeconds ?? 0 }],
      },
      histogram(
        'unitcell_run4u_wait_seconds',
        'From submission to the start of its calculation.',
        histograms.wait,
      ),
      histogram('unitcell_run4u_run_seconds', 'From start to end of finished calculations.', histograms.run),
      ...ofWorkers(workers),
      {
        name: 'unitcell_run4u_draining',
        help: '1 while the operator lets nothing new start.',
        type: 'gauge',
        samples: [{ value: isDraining ? 1 : 0 }],
      },
    ];
  };
}
