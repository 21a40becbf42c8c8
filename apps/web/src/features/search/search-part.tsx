/**
 * The searches of the specification (`?q=`): the state in the address, which a filter shares, the text in the box, the
 * request, the results, and suggestions before the first search.
 */
import { useQuery } from '@tanstack/react-query';
import type { EnergyScale, ListCompleteness } from '@unitcell/contract/common';
import { searchByElements, searchByFormula, searchByStructId } from '@unitcell/contract/calls';
import { WORKING_IONS } from '@unitcell/contract/ecwindow/rules';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { Link } from 'react-router-dom';
import { completenessTexts, ListCompletenessNote } from '../../components/completeness/completeness-note.tsx';
import { CopyAsCode } from '../../components/copy-as-code/copy-as-code.tsx';
import {
  type ChangeView,
  readView,
  type TableView,
  writeView,
} from '../../components/data-table/columns.tsx';
import { DataTable } from '../../components/data-table/data-table.tsx';
import {
  readScale,
  SCALE_PARAMETER,
  ScaleOrigin,
  useProvenance,
  withScale,
} from '../../components/energy-scale/energy-scale.tsx';
import { ErrorPanel } from '../../components/failure.tsx';
import { Examples } from '../../components/examples.tsx';
import { useFailureToastOf } from '../../components/failure-toast.ts';
import {
  type Conditions,
  conditionsOfSearch,
  type ElementMode,
  textOfConditions,
} from '../../components/filter/conditions.ts';
import { Formula } from '../../components/formula.tsx';
import { type FoundMaterial, foundMaterial, materialColumns } from '../../components/materials/columns.tsx';
import type { Picked } from '../../components/materials/use-picked.ts';
import { Idle, useLastGood, useScrollToResults, Waiting } from '../../components/tool-page/tool-page.tsx';
import {
  findProblem,
  queryOf,
  SEARCH_TYPES,
  searchBasis,
  type SearchType,
  toggleElement,
  WILDCARD,
} from '../../components/search-form/search-form.tsx';
import { useTexts } from '../../i18n/texts.ts';
import { answerTo, callKey, type SentRequest } from '../../lib/api-client.ts';
import { formatCount } from '../../lib/format.ts';
import type { ChangeState } from '../../lib/use-address-state.ts';
import { FirstTasks, NearbySearches } from './nearby-searches.tsx';
import classes from './search.module.css';
import { matdataTexts, screenTexts } from './texts.ts';

/** Everything that can be shared, reloaded or reached by Back. */
export interface SearchState {
  readonly type: SearchType;
  /** The submitted query; null before the first search. */
  readonly query: string | null;
  /** The filter text, empty for the whole catalogue; null for the searches of the specification. */
  readonly filter: string | null;
  /** `x.y` or `x.y.colour`, and `~xy` for logarithmic axes: the scatter plot; null for no plot. */
  readonly plot: string | null;
  /** The property shown in the heat map, empty for the number of materials; null for no map. */
  readonly heat: string | null;
  /** Calculated columns, each in square brackets. */
  readonly calculated: readonly string[];
  /** Working ion of the windows for which counts are shown; null for that of the filter. */
  readonly ion: string | null;
  /** Energy scale; null for the site's default. */
  readonly scale: string | null;
  readonly view: TableView;
}

const isSearchType = (value: string | null): value is SearchType =>
  SEARCH_TYPES.some((type) => type === value);

/** Parses the address. Invalid values fall back to their defaults. */
export function readSearchState(parameters: URLSearchParams): SearchState {
  const by = parameters.get('by');
  return {
    type: isSearchType(by) ? by : 'elements',
    query: parameters.get('q'),
    filter: parameters.get('filter'),
    plot: parameters.get('plot'),
    heat: parameters.get('heat'),
    calculated: parameters.getAll('calc').map((text) => `[${text.replaceAll(/[[\]]/g, '')}]`),
    ion: WORKING_IONS.find((ion) => ion === parameters.get('ion')) ?? null,
    scale: readScale(parameters),
    view: readView(parameters),
  };
}

