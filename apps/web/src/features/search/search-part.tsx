/** The page of a search (`?q=`): the searches of the specification, and suggestions before the first one. */
import { useCallback, useMemo, useState } from 'react';
import { Link } from 'react-router-dom';
import { ListCompletenessNote } from '../../components/completeness/completeness-note.tsx';
import { completenessTexts } from '../../components/completeness/texts.ts';
import { CopyAsCode } from '../../components/copy-as-code/copy-as-code.tsx';
import type { ChangeView, TableView } from '../../components/data-table/columns.ts';
import { DataTable, type RowSelection } from '../../components/data-table/data-table.tsx';
import { ScaleOrigin } from '../../components/energy-scale/scale-origin.tsx';
import { withScale } from '../../components/energy-scale/scale-parameter.ts';
import { useProvenance } from '../../components/energy-scale/use-scale-name.ts';
import { ErrorPanel } from '../../components/failure.tsx';
import { Examples } from '../../components/examples.tsx';
import { useFailureToastOf } from '../../components/failure-toast.ts';
import { conditionsOfSearch, textOfConditions } from '../../components/filter/conditions.ts';
import { Formula, formulaText } from '../../components/formula.tsx';
import { materialColumns } from '../../components/materials/columns.tsx';
import { Idle, useLastGood, useScrollToResults, Waiting } from '../../components/tool-page/tool-page.tsx';
import { queryOf, type SearchType, WILDCARD } from '../../components/search-form/search-input.ts';
import { defineTexts, useTexts } from '../../i18n/texts.ts';
import { formatCount } from '../../lib/format.ts';
import classes from './search.module.css';
import { matdataTexts, screenTexts } from './texts.ts';
import { NearbySearches } from './nearby-searches.tsx';
import { recentVisits } from '../../lib/visits.ts';
import {
  type PagePart,
  type PageState,
  type SearchResult,
  type SearchState,
  type SearchStatement,
  useMaterialSearch,
} from './page-state.ts';

interface SearchResultsProps {
  readonly result: SearchResult;
  /** The scale from the address, passed on to links. */
  readonly scale: string | null;
  readonly view: TableView;
  readonly onViewChange: ChangeView;
  readonly selection: RowSelection<{ readonly structId: number; readonly formula: string }>;
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
                <Link to="/matdata?filter=" preventScrollReset>
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

const firstTaskTexts = defineTexts('first-tasks', {
  en: {
    title: 'Begin with a question:',
    recent: 'Recently viewed:',
    oxides: 'Which stable oxides have a gap of 3 eV or more?',
    powder: 'Which phase is in this powder?',
    coating: 'Does LiCoO₂ react with Li₂S?',
    predict: 'How stable would Li₆PS₅F be?',
  },
  zh: {
    title: '从一个问题开始：',
    recent: '最近浏览：',
    oxides: '哪些稳定氧化物的带隙不小于 3 eV？',
    powder: '这份粉末里有哪种物相？',
    coating: 'LiCoO₂ 与 Li₂S 会反应吗？',
    predict: 'Li₆PS₅F 会有多稳定？',
  },
});

const OXIDES = 'elements HAS "O" AND band_gap >= 3 AND energy_above_hull <= 0';

const TASKS = [
  ['oxides', `/matdata?${new URLSearchParams({ filter: OXIDES }).toString()}`],
  ['powder', '/xrd?sample'],
  ['coating', '/Interface_reaction?a=Li2S&b=LiCoO2'],
  ['predict', '/predict?formula=Li6PS5F'],
] as const;

/** Starting points: recently opened materials, and typical questions linked to their answers. */
function FirstTasks() {
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
