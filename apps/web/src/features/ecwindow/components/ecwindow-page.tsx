/** The electrochemical window search (spec §2.10). The address holds the submitted search. */
import { useCallback, useMemo, useState } from 'react';
import { Link } from 'react-router-dom';
import { ListCompletenessNote } from '../../../components/completeness/completeness-note.tsx';
import { completenessTexts } from '../../../components/completeness/texts.ts';
import { CopyAsCode } from '../../../components/copy-as-code/copy-as-code.tsx';
import { EnergyScaleSelect } from '../../../components/energy-scale/energy-scale-select.tsx';
import { ScaleOrigin } from '../../../components/energy-scale/scale-origin.tsx';
import { useProvenance } from '../../../components/energy-scale/use-scale-name.ts';
import { DataTable } from '../../../components/data-table/data-table.tsx';
import { Formula } from '../../../components/formula.tsx';
import { ErrorPanel } from '../../../components/failure.tsx';
import { Examples } from '../../../components/examples.tsx';
import { useFailureToastOf } from '../../../components/failure-toast.ts';
import { FoldingElements, useElementCounts } from '../../../components/folding-elements.tsx';
import { PeriodicTable } from '../../../components/periodic-table.tsx';
import {
  Idle,
  ToolHeader,
  useLastGood,
  useScrollToResults,
  Waiting,
} from '../../../components/tool-page/tool-page.tsx';
import { SearchForm } from '../../../components/search-form/search-form.tsx';
import {
  findProblem,
  queryOf,
  type SearchType,
  selectedElements,
  toggleElement,
} from '../../../components/search-form/search-input.ts';
import page from '../../../components/panel.module.css';
import { ToolbarButtons } from '../../../components/toolbar-buttons.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { formatCount } from '../../../lib/format.ts';
import { type ChangeState, useAddressState } from '../../../lib/use-address-state.ts';
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
  windowMapPath,
  windowsFilter,
  writeSearchState,
} from '../view-model.ts';
import { AdvancedOptions, unknownElementOf } from './advanced-options.tsx';
import classes from './ecwindow.module.css';

/** A compound, a chemical system, and at least these elements. */
const EXAMPLES = [
  { name: 'LiFePO4', to: '/Ec_window?by=formula&q=LiFePO4' },
  { name: 'Li-P-S', to: '/Ec_window?q=Li-P-S' },
  { name: 'Li-O-*', to: '/Ec_window?q=Li-O-*' },
];