export function writeSearchState({
  type,
  query,
  filter,
  plot,
  heat,
  calculated,
  ion,
  scale,
  view,
}: SearchState): URLSearchParams {
  const parameters = new URLSearchParams();
  if (type !== 'elements') parameters.set('by', type);
  if (query !== null) parameters.set('q', query);
  if (filter !== null) parameters.set('filter', filter);
  if (plot !== null) parameters.set('plot', plot);
  if (heat !== null) parameters.set('heat', heat);
  for (const name of calculated) parameters.append('calc', name.slice(1, -1));
  if (ion !== null) parameters.set('ion', ion);
  if (scale !== null) parameters.set(SCALE_PARAMETER, scale);
  writeView(parameters, view);
  return parameters;
}

/** The conditions of a search or a filter. */
export interface SearchStatement {
  readonly conditions: Conditions;
  /** The conditions in the filter language. */
  readonly text: string;
}

/** What a part of the page (search or filter) passes to the page. */
export interface PagePart {
  /**
   * True if results are shown or loading: the heading shrinks and the elements collapse, so that nothing moves when the
   * results arrive.
   */
  readonly hasResults: boolean;
  /** Number of active filters. */
  readonly filters: number;
  readonly onSearch: () => void;
  readonly onElement: (symbol: string) => void;
  readonly belowBox: ReactNode;
  /** Content between the elements and the results. */
  readonly above: ReactNode;
  readonly results: ReactNode;
}

/** The text of the search box before it is submitted. */
export function useSearchBox(state: SearchState) {
  const [typed, setTyped] = useState(() => ({ type: state.type, input: state.query ?? '', of: state }));
  // Updates the box when Back or Forward changes the address.
  if (typed.of.query !== state.query || typed.of.type !== state.type)
    setTyped({ type: state.type, input: state.query ?? '', of: state });
  const { type, input } = typed;
  const problem = useMemo(() => findProblem(type, input), [type, input]);
  const write = useCallback((next: string) => setTyped((now) => ({ ...now, input: next })), []);
  const chooseType = useCallback(
    (next: SearchType) => setTyped((now) => ({ ...now, type: next, input: '' })),
    [],
  );
  const toggle = useCallback(
    (symbol: string) =>
      setTyped((now) => ({ ...now, type: 'elements', input: toggleElement(now.type, now.input, symbol) })),
    [],
  );
  return { type, input, problem, write, chooseType, toggle };
}

/** What the page passes to its part (search or filter). */
export interface PageState {
  readonly state: SearchState;
  readonly change: ChangeState<SearchState>;
  readonly changeView: ChangeView;
  readonly box: ReturnType<typeof useSearchBox>;
  readonly said: SearchStatement;
  readonly edit: { readonly toggle: (symbol: string) => void };
  readonly mode: ElementMode;
  readonly selection: Picked['selection'];
}

interface SearchResult {
  readonly type: SearchType;
  /** Search text for the heading. */
  readonly basis: string;
  /** Total number of matches, more than `materials` if the answer was truncated. */
  readonly count: number;
  readonly materials: readonly FoundMaterial[];
  readonly completeness: ListCompleteness | undefined;
  /** Remark of the server, such as truncated rows. */
  readonly remark: string;
  /** Energy scale and release of all rows. */
  readonly scale: EnergyScale;
  readonly sent: SentRequest;
}

const CALLS = { elements: searchByElements, formula: searchByFormula, struct_id: searchByStructId };

async function searchMaterials(
  type: SearchType,
  query: string,
  functional: string | null,
  signal: AbortSignal,
): Promise<SearchResult> {
  const sent = {
    call: CALLS[type],
    body: { include: query, ...(functional === null ? {} : { functional }) },
  };
  const answer = await answerTo(sent.call, sent.body, { signal });
  return {
    type,
    basis: 'formula' in answer ? answer.formula : searchBasis(type, query),
    count: answer.len,
    materials: answer.results.map((row) => foundMaterial(row, answer.completeness)),
    completeness: answer.completeness,
    remark: answer.message,
    scale: { functional: answer.functional, release: answer.release },
    sent,
  };
}

interface SearchResultsProps {
  readonly result: SearchResult;
  /** The scale from the address, passed on to links. */
  readonly scale: string | null;
  readonly view: TableView;
  readonly onViewChange: ChangeView;
  readonly selection: Picked['selection'];
}

