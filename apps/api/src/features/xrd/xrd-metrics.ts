/** Figures of the XRD matcher for Prometheus: matches of all processes, the index of this one. */
import { sql } from 'kysely';
import type { MetricsSource } from '../../http/metrics.ts';
import type { Database } from '../../infra/database.ts';
import type { PatternIndexKeeper } from './index/pattern-index-keeper.ts';

const STATES = ['waiting', 'indexing', 'running'] as const;

export const xrdMetrics =
  ({ db }: Pick<Database, 'db'>, keeper: Pick<PatternIndexKeeper, 'figures'>): MetricsSource =>
  async () => {
    const rows = await db
      .selectFrom('xrd_match')
      .select(['state', sql<number>`count(*)::int`.as('count')])
      .groupBy('state')
      .execute();
    const index = keeper.figures();
    const ofIndex = (name: string, help: string, value: number | undefined) => ({
      name,
      help,
      type: 'gauge' as const,
      samples: value === undefined ? [] : [{ value }],
    });
    return [
      {
        name: 'unitcell_xrd_matches',
        help: 'Matches that wait and run, in all processes.',
        type: 'gauge',
        samples: STATES.map((state) => ({
          labels: { state },
          value: rows.find((row) => row.state === state)?.count ?? 0,
        })),
      },
      ofIndex('unitcell_xrd_index_patterns', 'Patterns in the index of this process.', index?.patterns),
      ofIndex(
        'unitcell_xrd_index_age_seconds',
        'Since the index of this process changed.',
        index?.ageSeconds,
      ),
    ];
  };
