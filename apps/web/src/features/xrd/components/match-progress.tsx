/** Progress of a match or a refinement, queue length, and Cancel. */
import { Button, Progress } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { useTexts } from '../../../i18n/texts.ts';
import { useMatchProgress } from '../api/use-matching.ts';
import { xrdTexts } from '../texts.ts';
import classes from './xrd.module.css';

interface MatchProgressProps {
  readonly matchId: string;
  /** Name of the running task. */
  readonly label: string;
  readonly onCancel: () => void;
}

export function MatchProgress({ matchId, label, onCancel }: MatchProgressProps) {
  const { t } = useTexts(xrdTexts);
  const { data } = useMatchProgress(matchId);
  const percent = Math.round(100 * (data?.progress ?? 0));
  // The server does not know the id until the request arrives.
  const words = data && data.state !== 'unknown' ? data.message : t('starting');
  const place = useRef<HTMLDivElement>(null);
  // On a small screen it appears below the button that was pressed.
  useEffect(() => {
    place.current?.scrollIntoView({ block: 'nearest' });
  }, []);
  return (
    <div ref={place} className={classes.progress}>
      <output className={classes.progressText}>{words}</output>
      <Progress value={data?.state === 'waiting' ? 0 : percent} size="sm" aria-label={label} />
      <Button variant="default" size="xs" onClick={onCancel}>
        {t('cancel')}
      </Button>
    </div>
  );
}
