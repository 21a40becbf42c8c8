/** Where the account is signed in, with a way to end each session but the present one. */
import { Button, Skeleton } from '@mantine/core';
import { ErrorPanel } from '../../../components/error-panel.tsx';
import { useFailureToast } from '../../../components/failure-toast.ts';
import { ListTable } from '../../../components/list-table.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { useRevokeSession, useSessions } from '../api/own-account.ts';
import { accountTexts } from '../texts.ts';
import classes from './account.module.css';

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
  const deviceOf = ({ device }: { readonly device: string }): string => device || t('unknownDevice');
  return (
    <ListTable
      label={t('sessionList')}
      rows={sessions.data.sessions}
      rowKey={({ id }) => id}
      empty="–"
      columns={[
        {
          id: 'device',
          header: t('device'),
          render: (session) => (
            <>
              {deviceOf(session)}
              {session.current && <span className={classes.mark}>{t('thisSession')}</span>}
            </>
          ),
        },
        { id: 'address', header: t('address'), render: ({ address }) => address || '–' },
        {
          id: 'signedIn',
          header: t('signedIn'),
          render: (session) => format.format(new Date(session.created_at)),
        },
        {
          id: 'lastUsed',
          header: t('lastUsed'),
          render: (session) => format.format(new Date(session.last_used_at)),
        },
      ]}
      actionsLabel={t('endSession')}
      renderActions={(session) =>
        !session.current && (
          <Button
            variant="subtle"
            size="compact-sm"
            aria-label={t('endSessionOf', { device: deviceOf(session) })}
            disabled={revoke.isPending}
            onClick={() => revoke.mutate(session.id, { onError: say })}
          >
            {t('endSession')}
          </Button>
        )
      }
    />
  );
}
