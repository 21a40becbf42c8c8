/** Metrics for Prometheus, which http/metrics.ts serves. */
import type { JobQueue } from './queue.ts';

export interface Sample {
  /** Suffix of the metric's name: `_bucket`, `_sum`, `_count` of a histogram. */
  readonly suffix?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly value: number;
}

/** A metric that is read on every request. */
export interface Metric {
  readonly name: string;
  readonly help: string;
  readonly type: 'gauge' | 'histogram';
  readonly samples: readonly Sample[];
}

export type MetricsSource = () => Promise<readonly Metric[]>;

/** Jobs of the queue by state. */
export const queueMetrics =
  (queue: Pick<JobQueue, 'counts'>): MetricsSource =>
  async () => [
    {
      name: 'unitcell_queue_jobs',
      help: 'Jobs of the queue by state.',
      type: 'gauge',
      samples: Object.entries(await queue.counts()).map(([state, value]) => ({ labels: { state }, value })),
    },
  ];
