/** Backup schedules as people choose them, and as cron patterns. */

export const OFTEN = ['never', 'daily', 'weekly', 'cron'] as const;
export type Often = (typeof OFTEN)[number];

export interface BackupTimes {
  readonly often: Often;
  /** `02:15` */
  readonly time: string;
  /** 0 is Sunday. */
  readonly weekday: number;
  /** Five cron fields, for schedules that the other fields cannot express. */
  readonly cron: string;
}

const USUAL: BackupTimes = { often: 'daily', time: '02:15', weekday: 0, cron: '15 2 * * *' };

/** @param pattern five cron fields; null: no automatic backups */
export function timesOf(pattern: string | null): BackupTimes {
  if (pattern === null) return { ...USUAL, often: 'never' };
  const [, minute = '', hour = '', weekday = ''] =
    /^(\d{1,2}) (\d{1,2}) \* \* (\*|[0-7])$/.exec(pattern) ?? [];
  if (weekday === '' || Number(minute) > 59 || Number(hour) > 23)
    return { ...USUAL, often: 'cron', cron: pattern };
  return {
    often: weekday === '*' ? 'daily' : 'weekly',
    time: `${hour.padStart(2, '0')}:${minute.padStart(2, '0')}`,
    weekday: weekday === '*' ? USUAL.weekday : Number(weekday) % 7,
    cron: pattern,
  };
}

/** The inverse; null: never. An incomplete time gives an invalid pattern. */
export function patternOf({ often, time, weekday, cron }: BackupTimes): string | null {
  if (often === 'never') return null;
  if (often === 'cron') return cron.trim();
  const [, hour = '', minute = ''] = /^(\d{2}):(\d{2})/.exec(time) ?? [];
  if (hour === '') return '';
  return `${Number(minute)} ${Number(hour)} * * ${often === 'daily' ? '*' : weekday}`;
}
