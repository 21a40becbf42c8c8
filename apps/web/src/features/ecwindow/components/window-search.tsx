/** The electrochemical window search (spec §2.10). What was searched for lives in the address. */
import { useCallback, useMemo, useState } from 'react';
import { useSearchParams } from 'react-router';
import type { TableView } from '../../../components/data-table/columns.ts';
import { EnergyScaleSelect } from '../../../components/energy-scale/energy-scale-select.tsx';
import { useProvenance } from '../../../components/energy-scale/use-provenance.ts';
import { DataTable } from '../../../components/data-table/data-table.tsx';
import { Formula } from '../../../components/formula.tsx';
import { PeriodicTable } from '../../../components/periodic-table.tsx';
import {
  useFailureToast,
  useLastGood,
  useScrollToResults,
} from '../../../components/search-form/search-flow.ts';
import { SearchForm } from '../../../components/search-form/search-form.tsx';
import {
  findProblem,
  queryOf,
  type SearchType,
  selectedElements,
  toggleElement,
} from '../../../components/search-form/search-input.ts';
import page from '../../../components/tool-page/tool-page.module.css';
import { Idle, ToolHeader } from '../../../components/tool-page/tool-page.tsx';
import { ToolbarButtons } from '../../../components/toolbar-buttons.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { formatCount } from '../../../lib/format.ts';
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

  const search = useWindowSearch(state.type, state.query, state.filters, state.scale);
  const result = useLastGood(search.data);
  const { results, startWaiting } = useScrollToResults(search);
  useFailureToast(search.error, t('searchFailed'));

  const { refetch } = search;
  const start = useCallback(() => {
    if (unknownElementOf(filters.included) ?? unknownElementOf(filters.excluded)) return;
    startWaiting();
    const next = { ...state, type, query: queryOf(type, input), filters, view: { ...state.view, page: 0 } };
    const isSame = writeSearchState(next).toString() === writeSearchState(state).toString();
    if (isSame) void refetch();
    else writeState(next);
  }, [type, input, filters, state, writeState, refetch, startWaiting]);
  const toggle = useCallback(
    (symbol: string) =>
      setTyped((now) => ({ ...now, type: 'elements', input: toggleElement(now.type, now.input, symbol) })),
    [],
  );
  return (
    <div className="uc-page">
      <ToolHeader title={t('title')} lead={t('lead')} />
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
      <div className={page.choices}>
        <EnergyScaleSelect
          scale={state.scale}
          onChange={(scale) => writeState({ ...state, scale, view: { ...state.view, page: 0 } })}
        />
      </div>
      <AdvancedOptions
        filters={filters}
        onChange={(next: Filters) => setTyped((now) => ({ ...now, filters: next }))}
      />
      <div className={page.table}>
        <PeriodicTable selected={selected} excluded={excluded} onToggle={toggle} />
      </div>
      <section ref={results} className={page.results} aria-label={t('results')} aria-live="polite">
        {result ? (
          <Results result={result} state={state} writeState={writeState} />
        ) : (
          <Idle>{t('idle')}</Idle>
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
  const provenance = useProvenance()(result.scale);
  const changeView = (view: TableView): void => writeState({ ...state, view }, { isReplacing: true });
  return (
    <>
      {result.remark !== '' && <p className={classes.remark}>{result.remark}</p>}
      <DataTable
        label={t('resultsLabel')}
        rows={result.windows}
        columns={columns}
        rowKey={(row) => `${row.struct_id} ${row.work_ion}`}
        rowHref={(row) => detailPath(row, state.scale)}
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
            <p className={classes.note}>{provenance}</p>
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
