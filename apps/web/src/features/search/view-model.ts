/** Search state, read from and written to the address. */
import { WORKING_IONS } from '@unitcell/contract/ecwindow/rules';
import { DEFAULT_VIEW, type TableView } from '../../components/data-table/columns.ts';
import { readScale, SCALE_PARAMETER } from '../../components/energy-scale/scale-parameter.ts';
import { SEARCH_TYPES, type SearchType } from '../../components/search-form/search-input.ts';

/** Everything that can be shared, reloaded or reached by Back. */
export interface SearchState {
  readonly type: SearchType;
  /** The submitted query; null before the first search. */
  readonly query: string | null;
  /** The filter text, empty for the whole catalogue; null for the searches of the specification. */
  readonly filter: string | null;
  /** `x.y` or `x.y.colour`: the columns of the scatter plot; null for no plot. */
  readonly plot: string | null;
  /** The number of the heat map, empty for counts; null for no map. */
  readonly heat: string | null;
  /** Calculated columns, each in square brackets. */
  readonly calculated: readonly string[];
  /** Working ion of the counted windows; null for that of the filter. */
  readonly ion: string | null;
  /** Energy scale; null for the site's default. */
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

/** Parses the address. Invalid values fall back to their defaults. */
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

/** The submitted search as text: the formula as parsed by the server, or the elements with spaces for hyphens. */
export const searchBasis = (type: SearchType, query: string): string =>
  type === 'elements' ? query.replaceAll('-', ' ') : query;
