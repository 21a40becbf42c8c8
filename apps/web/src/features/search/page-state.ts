/** State of the page: the search or filter in the address, the typed text, changes of the filter, and the request. */
import { useQuery } from '@tanstack/react-query';
import { searchByElements, searchByFormula, searchByStructId } from '@unitcell/contract/calls';
import { WORKING_IONS } from '@unitcell/contract/ecwindow/rules';
import type { EnergyScale, ListCompleteness } from '@unitcell/contract/common';
import { searchResultOf } from '@unitcell/material';
import { type ReactNode, useCallback, useMemo, useState } from 'react';
import {
  type ChangeView,
  readView,
  splitNames,
  type TableView,
  writeView,
} from '../../components/data-table/columns.ts';
import { readScale, SCALE_PARAMETER } from '../../components/energy-scale/scale-parameter.ts';
import {
  type Conditions,
  type ElementMode,
  elementsOf,
  textOfConditions,
  toggledElement,
  withElements,
} from '../../components/filter/conditions.ts';
import {
  findProblem,
  SEARCH_TYPES,
  searchBasis,
  type SearchType,
  toggleElement,
} from '../../components/search-form/search-input.ts';
import type { Picked } from '../../components/materials/use-picked.ts';
import { type FoundMaterial, foundMaterial } from '../../components/materials/columns.tsx';
import { answerTo, callKey, type SentRequest } from '../../lib/api-client.ts';
import type { ChangeState } from '../../lib/use-address-state.ts';

/** Everything that can be shared, reloaded or reached by Back. */
export interface SearchState {
  readonly type: SearchType;
  /** The submitted query; null before the first search. */
  readonly query: string | null;
  /** The filter text, empty for the whole catalogue; null for the searches of the specification. */
  readonly filter: string | null;
  /** `x.y` or `x.y.colour`: the columns of the scatter plot; null for no plot. */
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

interface EditFilterInput {
  readonly change: ChangeState<SearchState>;
  readonly write: (input: string) => void;
  readonly said: SearchStatement;
  readonly calculated: readonly string[];
  readonly mode: ElementMode;
}

/** Changes the filter. The first change turns a search into a filter. */
export function useEditFilter({ change, write, said, calculated, mode }: EditFilterInput) {
  const { conditions, text } = said;
  const setText = useCallback(
    (filter: string) => {
      // Clears the box, because the typed text or picked elements are now part of the filter.
      write('');
      change((now) => ({ ...now, query: null, filter, view: { ...now.view, page: 0 } }));
    },
    [write, change],
  );
  const setConditions = useCallback((next: Conditions) => setText(textOfConditions(next)), [setText]);
  const toggle = useCallback(
    (symbol: string) =>
      setConditions(withElements(conditions, toggledElement(elementsOf(conditions), symbol, mode))),
    [conditions, mode, setConditions],
  );
  const setCalculated = useCallback(
    (names: readonly string[]) => {
      const gone = calculated.filter((name) => !names.includes(name));
      // Removing a column also removes its conditions, plots and sort order.
      const isGone = (name: string | undefined): boolean => gone.some((other) => other === name);
      const rest = conditions.filter((term) => term.kind !== 'compare' || !isGone(term.property));
      change((now) => ({
        ...now,
        query: null,
        filter: gone.length > 0 ? textOfConditions(rest) : text,
        calculated: names,
        plot: now.plot !== null && splitNames(now.plot).some(isGone) ? null : now.plot,
        heat: isGone(now.heat ?? undefined) ? null : now.heat,
        view: { ...now.view, page: 0, sort: isGone(now.view.sort?.id) ? null : now.view.sort },
      }));
    },
    [calculated, conditions, text, change],
  );
  return { setText, setConditions, toggle, setCalculated };
}

/** What the page passes to its part (search or filter). */
export interface PageState {
  readonly state: SearchState;
  readonly change: ChangeState<SearchState>;
  readonly changeView: ChangeView;
  readonly box: ReturnType<typeof useSearchBox>;
  readonly said: SearchStatement;
  readonly edit: ReturnType<typeof useEditFilter>;
  readonly mode: ElementMode;
  readonly selection: Picked['selection'];
}

export interface SearchResult {
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

async function search(
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
    materials: answer.results.map((row) => foundMaterial(searchResultOf(row), answer.completeness)),
    completeness: answer.completeness,
    remark: answer.message,
    scale: { functional: answer.functional, release: answer.release },
    sent,
  };
}

/** Results of a search; idle while `query` is null. */
export const useMaterialSearch = (type: SearchType, query: string | null, scale: string | null) =>
  useQuery({
    queryKey: callKey(searchByElements, type, query, scale),
    enabled: query !== null && query !== '',
    queryFn: ({ signal }) => search(type, query ?? '', scale, signal),
    retry: false,
  });
