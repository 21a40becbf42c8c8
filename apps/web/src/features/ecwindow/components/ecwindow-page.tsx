/** The electrochemical window search (spec §2.10). The address holds the submitted search. */
import { useCallback, useMemo, useState } from 'react';
import { Link } from 'react-router-dom';
import {
  completenessTexts,
  ListCompletenessNote,
} from '../../../components/completeness/completeness-note.tsx';
import { CopyAsCode } from '../../../components/copy-as-code/copy-as-code.tsx';
import { EnergyScaleSelect } from '../../../components/energy-scale/energy-scale-select.tsx';
import { ScaleOrigin, useProvenance } from '../../../components/energy-scale/energy-scale.tsx';
import { DataTable } from '../../../components/data-table/data-table.tsx';
import { Formula } from '../../../components/formula.tsx';
import { ErrorPanel } from '../../../components/failure.tsx';
import { Examples } from '../../../components/examples.tsx';
import { useFailureToastOf } from '../../../components/failure-toast.ts';
import { FoldingElements, useElementCounts } from '../../../components/folding-elements.tsx';
import { PeriodicTable } from '../../../components/periodic-table.tsx';
import { ToolExample, useExample } from '../../../components/tool-page/tool-example.tsx';
import {
  Idle,
  ToolHeader,
  useLastGood,
  useScrollToResults,
  Waiting,
} from '../../../components/tool-page/tool-page.tsx';
import {
  findProblem,
  queryOf,
  SearchForm,
  type SearchType,
  selectedElements,
  toggleElement,
} from '../../../components/search-form/search-form.tsx';
import page from '../../../components/panel.module.css';
import { ToolbarButtons } from '../../../components/toolbar-buttons.tsx';
import { useTexts, type Translate } from '../../../i18n/texts.ts';
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
  FILTER_NAMES,
  NO_FILTERS,
  type Range,
  wholeRange,
  withRange,
} from '../view-model.ts';
import classes from './ecwindow.module.css';
import { Button, NativeSelect, RangeSlider, TextInput } from '@mantine/core';
import type { WindowFilterName } from '@unitcell/contract/ecwindow';
import { WINDOW_FILTER_RANGES, WORKING_IONS } from '@unitcell/contract/ecwindow/rules';
import { isElementSymbol } from '@unitcell/elements';
import { fieldMeaning } from '../../../components/filter/filter-fields.ts';
import { FoldedFilters } from '../../../components/folded-filters.tsx';

/** A search for a compound, for a chemical system, and for compounds that contain Li and O. */
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
  if (typed.of.query !== state.query || typed.of.type !== state.type || typed.of.filters !== state.filters)
    setTyped(typedOf(state));
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
  const last = useLastGood(search.data);
  // Without a search in the address (for example after Back) no result is shown.
  const result = state.query === null ? undefined : last;
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
        {!result &&
          !search.isFetching &&
          !search.isError &&
          (input === '' && filters === state.filters ? (
            <WindowsExample key={state.scale} state={state} />
          ) : (
            <Idle>{t('idle')}</Idle>
          ))}
      </section>
    </div>
  );
}

