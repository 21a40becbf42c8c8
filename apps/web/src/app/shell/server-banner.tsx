/** Says that the server does not answer, and asks again until it does. */
import { getData } from '@unitcell/contract';
import { useEffect } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { callApi } from '../../lib/api-client.ts';
import { queryClient } from '../../lib/query-client.ts';
import { useServerReachable } from '../../lib/server-status.ts';
import classes from './shell.module.css';
import { shellTexts } from './texts.ts';

const RETRY_MS = 5000;

/** The client reports success or failure by itself; when the server is back, what failed is fetched again. */
async function askAgain(): Promise<void> {
  try {
    await callApi(getData, undefined);
    await queryClient.invalidateQueries({ predicate: (query) => query.state.status === 'error' });
  } catch {
    // Still down: the banner stays.
  }
}

export function ServerBanner() {
  const { t } = useTexts(shellTexts);
  const isReachable = useServerReachable();
  useEffect(() => {
    if (isReachable) return undefined;
    const timer = setInterval(() => void askAgain(), RETRY_MS);
    return () => clearInterval(timer);
  }, [isReachable]);
  if (isReachable) return null;
  return (
    <output className={classes.banner}>
      {t('serverDown')}
      <button type="button" className={classes.bannerButton} onClick={() => void askAgain()}>
        {t('retryNow')}
      </button>
    </output>
  );
}
