/**
 * The materials search (spec §2.7), and the filters beside it. What was searched for lives in the address, what is being typed
 * here. A filter that joins a search takes it over; from then on the page shows what the filter finds.
 */
import { type ComponentType, useCallback, useMemo, useState } from 'react';
import { Link } from 'react-router-dom';
import type { ChangeView } from '../../components/data-table/columns.ts';
import { ErrorPanel } from '../../components/error-panel.tsx';
import { Examples } from '../../components/examples.tsx';
import { useFailureToastOf } from '../../components/failure-toast.ts';
import { useLastGood, useScrollToResults } from '../../components/search-form/search-flow.ts';
import { SearchForm } from '../../components/search-form/search-form.tsx';
import {
  findProblem,
  queryOf,
  type SearchType,
  toggleElement,
} from '../../components/search-form/search-input.ts';
import page from '../../components/tool-page/tool-page.module.css';
import { Idle, ToolHeader, Waiting } from '../../components/tool-page/tool-page.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { formatCount } from '../../lib/format.ts';
import { useAddressState } from '../../lib/use-address-state.ts';
import { useMaterialSearch } from './query/use-material-search.ts';
import {
  chipsOf,
  type Conditions,
  conditionsOfSearch,
  conditionsOfText,
  type ElementMode,
  elementsOf,
  textOfConditions,
  toggledElement,
  withElements,
} from '../../components/filter/conditions.ts';
import { CalculatedContext } from '../../components/filter/filter-words.ts';
import { ElementPanel } from './element-panel.tsx';
import { FilterChips } from './filter/filter-chips.tsx';
import { FilterRail } from './rail/filter-rail.tsx';
import { Pictures } from './filter/pictures.tsx';
import { RailDrawer } from './rail/rail-drawer.tsx';
import { ScreenResults } from './filter/screen-results.tsx';
import screen from './screen.module.css';
import { screenTexts } from './screen-texts.ts';
import { SEARCH_COLUMNS, useScreen } from './use-screen.ts';
import { isExpression } from '@unitcell/filter';
import { ionOf, NUMBER_PROPERTIES } from '../../components/filter/filter-fields.ts';
import { type Picked, usePicked } from '../../components/materials/use-picked.ts';
import { matdataTexts } from './texts.ts';
import { readSearchState, type SearchState, splitNames, writeSearchState } from './view-model.ts';
import { SearchResults } from './query/search-results.tsx';

/** A chemical system, at least these elements, a formula. */
const EXAMPLES = [
  { name: 'Ti-O', to: '/matdata?q=Ti-O' },
  { name: 'Li-O-*', to: '/matdata?q=Li-O-*' },
  { name: 'SrTiO3', to: '/matdata?by=formula&q=SrTiO3' },
];

const NOTHING: Conditions = [];

/** Numbers the conditions and the order speak of that no column of the searches shows. */
function moreColumns(conditions: Conditions, sort: string | undefined): readonly string[] {
  const named = conditions.flatMap((term) => (term.kind === 'compare' ? [term.property] : []));
  return NUMBER_PROPERTIES.filter(
    (property) =>
      (named.includes(property) || property === sort) &&
      !SEARCH_COLUMNS.some((column) => column === property),
  );
}

/** The columns that are calculated, and those that the filter, the order or a picture calculates. */
function calculatedIn(
  { calculated, plot, heat, view }: SearchState,
  conditions: Conditions,
): readonly string[] {
  const named = conditions.flatMap((term) => (term.kind === 'compare' ? [term.property] : []));
  const all = [...calculated, ...named, ...splitNames(plot ?? ''), heat ?? '', view.sort?.id ?? ''];
  return [...new Set(all.filter(isExpression))];
}

const DEFAULT_ION = 'Li';

interface MaterialsSearchProps {
  /** What can be done with the materials that are chosen. */
  readonly Tray: ComponentType<{ readonly picked: Picked; readonly scale: string | null }>;
}

