/** Counts of the rows that would remain: by value, in bins, by element. */
import type { Facet } from '@unitcell/contract/matdata';
import {
  type Column,
  type NumberColumn,
  type ScaledIndex,
  type TextColumn,
  textOf,
} from '../index/screen-index.ts';

/** Text values counted individually; the others are counted together. */
const MAX_VALUES = 100;
const WORDS = 4;

/** Disjoint lists of rows to count. */
export type RowLists = readonly Uint32Array[];

const lengthOf = (lists: RowLists): number => lists.reduce((sum, { length }) => sum + length, 0);

function histogram({ values, axis }: NumberColumn, lists: RowLists): Facet {
  const { from, step, bins } = axis;
  const numbers = new Uint32Array(bins);
  let missing = 0;
  for (const rows of lists)
    for (let place = 0; place < rows.length; place++) {
      const value = values[rows[place]!]!;
      // Unknown values are NaN, which fails every comparison. The nearest double below an edge belongs to the
      // bin above it.
      const bin = Math.floor((value - from) / step + 1e-9);
      if (bin >= bins) numbers[bins - 1]!++;
      else if (bin >= 0) numbers[bin]!++;
      else if (bin < 0) numbers[0]!++;
      else missing++;
    }
  return { kind: 'histogram', from, step, counts: [...numbers], missing, total: lengthOf(lists) };
}

function ofTexts(column: TextColumn, lists: RowLists): Facet {
  const { codes, starts } = column;
  const byCode = new Uint32Array(starts.length);
  for (const rows of lists) for (let place = 0; place < rows.length; place++) byCode[codes[rows[place]!]!]!++;
  const named: number[] = [];
  for (let code = 1; code < byCode.length; code++) if (byCode[code]! > 0) named.push(code);
  named.sort((a, b) => byCode[b]! - byCode[a]! || a - b);
  const shown = named.slice(0, MAX_VALUES);
  const sum = (list: readonly number[]): number => list.reduce((all, code) => all + byCode[code]!, 0);
  return {
    kind: 'values',
    values: shown.map((code) => ({ value: textOf(column, code)!, count: byCode[code]! })),
    others: sum(named.slice(MAX_VALUES)),
    missing: byCode[0]!,
    total: lengthOf(lists),
  };
}

function ofFlags(values: Uint8Array, lists: RowLists): Facet {
  let yes = 0;
  for (const rows of lists) for (let place = 0; place < rows.length; place++) yes += values[rows[place]!]!;
  const total = lengthOf(lists);
  return {
    kind: 'values',
    values: [
      { value: true, count: yes },
      { value: false, count: total - yes },
    ],
    others: 0,
    missing: 0,
    total,
  };
}

/** Number of rows with each element. */
export function elementFacet({ elements, symbols }: ScaledIndex, rows: Uint32Array): Facet {
  const numbers = new Uint32Array(32 * WORDS);
  for (let place = 0; place < rows.length; place++)
    for (let word = 0; word < WORDS; word++) {
      let bits = elements[WORDS * rows[place]! + word]!;
      while (bits !== 0) {
        numbers[32 * word + 31 - Math.clz32(bits & -bits)]!++;
        bits &= bits - 1;
      }
    }
  const byElement = Object.fromEntries(symbols.map((symbol, place) => [symbol, numbers[place]!]));
  return { kind: 'elements', counts: byElement, total: rows.length };
}

export function facetOf(column: Column | undefined, lists: RowLists): Facet {
  if (!column) return { kind: 'values', values: [], others: 0, missing: 0, total: 0 };
  if (column.kind === 'number') return histogram(column, lists);
  return column.kind === 'text' ? ofTexts(column, lists) : ofFlags(column.values, lists);
}
