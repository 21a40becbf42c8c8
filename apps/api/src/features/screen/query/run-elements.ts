/** A property over the periodic table: how many of the rows that pass hold each element, and the middle of their values. */
import type { ElementStatistic } from '@unitcell/contract';
import type { Filter } from '@unitcell/filter';
import type { ScaledIndex } from '../index/screen-index.ts';
import { elementFacet } from './facets.ts';
import { TRUE, verdictsOf } from './verdicts.ts';

export interface ElementsQuery {
  readonly index: ScaledIndex;
  readonly filter: Filter | null;
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

export function runElements({ index, filter, field }: ElementsQuery): ElementsResult {
  const { ids, symbols, columns } = index;
  const verdicts = filter === null ? null : verdictsOf(index, filter);
  const passes = (row: number): boolean => verdicts === null || verdicts[row] === TRUE;
  const passing = Uint32Array.from({ length: ids.length }, (_, row) => row).filter(passes);
  const facet = elementFacet(index, passing);
  const counts = facet.kind === 'elements' ? facet.counts : {};
  const column = field === null ? undefined : columns[field];
  const known = new Uint32Array(32 * WORDS);
  const medians = new Float64Array(32 * WORDS).fill(Number.NaN);
  if (column?.kind === 'number') {
    const sorted = column.order.subarray(0, column.known).filter(passes);
    for (const row of sorted) eachElement(index, row, (place) => known[place]!++);
    // Rows come by rising value: the middle of each element's is reached in passing.
    const seen = new Uint32Array(32 * WORDS);
    for (const row of sorted)
      eachElement(index, row, (place) => {
        const [at, all] = [seen[place]!++, known[place]!];
        if (at === (all - 1) >> 1) medians[place] = column.values[row]!;
        if (all % 2 === 0 && at === all >> 1) medians[place] = (medians[place]! + column.values[row]!) / 2;
      });
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
