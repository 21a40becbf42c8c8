/** When backups are made, and whether the newest could be restored. */
import { operateBackups } from '@unitcell/contract';
import { useTexts } from '../../../i18n/texts.ts';
import { useAsked } from '../api/use-operate.ts';
import { ListTable } from '../../../components/list-table.tsx';
import classes from '../components/operate.module.css';
import { Answered, Mark, PanelHead, sizeText, type Tone, useTimes } from '../components/shared.tsx';
import { siteTexts } from '../site-texts.ts';
import { operateTexts } from '../texts.ts';

const COMMANDS = `unitcell backup schedule "15 2 * * *" --keep 14
unitcell backup now`;

export function BackupsPanel() {
  const { t } = useTexts(siteTexts);
  const frame = useTexts(operateTexts);
  const time = useTimes();
  const asked = useAsked(operateBackups, {});
  return (
    <>
      <PanelHead title={frame.t('backups')} />
      <Answered asked={asked}>
        {({ directory, is_encrypted: isEncrypted, schedule, backups }) => (
          <>
            <dl className={classes.counts}>
              <div>
                <dt>{t('backupTimes')}</dt>
                <dd>{schedule ? <code>{schedule.pattern}</code> : t('backupNever')}</dd>
              </div>
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
