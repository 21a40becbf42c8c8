/** Answers one screening from the columns: how many rows pass, which come on this page, and what would remain. */
import type { Facet } from '@unitcell/contract';
import { allOf, conditionsOf, type Filter, printFilter, propertiesOf } from '@unitcell/filter';
import type { ScaledIndex } from '../index/screen-index.ts';
import { elementFacet, facetOf } from './facets.ts';
import { TRUE, verdictsOf } from './verdicts.ts';

export interface ScreenQuery {
  readonly index: ScaledIndex;
  readonly filter: Filter | null;
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

/** A row that more than one group of conditions keeps out. */
const SEVERAL = 65_535;
/** Groups told apart. */
const MAX_GROUPS = 64;

interface Group {
  readonly properties: string;
  readonly filter: Filter;
}

/** Conditions that all have to hold, those on the same fields together. */
function groupsOf(filter: Filter | null): readonly Group[] {
  const groups = new Map<string, Filter[]>();
  for (const condition of conditionsOf(filter)) {
    const properties = propertiesOf(condition).join(' ');
    const key = groups.size < MAX_GROUPS || groups.has(properties) ? properties : '';
    groups.set(key, [...(groups.get(key) ?? []), condition]);
  }
  return [...groups].map(([properties, terms]) => ({ properties, filter: allOf(terms)! }));
}

/** 0 for a row that passes, the number (from 1) of the only group that keeps it out, or SEVERAL. */
function failuresOf(index: ScaledIndex, groups: readonly Group[]): Uint16Array {
  const failures = new Uint16Array(index.ids.length);
  for (const [place, { filter }] of groups.entries()) {
    const verdicts = verdictsOf(index, filter);
    for (let row = 0; row < verdicts.length; row++)
      if (verdicts[row] !== TRUE) failures[row] = failures[row] === 0 ? place + 1 : SEVERAL;
  }
  return failures;
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

/** Rows in the order of the sort; those without a value come last both ways. */
function* sortedRows({ index, sort }: ScreenQuery): Generator<number> {
  const column = index.columns[sort.field];
  if (!column) {
    for (let row = 0; row < index.ids.length; row++) yield row;
    return;
  }
  const { order, known } = column;
  for (let place = 0; place < known; place++) yield order[sort.desc ? known - 1 - place : place]!;
  for (let place = known; place < order.length; place++) yield order[place]!;
}

/** Ids of the rows that pass, in order, from `offset` or behind `after` on; at most `limit`. */
export function pageOf(query: ScreenQuery, failures: Uint16Array): readonly number[] | null {
  const { index, limit, offset, after } = query;
  const page: number[] = [];
  const behind = after === null ? -1 : rowOf(index.ids, after);
  if (after !== null && behind < 0) return null;
  let isBefore = after !== null;
  let skipped = 0;
  for (const row of sortedRows(query)) {
    if (page.length >= limit) break;
    if (isBefore) isBefore = row !== behind;
    else if (failures[row] === 0 && skipped++ >= offset) page.push(index.ids[row]!);
  }
  return page;
}

export function runScreen(query: ScreenQuery): ScreenResult {
  const { index, filter, limit } = query;
  const groups = groupsOf(filter);
  const failures = failuresOf(index, groups);
  const byGroup = new Uint32Array(groups.length + 1);
  for (let row = 0; row < failures.length; row++) if (failures[row] !== SEVERAL) byGroup[failures[row]!]!++;
  const facets = query.facets.map((name): [string, Facet] => {
    if (name === 'elements') return [name, elementFacet(index, (row) => failures[row] === 0)];
    // What would remain without the conditions on this very field: a choice does not hide the others.
    const own = 1 + groups.findIndex(({ properties }) => properties === name);
    return [
      name,
      facetOf(index.columns[name], (row) => failures[row] === 0 || (own > 0 && failures[row] === own)),
    ];
  });
  // One row more tells whether this page is the last.
  const ids = pageOf({ ...query, limit: limit + 1 }, failures);
  return {
    total: byGroup[0]!,
    ids: ids && ids.slice(0, limit),
    isLast: ids === null || ids.length <= limit,
    facets: Object.fromEntries(facets),
    conditions: groups.map((group, place) => ({
      filter: printFilter(group.filter),
      without: byGroup[0]! + byGroup[place + 1]!,
    })),
  };
}
