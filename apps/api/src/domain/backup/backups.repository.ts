/**
 * Backup schedule and history: only SQL. `list` and `schedule` give an operator's page everything it shows.
 */
import type { Backup, BackupSchedule as StoredSchedule } from '../../generated/prisma/client.ts';
import type { Database, Db } from '../../infra/database.ts';
import { now } from '../../infra/sql.ts';

/** `pattern`: five cron fields in the site's time zone; `keep`: number of files to keep. */
export type BackupSchedule = Readonly<Omit<StoredSchedule, 'id'>>;

export type StoredBackup = Omit<Backup, 'bytes'> & { readonly bytes: number | null };

const withNumber = (row: Backup): StoredBackup => ({
  ...row,
  bytes: row.bytes === null ? null : Number(row.bytes),
});

export type BackupsRepository = ReturnType<typeof backupsRepository>;

export function backupsRepository({ db, prisma }: Pick<Database, 'db' | 'prisma'>) {
  const update = async (id: number, data: Partial<Backup>): Promise<void> => {
    await prisma.backup.updateMany({ where: { id }, data });
  };
  return {
    schedule: (): Promise<BackupSchedule | null> => prisma.backupSchedule.findFirst(),

    /**
     * Runs in the transaction of its audit entry, with the time of the database, to which `serverTime` is
     * compared.
     */
    async setSchedule(wanted: Pick<BackupSchedule, 'pattern' | 'keep'> | null, on: Db = db): Promise<void> {
      if (wanted === null) await on.deleteFrom('backup_schedule').execute();
      else
        await on
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
    async list(limit: number): Promise<StoredBackup[]> {
      return (await prisma.backup.findMany({ orderBy: { id: 'desc' }, take: limit })).map(withNumber);
    },

    async byId(id: number): Promise<StoredBackup | null> {
      const row = await prisma.backup.findUnique({ where: { id } });
      return row && withNumber(row);
    },

    async begin(row: Pick<Backup, 'file' | 'isScheduled' | 'isEncrypted'>): Promise<number> {
      // By the database's clock: `started_at` decides when the next backup is due.
      const { id } = await db
        .insertInto('backup')
        .values({ file: row.file, is_scheduled: row.isScheduled, is_encrypted: row.isEncrypted })
        .returning('id')
        .executeTakeFirstOrThrow();
      return id;
    },

    finish: (id: number, { bytes, sha256 }: { bytes: number; sha256: string }) =>
      update(id, { finishedAt: new Date(), bytes: BigInt(bytes), sha256 }),

    verified: (id: number, seconds: number) =>
      update(id, { verifiedAt: new Date(), verifySeconds: seconds, problem: '' }),

    fail: (id: number, problem: string) => update(id, { problem }),

    /** Marks backups that a process left unfinished as failed. */
    async failUnfinished(problem: string): Promise<void> {
      await prisma.backup.updateMany({ where: { finishedAt: null, problem: '' }, data: { problem } });
    },

    remove: (id: number) => update(id, { removedAt: new Date() }),
  };
}
