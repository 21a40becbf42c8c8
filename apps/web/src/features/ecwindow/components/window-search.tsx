/** The electrochemical window search (spec §2.10). What was searched for lives in the address. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { TableView } from '../../../components/data-table/columns.ts';
import { DataTable } from '../../../components/data-table/data-table.tsx';
import { Formula } from '../../../components/formula.tsx';
import { PeriodicTable } from '../../../components/periodic-table.tsx';
import { SearchForm } from '../../../components/search-form/search-form.tsx';
import {
  findProblem,
  queryOf,
  type SearchType,
  selectedElements,
  toggleElement,
} from '../../../components/search-form/search-input.ts';
import { ToolbarButtons } from '../../../components/toolbar-buttons.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { ApiError } from '../../../lib/api-client.ts';
import { formatCount } from '../../../lib/format.ts';
import { scrollToElement } from '../../../lib/motion.ts';
import { notify } from '../../../lib/notify.ts';
import { useWindowSearch, type WindowSearchResult } from '../api/use-window-search.ts';
import { windowColumns } from '../columns.tsx';
import { ecwindowTexts } from '../texts.ts';
import {
  detailPath,
  type Filters,
  isNarrowing,
  PAGE_SIZES,
  readSearchState,
  type SearchState,
  writeSearchState,
} from '../view-model.ts';
import { AdvancedOptions, unknownElementOf } from './advanced-options.tsx';
import classes from './window-search.module.css';

export function WindowSearch() {
  const { t } = useTexts(ecwindowTexts);
  const { state, writeState } = useAddress();
  const [typed, setTyped] = useState(() => typedOf(state));
  // Back and forward change the address: then the form follows it.
  if (typed.of.query !== state.query || typed.of.type !== state.type) setTyped(typedOf(state));
  const { type, input, filters } = typed;
  const problem = useMemo(() => findProblem(type, input), [type, input]);
  const selected = useMemo(() => new Set(selectedElements(type, input)), [type, input]);
  const excluded = useMemo(
    () => new Set(selectedElements('elements', filters.excluded.replaceAll(/[\s,;]+/g, '-'))),
    [filters.excluded],
  );

  const search = useWindowSearch(state.type, state.query, state.filters);
  const result = useLastGood(search.data);
  const results = useRef<HTMLElement>(null);
  const isAwaited = useRef(false);
  useFailureToast(search.error, t('searchFailed'));

  useEffect(() => {
    if (!isAwaited.current || search.isFetching) return;
    isAwaited.current = false;
    if (search.data && results.current) scrollToElement(results.current);
  }, [search.isFetching, search.data]);

  const { refetch } = search;
  const start = useCallback(() => {
    if (unknownElementOf(filters.included) ?? unknownElementOf(filters.excluded)) return;
    isAwaited.current = true;
    const next = { ...state, type, query: queryOf(type, input), filters, view: { ...state.view, page: 0 } };
    const isSame = writeSearchState(next).toString() === writeSearchState(state).toString();
    if (isSame) void refetch();
    else writeState(next);
  }, [type, input, filters, state, writeState, refetch]);
  const toggle = useCallback(
    (symbol: string) =>
      setTyped((now) => ({ ...now, type: 'elements', input: toggleElement(now.type, now.input, symbol) })),
    [],
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
        idLabel="id"
        mayBeEmpty={type === 'elements' && isNarrowing(filters)}
        onType={(next: SearchType) => setTyped({ ...typed, type: next, input: '' })}
        onInput={(next) => setTyped({ ...typed, input: next })}
        onSearch={start}
      />
      <AdvancedOptions
        filters={filters}
        onChange={(next: Filters) => setTyped((now) => ({ ...now, filters: next }))}
      />
      <div className={classes.table}>
        <PeriodicTable selected={selected} excluded={excluded} onToggle={toggle} />
      </div>
      <section ref={results} className={classes.results} aria-label={t('results')} aria-live="polite">
        {result ? (
          <Results result={result} state={state} writeState={writeState} />
        ) : (
          <p className={classes.idle}>{t('idle')}</p>
        )}
      </section>
    </div>
  );
}

const typedOf = (state: SearchState) => ({
  type: state.type,
  input: state.query ?? '',
  filters: state.filters,
  of: state,
});

type WriteState = (next: SearchState, options?: { isReplacing?: boolean }) => void;

/** The search state of the address, and how to change it without scrolling. */
function useAddress(): { readonly state: SearchState; readonly writeState: WriteState } {
  const [parameters, setParameters] = useSearchParams();
  const state = useMemo(() => readSearchState(parameters), [parameters]);
  const writeState = useCallback<WriteState>(
    (next, options = {}) =>
      setParameters(writeSearchState(next), {
        replace: options.isReplacing ?? false,
        preventScrollReset: true,
      }),
    [setParameters],
  );
  return { state, writeState };
}

interface ResultsProps {
  readonly result: WindowSearchResult;
  readonly state: SearchState;
  readonly writeState: WriteState;
}

function Results({ result, state, writeState }: ResultsProps) {
  const { t } = useTexts(ecwindowTexts);
  const columns = useMemo(() => windowColumns(t), [t]);
  const changeView = (view: TableView): void => writeState({ ...state, view }, { isReplacing: true });
  return (
    <>
      {result.remark !== '' && <p className={classes.remark}>{result.remark}</p>}
      <DataTable
        label={t('resultsLabel')}
        rows={result.windows}
        columns={columns}
        rowKey={(row) => `${row.struct_id} ${row.work_ion}`}
        rowHref={detailPath}
        pageSize={state.pageSize}
        csvName={`unitcell-windows-${result.basis.replace(/[^A-Za-z0-9()]+/g, '-')}`}
        view={state.view}
        onViewChange={changeView}
        caption={
          <>
            <h2 className={classes.count}>
              {t('found', { count: result.count, n: formatCount(result.count) })}
              {result.type === 'formula' ? <Formula text={result.basis} /> : result.basis || t('everything')}
            </h2>
            <p className={classes.note}>{t('scale', { scale: result.functional })}</p>
          </>
        }
      />
      <div className={classes.rows}>
        <span>{t('rows')}</span>
        <ToolbarButtons
          label={t('rows')}
          buttons={PAGE_SIZES.map((size) => ({
            id: String(size),
            label: String(size),
            isOn: size === state.pageSize,
            onClick: () =>
              writeState(
                { ...state, pageSize: size, view: { ...state.view, page: 0 } },
                { isReplacing: true },
              ),
          }))}
        />
      </div>
    </>
  );
}

/** The results of the last search that succeeded: a failed one leaves them standing (spec §8). */
function useLastGood(data: WindowSearchResult | undefined): WindowSearchResult | undefined {
  const [last, setLast] = useState(data);
  if (data !== undefined && data !== last) setLast(data);
  return data ?? last;
}

function useFailureToast(error: Error | null, fallback: string): void {
  useEffect(() => {
    // A lost session leads to the login and a dead server to the banner; both speak for themselves.
    if (!error || (error instanceof ApiError && (error.kind === 'login' || error.kind === 'offline'))) return;
    notify('error', error instanceof ApiError && error.message !== '' ? error.message : fallback);
  }, [error, fallback]);
}
