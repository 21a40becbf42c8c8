/** A property over the periodic table: how many of the rows that pass hold each element, and the middle of their values. */
import type { ElementStatistic } from '@unitcell/contract/matdata';
import type { Filter } from '@unitcell/filter';
import { type Expressions, type ScaledIndex, withExpressions } from '../index/screen-index.ts';
import { elementFacet } from './facets.ts';
import { failuresOf, rowLists } from './failures.ts';

export interface ElementsQuery {
  readonly index: ScaledIndex;
  readonly filter: Filter | null;
  readonly expressions?: Expressions;
  /** A number; null only counts. */
  readonly field: string | null;
}

export interface ElementsResult {
  readonly total: number;
  readonly elements: Readonly<Record<string, ElementStatistic>>;
}

const WORDS = 4;

/** Calls `each` with the places of the elements a row holds. */
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
    /** Calls `each` with the rows that pass and have a value, by rising value. */
    const inOrder = (each: (row: number) => void): void => {
      for (let at = 0; at < column.known; at++) if (failures[order[at]!] === 0) each(order[at]!);
    };
    inOrder((row) => eachElement(index, row, (place) => known[place]!++));
    // The middle of each element's is reached in passing.
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
