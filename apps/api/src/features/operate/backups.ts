/** The functions of `unitcell backup`: the schedule, the list of backups, and the start of a backup. */
import { makeBackup } from '@unitcell/contract/jobs';
import { operateBackUp, operateBackups, operateBackupSchedule } from '@unitcell/contract/operate';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../../config/config.ts';
import { BackupRefused } from '../../domain/backup/backup.ts';
import { type BackupSchedule, backupsRepository, nextDue } from '../../domain/backup/backups.ts';
import type { Services } from '../../domain/services.ts';
import { done, serveCall } from '../../http/serve-call.ts';
import type { Database } from '../../infra/database.ts';
import { AppError } from '../../messages/app-error.ts';
import { askedBy, type By, writeAudit } from '../account/audit-log.ts';

/** Number of newest backups listed; enough for two weeks of nightly backups. */
const SHOWN = 50;

type Wanted = Pick<BackupSchedule, 'pattern' | 'keep'>;

/** Sets the backup times; null disables them. @throws BackupRefused when the times are invalid */
export async function setBackupSchedule(
  database: Pick<Database, 'db' | 'prisma'>,
  { timeZone }: Pick<Config, 'timeZone'>,
  by: By,
  wanted: Wanted | null,
): Promise<void> {
  if (wanted) nextDue(wanted.pattern, timeZone, new Date());
  await database.db.transaction().execute(async (tx) => {
    await backupsRepository(database).setSchedule(wanted, tx);
    const detail = wanted ? { pattern: wanted.pattern, keep: wanted.keep } : { pattern: 'off' };
    await writeAudit(tx, { ...by, accountId: null, event: 'backup-schedule-changed', detail });
  });
}

/** Records the request of a backup and its author in the audit log. */
export const logBackupAsked = ({ db }: Pick<Database, 'db'>, by: By): Promise<void> =>
  writeAudit(db, { ...by, accountId: null, event: 'backup-asked' });

export function backupsRoutes(
  app: FastifyInstance,
  { config, database, queue }: Pick<Services, 'config' | 'database' | 'queue'>,
): void {
  const repository = backupsRepository(database);
  const { directory, key } = config.backup;

  serveCall(app, operateBackups, async () => {
    const schedule = await repository.schedule();
    return {
      directory,
      is_encrypted: key !== null,
      time_zone: config.timeZone,
      schedule: schedule && {
        pattern: schedule.pattern,
        keep: schedule.keep,
        next_at: nextDue(schedule.pattern, config.timeZone, new Date()).toISOString(),
      },
      backups: (await repository.list(SHOWN)).map((made) => ({
        id: made.id,
        file: made.file,
        is_scheduled: made.isScheduled,
        is_encrypted: made.isEncrypted,
        started_at: made.startedAt.toISOString(),
        bytes: made.bytes,
        verified_at: made.verifiedAt?.toISOString() ?? null,
        problem: made.problem,
        removed_at: made.removedAt?.toISOString() ?? null,
      })),
    };
  });

  // Requests a backup from a worker, because only workers have the backup folder. Two requests before it starts
  // make one backup.
  serveCall(app, operateBackUp, async (input) => {
    await logBackupAsked(database, askedBy(input));
    await queue.enqueue(makeBackup, {}, { jobId: makeBackup.name });
    return done;
  });

  serveCall(app, operateBackupSchedule, async (input) => {
    const { pattern, keep } = input.body;
    try {
      await setBackupSchedule(database, config, askedBy(input), pattern === null ? null : { pattern, keep });
    } catch (error) {
      if (error instanceof BackupRefused) throw new AppError('operate.backup-time', { typed: pattern ?? '' });
      throw error;
    }
    return done;
  });
}