/** An example search, shown before the first input. It does not change the address. */
function WindowsExample({ state: { scale } }: { readonly state: SearchState }) {
  const { t } = useTexts(ecwindowTexts);
  const example = useExample('windows');
  const [state, setState] = useState(() => ({
    ...readSearchState(new URLSearchParams({ q: 'Li-P-S' })),
    scale,
  }));
  const query = example.isHidden ? null : state.query;
  const { data, isFetching } = useWindowSearch(state.type, query, state.filters, scale);
  return (
    <ToolExample
      example={example}
      title={t('example')}
      idle={<Idle>{t('idle')}</Idle>}
      waiting={t('searching')}
      isLoading={isFetching}
    >
      {data && <Results result={data} state={state} change={setState} />}
    </ToolExample>
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

// ── The collapsible advanced options: ranges, working ion, included and excluded elements (spec §2.10) ──

interface AdvancedOptionsProps {
  readonly filters: Filters;
  readonly onChange: (filters: Filters) => void;
}

const UNITS: Readonly<Record<WindowFilterName, string>> = {
  collapse_Reduction: 'V',
  collapse_Oxidation: 'V',
  collapse_ehull: 'eV/atom',
  collapse_bandgap: 'eV',
};

/** The field whose explanation each range shows. The onsets have the same explanation for every ion. */
const FIELDS: Readonly<Record<WindowFilterName, string>> = {
  collapse_Reduction: 'reduction_onset_li',
  collapse_Oxidation: 'oxidation_onset_li',
  collapse_ehull: 'energy_above_hull',
  collapse_bandgap: 'band_gap',
};

/** The first unknown symbol of a hyphen-separated list. */
const unknownElementOf = (text: string): string | undefined =>
  text
    .split(/[\s,;-]+/)
    .filter((token) => token !== '')
    .find((token) => !isElementSymbol(token));

function AdvancedOptions({ filters, onChange }: AdvancedOptionsProps) {
  const { t } = useTexts(ecwindowTexts);
  const { ion, included, excluded, ranges } = filters;
  const active = [
    ...FILTER_NAMES.flatMap((name) => {
      const range = ranges[name];
      return range ? [`${t(name)}: ${rangeText(name, range, t)}`] : [];
    }),
    ...(ion === NO_FILTERS.ion ? [] : [`${t('workIon')}: ${ion}`]),
    ...(included.trim() === '' ? [] : [`${t('included')}: ${included}`]),
    ...(excluded.trim() === '' ? [] : [`${t('excluded')}: ${excluded}`]),
  ];
  const listField = (id: 'included' | 'excluded') => {
    const unknown = unknownElementOf(filters[id]);
    return (
      <TextInput
        label={t(id)}
        placeholder={t('elementsPlaceholder')}
        value={filters[id]}
        maxLength={400}
        spellCheck={false}
        autoComplete="off"
        error={unknown === undefined ? undefined : t('unknownElement', { symbol: unknown.slice(0, 20) })}
        onChange={(event) => onChange({ ...filters, [id]: event.currentTarget.value })}
      />
    );
  };
  return (
    <div className={classes.advanced}>
      <FoldedFilters
        name={t('advanced')}
        active={active}
        hasProblem={(unknownElementOf(included) ?? unknownElementOf(excluded)) !== undefined}
        foldsEverywhere
      >
        <div className={classes.options}>
          {FILTER_NAMES.map((name) => (
            <RangeField
              key={name}
              name={name}
              range={filters.ranges[name] ?? wholeRange(name)}
              onChange={(range) => onChange(withRange(filters, name, range))}
            />
          ))}
          <NativeSelect
            label={t('workIon')}
            data={[...WORKING_IONS]}
            value={filters.ion}
            onChange={({ currentTarget }) => onChange({ ...filters, ion: currentTarget.value })}
          />
          {listField('included')}
          {listField('excluded')}
          <div className={classes.reset}>
            <Button
              variant="default"
              size="xs"
              disabled={active.length === 0}
              onClick={() => onChange(NO_FILTERS)}
            >
              {t('reset')}
            </Button>
          </div>
        </div>
      </FoldedFilters>
    </div>
  );
}

type T = Translate<(typeof ecwindowTexts)['en']>;

const decimalsOf = (name: WindowFilterName): number => (WINDOW_FILTER_RANGES[name].step < 0.01 ? 3 : 1);

/** The end of a slider is no maximum. */
const rangeText = (name: WindowFilterName, [from, to]: Range, t: T): string => {
  const decimals = decimalsOf(name);
  const [min, max, unit] = [from.toFixed(decimals), to.toFixed(decimals), UNITS[name]];
  if (to !== WINDOW_FILTER_RANGES[name].max) return t('between', { min, max, unit });
  return t(name === 'collapse_Oxidation' ? 'atLeastOrUnbounded' : 'atLeast', { min, unit });
};

interface RangeFieldProps {
  readonly name: WindowFilterName;
  readonly range: Range;
  readonly onChange: (range: Range) => void;
}

function RangeField({ name, range, onChange }: RangeFieldProps) {
  const { t, language } = useTexts(ecwindowTexts);
  const meaning = fieldMeaning(FIELDS[name], language);
  const { min, max, step } = WINDOW_FILTER_RANGES[name];
  const decimals = decimalsOf(name);
  const isWhole = range[0] <= min && range[1] >= max;
  return (
    <div className={classes.range}>
      <span className={`uc-note ${classes.rangeText}`} title={meaning}>
        {t(name)}: <strong>{isWhole ? t('any') : rangeText(name, range, t)}</strong>
      </span>
      <p className="uc-fine uc-meaning">{meaning}</p>
      <RangeSlider
        min={min}
        max={max}
        step={step}
        minRange={0}
        value={[range[0], range[1]]}
        thumbFromLabel={t('from', { name: t(name) })}
        thumbToLabel={t('to', { name: t(name) })}
        label={(value) => value.toFixed(decimals)}
        onChange={onChange}
      />
    </div>
  );
}
