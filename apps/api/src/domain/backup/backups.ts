/** Scheduled backups: their times, their number, and a check that each can be restored. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { makeBackup } from '@unitcell/contract/jobs';
import { CronExpressionParser } from 'cron-parser';
import type pg from 'pg';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Config } from '../../config/config.ts';
import type { Database, Db } from '../../infra/database.ts';
import { oneAtATime } from '../../infra/process.ts';
import { handles, type JobRegistration } from '../../infra/queue.ts';
import { checkedRows, now } from '../../infra/sql.ts';
import { backup, type BackupPlace, BackupRefused } from './backup.ts';
import { type Verified, verifyBackup, type VerifyOptions } from './verify-backup.ts';
import type { Backup, BackupSchedule as StoredSchedule } from '../../generated/prisma/client.ts';

/** `pattern`: five cron fields in the site's time zone; `keep`: number of files to keep. */
export type BackupSchedule = Readonly<Omit<StoredSchedule, 'id'>>;

export type StoredBackup = Omit<Backup, 'bytes'> & { readonly bytes: number | null };

const withNumber = (row: Backup): StoredBackup => ({
  ...row,
  bytes: row.bytes === null ? null : Number(row.bytes),
});

type BackupsRepository = ReturnType<typeof backupsRepository>;

/** SQL of the backup schedule and history. `list` and `schedule` return everything that the operator's page shows. */
export function backupsRepository({ db, prisma }: Pick<Database, 'db' | 'prisma'>) {
  const update = async (id: number, data: Partial<Backup>): Promise<void> => {
    await prisma.backup.updateMany({ where: { id }, data });
  };
  return {
    /**
     * A worker reads the schedule when it starts. Prisma would need 0.2 s of processor time for this, because
     * it would have to compile its first query.
     */
    async schedule(): Promise<BackupSchedule | null> {
      const columns = ['pattern', 'keep', 'changed_at as changedAt'] as const;
      return (await db.selectFrom('backup_schedule').select(columns).executeTakeFirst()) ?? null;
    },

    /** Runs in the transaction of its audit entry. Uses the clock of the database, like `serverTime`. */
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

    /** Backups, newest first. */
    async list(limit: number): Promise<StoredBackup[]> {
      return (await prisma.backup.findMany({ orderBy: { id: 'desc' }, take: limit })).map(withNumber);
    },

    async byId(id: number): Promise<StoredBackup | null> {
      const row = await prisma.backup.findUnique({ where: { id } });
      return row && withNumber(row);
    },

    async begin(row: Pick<Backup, 'file' | 'isScheduled' | 'isEncrypted'>): Promise<number> {
      // The time is that of the database's clock, because `started_at` determines when the next backup is due.
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

    /** Marks unfinished backups of killed processes as failed; returns those whose files are incomplete. */
    async failInterrupted(): Promise<readonly Pick<Backup, 'file'>[]> {
      await prisma.backup.updateMany({
        where: { finishedAt: { not: null }, verifiedAt: null, problem: '' },
        data: { problem: 'the process ended while verifying it' },
      });
      return prisma.backup.updateManyAndReturn({
        where: { finishedAt: null, problem: '' },
        data: { problem: 'the process ended while writing it' },
        select: { file: true },
      });
    },

    remove: (id: number) => update(id, { removedAt: new Date() }),
  };
}

/** Makes requested backups and checks every minute whether a backup is due. A lock serialises the workers. */
const LOOK_MILLISECONDS = 60_000;

export function runBackups(store: Pick<Backups, 'makeDue'>, log: Logger): { close(): void } {
  const look = oneAtATime(async () => {
    try {
      const made = await store.makeDue();
      if (made) log.info({ backup: made }, 'backup made and verified');
    } catch (error) {
      log.error({ err: error }, 'backup failed');
    }
  });
  look();
  const timer = setInterval(look, LOOK_MILLISECONDS).unref();
  return { close: () => clearInterval(timer) };
}

export const backupJobs = (store: Pick<Backups, 'makeNow'>): JobRegistration[] => [
  handles(makeBackup, async (_payload, { log }) => {
    log.info({ backup: await store.makeNow() }, 'backup made and verified');
  }),
];

/** A time of the backup schedule. */
function dueTime(pattern: string, timeZone: string, at: Date, which: 'prev' | 'next'): Date {
  try {
    if (pattern.trim().split(/\s+/).length !== 5) throw new Error('expected five fields');
    return CronExpressionParser.parse(pattern, { tz: timeZone, currentDate: at })[which]().toDate();
  } catch (error) {
    throw new BackupRefused(
      `"${pattern}" is not a time (${(error as Error).message}): expected minute, hour, day, month and weekday as in cron, e.g. "15 2 * * *"`,
    );
  }
}

/** The last scheduled time before `at`. @throws BackupRefused for an invalid cron pattern */
const lastDue = (pattern: string, timeZone: string, at: Date): Date => dueTime(pattern, timeZone, at, 'prev');

/** The next scheduled time after `at`. @throws BackupRefused for an invalid cron pattern */
export const nextDue = (pattern: string, timeZone: string, at: Date): Date =>
  dueTime(pattern, timeZone, at, 'next');

/** Whether a scheduled time has passed since the last scheduled backup started. */
export function isDue(
  { pattern, changedAt }: BackupSchedule,
  { timeZone, at, last }: { timeZone: string; at: Date; last: Date | null },
): boolean {
  const due = lastDue(pattern, timeZone, at);
  return due >= changedAt && (last === null || last < due);
}

/** Lock held during a backup, so that only one process of the installation makes one. */
const BACKUP_LOCK = 190_003;
/** Rows examined by retention. No more files than this are kept. */
const MOST = 1_000;

async function sha256Of(file: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(file)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

interface BackupsOptions {
  readonly config: Pick<Config, 'home' | 'backup' | 'databaseUrl' | 'timeZone'>;
  readonly database: Pick<Database, 'db' | 'pool' | 'prisma'>;
  readonly migrate: VerifyOptions['migrate'];
}

type Backups = ReturnType<typeof backups>;

export function backups({ config, database, migrate }: BackupsOptions) {
  const { directory, key } = config.backup;
  const repository: BackupsRepository = backupsRepository(database);
  const place: BackupPlace = { pictures: join(config.home, 'avatars'), key };
  const pathOf = ({ file }: Pick<StoredBackup, 'file'>): string => join(directory, file);
  /** The file while it is written. */
  const partOf = (row: Pick<StoredBackup, 'file'>): string => `${pathOf(row)}.part`;
  /** Removes the files of a backup that was not finished: nothing else would ever remove them. */
  async function discard(row: Pick<StoredBackup, 'file'>): Promise<void> {
    for (const path of [partOf(row), pathOf(row)]) await rm(path, { force: true });
  }

  /** @throws BackupRefused when the file was changed or cannot be restored */
  async function verify(row: StoredBackup): Promise<Verified> {
    try {
      const hash = await sha256Of(pathOf(row)).catch(() => {
        throw new BackupRefused(`${pathOf(row)} cannot be read`);
      });
      if (hash !== row.sha256)
        throw new BackupRefused(`${pathOf(row)} is not the file that was written: it was changed or damaged`);
      const found = await verifyBackup(pathOf(row), { databaseUrl: config.databaseUrl, key, migrate });
      await repository.verified(row.id, found.seconds);
      return found;
    } catch (error) {
      await repository.fail(row.id, (error as Error).message);
      throw error;
    }
  }

  /** Deletes the oldest files beyond `keep`, but only if newer verified backups exist. */
  async function retain(keep: number): Promise<void> {
    const rows = (await repository.list(MOST)).filter(
      ({ removedAt, isScheduled, finishedAt }) => removedAt === null && isScheduled && finishedAt !== null,
    );
    const good = rows.filter(({ verifiedAt, problem }) => verifiedAt !== null && problem === '');
    const oldestKept = good[keep - 1];
    if (!oldestKept) return;
    for (const row of rows.filter(({ id }) => id < oldestKept.id)) {
      await rm(pathOf(row), { force: true });
      await repository.remove(row.id);
    }
  }

  async function write(id: number, file: string): Promise<void> {
    const part = partOf({ file });
    try {
      await mkdir(directory, { recursive: true, mode: 0o700 });
      await backup(database.pool, part, place);
      const { size } = await stat(part);
      const sha256 = await sha256Of(part);
      await rename(part, join(directory, file));
      await repository.finish(id, { bytes: size, sha256 });
    } catch (error) {
      await discard({ file });
      await repository.fail(id, (error as Error).message);
      throw error;
    }
  }

  /** Makes and verifies a backup. */
  async function make(isScheduled: boolean): Promise<StoredBackup> {
    for (const row of await repository.failInterrupted()) await discard(row);
    const stamp = (await repository.serverTime()).toISOString().replace(/[:.]/g, '-');
    const file = `unitcell-${stamp}.backup.gz${key === null ? '' : '.age'}`;
    const id = await repository.begin({ file, isScheduled, isEncrypted: key !== null });
    await write(id, file);
    await verify((await repository.byId(id))!);
    return (await repository.byId(id))!;
  }

  /** @returns null when another process is making a backup */
  async function withBackupLock<T>(work: () => Promise<T>): Promise<T | null> {
    const client: pg.PoolClient = await database.pool.connect();
    try {
      const [lock] = await checkedRows(
        client,
        `SELECT pg_try_advisory_lock(${BACKUP_LOCK}) AS "isHeld"`,
        z.object({ isHeld: z.boolean() }),
      );
      if (lock?.isHeld !== true) return null;
      try {
        return await work();
      } finally {
        await client.query('SELECT pg_advisory_unlock($1)', [BACKUP_LOCK]);
      }
    } finally {
      client.release();
    }
  }

  return {
    repository,
    verify,
    pathOf,

    /** Makes a backup now. @throws BackupRefused */
    async makeNow(): Promise<StoredBackup> {
      const made = await withBackupLock(() => make(false));
      if (made === null) throw new BackupRefused('another backup is in progress');
      return made;
    },

    /** Makes a backup if one is due. @returns the backup; null: none was due */
    makeDue: (): Promise<StoredBackup | null> =>
      withBackupLock(async () => {
        const schedule = await repository.schedule();
        if (schedule === null) return null;
        const at = await repository.serverTime();
        // This process holds the lock, so a backup without an outcome was killed. It is repeated once. The
        // repetition marks it as failed, so that a backup that kills its worker does not do so all night.
        const last = (await repository.list(MOST)).find(
          ({ isScheduled, verifiedAt, problem }) => isScheduled && (verifiedAt !== null || problem !== ''),
        );
        if (!isDue(schedule, { timeZone: config.timeZone, at, last: last?.startedAt ?? null })) return null;
        const made = await make(true);
        await retain(schedule.keep);
        return made;
      }),
  };
}