/** Row count and table of the results. */
function SearchResults({ result, scale, view, onViewChange, selection }: SearchResultsProps) {
  const { t, language } = useTexts(matdataTexts);
  const { t: completeness } = useTexts(completenessTexts);
  const columns = useMemo(() => materialColumns(language, completeness), [language, completeness]);
  const provenance = useProvenance()(result.scale);
  return (
    <ScaleOrigin scale={result.scale}>
      {result.remark !== '' && <p className={`uc-remark ${classes.remark}`}>{result.remark}</p>}
      <DataTable
        label={t('resultsLabel')}
        rows={result.materials}
        columns={columns}
        rowKey={(material) => material.structId}
        rowHref={(material) => withScale(`/matdatades/${material.structId}`, scale)}
        csvName={`unitcell-${result.basis.replace(/[^A-Za-z0-9()]+/g, '-')}`}
        view={view}
        onViewChange={onViewChange}
        selection={selection}
        caption={
          <>
            <h2 className={classes.resultsCount}>
              {t('found', { count: result.count, n: formatCount(result.count) })}
              {result.type === 'formula' ? <Formula text={result.basis} /> : result.basis}
              {result.type === 'elements' && result.basis.includes(WILDCARD) && (
                <span className={classes.others}> {t('andOthers')}</span>
              )}
            </h2>
            <p className={classes.resultsScale}>{provenance}</p>
            <ListCompletenessNote
              of="materials"
              completeness={result.completeness}
              incomplete={result.materials.filter(({ missing }) => missing !== null).length}
            />
            <CopyAsCode sent={result.sent} />
          </>
        }
      />
      {result.count === 0 && <NearbySearches type={result.type} basis={result.basis} scale={scale} />}
    </ScaleOrigin>
  );
}

/** Examples: a chemical system, at least these elements, a formula. */
const EXAMPLES = [
  { name: 'Ti-O', to: '/matdata?q=Ti-O' },
  { name: 'Li-O-*', to: '/matdata?q=Li-O-*' },
  { name: 'SrTiO3', to: '/matdata?by=formula&q=SrTiO3' },
];

/** The filter that the typed text would become. */
export function statementOfSearch(
  type: SearchType,
  input: string,
  searched: Pick<SearchState, 'type' | 'query'>,
): SearchStatement {
  const isSearched =
    searched.query !== null && type === searched.type && queryOf(type, input) === searched.query;
  const conditions = conditionsOfSearch(type, input, isSearched);
  return { conditions, text: textOfConditions(conditions) };
}

/**
 * @param query the submitted search; null on the filter page, where the last results are kept for Back
 * @param catalogue number of all materials
 */
export function useSearchPart(
  query: string | null,
  { state, change, changeView, box, edit, mode, selection }: PageState,
  catalogue: number | undefined,
  onStart: () => void,
) {
  const { t } = useTexts(matdataTexts);
  const { t: ts } = useTexts(screenTexts);
  const search = useQuery({
    queryKey: callKey(searchByElements, state.type, query, state.scale),
    enabled: query !== null && query !== '',
    queryFn: ({ signal }) => searchMaterials(state.type, query ?? '', state.scale, signal),
    retry: false,
  });
  const last = useLastGood(search.data);
  // Without a search in the address (for example after Back) no result is shown.
  const result = query === null ? undefined : last;
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
  const part: PagePart = {
    hasResults,
    filters: 0,
    belowBox: isIdle && <Examples examples={EXAMPLES} />,
    onSearch,
    // The text box can only include elements; excluding needs a filter.
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
        {/* Keep the last results until the next arrive. */}
        {!result && search.isFetching && <Waiting>{t('searching')}</Waiting>}
        {isIdle && (
          <>
            <Idle>
              {t('idle')}{' '}
              {catalogue !== undefined && (
                <Link to={withScale('/matdata?filter=', state.scale)} preventScrollReset>
                  {ts('browseAll', { n: formatCount(catalogue) })}
                </Link>
              )}
            </Idle>
            <FirstTasks />
          </>
        )}
      </>
    ),
  };
  return { part, place, isSearching: search.isFetching };
}
