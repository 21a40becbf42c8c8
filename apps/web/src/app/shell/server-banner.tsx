/** Says that the server does not answer, and asks again until it does. */
import { useEffect } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { queryClient } from '../../lib/query-client.ts';
import { useServerReachable } from '../../lib/server-status.ts';
import { askServer } from './ask-server.ts';
import classes from './shell.module.css';
import { shellTexts } from './texts.ts';

const RETRY_MS = 5000;

/** What the browser says of its network is asked for, not believed: a site on the same machine needs none. */
function useNetworkEvents(): void {
  useEffect(() => {
    const ask = (): void => void askServer();
    addEventListener('offline', ask);
    addEventListener('online', ask);
    return () => {
      removeEventListener('offline', ask);
      removeEventListener('online', ask);
    };
  }, []);
}

export function ServerBanner() {
  const { t } = useTexts(shellTexts);
  const isReachable = useServerReachable();
  useNetworkEvents();
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
      {t(navigator.onLine ? 'serverDown' : 'offline')}
      <button type="button" className={classes.bannerButton} onClick={() => void askServer()}>
        {t('retryNow')}
      </button>
    </output>
  );
}
