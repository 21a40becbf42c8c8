/** Prometheus metrics of Run4U. They come from the rows, so every api process reports the same. */
import type { Metric, MetricsSource, Sample } from '../../infra/metrics.ts';
import type { Database } from '../../infra/database.ts';
import { type KnownWorker, operationsRepository, type TimeHistogram } from './operations.repository.ts';

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
