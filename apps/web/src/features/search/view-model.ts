/** Search results as the page shows them: state read from and written to the address. */
import { WORKING_IONS } from '@unitcell/contract/ecwindow/rules';
import { DEFAULT_VIEW, type TableView } from '../../components/data-table/columns.ts';
import { readScale, SCALE_PARAMETER } from '../../components/energy-scale/scale-parameter.ts';
import { SEARCH_TYPES, type SearchType } from '../../components/search-form/search-input.ts';

/** The page's address holds everything that can be shared, reloaded or gone back to. */
export interface SearchState {
  readonly type: SearchType;
  /** The query searched for; null before the first search. */
  readonly query: string | null;
  /** The filter in words, empty for the whole catalogue; null while the searches of the specification are used. */
  readonly filter: string | null;
  /** `x.y` or `x.y.colour`: the columns of the scatter plot of what the filter finds; null for no plot. */
  readonly plot: string | null;
  /** The number of the heat map, empty for counts; null for no map. */
  readonly heat: string | null;
  /** Columns calculated from others, each in square brackets. */
  readonly calculated: readonly string[];
  /** Working ion of the windows that are counted; null for that of the filter. */
  readonly ion: string | null;
  /** Energy scale; null for the site's own. */
  readonly scale: string | null;
  readonly view: TableView;
}

/** Names joined by dots: `band_gap.[bulk_modulus / density]`. */
export const splitNames = (text: string): readonly string[] => text.match(/\[[^\]]*\]|[^.]+/g) ?? [];

const isSearchType = (value: string | null): value is SearchType =>
  SEARCH_TYPES.some((type) => type === value);

function readSort(value: string | null): TableView['sort'] {
  if (value === null || value === '' || value === '-') return null;
  return value.startsWith('-') ? { id: value.slice(1), desc: true } : { id: value, desc: false };
}

/** Anything unreadable in an address falls back to the default; an address never breaks the page. */
export function readSearchState(parameters: URLSearchParams): SearchState {
  const by = parameters.get('by');
  const page = Number(parameters.get('page') ?? 1);
  const columns = parameters.get('columns');
  return {
    type: isSearchType(by) ? by : 'elements',
    query: parameters.get('q'),
    filter: parameters.get('filter'),
    plot: parameters.get('plot'),
    heat: parameters.get('heat'),
    calculated: parameters.getAll('calc').map((text) => `[${text.replaceAll(/[[\]]/g, '')}]`),
    ion: WORKING_IONS.find((ion) => ion === parameters.get('ion')) ?? null,
    scale: readScale(parameters),
    view: {
      ...DEFAULT_VIEW,
      sort: readSort(parameters.get('sort')),
      page: Number.isInteger(page) && page > 0 ? page - 1 : 0,
      shown: columns === null || columns === '' ? null : splitNames(columns),
    },
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
  if (view.sort) parameters.set('sort', (view.sort.desc ? '-' : '') + view.sort.id);
  if (view.page > 0) parameters.set('page', String(view.page + 1));
  if (view.shown !== null) parameters.set('columns', view.shown.join('.'));
  return parameters;
}

/** What was searched for, in words: the formula as the server reads it, or the elements with spaces for hyphens. */
export const searchBasis = (type: SearchType, query: string): string =>
  type === 'elements' ? query.replaceAll('-', ' ') : query;
