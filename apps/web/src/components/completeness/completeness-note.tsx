/** A note on whether the chemical system behind a result is complete. Details on demand: what is missing and what to do. */
import type { Completeness } from '@unitcell/contract/phase-diagram';
import type { ListCompleteness } from '@unitcell/contract/common';
import { IconAlertTriangle, IconCircleCheck, IconHelpCircle } from '@tabler/icons-react';
import { useTexts } from '../../i18n/texts.ts';
import { formatCount, formatNumber } from '../../lib/format.ts';
import { Formula } from '../formula.tsx';
import classes from '../provenance/provenance.module.css';
import { type CompletenessOf, consequenceOf, missingIn, NAMED_IN_LINE } from './consequence.ts';
import { completenessTexts } from './texts.ts';

interface CompletenessNoteProps {
  /** Undefined if the server does not report completeness. */
  readonly completeness: Completeness | undefined;
  /** Kind of result the note is about. */
  readonly of: CompletenessOf;
}

const ICONS = { complete: IconCircleCheck, incomplete: IconAlertTriangle, 'not-known': IconHelpCircle };

export function CompletenessNote({ completeness, of }: CompletenessNoteProps) {
  const { t } = useTexts(completenessTexts);
  if (completeness === undefined) return null;
  const { status, chemical_system: system, source } = completeness;
  const Icon = ICONS[status];
  const consequence = consequenceOf(completeness, of);
  return (
    <details className={`uc-hint ${classes.note}`} data-status={status}>
      <summary className={classes.completenessLine}>
        <Icon className={classes.icon} size={16} aria-hidden="true" />
        <span>
          {status === 'complete' && t('complete', { system })}
          {status === 'not-known' && t('notKnown', { system })}
          {status === 'incomplete' && (
            <>
              <strong>{t('incomplete')}</strong>
              <Missing completeness={completeness} most={NAMED_IN_LINE} />
              {t('separator')}
              {t(consequence.short)}
            </>
          )}
        </span>
      </summary>
      <div className={classes.more}>
        {status === 'complete' && <p>{t('completeMeans', { system })}</p>}
        {status === 'not-known' && <p>{t('notKnownMeans')}</p>}
        {status === 'incomplete' && (
          <>
            <p>{t(consequence.means)}</p>
            <p>
              {t('known')} <Missing completeness={completeness} most={Number.POSITIVE_INFINITY} isMarked />.
            </p>
            <p>
              {t('how')} <code>unitcell completeness {system}</code>
            </p>
          </>
        )}
        {source !== null && <p className={classes.source}>{t('source', { source })}</p>}
      </div>
    </details>
  );
}

/** `CO₂, H₂O, 12 more`. */
function Missing({
  completeness: { missing, missing_count: count },
  most,
  isMarked = false,
}: {
  readonly completeness: Completeness;
  readonly most: number;
  readonly isMarked?: boolean;
}) {
  const { t } = useTexts(completenessTexts);
  const named = missing.slice(0, most);
  const rest = count - named.length;
  return (
    <>
      {named.map(({ formula, marginal, held_above: above }, index) => (
        <span key={formula}>
          {index > 0 && ', '}
          <Formula text={formula} />
          {above !== null &&
            ` (${isMarked ? t('heldAbove', { meV: formatNumber(1000 * above, { decimals: 0 }) }) : t('deeperForm')})`}
          {isMarked && marginal && ` (${t('marginal')})`}
        </span>
      ))}
      {rest > 0 && ` ${t('more', { n: rest })}`}
    </>
  );
}

interface ListCompletenessNoteProps {
  /** Kind of row: electrochemical windows, or materials with their energy above the hull. */
  readonly of?: 'windows' | 'materials';
  /** Undefined if the server does not report completeness. */
  readonly completeness: ListCompleteness | undefined;
  /** Number of rows whose chemical system lacks compounds. */
  readonly incomplete: number;
}

/** A line above a list: how many of its rows belong to incomplete chemical systems. */
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
  if (incomplete === 0) {
    // Nothing was found: the server reports what the chemical system asked for lacks.
    const [system] = Object.keys(completeness.incomplete);
    if (system === undefined) return null;
    return (
      <p className={`uc-hint ${classes.note}`} data-status="incomplete">
        {t('lacks', { system, missing: missingIn(completeness, system) ?? '' })}
      </p>
    );
  }
  return (
    <p className={`uc-hint ${classes.note}`} data-status="incomplete">
      {t(isWindows ? 'rowsIncomplete' : 'materialsIncomplete', {
        count: incomplete,
        n: formatCount(incomplete),
      })}
    </p>
  );
}
