/** The worker's side of backups: looks each minute whether one is due. Several workers take turns by a lock. */
import type { Logger } from 'pino';
import { oneAtATime } from '../../infra/one-at-a-time.ts';
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
