/** The materials search (spec §2.7). What was searched for lives in the address, what is being typed here. */
import { useCallback, useMemo, useState } from 'react';
import type { ChangeView } from '../../../components/data-table/columns.ts';
import { EnergyScaleSelect } from '../../../components/energy-scale/energy-scale-select.tsx';
import { ErrorPanel } from '../../../components/error-panel.tsx';
import { Examples } from '../../../components/examples.tsx';
import { useFailureToastOf } from '../../../components/failure-toast.ts';
import { PeriodicTable } from '../../../components/periodic-table.tsx';
import page from '../../../components/tool-page/tool-page.module.css';
import { Idle, ToolHeader } from '../../../components/tool-page/tool-page.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { useAddressState } from '../../../lib/use-address-state.ts';
import { useMaterialSearch } from '../api/use-material-search.ts';
import { useLastGood, useScrollToResults } from '../../../components/search-form/search-flow.ts';
import {
  findProblem,
  queryOf,
  selectedElements,
  type SearchType,
  toggleElement,
} from '../../../components/search-form/search-input.ts';
import { matdataTexts } from '../texts.ts';
import { readSearchState, writeSearchState } from '../view-model.ts';
import { SearchForm } from '../../../components/search-form/search-form.tsx';
import { SearchResults } from './search-results.tsx';

/** A chemical system, at least these elements, a formula. */
const EXAMPLES = [
  { name: 'Ti-O', to: '/matdata?q=Ti-O' },
  { name: 'Li-O-*', to: '/matdata?q=Li-O-*' },
  { name: 'SrTiO3', to: '/matdata?by=formula&q=SrTiO3' },
];

export function MaterialSearch() {
  const { t } = useTexts(matdataTexts);
  const { state, change } = useAddressState({ read: readSearchState, write: writeSearchState });
  const [typed, setTyped] = useState(() => ({ type: state.type, input: state.query ?? '', of: state }));
  // Back and forward change the address: then the box follows it.
  if (typed.of.query !== state.query || typed.of.type !== state.type)
    setTyped({ type: state.type, input: state.query ?? '', of: state });
  const { type, input } = typed;
  const problem = useMemo(() => findProblem(type, input), [type, input]);
  const selected = useMemo(() => new Set(selectedElements(type, input)), [type, input]);

  const search = useMaterialSearch(state.type, state.query, state.scale);
  const result = useLastGood(search.data);
  const { results, startWaiting } = useScrollToResults(search);
  useFailureToastOf(result ? search.error : null);

  const { refetch } = search;
  const start = useCallback(() => {
    const query = queryOf(type, input);
    startWaiting();
    const isSame = query === state.query && type === state.type;
    if (isSame) void refetch();
    else change((now) => ({ ...now, type, query, view: { ...now.view, page: 0 } }));
  }, [type, input, state, change, refetch, startWaiting]);

  const toggle = useCallback(
    (symbol: string) =>
      setTyped((now) => ({ ...now, type: 'elements', input: toggleElement(now.type, now.input, symbol) })),
    [],
  );
  const changeView = useCallback<ChangeView>(
    (turn) => change((now) => ({ ...now, view: turn(now.view) }), { isReplacing: true }),
    [change],
  );
  return (
    <div className="uc-page">
      <ToolHeader title={t('title')} lead={t('lead')} />
      <SearchForm
        type={type}
        input={input}
        problem={problem}
        isSearching={search.isFetching}
        onType={(next: SearchType) => setTyped({ ...typed, type: next, input: '' })}
        onInput={(next) => setTyped({ ...typed, input: next })}
        onSearch={start}
      />
      {!result && !search.isError && <Examples examples={EXAMPLES} />}
      <div className={page.choices}>
        <EnergyScaleSelect scale={state.scale} onChange={(scale) => change((now) => ({ ...now, scale }))} />
      </div>
      <div className={page.table}>
        <PeriodicTable selected={selected} onToggle={toggle} />
      </div>
      <section ref={results} className={page.results} aria-label={t('results')} aria-live="polite">
        {result && (
          <SearchResults result={result} scale={state.scale} view={state.view} onViewChange={changeView} />
        )}
        {!result && search.isError && <ErrorPanel error={search.error} onRetry={() => void refetch()} />}
        {!result && !search.isError && <Idle>{t('idle')}</Idle>}
      </section>
    </div>
  );
}
