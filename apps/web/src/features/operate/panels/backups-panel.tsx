/** The backup schedule, the verification of the newest backup, and a manual backup. */
import { Button, NativeSelect, TextInput } from '@mantine/core';
import { operateBackUp, operateBackups, operateBackupSchedule } from '@unitcell/contract/calls';
import { MOST_BACKUPS_KEPT } from '@unitcell/contract/operate/rules';
import { useState } from 'react';
import { ListTable } from '../../../components/data-table/list-table.tsx';
import { defineTexts, useTexts } from '../../../i18n/texts.ts';
import { useAct, useAsked } from '../api/use-operate.ts';
import classes from '../components/operate.module.css';
import {
  Answered,
  Counts,
  Dialog,
  Mark,
  PanelHead,
  sizeText,
  type Tone,
  useTimes,
} from '../components/shared.tsx';
import { siteTexts } from '../site-texts.ts';
import { operateTexts } from '../texts.ts';
import { MISSING } from '../../../lib/format.ts';

export const OFTEN = ['never', 'daily', 'weekly', 'cron'] as const;
export type Often = (typeof OFTEN)[number];

/** A schedule as people choose it; stored as a cron pattern. */
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

/** The inverse of timesOf; null for no automatic backups. An incomplete time gives an invalid pattern. */
export function patternOf({ often, time, weekday, cron }: BackupTimes): string | null {
  if (often === 'never') return null;
  if (often === 'cron') return cron.trim();
  const [, hour = '', minute = ''] = /^(\d{2}):(\d{2})/.exec(time) ?? [];
  if (hour === '') return '';
  return `${Number(minute)} ${Number(hour)} * * ${often === 'daily' ? '*' : weekday}`;
}

const backupTexts = defineTexts('operate-backup', {
  backUpNow: ['Back up now', '立即备份'],
  isAsked: [
    'A worker is making a backup; it will appear in the list.',
    '后台进程正在备份，完成后显示在列表中。',
  ],
  change: ['Change schedule', '修改时间'],
  title: ['Automatic backups', '自动备份'],
  often: ['How often', '频率'],
  never: ['Never', '不自动备份'],
  daily: ['Every day', '每天'],
  weekly: ['Every week', '每周'],
  cron: ['Custom (cron)', '其他时间（cron）'],
  time: ['Time of day ({{zone}})', '时间（{{zone}}）'],
  weekday: ['Day of the week', '星期'],
  pattern: ['Minute, hour, day, month, weekday', '分 时 日 月 星期'],
  keep: ['Backups to keep', '保留份数'],
  keepHint: [
    'Older ones are deleted once as many newer ones have been verified.',
    '有同样多的较新备份通过恢复比对后，才会删除更早的备份。',
  ],
  isSet: ['Backup schedule saved.', '备份时间已设置。'],
  dailyAt: ['every day at {{time}}', '每天 {{time}}'],
  weeklyAt: ['on {{day}} at {{time}}', '每{{day}} {{time}}'],
  next: ['Next', '下一次'],
});

interface BackupScheduleDialogProps {
  readonly schedule: { readonly pattern: string; readonly keep: number } | null;
  readonly timeZone: string;
  readonly onClose: () => void;
}

/** Weekdays in the language of the page, Sunday first. */
function weekdaysIn(language: string): string[] {
  const format = new Intl.DateTimeFormat(language === 'zh' ? 'zh-CN' : 'en-GB', {
    weekday: language === 'zh' ? 'short' : 'long',
    timeZone: 'UTC',
  });
  // 1 January 2023 was a Sunday.
  return Array.from({ length: 7 }, (_, day) => format.format(Date.UTC(2023, 0, 1 + day)));
}

const DEFAULT_KEPT = 14;

