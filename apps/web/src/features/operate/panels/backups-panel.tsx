/** When backups are made, and whether the newest could be restored; one made now, and other times. */
import { Button } from '@mantine/core';
import { operateBackUp, operateBackups } from '@unitcell/contract/calls';
import { useState } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { useAct, useAsked } from '../api/use-operate.ts';
import { backupTexts } from '../backup-texts.ts';
import { timesOf } from '../backup-times.ts';
import { BackupScheduleDialog, weekdaysIn } from '../components/backup-schedule-dialog.tsx';
import { ListTable } from '../../../components/list-table.tsx';
import classes from '../components/operate.module.css';
import { Answered, Mark, PanelHead, sizeText, type Tone, useTimes } from '../components/shared.tsx';
import { siteTexts } from '../site-texts.ts';
import { operateTexts } from '../texts.ts';

/** A backup that was asked for appears by itself. */
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
            <dl className={classes.counts}>
              <div>
                <dt>{t('backupTimes')}</dt>
                <dd>{schedule ? timesText(schedule.pattern) : t('backupNever')}</dd>
              </div>
              {schedule && (
                <div>
                  <dt>{own.t('next')}</dt>
                  <dd>{time(schedule.next_at)}</dd>
                </div>
              )}
              {schedule && (
                <div>
                  <dt>{t('backupsKept')}</dt>
                  <dd>{schedule.keep}</dd>
                </div>
              )}
              <div>
                <dt>{t('backupEncryption')}</dt>
                <dd>{isEncrypted ? 'age' : t('backupPlain')}</dd>
              </div>
            </dl>
            <p className={classes.hint}>{t('backupsHint', { directory })}</p>
            <ListTable
              label={frame.t('backups')}
              rows={backups}
              rowKey={({ id }) => id}
              empty={t('noBackups')}
              columns={[
                { id: 'when', header: t('when'), render: (made) => time(made.started_at) },
                { id: 'file', header: t('file'), isWrapped: true, render: ({ file }) => <code>{file}</code> },
                {
                  id: 'size',
                  header: t('weighs'),
                  isNumeric: true,
                  render: ({ bytes }) => (bytes === null ? '–' : sizeText(bytes)),
                },
                {
                  id: 'state',
                  header: t('state'),
                  isWrapped: true,
                  render: ({ problem, verified_at: verified, removed_at: removed, bytes }) => {
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
                },
              ]}
            />
            <code className={classes.code}>{COMMANDS}</code>
          </>
        )}
      </Answered>
    </>
  );
}
