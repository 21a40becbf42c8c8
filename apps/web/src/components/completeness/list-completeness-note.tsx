/** A line above a list: how many of its rows belong to incomplete chemical systems. */
import type { ListCompleteness } from '@unitcell/contract/phase-diagram';
import { useTexts } from '../../i18n/texts.ts';
import { formatCount } from '../../lib/format.ts';
import classes from '../provenance/provenance.module.css';
import { completenessTexts } from './texts.ts';

interface ListCompletenessNoteProps {
  /** Kind of row: electrochemical windows, or materials with their energy above the hull. */
  readonly of?: 'windows' | 'materials';
  /** Undefined if the server does not report completeness. */
  readonly completeness: ListCompleteness | undefined;
  /** Number of rows whose system lacks compounds. */
  readonly incomplete: number;
}

export function ListCompletenessNote({
  of = 'windows',
  completeness,
  incomplete,
}: ListCompletenessNoteProps) {
  const { t } = useTexts(completenessTexts);
  if (completeness === undefined) return null;
  const isWindows = of === 'windows';
  if (completeness.status === 'not-known')
    return <p className={`uc-hint ${classes.note}`}>{t(isWindows ? 'rowsNotKnown' : 'materialsNotKnown')}</p>;
  if (incomplete === 0) return null;
  return (
    <p className={`uc-hint ${classes.note}`} data-status="incomplete">
      {t(isWindows ? 'rowsIncomplete' : 'materialsIncomplete', {
        count: incomplete,
        n: formatCount(incomplete),
      })}
    </p>
  );
}
