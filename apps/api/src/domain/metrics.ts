/** Figures for Prometheus: what waits to be derived, imports that were begun and not ended, and the state of the backups. */
import { sql } from 'kysely';
import type { MetricsSource } from '../http/metrics.ts';
import type { Database } from '../infra/database.ts';
import { now, secondsBetween } from '../infra/sql.ts';

export const catalogueMetrics =
  ({ db }: Pick<Database, 'db'>): MetricsSource =>
  async () => {
    const { dirty, oldest } = await db
      .selectFrom('dirty_system')
      .select(sql<number>`count(*)::int`.as('dirty'))
      .select(({ fn }) => fn.coalesce(secondsBetween(fn.min('marked_at'), now), sql.lit(0)).as('oldest'))
      .executeTakeFirstOrThrow();
    const { open, refused } = await db
      .selectFrom('import_run')
      .select(({ ref }) => [
        sql<number>`count(*) FILTER (WHERE ${ref('finished_at')} IS NULL)::int`.as('open'),
        sql<number>`coalesce(sum(${ref('refused')}), 0)::int`.as('refused'),
      ])
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
          .select(({ fn }) => secondsBetween(fn.max('finished_at'), now).as('age'))
          .where('verified_at', 'is not', null)
          .where('problem', '=', '')
          .as('age'),
        is
          .selectFrom('backup')
          .select(({ ref }) => sql<number>`${ref('bytes')}::float8`.as('bytes'))
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
