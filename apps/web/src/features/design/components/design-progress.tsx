/** How far a search is, how to stop it, and what was left at each step. */
import { Button, Progress } from '@mantine/core';
import type { DesignRun } from '@unitcell/contract';
import { Notice } from '../../../components/notice.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { formatCount } from '../../../lib/format.ts';
import { isOpen, useCancelDesign } from '../api/use-design.ts';
import { designTexts } from '../texts.ts';
import classes from './design.module.css';

export function DesignProgress({ run }: { readonly run: DesignRun }) {
  const { t } = useTexts(designTexts);
  const cancel = useCancelDesign();
  const { counts } = run;
  if (run.status === 'cancelled') return <Notice kind="warning">{t('cancelled')}</Notice>;
  if (run.status === 'failed') return <Notice kind="problem">{t('failed', { reason: run.reason })}</Notice>;
  return (
    <div className={classes.progress}>
      {isOpen(run) && (
        <div className={classes.bar}>
          <span>{t(run.status === 'queued' ? 'queued' : 'running')}</span>
          <Progress aria-label={t('progress')} value={100 * run.progress} className={classes.track} />
          <Button
            size="xs"
            variant="default"
            loading={cancel.isPending}
            onClick={() => cancel.mutate(run.id)}
          >
            {t('cancel')}
          </Button>
        </div>
      )}
      {counts.predicted !== undefined && (
        <p className={classes.note}>
          {t('funnel', {
            templates: formatCount(counts.templates),
            considered: formatCount(counts.considered),
            unbalanced: formatCount(counts.unbalanced),
            predicted: formatCount(counts.predicted),
            refused: formatCount(counts.refused),
            filtered: formatCount(counts.filtered),
            withoutHull: formatCount(counts.without_hull),
            duplicates: formatCount(counts.duplicates),
            known: formatCount(counts.known),
          })}
        </p>
      )}
    </div>
  );
}
