import type { SubmissionRow } from '@unitcell/contract';
import { useTexts } from '../../../i18n/texts.ts';
import { run4uTexts } from '../texts.ts';
import { progressText } from '../view-model.ts';
import classes from './run4u.module.css';

/** The state of a submission: its word, a bar while it runs, and what is going on. */
export function StatusBadge({ row }: { readonly row: SubmissionRow }) {
  const { t } = useTexts(run4uTexts);
  const detail = progressText(row, t);
  return (
    <div className={classes.status}>
      <span className={classes.badge} data-status={row.status}>
        {t(`status_${row.status}`)}
      </span>
      {row.status === 'running' && (
        <progress
          className={classes.progress}
          value={row.progress}
          max={1}
          aria-label={t('status_running')}
        />
      )}
      {detail !== '' && <span className={classes.statusDetail}>{detail}</span>}
    </div>
  );
}
