/** Figures for Prometheus: what waits to be derived, imports that were begun and not ended, and the state of the backups. */
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

// Figures of backups for Prometheus: whether any are made, how old the last good one is, and whether the newest failed.

export const backupMetrics =
  ({ db }: Pick<Database, 'db'>): MetricsSource =>
  async () => {
    const { isScheduled, age, bytes, problem } = await db
      .selectNoFrom((is) => [
        is.exists(is.selectFrom('backup_schedule').select('id')).as('isScheduled'),
        is
          .selectFrom('backup')
          .select(sql<number>`extract(epoch FROM now() - max(finished_at))::float8`.as('age'))
          .where('verified_at', 'is not', null)
          .where('problem', '=', '')
          .as('age'),
        is
          .selectFrom('backup')
          .select(sql<number>`bytes::float8`.as('bytes'))
          .orderBy('id', 'desc')
          .limit(1)
          .as('bytes'),
        is.selectFrom('backup').select('problem').orderBy('id', 'desc').limit(1).as('problem'),
      ])
      .executeTakeFirstOrThrow();
    const gauge = (name: string, help: string, value: number | null) => ({
      name,
      help,
      type: 'gauge' as const,
      samples: value === null ? [] : [{ value }],
    });
    return [
      gauge('unitcell_backup_scheduled', 'Whether backups are made by themselves.', isScheduled ? 1 : 0),
      gauge('unitcell_backup_age_seconds', 'Since the last verified backup.', age),
      gauge('unitcell_backup_bytes', 'Size of the newest backup.', bytes),
      gauge('unitcell_backup_failed', 'Whether the newest backup failed.', problem ? 1 : 0),
    ];
  };
