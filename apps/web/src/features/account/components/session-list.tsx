/** Where the account is signed in, with a way to end each session but the present one. */
import { Button, Skeleton } from '@mantine/core';
import { ErrorPanel } from '../../../components/error-panel.tsx';
import { useFailureToast } from '../../../components/failure-toast.ts';
import { useTexts } from '../../../i18n/texts.ts';
import { useRevokeSession, useSessions } from '../api/use-sessions.ts';
import { accountTexts } from '../texts.ts';
import classes from './account-page.module.css';

export function SessionList() {
  const { t, language } = useTexts(accountTexts);
  const sessions = useSessions();
  const revoke = useRevokeSession();
  const say = useFailureToast();
  if (sessions.isError) return <ErrorPanel error={sessions.error} onRetry={() => void sessions.refetch()} />;
  if (!sessions.data) return <Skeleton height={96} />;

  const format = new Intl.DateTimeFormat(language === 'zh' ? 'zh-CN' : 'en-GB', {
    dateStyle: 'medium',
    timeStyle: 'short',
  });
  const end = (id: string): void => revoke.mutate(id, { onError: say });
  return (
    <div className={classes.tableFrame}>
      <table className={classes.sessions}>
        <thead>
          <tr>
            <th scope="col">{t('device')}</th>
            <th scope="col">{t('address')}</th>
            <th scope="col">{t('signedIn')}</th>
            <th scope="col">{t('lastUsed')}</th>
            <th scope="col" aria-label={t('endSession')} />
          </tr>
        </thead>
        <tbody>
          {sessions.data.sessions.map((session) => {
            const device = session.device === '' ? t('unknownDevice') : session.device;
            return (
              <tr key={session.id}>
                <th scope="row">
                  {device}
                  {session.current && <span className={classes.mark}>{t('thisSession')}</span>}
                </th>
                <td data-label={t('address')}>{session.address || '–'}</td>
                <td data-label={t('signedIn')}>{format.format(new Date(session.created_at))}</td>
                <td data-label={t('lastUsed')}>{format.format(new Date(session.last_used_at))}</td>
                <td>
                  {!session.current && (
                    <Button
                      variant="subtle"
                      size="compact-sm"
                      aria-label={t('endSessionOf', { device })}
                      disabled={revoke.isPending}
                      onClick={() => end(session.id)}
                    >
                      {t('endSession')}
                    </Button>
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
