import type { ElementStatistic, Facet } from '@unitcell/contract/matdata';
import { allOf, conditionsOf, type Filter, printFilter, propertiesOf } from '@unitcell/filter';
import { firstAtOrAbove } from '@unitcell/numerics';
import {
  type Expressions,
  type NumberColumn,
  type ScaledIndex,
  withExpressions,
} from './index/screen-index.ts';
import { elementFacet, facetOf, failuresOf, MAX_GROUPS, rowLists } from './query/facets.ts';
import { TRUE, verdictsOf } from './query/verdicts.ts';

/** Two numbers of every matching row and a third for colour, for a scatter plot of the whole result. */
export interface PointsQuery {
  readonly index: ScaledIndex;
  readonly filter: Filter | null;
  readonly expressions?: Expressions;
  readonly x: string;
  readonly y: string;
  readonly color: string | null;
}

export interface Points {
  readonly total: number;
  readonly x: readonly number[];
  readonly y: readonly number[];
  /** Null where unknown, or if no column is used for colour. */
  readonly color: readonly (number | null)[] | null;
}

const DIGITS = 5;

/**
 * Rounds to more digits than a screen can show, without `toPrecision`, which would take more time than
 * everything else.
 */
export function rounded(value: number): number {
  if (value === 0 || Number.isInteger(value)) return value;
  const shift = DIGITS - 1 - Math.floor(Math.log10(Math.abs(value)));
  // Powers of ten up to 22 are exact, so the quotient is the double nearest to the decimal.
  if (shift < 0 || shift > 22) return Number(value.toPrecision(DIGITS));
  const power = 10 ** shift;
  return Math.round(value * power) / power;
}

export function runPoints({ filter, expressions = {}, ...names }: PointsQuery): Points {
  const index = withExpressions(names.index, expressions);
  const verdicts = filter === null ? null : verdictsOf(index, filter);
  const [xs, ys, colors] = [names.x, names.y, names.color ?? ''].map((name) => {
    const column = index.columns[name];
    return column?.kind === 'number' ? (column satisfies NumberColumn).values : null;
  });
  const x: number[] = [];
  const y: number[] = [];
  const color: (number | null)[] = [];
  let total = 0;
  for (let row = 0; row < index.ids.length; row++) {
    if (verdicts && verdicts[row] !== TRUE) continue;
    total++;
    const [own, other] = [xs?.[row] ?? Number.NaN, ys?.[row] ?? Number.NaN];
    if (Number.isNaN(own) || Number.isNaN(other)) continue;
    x.push(rounded(own));
    y.push(rounded(other));
    const third = colors?.[row] ?? Number.NaN;
    color.push(Number.isNaN(third) ? null : rounded(third));
  }
  return { total, x, y, color: colors ? color : null };
}

/** The result as JSON, because the thread writes it directly. */
export const pointsJson = (query: PointsQuery): string =>
  JSON.stringify({ error: 'false', message: '', ...runPoints(query) });

/**
 * A property by element: the number of matching rows with each element, and the median of their values.
 */
export interface ElementsQuery {
  readonly index: ScaledIndex;
  readonly filter: Filter | null;
  readonly expressions?: Expressions;
  /** The field, which must be a number; null: rows are only counted. */
  readonly field: string | null;
}

export interface ElementsResult {
  readonly total: number;
  readonly elements: Readonly<Record<string, ElementStatistic>>;
}

const WORDS = 4;

/** Calls `each` with the indices of the elements in a row. */
function eachElement({ elements }: ScaledIndex, row: number, each: (place: number) => void): void {
  for (let word = 0; word < WORDS; word++) {
    let bits = elements[WORDS * row + word]!;
    while (bits !== 0) {
      each(32 * word + 31 - Math.clz32(bits & -bits));
      bits &= bits - 1;
    }
  }
}

