/** When backups are made by themselves. */
import { CronExpressionParser } from 'cron-parser';
import { BackupRefused } from './seal-backup.ts';
import type { BackupSchedule } from './backups.repository.ts';

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

/** The last moment of a schedule before `at`. @throws BackupRefused when it is no pattern of cron */
const lastDue = (pattern: string, timeZone: string, at: Date): Date => dueTime(pattern, timeZone, at, 'prev');

/** The first one after it. @throws BackupRefused when it is no pattern of cron */
export const nextDue = (pattern: string, timeZone: string, at: Date): Date =>
  dueTime(pattern, timeZone, at, 'next');

/** Whether a moment of the schedule has passed since the last scheduled backup was begun. */
export function isDue(
  { pattern, changedAt }: BackupSchedule,
  { timeZone, at, last }: { timeZone: string; at: Date; last: Date | null },
): boolean {
  const due = lastDue(pattern, timeZone, at);
  return due >= changedAt && (last === null || last < due);
}
