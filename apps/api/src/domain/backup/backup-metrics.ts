/** Figures of backups for Prometheus: whether any are made, how old the last good one is, and whether the newest failed. */
import { sql } from 'kysely';
import type { MetricsSource } from '../../http/metrics.ts';
import type { Database } from '../../infra/database.ts';

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
