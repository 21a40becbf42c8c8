/** When the worker makes backups by itself, and how many are kept. */
import { Button, Modal, NativeSelect, TextInput } from '@mantine/core';
import { operateBackupSchedule } from '@unitcell/contract/calls';
import { MOST_BACKUPS_KEPT } from '@unitcell/contract/operate/rules';
import { useState } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { useAct } from '../api/use-operate.ts';
import { backupTexts } from '../backup-texts.ts';
import { OFTEN, patternOf, timesOf } from '../backup-times.ts';
import { operateTexts } from '../texts.ts';
import classes from './operate.module.css';

interface BackupScheduleDialogProps {
  readonly schedule: { readonly pattern: string; readonly keep: number } | null;
  readonly timeZone: string;
  readonly onClose: () => void;
}

/** The days of a week in the reader's language, Sunday first. */
export function weekdaysIn(language: string): string[] {
  const format = new Intl.DateTimeFormat(language === 'zh' ? 'zh-CN' : 'en-GB', {
    weekday: language === 'zh' ? 'short' : 'long',
    timeZone: 'UTC',
  });
  // 1 January 2023 was a Sunday.
  return Array.from({ length: 7 }, (_, day) => format.format(Date.UTC(2023, 0, 1 + day)));
}

const DEFAULT_KEPT = 14;

export function BackupScheduleDialog({ schedule, timeZone, onClose }: BackupScheduleDialogProps) {
  const { t, language } = useTexts(backupTexts);
  const frame = useTexts(operateTexts);
  const [times, setTimes] = useState(() => timesOf(schedule?.pattern ?? null));
  const [kept, setKept] = useState(String(schedule?.keep ?? DEFAULT_KEPT));
  const set = useAct(operateBackupSchedule, t('isSet'));
  const pattern = patternOf(times);
  const keep = /^\d{1,3}$/.test(kept) ? Number(kept) : 0;
  const isWhole = pattern === null || (pattern !== '' && keep >= 1 && keep <= MOST_BACKUPS_KEPT);
  return (
    <Modal
      opened
      onClose={onClose}
      title={t('title')}
      centered
      closeButtonProps={{ 'aria-label': frame.t('close') }}
    >
      <form
        className={classes.form}
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
    </Modal>
  );
}
