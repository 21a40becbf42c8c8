/** How far the match is, how many wait before it, and the way out. */
import { Button, Progress } from '@mantine/core';
import type { MatchProgress as Answer } from '@unitcell/contract';
import { useTexts } from '../../../i18n/texts.ts';
import { useMatchProgress } from '../api/use-match-progress.ts';
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
  const words = (answer: Answer | undefined): string => {
    if (answer?.state === 'waiting') return t('waiting', { count: answer.position });
    if (answer?.state === 'indexing') return t('indexing', { percent });
    if (answer?.state === 'running') return t('running', { percent });
    return t('starting');
  };
  return (
    <div className={classes.progress}>
      <output className={classes.progressText}>{words(data)}</output>
      <Progress value={data?.state === 'waiting' ? 0 : percent} size="sm" aria-label={t('matching')} />
      <Button variant="default" size="xs" onClick={onCancel}>
        {t('cancel')}
      </Button>
    </div>
  );
}