export function runElements({ filter, field, ...query }: ElementsQuery): ElementsResult {
  const index = withExpressions(query.index, query.expressions ?? {});
  const { symbols, columns } = index;
  const conditions = filter === null ? [] : [filter];
  const failures = failuresOf(index, conditions);
  const [passing = new Uint32Array()] = rowLists(failures, conditions.length);
  const facet = elementFacet(index, passing);
  const counts = facet.kind === 'elements' ? facet.counts : {};
  const column = field === null ? undefined : columns[field];
  const known = new Uint32Array(32 * WORDS);
  const medians = new Float64Array(32 * WORDS).fill(Number.NaN);
  if (column?.kind === 'number') {
    const { order, values } = column;
    /** Calls `each` with the matching rows that have a value, in ascending order of the value. */
    const inOrder = (each: (row: number) => void): void => {
      for (let at = 0; at < column.known; at++) if (failures[order[at]!] === 0) each(order[at]!);
    };
    inOrder((row) => eachElement(index, row, (place) => known[place]!++));
    // The loop reaches the median of each element when half of its values have passed.
    const seen = new Uint32Array(32 * WORDS);
    inOrder((row) =>
      eachElement(index, row, (place) => {
        const at = seen[place]!++;
        const all = known[place]!;
        if (at === (all - 1) >> 1) medians[place] = values[row]!;
        if (all % 2 === 0 && at === all >> 1) medians[place] = (medians[place]! + values[row]!) / 2;
      }),
    );
  }
  return {
    total: passing.length,
    elements: Object.fromEntries(
      symbols.flatMap((symbol, place): [string, ElementStatistic][] =>
        (counts[symbol] ?? 0) === 0
          ? []
          : [
              [
                symbol,
                {
                  count: counts[symbol]!,
                  known: known[place]!,
                  median: Number.isNaN(medians[place]!) ? null : medians[place]!,
                },
              ],
            ],
      ),
    ),
  };
}

/** Worker thread: reads the catalogue into columns and answers screening queries. */
export { readIndex } from './index/read-index.ts';

/**
 * A query of screening. The answer contains the number of matches, the rows of this page, and counts of the
 * rows that would remain with a further condition.
 */
export interface ScreenQuery {
  readonly index: ScaledIndex;
  readonly filter: Filter | null;
  /** Expressions used by filter, order or facets. */
  readonly expressions?: Expressions;
  readonly sort: { readonly field: string; readonly desc: boolean };
  readonly limit: number;
  readonly offset: number;
  /** The page begins after this row instead of at `offset`. */
  readonly after: number | null;
  readonly facets: readonly string[];
}

/** Conditions on the same field, and the number of rows that only they exclude. */
export interface ConditionCount {
  readonly filter: string;
  readonly without: number;
}

export interface ScreenResult {
  readonly total: number;
  /** null: the row in `after` no longer exists. */
  readonly ids: readonly number[] | null;
  readonly isLast: boolean;
  readonly facets: Readonly<Record<string, Facet>>;
  readonly conditions: readonly ConditionCount[];
}

interface Group {
  readonly properties: string;
  readonly filter: Filter;
}

/** The conditions joined by AND, grouped by field. */
function groupsOf(filter: Filter | null): readonly Group[] {
  const groups = new Map<string, Filter[]>();
  for (const condition of conditionsOf(filter)) {
    const properties = propertiesOf(condition).join(' ');
    // The last group collects the conditions beyond the limit.
    const key = groups.size < MAX_GROUPS - 1 || groups.has(properties) ? properties : '';
    groups.set(key, [...(groups.get(key) ?? []), condition]);
  }
  return [...groups].map(([properties, terms]) => ({ properties, filter: allOf(terms)! }));
}

/** The row of an id; −1 if there is none. */
function rowOf(ids: Int32Array, id: number): number {
  const row = firstAtOrAbove(ids, id);
  return ids[row] === id ? row : -1;
}

/** Ids of the matching rows in order, from `offset` or after `after`; at most `limit`. */
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
    // Rows without a value come last in both directions.
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
    // The conditions on this field are ignored, so that a choice does not hide its alternatives.
    const own = groups.findIndex(({ properties }) => properties === name);
    return [name, facetOf(index.columns[name], own < 0 ? [passing] : [passing, lists[own + 1]!])];
  });
  // One additional row shows whether this page is the last.
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
