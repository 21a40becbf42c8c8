/** Says that the server lets one wait: an answer, or the code of a page, takes longer than people wait without a word. */
import { useEffect } from 'react';
import { useNavigation } from 'react-router';
import { useTexts } from '../../i18n/texts.ts';
import { reportWaiting, useServerReachable, useServerSlow } from '../../lib/server-status.ts';
import classes from './shell.module.css';
import { shellTexts } from './texts.ts';

export function SlowNotice() {
  const { t } = useTexts(shellTexts);
  const isSlow = useServerSlow();
  const isReachable = useServerReachable();
  const isOnItsWay = useNavigation().state !== 'idle';
  useEffect(() => (isOnItsWay ? reportWaiting() : undefined), [isOnItsWay]);
  // The element stays: a region that comes with its first words is not read out everywhere.
  return <output className={classes.slow}>{isSlow && isReachable ? t('serverSlow') : ''}</output>;
}
