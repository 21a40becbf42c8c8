/** The worker's side of backups: those that are asked for, and each minute a look whether one is due. Workers take turns by a lock. */
import { makeBackup } from '@unitcell/contract/jobs';
import type { Logger } from 'pino';
import { oneAtATime } from '../../infra/one-at-a-time.ts';
import { handles, type JobRegistration } from '../../infra/queue.ts';
import type { Backups } from './backups.ts';

const LOOK_MILLISECONDS = 60_000;

export function runBackups(backups: Pick<Backups, 'makeDue'>, log: Logger): { close(): void } {
  const look = oneAtATime(async () => {
    try {
      const made = await backups.makeDue();
      if (made) log.info({ backup: made }, 'backup made and verified');
    } catch (error) {
      log.error({ err: error }, 'backup failed');
    }
  });
  look();
  const timer = setInterval(look, LOOK_MILLISECONDS).unref();
  return { close: () => clearInterval(timer) };
}

export const backupJobs = (backups: Pick<Backups, 'makeNow'>): JobRegistration[] => [
  handles(makeBackup, async (_payload, { log }) => {
    log.info({ backup: await backups.makeNow() }, 'backup made and verified');
  }),
];
