/** The materials search (spec §2.7). What was searched for lives in the address, what is being typed here. */
import { useCallback, useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { TableView } from '../../../components/data-table/columns.ts';
import { PeriodicTable } from '../../../components/periodic-table.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { useMaterialSearch } from '../api/use-material-search.ts';
import {
  useFailureToast,
  useLastGood,
  useScrollToResults,
} from '../../../components/search-form/search-flow.ts';
import {
  findProblem,
  queryOf,
  selectedElements,
  type SearchType,
  toggleElement,
} from '../../../components/search-form/search-input.ts';
import { matdataTexts } from '../texts.ts';
import { readSearchState, type SearchState, writeSearchState } from '../view-model.ts';
import classes from './material-search.module.css';
import { SearchForm } from '../../../components/search-form/search-form.tsx';
import { SearchResults } from './search-results.tsx';

export function MaterialSearch() {
  const { t } = useTexts(matdataTexts);
  const { state, writeState } = useAddress();
  const [typed, setTyped] = useState(() => ({ type: state.type, input: state.query ?? '', of: state }));
  // Back and forward change the address: then the box follows it.
  if (typed.of.query !== state.query || typed.of.type !== state.type)
    setTyped({ type: state.type, input: state.query ?? '', of: state });
  const { type, input } = typed;
  const problem = useMemo(() => findProblem(type, input), [type, input]);
  const selected = useMemo(() => new Set(selectedElements(type, input)), [type, input]);

  const search = useMaterialSearch(state.type, state.query);
  const result = useLastGood(search.data);
  const { results, startWaiting } = useScrollToResults(search);
  useFailureToast(search.error, t('searchFailed'));

  const { refetch } = search;
  const start = useCallback(() => {
    const query = queryOf(type, input);
    startWaiting();
    const isSame = query === state.query && type === state.type;
    if (isSame) void refetch();
    else writeState({ type, query, view: { ...state.view, page: 0 } });
  }, [type, input, state, writeState, refetch, startWaiting]);

  const toggle = useCallback(
    (symbol: string) =>
      setTyped((now) => ({ ...now, type: 'elements', input: toggleElement(now.type, now.input, symbol) })),
    [],
  );
  const changeView = useCallback(
    (view: TableView) => writeState({ ...state, view }, { isReplacing: true }),
    [state, writeState],
  );
  return (
    <div className="uc-page">
      <header className={classes.header}>
        <h1 className={classes.title}>{t('title')}</h1>
        <p className={classes.lead}>{t('lead')}</p>
      </header>
      <SearchForm
        type={type}
        input={input}
        problem={problem}
        isSearching={search.isFetching}
        onType={(next: SearchType) => setTyped({ ...typed, type: next, input: '' })}
        onInput={(next) => setTyped({ ...typed, input: next })}
        onSearch={start}
      />
      <div className={classes.table}>
        <PeriodicTable selected={selected} onToggle={toggle} />
      </div>
      <section ref={results} className={classes.results} aria-label={t('results')} aria-live="polite">
        {result ? (
          <SearchResults result={result} view={state.view} onViewChange={changeView} />
        ) : (
          <p className={classes.idle}>{t('idle')}</p>
        )}
      </section>
    </div>
  );
}

/** The search state of the address, and how to change it without scrolling. */
function useAddress() {
  const [parameters, setParameters] = useSearchParams();
  const state = useMemo(() => readSearchState(parameters), [parameters]);
  const writeState = useCallback(
    (next: SearchState, options: { isReplacing?: boolean } = {}) =>
      setParameters(writeSearchState(next), {
        replace: options.isReplacing ?? false,
        preventScrollReset: true,
      }),
    [setParameters],
  );
  return { state, writeState };
}
