/** One line above a list: how many of its rows stand on chemical systems that are not complete. */
import type { ListCompleteness } from '@unitcell/contract/phase-diagram';
import { useTexts } from '../../i18n/texts.ts';
import { formatCount } from '../../lib/format.ts';
import classes from '../provenance/provenance.module.css';
import { completenessTexts } from './texts.ts';

interface ListCompletenessNoteProps {
  /** What the rows are: windows, or materials with their energy above the hull. */
  readonly of?: 'windows' | 'materials';
  /** Absent in answers of servers that do not tell. */
  readonly completeness: ListCompleteness | undefined;
  /** Rows whose system lacks compounds. */
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