export function MaterialsSearch({ Tray }: MaterialsSearchProps) {
  const { t } = useTexts(matdataTexts);
  const { t: ts } = useTexts(screenTexts);
  const { state, change } = useAddressState({ read: readSearchState, write: writeSearchState });
  const [typed, setTyped] = useState(() => ({ type: state.type, input: state.query ?? '', of: state }));
  // Back and forward change the address: then the box follows it.
  if (typed.of.query !== state.query || typed.of.type !== state.type)
    setTyped({ type: state.type, input: state.query ?? '', of: state });
  const { type, input } = typed;
  const problem = useMemo(() => findProblem(type, input), [type, input]);
  const [mode, setMode] = useState<ElementMode>('with');
  const [isTableOpen, setTableOpen] = useState(false);

  const isFiltering = state.filter !== null;
  const isSearched = state.query !== null && type === state.type && queryOf(type, input) === state.query;
  const read = useMemo(
    () =>
      state.filter === null ? conditionsOfSearch(type, input, isSearched) : conditionsOfText(state.filter),
    [state.filter, type, input, isSearched],
  );
  const conditions = read ?? NOTHING;
  const filterText = state.filter !== null && read === null ? state.filter : textOfConditions(conditions);

  const ion =
    state.ion ??
    conditions.map((term) => (term.kind === 'compare' ? ionOf(term.property) : undefined)).find(Boolean) ??
    DEFAULT_ION;
  const sortedBy = state.view.sort?.id;
  const calculated = useMemo(() => calculatedIn(state, conditions), [state, conditions]);
  const more = useMemo(
    () => [...moreColumns(conditions, sortedBy), ...calculated],
    [conditions, sortedBy, calculated],
  );
  const picked = usePicked();

  const search = useMaterialSearch(state.type, isFiltering ? null : state.query, state.scale);
  const result = useLastGood(search.data);
  const { results, startWaiting } = useScrollToResults(search);
  const screened = useScreen({
    filter: filterText,
    scale: state.scale,
    sort: isFiltering ? state.view.sort : null,
    page: isFiltering ? state.view.page : 0,
    hasRows: isFiltering,
    more,
    ion,
  });
  const counts = useLastGood(screened.data);
  useFailureToastOf(isFiltering ? (counts ? screened.error : null) : result ? search.error : null);

  const setText = useCallback(
    (filter: string) => {
      // What was typed or picked is part of the filter now.
      setTyped((now) => ({ ...now, input: '' }));
      change((now) => ({ ...now, query: null, filter, view: { ...now.view, page: 0 } }));
    },
    [change],
  );
  const setConditions = useCallback((next: Conditions) => setText(textOfConditions(next)), [setText]);

  const { refetch } = search;
  const start = useCallback(() => {
    const query = queryOf(type, input);
    // What is searched joins the filters there are.
    if (isFiltering && conditions.length > 0) {
      const found = conditionsOfSearch(type, input, true);
      setConditions([...withElements(conditions, { with: [], without: [], only: [] }), ...found]);
      return;
    }
    startWaiting();
    setTableOpen(false);
    const isSame = !isFiltering && query === state.query && type === state.type;
    if (isSame) void refetch();
    else
      change(({ view, scale }) => ({
        type,
        query,
        filter: null,
        plot: null,
        heat: null,
        calculated: [],
        ion: null,
        scale,
        view: { ...view, page: 0 },
      }));
  }, [type, input, state, change, refetch, startWaiting, isFiltering, conditions, setConditions]);

  const toggle = useCallback(
    (symbol: string) => {
      if (isFiltering || mode !== 'with')
        setConditions(withElements(conditions, toggledElement(elementsOf(conditions), symbol, mode)));
      else
        setTyped((now) => ({ ...now, type: 'elements', input: toggleElement(now.type, now.input, symbol) }));
    },
    [isFiltering, mode, conditions, setConditions],
  );
  const changeView = useCallback<ChangeView>(
    (turn) => change((now) => ({ ...now, view: turn(now.view) }), { isReplacing: true }),
    [change],
  );
  const setPlot = useCallback(
    (plot: string | null) => change((now) => ({ ...now, plot }), { isReplacing: true }),
    [change],
  );
  const setHeat = useCallback(
    (heat: string | null) => change((now) => ({ ...now, heat }), { isReplacing: true }),
    [change],
  );
  const setIon = useCallback(
    (next: string) => change((now) => ({ ...now, ion: next }), { isReplacing: true }),
    [change],
  );
  const units = counts?.units;
  const columns = useMemo(() => ({ names: calculated, units: units ?? {} }), [calculated, units]);
  const setCalculated = useCallback(
    (names: readonly string[]) => {
      const gone = calculated.filter((name) => !names.includes(name));
      // A column that goes takes its conditions, its place in pictures and the order with it.
      const isGone = (name: string | undefined): boolean => gone.some((other) => other === name);
      const rest = conditions.filter((term) => term.kind !== 'compare' || !isGone(term.property));
      change((now) => ({
        ...now,
        query: null,
        filter: gone.length > 0 ? textOfConditions(rest) : filterText,
        calculated: names,
        plot: now.plot !== null && splitNames(now.plot).some(isGone) ? null : now.plot,
        heat: isGone(now.heat ?? undefined) ? null : now.heat,
        view: { ...now.view, page: 0, sort: isGone(now.view.sort?.id) ? null : now.view.sort },
      }));
    },
    [calculated, conditions, filterText, change],
  );
  // From the moment somebody asks: nothing moves when the answer comes.
  const hasResults = isFiltering || result !== undefined || search.isFetching;
  // The first answer; a later one leaves the last standing until it is there.
  const isWaiting = isFiltering ? !counts && !screened.isError : !result && search.isFetching;
  const elements = useMemo(() => elementsOf(conditions), [conditions]);
  return (
    <CalculatedContext value={columns}>
      <div className="uc-page">
        {hasResults ? (
          <header className={screen.header}>
            <h1>{t('title')}</h1>
          </header>
        ) : (
          <ToolHeader title={t('title')} lead={t('lead')} />
        )}
        <SearchForm
          type={type}
          input={input}
          problem={problem}
          isSearching={search.isFetching}
          onType={(next: SearchType) => setTyped({ ...typed, type: next, input: '' })}
          onInput={(next) => setTyped({ ...typed, input: next })}
          onSearch={start}
        />
        {!hasResults && !search.isError && <Examples examples={EXAMPLES} />}
        <div className={screen.page}>
          <div className={screen.main}>
            <ElementPanel
              choice={elements}
              mode={mode}
              onMode={setMode}
              onToggle={toggle}
              facet={counts?.facets['elements']}
              canFold={hasResults}
              isOpen={isTableOpen}
              onOpen={setTableOpen}
            />
            {isFiltering && <FilterChips conditions={conditions} onConditions={setConditions} />}
            {isFiltering && (
              <Pictures
                plot={state.plot}
                onPlot={setPlot}
                heat={state.heat}
                onHeat={setHeat}
                screened={screened.isError ? undefined : counts}
                conditions={conditions}
                onConditions={setConditions}
              />
            )}
            <section ref={results} className={page.results} aria-label={t('results')} aria-live="polite">
              {isFiltering && counts && !screened.isError && (
                <ScreenResults
                  screened={counts}
                  isStale={screened.isPlaceholderData}
                  conditions={conditions}
                  onConditions={setConditions}
                  view={state.view}
                  onViewChange={changeView}
                  more={more}
                  selection={picked.selection}
                />
              )}
              {isFiltering && screened.isError && (
                <div className={screen.failure}>
                  <ErrorPanel error={screened.error} onRetry={() => void screened.refetch()} />
                </div>
              )}
              {!isFiltering && result && (
                <SearchResults
                  result={result}
                  scale={state.scale}
                  view={state.view}
                  onViewChange={changeView}
                  selection={picked.selection}
                />
              )}
              {!isFiltering && !result && search.isError && (
                <ErrorPanel error={search.error} onRetry={() => void refetch()} />
              )}
              {isWaiting && <Waiting>{t('searching')}</Waiting>}
              {!hasResults && !isWaiting && !search.isError && (
                <Idle>
                  {t('idle')}{' '}
                  {counts && (
                    <Link to="/matdata?filter=" preventScrollReset>
                      {ts('browseAll', { n: formatCount(counts.catalogue) })}
                    </Link>
                  )}
                </Idle>
              )}
            </section>
          </div>
          <RailDrawer count={isFiltering ? chipsOf(conditions).length : 0}>
            <FilterRail
              conditions={conditions}
              onConditions={setConditions}
              text={filterText}
              onText={setText}
              scale={state.scale}
              onScale={(scale) => change((now) => ({ ...now, scale, view: { ...now.view, page: 0 } }))}
              screened={counts}
              ion={ion}
              onIon={setIon}
              calculated={calculated}
              onCalculated={setCalculated}
            />
          </RailDrawer>
        </div>
        <Tray picked={picked} scale={state.scale} />
      </div>
    </CalculatedContext>
  );
}
