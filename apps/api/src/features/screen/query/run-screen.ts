/** Answers one screening from the columns: how many rows pass, which come on this page, and what would remain. */
import type { Facet } from '@unitcell/contract/matdata';
import { allOf, conditionsOf, type Filter, printFilter, propertiesOf } from '@unitcell/filter';
import { type Expressions, type ScaledIndex, withExpressions } from '../index/screen-index.ts';
import { elementFacet, facetOf } from './facets.ts';
import { failuresOf, MAX_GROUPS, rowLists } from './failures.ts';

export interface ScreenQuery {
  readonly index: ScaledIndex;
  readonly filter: Filter | null;
  /** Those that filter, order or facets name. */
  readonly expressions?: Expressions;
  readonly sort: { readonly field: string; readonly desc: boolean };
  readonly limit: number;
  readonly offset: number;
  /** The page begins behind this row instead. */
  readonly after: number | null;
  readonly facets: readonly string[];
}

/** Conditions on the same fields, and how many rows only they keep out. */
export interface ConditionCount {
  readonly filter: string;
  readonly without: number;
}

export interface ScreenResult {
  readonly total: number;
  /** null: the row the page was to begin behind is gone. */
  readonly ids: readonly number[] | null;
  readonly isLast: boolean;
  readonly facets: Readonly<Record<string, Facet>>;
  readonly conditions: readonly ConditionCount[];
}

interface Group {
  readonly properties: string;
  readonly filter: Filter;
}

/** Conditions that all have to hold, those on the same fields together. */
function groupsOf(filter: Filter | null): readonly Group[] {
  const groups = new Map<string, Filter[]>();
  for (const condition of conditionsOf(filter)) {
    const properties = propertiesOf(condition).join(' ');
    // The last one takes what is too much to be told apart.
    const key = groups.size < MAX_GROUPS - 1 || groups.has(properties) ? properties : '';
    groups.set(key, [...(groups.get(key) ?? []), condition]);
  }
  return [...groups].map(([properties, terms]) => ({ properties, filter: allOf(terms)! }));
}

/** The row of an id; −1 when there is none. */
function rowOf(ids: Int32Array, id: number): number {
  let [low, high] = [0, ids.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (ids[middle]! < id) low = middle + 1;
    else high = middle;
  }
  return ids[low] === id ? low : -1;
}

/** Ids of the rows that pass, in order, from `offset` or behind `after` on; at most `limit`. */
function pageOf(
  { index, sort, limit, offset, after }: ScreenQuery,
  failures: Uint16Array,
): readonly number[] | null {
  const { ids, columns } = index;
  const column = columns[sort.field];
  const known = column?.known ?? 0;
  const behind = after === null ? -1 : rowOf(ids, after);
  if (after !== null && behind < 0) return null;
  const page: number[] = [];
  let isBefore = after !== null;
  let toSkip = offset;
  for (let place = 0; place < ids.length && page.length < limit; place++) {
    // Those without a value come last both ways.
    const row = column ? column.order[sort.desc && place < known ? known - 1 - place : place]! : place;
    if (isBefore) isBefore = row !== behind;
    else if (failures[row] === 0 && toSkip-- <= 0) page.push(ids[row]!);
  }
  return page;
}

export function runScreen(query: ScreenQuery): ScreenResult {
  const { filter, limit } = query;
  const index = withExpressions(query.index, query.expressions ?? {});
  const groups = groupsOf(filter);
  const failures = failuresOf(
    index,
    groups.map((group) => group.filter),
  );
  const lists = rowLists(failures, groups.length);
  const [passing = new Uint32Array()] = lists;
  const facets = query.facets.map((name): [string, Facet] => {
    if (name === 'elements') return [name, elementFacet(index, passing)];
    // What would remain without the conditions on this very field: a choice does not hide the others.
    const own = groups.findIndex(({ properties }) => properties === name);
    return [name, facetOf(index.columns[name], own < 0 ? [passing] : [passing, lists[own + 1]!])];
  });
  // One row more tells whether this page is the last.
  const ids = pageOf({ ...query, index, limit: limit + 1 }, failures);
  return {
    total: passing.length,
    ids: ids && ids.slice(0, limit),
    isLast: ids === null || ids.length <= limit,
    facets: Object.fromEntries(facets),
    conditions: groups.map((group, place) => ({
      filter: printFilter(group.filter),
      without: passing.length + lists[place + 1]!.length,
    })),
  };
}
