/**
 * How missing compounds affect a result, and a note on whether the chemical system behind it is complete. Details on
 * demand: what is missing and what to do.
 */
import type { Completeness } from '@unitcell/contract/phase-diagram';
import type { ListCompleteness } from '@unitcell/contract/common';
import { IconAlertTriangle, IconCircleCheck, IconHelpCircle } from '@tabler/icons-react';
import { defineTexts, useTexts } from '../../i18n/texts.ts';
import { elementsOfFormula, formatCount, formatNumber } from '../../lib/format.ts';
import { Formula } from '../formula.tsx';
import classes from '../provenance/provenance.module.css';

export const completenessTexts = defineTexts('completeness', {
  complete: ['All known stable {{system}} phases are included', '已收录 {{system}} 体系全部已知稳定相'],
  completeMeans: [
    'Every compound known to be stable on this scale in {{system}} and its subsystems is in the database.',
    '{{system}} 及其子体系中，已知在此能量基准上稳定的化合物都已收录。',
  ],
  notKnown: ['It is not known whether {{system}} is complete', '{{system}} 是否完备尚不清楚'],
  notKnownMeans: [
    'This site has no list of the compounds that are stable on this scale, so compounds may be missing. Windows would then be narrower, energies above the hull higher and reactions stronger.',
    '本站没有此能量基准上稳定化合物的清单，可能缺少某些相而无从提示。若有缺失，实际窗口更窄、高于凸包的能量更大、反应更强。',
  ],
  incomplete: ['Incomplete, missing: ', '不完备，缺少：'],
  lacks: [
    'Known stable {{system}} phases that are not in this database: {{missing}}',
    '本库未收录的 {{system}} 体系已知稳定相：{{missing}}',
  ],
  separator: ['; ', '；'],
  more: ['and {{n}} more', '等另外 {{n}} 种'],
  marginal: ['stable by less than 5 meV/atom', '稳定裕度不足 5 meV/atom'],
  deeperForm: ['its lowest-energy form', '能量最低的形式'],
  heldAbove: [
    'its lowest-energy form: the one here is {{meV}} meV/atom higher',
    '能量最低的形式：已收录的形式比它高 {{meV}} meV/atom',
  ],
  window: [
    'the oxidation onset is an upper bound, the reduction onset a lower bound',
    '氧化起始电位是上限，还原起始电位是下限',
  ],
  reductionOnly: ['the reduction onset is a lower bound', '还原起始电位是下限'],
  windowEither: ['the onsets may be off either way', '两个起始电位都可能有偏差'],
  hull: ['energies above the hull are lower bounds', '高于凸包的能量是下限'],
  hullOne: ['the energy above the hull is a lower bound', '高于凸包的能量是下限'],
  reaction: ['the reaction releases at least this much energy', '反应至少释放这么多能量'],
  reactionEither: ['the reaction may release more or less energy', '反应释放的能量可能更多或更少'],
  windowMeans: [
    'A missing compound can only narrow the window: the real one is at most this wide, and the material may not be stable at all.',
    '缺少的化合物只会使窗口变窄：实际窗口至多这么宽，材料本身也可能不稳定。',
  ],
  windowEitherMeans: [
    'The material is not on the hull. The onsets are those of its decomposition products, and a missing compound may move them either way.',
    '该材料不在凸包上，两个起始电位属于其分解产物；缺少的化合物可能使它们向任一方向移动。',
  ],
  hullMeans: [
    'A missing compound can only lower the hull: phases shown as stable may be unstable, and unstable ones are at least this unstable.',
    '缺少的化合物只会使凸包更低：显示为稳定的相未必稳定，不稳定的相至少如此不稳定。',
  ],
  reactionMeans: [
    'A missing compound can only add a product: the reaction releases at least this much energy.',
    '缺少的化合物只会增加一种可能的产物：混合物释放的能量至少如所示。',
  ],
  reactionEitherMeans: [
    'A missing compound lowers the energy of the products and of reactants taken at the hull: the difference may change either way.',
    '缺少的化合物会降低产物的能量，也会降低取自凸包的反应物的能量：差值可能向任一方向变化。',
  ],
  known: [
    'Known to be stable on this scale, but not in this database:',
    '已知在此能量基准上稳定，但未收录：',
  ],
  source: ['Compared with: {{source}}', '对照：{{source}}'],
  how: [
    'To complete it, an administrator imports one entry of each, with its energy on this scale.',
    '要补全，请管理员各导入一个带有此能量基准能量的条目。',
  ],
  rowsIncomplete_one: '{{n}} window is in an incomplete system; its onsets are bounds (≥, ≤).',
  rowsIncomplete_other: [
    '{{n}} windows are in incomplete systems; their onsets are bounds (≥, ≤).',
    '{{n}} 个窗口所在体系不完备：其起始电位标有 ≥ 和 ≤。',
  ],
  rowsNotKnown: [
    'It is not known which compounds are stable on this scale: windows may be too wide.',
    '此能量基准上有哪些稳定化合物尚不清楚：窗口可能偏宽。',
  ],
  materialsIncomplete_one:
    '{{n}} result is in an incomplete system; its energy above the hull is a lower bound (≥).',
  materialsIncomplete_other: [
    '{{n}} results are in incomplete systems; their energies above the hull are lower bounds (≥).',
    '{{n}} 行所在体系不完备：其高于凸包的能量标有 ≥。',
  ],
  materialsNotKnown: [
    'It is not known which compounds are stable on this scale: energies above the hull may be too low.',
    '此能量基准上有哪些稳定化合物尚不清楚：高于凸包的能量可能偏小。',
  ],
  missingColumn: ['Missing compounds', '缺少的化合物'],
  missingTitle: ['Incomplete, missing: {{missing}}', '不完备，缺少：{{missing}}'],
});

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
    // For a search without results, the server names the requested chemical system if it lacks compounds.
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
