/** Window searches: named fields for positional rows; filters and state in the address. */
import type { WindowFilterName, WindowRow, WindowSearchRequest } from '@unitcell/contract/ecwindow';
import { WINDOW_FILTER_RANGES, WINDOW_ROW_FIELDS, WORKING_IONS } from '@unitcell/contract/ecwindow/rules';
import type { ListCompleteness } from '@unitcell/contract/common';
import { missingIn } from '../../components/completeness/completeness-note.tsx';
import { readScale, SCALE_PARAMETER, withScale } from '../../components/energy-scale/energy-scale.tsx';
import { readView, type TableView, writeView } from '../../components/data-table/columns.tsx';
import { SEARCH_TYPES, type SearchType } from '../../components/search-form/search-form.tsx';
import { type NamedRow, namedRow } from '../../lib/rows.ts';

/** One row with its fields by name. Onsets in V against the working ion, energies in eV (per atom). */
export type FoundWindow = NamedRow<typeof WINDOW_ROW_FIELDS, WindowRow> & {
  /** Compounds missing from its system: `CO2, H2O …`; null if none. */
  readonly missing: string | null;
};

export function windowOf(row: WindowRow, list?: ListCompleteness): FoundWindow {
  const named = namedRow(WINDOW_ROW_FIELDS, row);
  return { ...named, missing: missingIn(list, named.formula, [named.work_ion]) };
}

/** Superscript charges of the working ions. */
const CHARGES: Readonly<Record<string, string>> = {
  Li: '⁺',
  Na: '⁺',
  K: '⁺',
  Mg: '²⁺',
  Ca: '²⁺',
  Zn: '²⁺',
  Al: '³⁺',
};

/** The reference couple of the voltages: `Li/Li⁺`. */
export const coupleOf = (ion: string): string => `${ion}/${ion}${CHARGES[ion] ?? ''}`;

export type Range = readonly [number, number];

export interface Filters {
  readonly ion: string;
  readonly included: string;
  readonly excluded: string;
  /** Only the sliders that were moved. */
  readonly ranges: Readonly<Partial<Record<WindowFilterName, Range>>>;
}

export const NO_FILTERS: Filters = { ion: WORKING_IONS[0], included: '', excluded: '', ranges: {} };

export const FILTER_NAMES = Object.keys(WINDOW_FILTER_RANGES) as WindowFilterName[];

export const wholeRange = (name: WindowFilterName): Range => [
  WINDOW_FILTER_RANGES[name].min,
  WINDOW_FILTER_RANGES[name].max,
];

/** Sets the range of one slider; a slider at its full range is removed from the filters. */
export function withRange(filters: Filters, name: WindowFilterName, range: Range): Filters {
  const { [name]: _old, ...ranges } = filters.ranges;
  const [min, max] = wholeRange(name);
  return {
    ...filters,
    ranges: range[0] <= min && range[1] >= max ? ranges : { ...ranges, [name]: range },
  };
}

/** Number of advanced options in use. */
export const filterCount = ({ ion, included, excluded, ranges }: Filters): number =>
  (ion === NO_FILTERS.ion ? 0 : 1) +
  (included.trim() === '' ? 0 : 1) +
  (excluded.trim() === '' ? 0 : 1) +
  Object.keys(ranges).length;

/** True if the filters allow a search with an empty search box. */
export const isNarrowing = (filters: Filters): boolean =>
  filterCount({ ...filters, ion: NO_FILTERS.ion }) > 0;

/** The filters as request fields; the field of an unused filter is an empty text. */
export const requestOf = (filters: Filters): Omit<WindowSearchRequest, 'include'> => ({
  collapse_work_ion: filters.ion,
  collapse_included_elements: filters.included.trim().replace(/[-\s]+$/, ''),
  collapse_excluded_elements: filters.excluded.trim().replace(/[-\s]+$/, ''),
  ...Object.fromEntries(
    FILTER_NAMES.map((name) => {
      const range = filters.ranges[name];
      return [name, range ? [...range] : ''];
    }),
  ),
});