export function Page() {
  const { t } = useTexts(ecwindowTexts);
  const { state, change } = useAddressState({ read: readSearchState, write: writeSearchState });
  const [typed, setTyped] = useState(() => typedOf(state));
  // Updates the form when Back or Forward changes the address.
  if (typed.of.query !== state.query || typed.of.type !== state.type) setTyped(typedOf(state));
  const { type, input, filters } = typed;
  const problem = useMemo(() => findProblem(type, input), [type, input]);
  const selected = useMemo(() => new Set(selectedElements(type, input)), [type, input]);
  const excluded = useMemo(
    () => new Set(selectedElements('elements', filters.excluded.replaceAll(/[\s,;]+/g, '-'))),
    [filters.excluded],
  );

  const [isTableOpen, setTableOpen] = useState(false);
  const counts = useElementCounts(windowsFilter(filters.ion, [...selected], [...excluded]), state.scale);
  const search = useWindowSearch(state.type, state.query, state.filters, state.scale);
  const result = useLastGood(search.data);
  const { results, startWaiting } = useScrollToResults(search);
  useFailureToastOf(result ? search.error : null);

  const { refetch } = search;
  const start = useCallback(() => {
    if (unknownElementOf(filters.included) ?? unknownElementOf(filters.excluded)) return;
    startWaiting();
    setTableOpen(false);
    const next = { ...state, type, query: queryOf(type, input), filters, view: { ...state.view, page: 0 } };
    const isSame = writeSearchState(next).toString() === writeSearchState(state).toString();
    if (isSame) void refetch();
    else change(() => next);
  }, [type, input, filters, state, change, refetch, startWaiting]);
  const toggle = useCallback(
    (symbol: string) =>
      setTyped((now) => ({ ...now, type: 'elements', input: toggleElement(now.type, now.input, symbol) })),
    [],
  );
  return (
    <div className="uc-page">
      <ToolHeader title={t('title')} lead={t('lead')} guide="windows" />
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
      {!result && !search.isFetching && !search.isError && <Examples examples={EXAMPLES} />}
      <div className={`uc-row uc-fields ${page.choices}`}>
        <EnergyScaleSelect
          scale={state.scale}
          onChange={(scale) => change((now) => ({ ...now, scale, view: { ...now.view, page: 0 } }))}
        />
        <Link to={windowMapPath(filters.ion, state.scale)}>{t('map', { ion: filters.ion })}</Link>
      </div>
      <AdvancedOptions
        filters={filters}
        onChange={(next: Filters) => setTyped((now) => ({ ...now, filters: next }))}
      />
      <div className={result || search.isFetching ? page.foldedTable : page.table}>
        <FoldingElements
          canFold={result !== undefined || search.isFetching}
          isOpen={isTableOpen}
          onOpen={setTableOpen}
          chosen={<b translate="no">{[...selected].join(' ')}</b>}
        >
          <PeriodicTable
            selected={selected}
            excluded={excluded}
            onToggle={toggle}
            {...(counts ? { counts } : {})}
          />
        </FoldingElements>
      </div>
      <section ref={results} className={page.results} aria-label={t('results')} aria-live="polite">
        {result && <Results result={result} state={state} change={change} />}
        {!result && search.isError && <ErrorPanel error={search.error} onRetry={() => void refetch()} />}
        {!result && search.isFetching && <Waiting>{t('searching')}</Waiting>}
        {!result && !search.isFetching && !search.isError && <Idle>{t('idle')}</Idle>}
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

interface ResultsProps {
  readonly result: WindowSearchResult;
  readonly state: SearchState;
  readonly change: ChangeState<SearchState>;
}

function Results({ result, state, change }: ResultsProps) {
  const { t } = useTexts(ecwindowTexts);
  const { t: completeness } = useTexts(completenessTexts);
  const columns = useMemo(() => windowColumns(t, completeness), [t, completeness]);
  const provenance = useProvenance()(result.scale);
  return (
    <ScaleOrigin scale={result.scale}>
      {result.remark !== '' && <p className={`uc-remark ${classes.remark}`}>{result.remark}</p>}
      <DataTable
        label={t('resultsLabel')}
        rows={result.windows}
        columns={columns}
        rowKey={(row) => `${row.struct_id} ${row.work_ion}`}
        rowHref={(row) => detailPath(row, state.scale)}
        pageSize={state.pageSize}
        csvName={`unitcell-windows-${result.basis.replace(/[^A-Za-z0-9()]+/g, '-')}`}
        view={state.view}
        onViewChange={(update) =>
          change((now) => ({ ...now, view: update(now.view) }), { isReplacing: true })
        }
        caption={
          <>
            <h2 className={classes.count}>
              {t('found', { count: result.count, n: formatCount(result.count) })}
              {result.type === 'formula' ? <Formula text={result.basis} /> : result.basis || t('everything')}
            </h2>
            <p className={`uc-hint ${classes.note}`}>{provenance}</p>
            <CopyAsCode sent={result.sent} />
            <ListCompletenessNote
              completeness={result.completeness}
              incomplete={result.windows.filter(({ missing }) => missing !== null).length}
            />
          </>
        }
      />
      <div className={`uc-line uc-hint ${classes.rows}`}>
        <span>{t('rows')}</span>
        <ToolbarButtons
          label={t('rows')}
          buttons={PAGE_SIZES.map((size) => ({
            id: String(size),
            label: String(size),
            isOn: size === state.pageSize,
            onClick: () =>
              change((now) => ({ ...now, pageSize: size, view: { ...now.view, page: 0 } }), {
                isReplacing: true,
              }),
          }))}
        />
      </div>
    </ScaleOrigin>
  );
}
