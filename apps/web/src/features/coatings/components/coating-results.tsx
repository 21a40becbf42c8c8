/** The table of found coatings. Each row shows the stronger of the two reactions, by which it is ranked. */
import type { Coating, CoatingPhase, CoatingReaction, CoatingSearch } from '@unitcell/contract/coatings';
import { useMemo } from 'react';
import { AnswerTools } from '../../../components/copy-as-code/copy-as-code.tsx';
import {
  type DataColumn,
  formulaColumn,
  GAP_BAR_END,
  HULL_BAR_END,
  numberColumn,
  spaceGroupColumn,
} from '../../../components/data-table/columns.tsx';
import { DataTable } from '../../../components/data-table/data-table.tsx';
import { useProvenance, withScale } from '../../../components/energy-scale/energy-scale.tsx';
import { formulaText } from '../../../components/formula.tsx';
import { NumberText } from '../../../components/number-text.tsx';
import page from '../../../components/panel.module.css';
import { ReactionEquation } from '../../../components/reaction-equation.tsx';
import { joined, type Translate, useTexts } from '../../../i18n/texts.ts';
import type { SentRequest } from '../../../lib/api-client.ts';
import { formatCount, formatNumber } from '../../../lib/format.ts';
import { interfacePath } from '../coatings-address.ts';
import { coatingTexts } from '../texts.ts';
import classes from './coatings.module.css';

type T = Translate<(typeof coatingTexts)['en']>;
type Column = DataColumn<Coating>;

/**
 * A star if compounds are missing in the system of the reaction. The energies of reactants and products are those of
 * the hull, so a missing compound may change the reaction energy either way.
 */
export const markOf = (...reactions: readonly Pick<CoatingReaction, 'missing'>[]): '* ' | '' =>
  reactions.some(({ missing }) => missing !== null && missing > 0) ? '* ' : '';

/** True if the reaction energy has an interval, because the energy of a partner is predicted. */
const hasWidth = ({ interval }: CoatingReaction): boolean =>
  interval !== undefined && interval.low < interval.high;

/** A reaction energy with its mark. */
const Energy = ({ reaction, t }: { readonly reaction: CoatingReaction; readonly t: T }) => (
  <span
    title={reaction.missing ? t('incomplete', { count: reaction.missing, n: reaction.missing }) : undefined}
  >
    {markOf(reaction)}
    <NumberText value={reaction.energy} />
    {reaction.interval && hasWidth(reaction) && (
      <span
        className="uc-fine"
        title={t('interval', {
          low: formatNumber(reaction.interval.low),
          high: formatNumber(reaction.interval.high),
        })}
      >
        {' '}
        ({formatNumber(reaction.interval.low)} … {formatNumber(reaction.interval.high)})
      </span>
    )}
  </span>
);

/** The page with all reactions of two materials. */
const PairLink = ({ href, children }: { readonly href: string; readonly children: string }) => (
  <a href={href} target="_blank" rel="noopener">
    {children}
  </a>
);

/** The largest measured conductivity and the number of measurements: `1.8 × 10⁻¹³ (3)`. */
function Conductivity({ conductivity: [most, ...others] }: Pick<Coating, 'conductivity'>) {
  if (most === undefined) return '-';
  const [factor = '', power = ''] = most.value.toExponential(1).split('e');
  return (
    <>
      {most.is_limit && '< '}
      {factor} × 10<sup>{formatNumber(Number(power), { decimals: 0 })}</sup>
      {others.length > 0 && ` (${others.length + 1})`}
    </>
  );
}

/** Shortens `Aykol et al., Nat. Commun. 7, 13779 (2016)` to `Aykol 2016`. */
const shortReference = ({ reference }: Coating['literature'][number]): string =>
  `${/^[\p{L}.]+/u.exec(reference)?.[0] ?? ''} ${/\((\d{4})\)/.exec(reference)?.[1] ?? ''}`;

/** The part of the answer that the columns need besides the rows. */
type Context = Pick<CoatingSearch, 'a' | 'b' | 'reaction_limit' | 'potential' | 'working_ion' | 'results'>;