/** Sets the automatic schedule of the worker and how many backups are kept. */
function BackupScheduleDialog({ schedule, timeZone, onClose }: BackupScheduleDialogProps) {
  const { t, language } = useTexts(backupTexts);
  const frame = useTexts(operateTexts);
  const [times, setTimes] = useState(() => timesOf(schedule?.pattern ?? null));
  const [kept, setKept] = useState(String(schedule?.keep ?? DEFAULT_KEPT));
  const set = useAct(operateBackupSchedule, t('isSet'));
  const pattern = patternOf(times);
  const keep = /^\d{1,3}$/.test(kept) ? Number(kept) : 0;
  const isWhole = pattern === null || (pattern !== '' && keep >= 1 && keep <= MOST_BACKUPS_KEPT);
  return (
    <Dialog onClose={onClose} title={t('title')} centered>
      <form
        className="uc-stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (isWhole)
            set.mutate({ pattern, keep: pattern === null ? DEFAULT_KEPT : keep }, { onSuccess: onClose });
        }}
      >
        <NativeSelect
          label={t('often')}
          value={times.often}
          data={OFTEN.map((value) => ({ value, label: t(value) }))}
          onChange={({ currentTarget: { value } }) =>
            setTimes({ ...times, often: OFTEN.find((often) => often === value) ?? 'never' })
          }
          data-autofocus
        />
        {times.often === 'weekly' && (
          <NativeSelect
            label={t('weekday')}
            value={String(times.weekday)}
            data={weekdaysIn(language).map((label, day) => ({ value: String(day), label }))}
            onChange={({ currentTarget: { value } }) => setTimes({ ...times, weekday: Number(value) })}
          />
        )}
        {(times.often === 'daily' || times.often === 'weekly') && (
          <TextInput
            label={t('time', { zone: timeZone })}
            type="time"
            required
            value={times.time}
            onChange={({ currentTarget: { value } }) => setTimes({ ...times, time: value })}
          />
        )}
        {times.often === 'cron' && (
          <TextInput
            label={t('pattern')}
            required
            maxLength={100}
            value={times.cron}
            onChange={({ currentTarget: { value } }) => setTimes({ ...times, cron: value })}
          />
        )}
        {times.often !== 'never' && (
          <TextInput
            label={t('keep')}
            description={t('keepHint')}
            type="number"
            required
            min={1}
            max={MOST_BACKUPS_KEPT}
            value={kept}
            onChange={({ currentTarget: { value } }) => setKept(value)}
          />
        )}
        <Button type="submit" loading={set.isPending} disabled={!isWhole}>
          {frame.t('save')}
        </Button>
      </form>
    </Dialog>
  );
}

/** Polling interval, so that a requested backup appears in the list. */
const ASK_MILLISECONDS = 5_000;

const COMMANDS = `unitcell backup schedule "15 2 * * *" --keep 14
unitcell backup now`;

export function BackupsPanel() {
  const { t } = useTexts(siteTexts);
  const frame = useTexts(operateTexts);
  const time = useTimes();
  const own = useTexts(backupTexts);
  const asked = useAsked(operateBackups, {}, ASK_MILLISECONDS);
  const backUp = useAct(operateBackUp, own.t('isAsked'));
  const [isChanging, setChanging] = useState(false);
  const timesText = (pattern: string) => {
    const { often, time: at, weekday } = timesOf(pattern);
    if (often === 'daily') return own.t('dailyAt', { time: at });
    if (often === 'weekly')
      return own.t('weeklyAt', { time: at, day: weekdaysIn(own.language)[weekday] ?? '' });
    return <code>{pattern}</code>;
  };
  return (
    <>
      <PanelHead
        title={frame.t('backups')}
        tools={
          <>
            <Button
              variant="default"
              size="compact-md"
              disabled={!asked.data}
              onClick={() => setChanging(true)}
            >
              {own.t('change')}
            </Button>
            <Button size="compact-md" loading={backUp.isPending} onClick={() => backUp.mutate({})}>
              {own.t('backUpNow')}
            </Button>
          </>
        }
      />
      {isChanging && asked.data && (
        <BackupScheduleDialog
          schedule={asked.data.schedule}
          timeZone={asked.data.time_zone}
          onClose={() => setChanging(false)}
        />
      )}
      <Answered asked={asked}>
        {({ directory, is_encrypted: isEncrypted, schedule, backups }) => (
          <>
            <Counts
              of={[
                [t('backupTimes'), schedule ? timesText(schedule.pattern) : t('backupNever')],
                [own.t('next'), schedule && time(schedule.next_at)],
                [t('backupsKept'), schedule && String(schedule.keep)],
                [t('backupEncryption'), isEncrypted ? 'age' : t('backupPlain')],
              ]}
            />
            <p className={`uc-note ${classes.hint}`}>{t('backupsHint', { directory })}</p>
            <ListTable
              label={frame.t('backups')}
              rows={backups}
              rowKey={({ id }) => id}
              empty={t('noBackups')}
              columns={(column) => [
                column(t('when'), (made) => time(made.started_at)),
                column(t('file'), ({ file }) => <code>{file}</code>, 'isWrapped'),
                column(t('weighs'), ({ bytes }) => (bytes === null ? MISSING : sizeText(bytes)), 'isNumeric'),
                column(
                  t('state'),
                  ({ problem, verified_at: verified, removed_at: removed, bytes }) => {
                    const [tone, words]: [Tone, string] =
                      problem !== ''
                        ? ['bad', problem]
                        : removed !== null
                          ? ['none', t('backupRemoved')]
                          : verified !== null
                            ? ['good', t('backupVerified', { time: time(verified) })]
                            : ['watch', t(bytes === null ? 'backupUnderWay' : 'backupUnverified')];
                    return <Mark tone={tone}>{words}</Mark>;
                  },
                  'isWrapped',
                ),
              ]}
            />
            <code className={classes.code}>{COMMANDS}</code>
          </>
        )}
      </Answered>
    </>
  );
}
