/** The page of a search (`?q=`): the searches of the specification, and where there are none yet, what could be searched for. */
import { useCallback } from 'react';
import { Link } from 'react-router-dom';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { Examples } from '../../components/examples.tsx';
import { useFailureToastOf } from '../../components/failure-toast.ts';
import { conditionsOfSearch, textOfConditions } from '../../components/filter/conditions.ts';
import { useLastGood, useScrollToResults } from '../../components/search-form/search-flow.ts';
import { queryOf, type SearchType } from '../../components/search-form/search-input.ts';
import { Idle, Waiting } from '../../components/tool-page/tool-page.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { formatCount } from '../../lib/format.ts';
import type { PagePart, PageState } from './page-part.ts';
import { SearchResults } from './query/search-results.tsx';
import { useMaterialSearch } from './query/use-material-search.ts';
import { matdataTexts, screenTexts } from './texts.ts';
import type { Said } from './use-screen.ts';
import type { SearchState } from './view-model.ts';

/** A chemical system, at least these elements, a formula. */
const EXAMPLES = [
  { name: 'Ti-O', to: '/matdata?q=Ti-O' },
  { name: 'Li-O-*', to: '/matdata?q=Li-O-*' },
  { name: 'SrTiO3', to: '/matdata?by=formula&q=SrTiO3' },
];

/** What is typed, as the filter that it would become. */
export function saidBySearch(
  type: SearchType,
  input: string,
  searched: Pick<SearchState, 'type' | 'query'>,
): Said {
  const isSearched =
    searched.query !== null && type === searched.type && queryOf(type, input) === searched.query;
  const conditions = conditionsOfSearch(type, input, isSearched);
  return { conditions, text: textOfConditions(conditions) };
}

/** @param query what was searched for; null while a filter is shown, whose page keeps the last results for the way back */
export function useSearchPart(
  query: string | null,
  { state, change, changeView, box, asked, edit, mode, selection }: PageState,
  onStart: () => void,
) {
  const { t } = useTexts(matdataTexts);
  const { t: ts } = useTexts(screenTexts);
  const search = useMaterialSearch(state.type, query, state.scale);
  const result = useLastGood(search.data);
  const { results: place, startWaiting } = useScrollToResults(search);
  useFailureToastOf(result ? search.error : null);

  const { type, input } = box;
  const { refetch } = search;
  const onSearch = useCallback(() => {
    const next = queryOf(type, input);
    startWaiting();
    onStart();
    if (next === query && type === state.type) void refetch();
    else
      change(({ view, scale }) => ({
        type,
        query: next,
        filter: null,
        plot: null,
        heat: null,
        calculated: [],
        ion: null,
        scale,
        view: { ...view, page: 0 },
      }));
  }, [type, input, query, state.type, change, refetch, startWaiting, onStart]);

  const hasResults = result !== undefined || search.isFetching;
  const isIdle = !hasResults && !search.isError;
  const catalogue = asked.counts?.catalogue;
  const part: PagePart = {
    hasResults,
    filters: 0,
    belowBox: isIdle && <Examples examples={EXAMPLES} />,
    onSearch,
    // The box holds elements that a material has; what it shall not have only a filter can say.
    onElement: mode === 'with' ? box.toggle : edit.toggle,
    above: null,
    results: (
      <>
        {result && (
          <SearchResults
            result={result}
            scale={state.scale}
            view={state.view}
            onViewChange={changeView}
            selection={selection}
          />
        )}
        {!result && search.isError && <ErrorPanel error={search.error} onRetry={() => void refetch()} />}
        {/* A later answer leaves the last standing until it is there. */}
        {!result && search.isFetching && <Waiting>{t('searching')}</Waiting>}
        {isIdle && (
          <Idle>
            {t('idle')}{' '}
            {catalogue !== undefined && (
              <Link to="/matdata?filter=" preventScrollReset>
                {ts('browseAll', { n: formatCount(catalogue) })}
              </Link>
            )}
          </Idle>
        )}
      </>
    ),
  };
  return { part, place, isSearching: search.isFetching };
}
