/**
 * How missing compounds affect a result, and a note on whether the chemical system behind it is complete. Details on
 * demand: what is missing and what to do.
 */
import type { Completeness } from '@unitcell/contract/phase-diagram';
import type { ListCompleteness } from '@unitcell/contract/common';
import { IconAlertTriangle, IconCircleCheck, IconHelpCircle } from '@tabler/icons-react';
import { useTexts } from '../../i18n/texts.ts';
import { elementsOfFormula, formatCount, formatNumber } from '../../lib/format.ts';
import { Formula } from '../formula.tsx';
import classes from '../provenance/provenance.module.css';
import { completenessTexts } from './texts.ts';

/** Kind of result: `hull` is a single energy above the hull, `diagram` a whole phase diagram. */
type CompletenessOf = 'diagram' | 'hull' | 'window' | 'reaction';

/** Keys of `completenessTexts`: a short form and the reason. */
interface Consequence {
  readonly short:
    | 'hull'
    | 'hullOne'
    | 'window'
    | 'reductionOnly'
    | 'windowEither'
    | 'reaction'
    | 'reactionEither';
  readonly means: 'hullMeans' | 'windowMeans' | 'windowEitherMeans' | 'reactionMeans' | 'reactionEitherMeans';
}

/** Number of missing compounds named in the line; the rest are only counted. */
const NAMED_IN_LINE = 4;

function consequenceOf({ bounds }: Pick<Completeness, 'bounds'>, of: CompletenessOf): Consequence {
  if (of === 'diagram') return { short: 'hull', means: 'hullMeans' };
  if (of === 'hull') return { short: 'hullOne', means: 'hullMeans' };
  if (of === 'reaction')
    return 'reaction_energy_total' in bounds
      ? { short: 'reaction', means: 'reactionMeans' }
      : { short: 'reactionEither', means: 'reactionEitherMeans' };
  if ('oxidation_onset' in bounds) return { short: 'window', means: 'windowMeans' };
  if ('reduction_onset' in bounds) return { short: 'reductionOnly', means: 'windowMeans' };
  return { short: 'windowEither', means: 'windowEitherMeans' };
}

/** The note as one English line, for exported files. */
export function completenessRemark(completeness: Completeness | undefined): readonly string[] {
  if (completeness === undefined) return [];
  const { status, chemical_system: system, missing, missing_count: count, bounds } = completeness;
  if (status === 'not-known') return [`completeness: not known for ${system} on this energy scale`];
  if (status === 'complete')
    return [`completeness: ${system} holds every compound known to be stable on this scale`];
  const rest = count - missing.length;
  const named = missing
    .map(({ formula, held_above: above }) => (above === null ? formula : `${formula} (its deepest form)`))
    .join(', ');
  const limits = Object.entries(bounds).map(
    ([field, side]) => `${field} is ${side === 'upper' ? 'an upper' : 'a lower'} bound`,
  );
  return [
    `completeness: ${system} lacks ${named}${rest > 0 ? ` and ${rest} more` : ''}${limits.length > 0 ? `: ${limits.join(', ')}` : ''}`,
  ];
}

/**
 * The compounds missing from the chemical system of `formula` and the elements in `added`, as `CO2, H2O + 2` (two
 * more); null if none is missing.
 */
export function missingIn(
  list: ListCompleteness | undefined,
  formula: string,
  added: readonly string[] = [],
): string | null {
  const elements = new Set([...elementsOfFormula(formula), ...added]);
  const lacks = list?.incomplete[[...elements].sort().join('-')];
  if (lacks === undefined) return null;
  const { missing, missing_count: count } = lacks;
  return missing.join(', ') + (count > missing.length ? ` + ${count - missing.length}` : '');
}

function isWithin(compound: string, formula: string): boolean {
  const own = new Set(elementsOfFormula(formula));
  return elementsOfFormula(compound).every((element) => own.has(element));
}

/** True if a missing compound could lie below this composition; the energy above the hull is then a lower bound. */
export function isHullBound(
  completeness: Pick<Completeness, 'status' | 'missing' | 'missing_count'> | undefined,
  formula: string,
): boolean {
  if (completeness?.status !== 'incomplete') return false;
  const { missing, missing_count: count } = completeness;
  return count > missing.length || missing.some((compound) => isWithin(compound.formula, formula));
}

/** Like `isHullBound`, for a row of a list. @param missing result of `missingIn` for the row */
export const isHullBoundOfRow = (missing: string | null, formula: string): boolean =>
  missing !== null &&
  missing.split(', ').some((compound) => compound.includes(' + ') || isWithin(compound, formula));

// ── The notes ──

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
