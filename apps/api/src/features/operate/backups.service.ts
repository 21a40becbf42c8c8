/** When backups are made, and which were: what `unitcell backup list` prints. */
import type { operateBackups } from '@unitcell/contract';
import type { z } from 'zod';
import type { Config } from '../../config/config.ts';
import { backupsRepository } from '../../domain/backup/backups.repository.ts';
import type { Database } from '../../infra/database.ts';

/** The newest: a site that keeps two weeks of nights has fewer. */
const SHOWN = 50;

type Answer = z.input<typeof operateBackups.answer>;

export function operatedBackups(database: Pick<Database, 'db'>, config: Pick<Config, 'backup' | 'timeZone'>) {
  const repository = backupsRepository(database);
  const { directory, key } = config.backup;
  return async (): Promise<Pick<Answer, 'directory' | 'is_encrypted' | 'schedule' | 'backups'>> => {
    const schedule = await repository.schedule();
    return {
      directory,
      is_encrypted: key !== null,
      schedule: schedule && {
        pattern: schedule.pattern,
        keep: schedule.keep,
        time_zone: config.timeZone,
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
  };
}