export function coatingColumns(t: T, answer: Context, scale: string | null): readonly Column[] {
  const partnerOf = (side: 'a' | 'b'): string => answer[side].formula;
  // A predicted partner has no link, because it is not in the catalogue that the linked page uses.
  const linked = (['a', 'b'] as const).filter((side) => answer[side].predicted === undefined);
  const energy = (side: 'a' | 'b'): Column => ({
    id: `with_${side}`,
    header: t(side === 'a' ? 'withA' : 'withB', { formula: formulaText(partnerOf(side)) }),
    value: (row) => row[`with_${side}`].energy,
    render: (row) => <Energy t={t} reaction={row[`with_${side}`]} />,
    isNumeric: true,
    method: 'reaction',
  });
  return [
    formulaColumn('formula', t('formula'), (row) => row.formula, { isKey: true }),
    {
      id: 'worst',
      isKey: true,
      header: t('worst'),
      value: (row) => row.worst,
      render: (row) => (
        <strong>
          {markOf(row.with_a, row.with_b)}
          <NumberText value={row.worst} />
        </strong>
      ),
      isNumeric: true,
      method: 'reaction',
    },
    energy('a'),
    energy('b'),
    {
      id: 'decides',
      header: t('decides'),
      value: (row) => row[`with_${row.worst_side}`].equation || t('none'),
      render: (row) => {
        const { equation } = row[`with_${row.worst_side}`];
        return (
          <span className={classes.equation}>
            {equation === '' ? t('none') : <ReactionEquation text={equation} />}
            <span className={`uc-fine ${classes.all}`}>
              {linked.length > 0 && t('allReactions')}{' '}
              {linked.map((side, index) => (
                <span key={side}>
                  {index > 0 && ' · '}
                  <PairLink href={interfacePath(row.formula, partnerOf(side), answer, scale)}>
                    {formulaText(partnerOf(side))}
                  </PairLink>
                </span>
              ))}
            </span>
          </span>
        );
      },
      isWrapped: true,
      isBelow: true,
    },
    numberColumn(
      'probability',
      t('probability', { limit: formatNumber(answer.reaction_limit, { decimals: 2 }) }),
      (row) => row.probability,
      { decimals: 2, method: 'scaleProbability' },
    ),
    numberColumn('reduction', t('reduction'), (row) => row.reduction_onset, {
      isKey: true,
      decimals: 2,
      method: 'window',
    }),
    {
      id: 'oxidation',
      isKey: true,
      header: t('oxidation'),
      value: (row) => row.oxidation_onset,
      render: ({ oxidation_onset: onset }) =>
        onset === null ? '∞' : <NumberText value={onset} decimals={2} />,
      isNumeric: true,
      method: 'window',
    },
    numberColumn('band_gap', t('bandGap'), (row) => row.band_gap, { method: 'gap', barEnd: GAP_BAR_END }),
    numberColumn('energy_above_hull', t('energyAboveHull'), (row) => row.energy_above_hull, {
      method: 'hull',
      barEnd: HULL_BAR_END,
    }),
    {
      id: 'price',
      header: t('priceColumn'),
      value: (row) => row.price,
      render: (row) =>
        row.price === null ? (
          t('priceUnknown', { elements: row.price_unknown.join(', ') })
        ) : (
          <span data-decimals={row.price < 10 ? undefined : '.00'}>
            <NumberText value={row.price} decimals={row.price < 10 ? 2 : 0} />
          </span>
        ),
      isNumeric: true,
      method: 'price',
    },
    {
      id: 'conductivity',
      header: t('conductivity'),
      value: (row) => row.conductivity[0]?.value ?? null,
      render: ({ conductivity }) => <Conductivity conductivity={conductivity} />,
      isNumeric: true,
      method: 'conductivity',
      // Hidden if no row has a conductivity, to leave room for the literature.
      isHiddenByDefault: answer.results.every(({ conductivity }) => conductivity.length === 0),
    },
    {
      id: 'literature',
      header: t('literature'),
      value: (row) => row.literature.map(({ text, reference }) => `${text} (${reference})`).join(' ') || null,
      render: (row) =>
        row.literature.length === 0 ? (
          '-'
        ) : (
          <details className={classes.literature}>
            <summary>{[...new Set(row.literature.map(shortReference))].join(', ')}</summary>
            {row.literature.map(({ text, reference, doi }) => (
              <p key={text}>
                {text}{' '}
                {doi === null ? (
                  reference
                ) : (
                  <a href={`https://doi.org/${doi}`} target="_blank" rel="noopener">
                    {reference}
                  </a>
                )}
              </p>
            ))}
          </details>
        ),
      isWrapped: true,
    },
    {
      id: 'missing',
      header: t('missing'),
      value: (row) => (row.with_a.missing === null ? null : row.with_a.missing + (row.with_b.missing ?? 0)),
      isHiddenByDefault: true,
    },
    spaceGroupColumn('space_group', t('spaceGroup'), (row) => row.space_group, { isHiddenByDefault: true }),
  ];
}

interface CoatingResultsProps {
  readonly result: CoatingSearch;
  readonly scale: string | null;
  /** The request that this result answers. */
  readonly sent: SentRequest;
  /** True while a newer result is loading. */
  readonly isStale: boolean;
}

