/** Figures of the catalogue for Prometheus: what waits to be derived, and imports that were begun and not ended. */
import { sql } from 'kysely';
import type { MetricsSource } from '../http/metrics.ts';
import type { Database } from '../infra/database.ts';

export const catalogueMetrics =
  ({ db }: Pick<Database, 'db'>): MetricsSource =>
  async () => {
    const { dirty, oldest } = await db
      .selectFrom('dirty_system')
      .select(sql<number>`count(*)::int`.as('dirty'))
      .select(sql<number>`coalesce(extract(epoch FROM now() - min(marked_at)), 0)::float8`.as('oldest'))
      .executeTakeFirstOrThrow();
    const { open, refused } = await db
      .selectFrom('import_run')
      .select(sql<number>`count(*) FILTER (WHERE finished_at IS NULL)::int`.as('open'))
      .select(sql<number>`coalesce(sum(refused), 0)::int`.as('refused'))
      .executeTakeFirstOrThrow();
    return [
      {
        name: 'unitcell_catalogue_underived_systems',
        help: 'Chemical systems whose hulls wait to be derived.',
        type: 'gauge',
        samples: [{ value: dirty }],
      },
      {
        name: 'unitcell_catalogue_underived_age_seconds',
        help: 'How long the first of them has waited.',
        type: 'gauge',
        samples: [{ value: oldest }],
      },
      {
        name: 'unitcell_imports_open',
        help: 'Imported files that were begun and not ended.',
        type: 'gauge',
        samples: [{ value: open }],
      },
      {
        name: 'unitcell_imports_refused_lines',
        help: 'Lines that imports refused.',
        type: 'gauge',
        samples: [{ value: refused }],
      },
    ];
  };
