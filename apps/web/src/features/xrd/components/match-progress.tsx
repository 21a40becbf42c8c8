/** How far the match is, how many wait before it, and the way out. */
import { Button, Progress } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { useMatchProgress } from '../api/use-matching.ts';
import { xrdTexts } from '../texts.ts';
import classes from './xrd.module.css';

interface MatchProgressProps {
  readonly matchId: string;
  readonly onCancel: () => void;
}

export function MatchProgress({ matchId, onCancel }: MatchProgressProps) {
  const { t } = useTexts(xrdTexts);
  const { data } = useMatchProgress(matchId);
  const percent = Math.round(100 * (data?.progress ?? 0));
  // Until the match itself has arrived, the server knows of none.
  const words = data && data.state !== 'unknown' ? data.message : t('starting');
  const place = useRef<HTMLDivElement>(null);
  // On a small screen it appears below the button that was pressed.
  useEffect(() => {
    place.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <div ref={place} className={classes.progress}>
      <output className={classes.progressText}>{words}</output>
      <Progress value={data?.state === 'waiting' ? 0 : percent} size="sm" aria-label={t('matching')} />
      <Button variant="default" size="xs" onClick={onCancel}>
        {t('cancel')}
      </Button>
    </div>
  );
}