export function CoatingResults({ result, scale, sent, isStale }: CoatingResultsProps) {
  const { t } = useTexts(coatingTexts);
  const columns = useMemo(() => coatingColumns(t, result, scale), [t, result, scale]);
  const provenance = useProvenance()({ functional: result.functional, release: result.release });
  const { a, b, counts, direct, results } = result;
  const [nameA, nameB] = [formulaText(a.formula), formulaText(b.formula)];
  const mark = markOf(direct, ...results.flatMap((row) => [row.with_a, row.with_b]));
  const isPredicted = [a, b].some(({ predicted }) => predicted !== undefined);
  const isMoved = [direct, ...results.flatMap((row) => [row.with_a, row.with_b])].some(hasWidth);
  const name = `unitcell-coatings-${a.formula}-${b.formula}`;
  return (
    <div className={page.toolResult} data-stale={isStale || undefined}>
      <div className={classes.remarks}>
        <p className="uc-verdict">
          {direct.energy === 0 ? (
            t('inert', { a: nameA, b: nameB })
          ) : (
            <>
              <span className="uc-caption">{t('direct')}</span>
              <br />
              <ReactionEquation text={direct.equation} />
              <br />
              <strong>
                <Energy t={t} reaction={direct} /> eV/atom
              </strong>
              {!isPredicted && (
                <>
                  {' '}
                  ·{' '}
                  <PairLink href={interfacePath(a.formula, b.formula, result, scale)}>
                    {t('allOfPair')}
                  </PairLink>
                </>
              )}
            </>
          )}
        </p>
        {[a, b].map((phase) => (
          <PhaseNote key={phase.formula} phase={phase} />
        ))}
        {isMoved && <p className="uc-note">{t('predictedUse')}</p>}
        {result.potential !== null && (
          <p className="uc-note">
            {t('openNote', {
              ion: result.working_ion,
              potential: formatNumber(result.potential, { decimals: 2 }),
            })}
          </p>
        )}
        {result.message !== '' && <p className="uc-remark">{result.message}</p>}
        {mark !== '' && <p className="uc-remark">{t('marked')}</p>}
        {result.completeness.status === 'not-known' && <p className="uc-remark">{t('notKnown')}</p>}
      </div>
      {results.length > 0 && (
        <div className={classes.wide}>
          <DataTable
            label={t('table')}
            rows={results}
            columns={columns}
            rowKey={({ struct_id }) => struct_id}
            rowHref={({ struct_id }) => withScale(`/matdatades/${struct_id}`, scale)}
            pageSize={20}
            csvName={name}
            csvRemarks={[provenance]}
            caption={
              <>
                <h2 className={classes.count}>
                  {t('found', {
                    count: results.length,
                    n: formatCount(results.length),
                    a: nameA,
                    b: nameB,
                  })}
                </h2>
                <p className={`uc-hint ${page.toolNote}`}>
                  {joined(
                    t('counts', {
                      count: counts.materials,
                      materials: formatCount(counts.materials),
                      formulas: formatCount(counts.formulas),
                      calculated: formatCount(counts.calculated),
                    }),
                    counts.price > 0 && t('priced', { count: counts.price, n: formatCount(counts.price) }),
                    counts.left > 0 && t('left', { count: counts.left, n: formatCount(counts.left) }),
                  )}
                </p>
                <p className={`uc-hint ${page.toolNote}`}>
                  {joined(t('basis', { scale: provenance }), t('cautions'))}
                </p>
              </>
            }
          />
        </div>
      )}
      <div className={`uc-row ${classes.tools}`}>
        <AnswerTools sent={sent} answer={result} name={name} />
      </div>
    </div>
  );
}

function PhaseNote({ phase }: { readonly phase: CoatingPhase }) {
  const { t } = useTexts(coatingTexts);
  const { struct_id: id, energy_above_hull: above, predicted, not_placed: reason } = phase;
  const formula = formulaText(phase.formula);
  if (predicted !== undefined) {
    const { value, low, high } = predicted.energy_above_hull;
    return (
      <p className="uc-remark">
        {joined(
          t('predicted', {
            formula,
            above: formatNumber(value),
            low: formatNumber(low),
            high: formatNumber(high),
          }),
          t(value < 0 ? 'predictedBelow' : 'predictedAbove'),
        )}
      </p>
    );
  }
  if (reason !== undefined) return <p className="uc-note">{joined(t('notPlaced', { formula }), reason)}</p>;
  if (id === null) return <p className="uc-note">{t('noMaterial', { formula })}</p>;
  if (above === null || above < 0.0005) return null;
  return <p className="uc-note">{t('aboveHull', { formula, energy: formatNumber(above) })}</p>;
}
