/** When backups are made, and which were: only SQL. `list` and `schedule` tell an operator's page all there is. */
import { sql } from 'kysely';
import type { Database } from '../../infra/database.ts';
import { columnsOf, now } from '../../infra/sql.ts';

export interface BackupSchedule {
  /** Five fields of cron, in the time zone of the site. */
  readonly pattern: string;
  /** Files kept. */
  readonly keep: number;
  readonly changedAt: Date;
}

export interface StoredBackup {
  readonly id: number;
  readonly file: string;
  readonly isScheduled: boolean;
  readonly isEncrypted: boolean;
  readonly startedAt: Date;
  readonly finishedAt: Date | null;
  readonly bytes: number | null;
  readonly sha256: string | null;
  readonly verifiedAt: Date | null;
  readonly verifySeconds: number | null;
  /** What went wrong; empty: nothing. */
  readonly problem: string;
  /** The file was deleted: newer ones are kept. */
  readonly removedAt: Date | null;
}

const COLUMNS = [
  'id',
  'file',
  'is_scheduled as isScheduled',
  'is_encrypted as isEncrypted',
  'started_at as startedAt',
  'finished_at as finishedAt',
  sql<number | null>`${columnsOf('backup')('bytes')}::float8`.as('bytes'),
  'sha256',
  'verified_at as verifiedAt',
  'verify_seconds as verifySeconds',
  'problem',
  'removed_at as removedAt',
] as const;

export type BackupsRepository = ReturnType<typeof backupsRepository>;

export function backupsRepository({ db }: Pick<Database, 'db'>) {
  return {
    async schedule(): Promise<BackupSchedule | null> {
      const found = await db
        .selectFrom('backup_schedule')
        .select(['pattern', 'keep', 'changed_at as changedAt'])
        .executeTakeFirst();
      return found ?? null;
    },

    async setSchedule(wanted: Pick<BackupSchedule, 'pattern' | 'keep'> | null): Promise<void> {
      if (wanted === null) await db.deleteFrom('backup_schedule').execute();
      else
        await db
          .insertInto('backup_schedule')
          .values({ id: 1, ...wanted })
          .onConflict((same) => same.column('id').doUpdateSet({ ...wanted, changed_at: now }))
          .execute();
    },

    async serverTime(): Promise<Date> {
      const { time } = await db.selectNoFrom(now.as('time')).executeTakeFirstOrThrow();
      return time;
    },

    /** Newest first. */
    list: (limit: number): Promise<StoredBackup[]> =>
      db.selectFrom('backup').select(COLUMNS).orderBy('id', 'desc').limit(limit).execute(),

    async byId(id: number): Promise<StoredBackup | null> {
      return (await db.selectFrom('backup').select(COLUMNS).where('id', '=', id).executeTakeFirst()) ?? null;
    },

    async begin(row: { file: string; isScheduled: boolean; isEncrypted: boolean }): Promise<number> {
      const { id } = await db
        .insertInto('backup')
        .values({ file: row.file, is_scheduled: row.isScheduled, is_encrypted: row.isEncrypted })
        .returning('id')
        .executeTakeFirstOrThrow();
      return id;
    },

    async finish(id: number, { bytes, sha256 }: { bytes: number; sha256: string }): Promise<void> {
      await db
        .updateTable('backup')
        .set({ finished_at: now, bytes: String(bytes), sha256 })
        .where('id', '=', id)
        .execute();
    },

    async verified(id: number, seconds: number): Promise<void> {
      await db
        .updateTable('backup')
        .set({ verified_at: now, verify_seconds: seconds, problem: '' })
        .where('id', '=', id)
        .execute();
    },

    async fail(id: number, problem: string): Promise<void> {
      await db.updateTable('backup').set({ problem }).where('id', '=', id).execute();
    },

    /** Those that a process left in the middle. */
    async failUnfinished(problem: string): Promise<void> {
      await db
        .updateTable('backup')
        .set({ problem })
        .where('finished_at', 'is', null)
        .where('problem', '=', '')
        .execute();
    },

    async remove(id: number): Promise<void> {
      await db.updateTable('backup').set({ removed_at: now }).where('id', '=', id).execute();
    },
  };
}
