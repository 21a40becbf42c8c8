/** Says that the server does not answer, and asks again until it does. */
import { useEffect } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { queryClient } from '../../lib/query-client.ts';
import { useServerReachable } from '../../lib/server-status.ts';
import { askServer } from './ask-server.ts';
import classes from './shell.module.css';
import { shellTexts } from './texts.ts';

const RETRY_MS = 5000;

export function ServerBanner() {
  const { t } = useTexts(shellTexts);
  const isReachable = useServerReachable();
  useEffect(() => {
    // Back again, or never away: what failed in the meantime is fetched again.
    if (isReachable) {
      void queryClient.invalidateQueries({ predicate: (query) => query.state.status === 'error' });
      return undefined;
    }
    const timer = setInterval(() => void askServer(), RETRY_MS);
    return () => clearInterval(timer);
  }, [isReachable]);
  if (isReachable) return null;
  return (
    <output className={classes.banner}>
      {t('serverDown')}
      <button type="button" className={classes.bannerButton} onClick={() => void askServer()}>
        {t('retryNow')}
      </button>
    </output>
  );
}