export interface SearchState {
  readonly type: SearchType;
  /** Null before the first search. */
  readonly query: string | null;
  readonly filters: Filters;
  /** Null for the site's default. */
  readonly scale: string | null;
  readonly view: TableView;
  readonly pageSize: number;
}

/** Rows per page: spec §2.10 can be read as 20 or as 10, so both are offered. */
export const PAGE_SIZES = [20, 10] as const;

/** Parameter names of the sliders in the address. */
const PARAMETERS: Readonly<Record<WindowFilterName, string>> = {
  collapse_Reduction: 'red',
  collapse_Oxidation: 'ox',
  collapse_ehull: 'ehull',
  collapse_bandgap: 'gap',
};

function readRange(text: string | null): Range | null {
  const [min = Number.NaN, max = Number.NaN] = (text ?? '').split('~').map(Number);
  return text !== null && min <= max ? [min, max] : null;
}

/** Parses the address. Invalid values fall back to their defaults. */
export function readSearchState(parameters: URLSearchParams): SearchState {
  const by = parameters.get('by');
  const ion = parameters.get('ion') ?? '';
  let filters: Filters = {
    ...NO_FILTERS,
    ion: WORKING_IONS.find((known) => known === ion) ?? NO_FILTERS.ion,
    included: parameters.get('with') ?? '',
    excluded: parameters.get('without') ?? '',
  };
  for (const name of FILTER_NAMES) {
    const range = readRange(parameters.get(PARAMETERS[name]));
    if (range) filters = withRange(filters, name, range);
  }
  return {
    type: SEARCH_TYPES.find((type) => type === by) ?? 'elements',
    query: parameters.get('q'),
    filters,
    scale: readScale(parameters),
    view: readView(parameters),
    pageSize: parameters.get('rows') === '10' ? 10 : 20,
  };
}

export function writeSearchState({
  type,
  query,
  filters,
  scale,
  view,
  pageSize,
}: SearchState): URLSearchParams {
  const parameters = new URLSearchParams();
  const put = (name: string, value: string): void => {
    if (value !== '') parameters.set(name, value);
  };
  if (type !== 'elements') put('by', type);
  if (query !== null) parameters.set('q', query);
  if (filters.ion !== NO_FILTERS.ion) put('ion', filters.ion);
  put('with', filters.included.trim());
  put('without', filters.excluded.trim());
  for (const name of FILTER_NAMES) put(PARAMETERS[name], filters.ranges[name]?.join('~') ?? '');
  put(SCALE_PARAMETER, scale ?? '');
  writeView(parameters, view);
  if (pageSize !== PAGE_SIZES[0]) put('rows', String(pageSize));
  return parameters;
}

/** Address of one window (spec §2.1), on an energy scale. */
export const detailPath = (
  { struct_id, work_ion }: Pick<FoundWindow, 'struct_id' | 'work_ion'>,
  scale: string | null,
): string => withScale(`/Ec_windowDetail/${struct_id}/${work_ion}`, scale);

/** Filter for materials that have a window against the ion, with the included and without the excluded elements. */
export function windowsFilter(ion: string, included: readonly string[], excluded: readonly string[]): string {
  const list = (symbols: readonly string[]): string => symbols.map((symbol) => `"${symbol}"`).join(', ');
  return [
    `reduction_onset_${ion.toLowerCase()} IS KNOWN`,
    ...(included.length > 0 ? [`elements HAS ALL ${list(included)}`] : []),
    ...(excluded.length > 0 ? [`NOT elements HAS ANY ${list(excluded)}`] : []),
  ].join(' AND ');
}

/**
 * Address of a plot of the reduction and oxidation onsets of all windows against the ion. Dragging on the plot filters.
 */
export function windowMapPath(ion: string, scale: string | null): string {
  const of = (name: string): string => `${name}_${ion.toLowerCase()}`;
  const parameters = new URLSearchParams({
    filter: `${of('window_width')} IS KNOWN`,
    plot: [of('reduction_onset'), of('oxidation_onset'), 'band_gap'].join('.'),
  });
  return withScale(`/matdata?${parameters.toString()}`, scale);
}
