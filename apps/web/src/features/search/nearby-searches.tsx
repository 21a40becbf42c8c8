/** Suggestions: first tasks before a search, and similar searches with results when a search finds nothing. */
import { useState } from 'react';
import { Link } from 'react-router-dom';
import { Examples } from '../../components/examples.tsx';
import { formulaText } from '../../components/formula.tsx';
import { screenMaterials } from '@unitcell/contract/calls';
import { useQuery } from '@tanstack/react-query';
import { withScale } from '../../components/energy-scale/energy-scale.tsx';
import { type Conditions, textOfConditions, withElements } from '../../components/filter/conditions.ts';
import { type SearchType, selectedElements, WILDCARD } from '../../components/search-form/search-form.tsx';
import { comparison } from '@unitcell/filter';
import { defineTexts, useTexts } from '../../i18n/texts.ts';
import { formatCount } from '../../lib/format.ts';
import { recentVisits } from '../../lib/visits.ts';
import { screenTexts } from './texts.ts';
import { answerTo, callKey } from '../../lib/api-client.ts';
import classes from './search.module.css';

interface NearSearch {
  readonly kind: 'system' | 'atLeast' | 'within' | 'without';
  /** Elements of the search; for `without` only the omitted element. */
  readonly symbols: readonly string[];
  /** The search in the filter language. */
  readonly filter: string;
  readonly address: string;
}

/** For more elements than this, no searches with one element fewer are suggested. */
export const MOST_LEFT_OUT = 6;

const found = (with_: readonly string[], more: Conditions = []): string =>
  textOfConditions([...withElements([], { with: with_, without: [], only: [] }), ...more]);
const exactly = (symbols: readonly string[]): string =>
  found(symbols, [comparison('nelements', '=', symbols.length)]);
const searchFor = (symbols: readonly string[], isOpen: boolean): string =>
  `/matdata?${new URLSearchParams({ q: [...symbols, ...(isOpen ? [WILDCARD] : [])].join('-') }).toString()}`;

/**
 * The chemical system, its supersets and subsystems, and the search with one element fewer.
 * @param basis the search: elements separated by spaces or hyphens, or a formula
 */
function nearestSearches(type: SearchType, basis: string): readonly NearSearch[] {
  const input = type === 'elements' ? basis.replaceAll(' ', '-') : basis;
  const symbols = selectedElements(type, input);
  if (type === 'struct_id' || symbols.length === 0) return [];
  const isOpen = type === 'elements' && input.includes(WILDCARD);
  const whole: NearSearch[] = isOpen
    ? []
    : [
        ...(type === 'formula'
          ? [
              {
                kind: 'system',
                symbols,
                filter: exactly(symbols),
                address: searchFor(symbols, false),
              } as const,
            ]
          : []),
        { kind: 'atLeast', symbols, filter: found(symbols), address: searchFor(symbols, true) },
      ];
  const only = textOfConditions(withElements([], { with: [], without: [], only: symbols }));
  const within: NearSearch = {
    kind: 'within',
    symbols,
    filter: only,
    address: `/matdata?${new URLSearchParams({ filter: only }).toString()}`,
  };
  const fewer =
    type === 'formula' || symbols.length < 2 || symbols.length > MOST_LEFT_OUT
      ? []
      : symbols.map((left): NearSearch => {
          const others = symbols.filter((symbol) => symbol !== left);
          return {
            kind: 'without',
            symbols: [left],
            filter: isOpen ? found(others) : exactly(others),
            address: searchFor(others, isOpen),
          };
        });
  return [...whole, ...(symbols.length > 1 ? [within] : []), ...fewer];
}

/** The searches that have results, with the number of results; undefined until all are counted. */
export function useSearchesWithResults<Search extends { readonly filter: string }>(
  searches: readonly Search[],
  scale: string | null,
): readonly (Search & { readonly total: number })[] | undefined {
  const { data: totals } = useQuery({
    queryKey: callKey(
      screenMaterials,
      'totals',
      scale,
      searches.map(({ filter }) => filter),
    ),
    queryFn: async ({ signal }) => {
      const counted: number[] = [];
      // Sequential, because the server limits a visitor's concurrent requests.
      for (const { filter } of searches) {
        const request = { filter, limit: 0, ...(scale === null ? {} : { scale }) };
        // oxlint-disable-next-line no-await-in-loop
        counted.push((await answerTo(screenMaterials, request, { signal })).total);
      }
      return counted;
    },
    retry: false,
  });
  return (
    totals &&
    searches
      .map((search, place) => ({ ...search, total: totals[place] ?? 0 }))
      .filter(({ total }) => total > 0)
  );
}

interface NearbySearchesProps {
  readonly type: SearchType;
  readonly basis: string;
  /** The scale from the address, passed on to links. */
  readonly scale: string | null;
}

export function NearbySearches({ type, basis, scale }: NearbySearchesProps) {
  const { t } = useTexts(screenTexts);
  const near = useSearchesWithResults(nearestSearches(type, basis), scale);
  if (!near) return null;
  if (near.length === 0)
    return (
      <p className={classes.wayOut}>
        {t('wayOnNone')}{' '}
        <Link to={withScale('/matdata?filter=', scale)} className={classes.way} preventScrollReset>
          {t('browse')}
        </Link>
      </p>
    );
  return (
    <div className={classes.wayOut}>
      <p>{t('wayOut')}</p>
      <ul>
        {near.map(({ kind, symbols, address, total }) => (
          <li key={address}>
            <Link to={withScale(address, scale)} className={classes.way} preventScrollReset>
              {t(`near_${kind}`)} <b translate="no">{symbols.join(kind === 'system' ? '-' : ' ')}</b>:{' '}
              {t('gives', { count: total, n: formatCount(total) })}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}

const firstTaskTexts = defineTexts('first-tasks', {
  title: ['Begin with a question:', '从一个问题开始：'],
  recent: ['Recently viewed:', '最近浏览：'],
  oxides: ['Which stable oxides have a gap of 3 eV or more?', '哪些稳定氧化物的带隙不小于 3 eV？'],
  powder: ['Which phase is in this powder?', '这份粉末里有哪种物相？'],
  coating: ['Does LiCoO₂ react with Li₂S?', 'LiCoO₂ 与 Li₂S 会反应吗？'],
  predict: ['How stable would Li₆PS₅F be?', 'Li₆PS₅F 会有多稳定？'],
});

const OXIDES = 'elements HAS "O" AND band_gap >= 3 AND energy_above_hull <= 0';

const TASKS = [
  ['oxides', `/matdata?${new URLSearchParams({ filter: OXIDES }).toString()}`],
  ['powder', '/xrd?sample'],
  ['coating', '/Interface_reaction?a=Li2S&b=LiCoO2'],
  ['predict', '/predict?formula=Li6PS5F'],
] as const;

/** Starting points: recently opened materials, and typical questions linked to their answers. */
export function FirstTasks() {
  const { t } = useTexts(firstTaskTexts);
  const [recent] = useState(recentVisits);
  return (
    <>
      {recent.length > 0 && (
        <Examples
          label={t('recent')}
          examples={recent.map(({ structId, formula }) => ({
            name: `${formulaText(formula)} (${structId})`,
            to: `/matdatades/${structId}`,
          }))}
        />
      )}
      <Examples label={t('title')} examples={TASKS.map(([name, to]) => ({ name: t(name), to }))} />
    </>
  );
}
