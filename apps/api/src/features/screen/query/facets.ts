/** Counts of the rows that would remain: by value, in bins, by element. */
import type { Facet } from '@unitcell/contract';
import {
  type Column,
  type NumberColumn,
  type ScaledIndex,
  type TextColumn,
  textOf,
} from '../index/screen-index.ts';

/** Values of a text counted by name; the rest is one number. */
const MAX_VALUES = 100;
const WORDS = 4;

/** Tells whether a row counts. */
export type Counts = (row: number) => boolean;

function histogram({ values, axis }: NumberColumn, counts: Counts): Facet {
  const { from, step, bins } = axis;
  const numbers = Array.from({ length: bins }, () => 0);
  let [total, missing] = [0, 0];
  for (let row = 0; row < values.length; row++) {
    if (!counts(row)) continue;
    total++;
    const value = values[row]!;
    // The nearest double below an edge still belongs to the bin above it.
    if (Number.isNaN(value)) missing++;
    else numbers[Math.max(0, Math.min(bins - 1, Math.floor((value - from) / step + 1e-9)))]!++;
  }
  return { kind: 'histogram', from, step, counts: numbers, missing, total };
}

function ofTexts(column: TextColumn, counts: Counts): Facet {
  const { codes, starts } = column;
  const byCode = new Uint32Array(starts.length);
  let total = 0;
  for (let row = 0; row < codes.length; row++)
    if (counts(row)) {
      total++;
      byCode[codes[row]!]!++;
    }
  const named = Array.from(byCode.keys())
    .filter((code) => code > 0 && byCode[code]! > 0)
    .sort((a, b) => byCode[b]! - byCode[a]! || a - b);
  const shown = named.slice(0, MAX_VALUES);
  const sum = (list: readonly number[]): number => list.reduce((all, code) => all + byCode[code]!, 0);
  return {
    kind: 'values',
    values: shown.map((code) => ({ value: textOf(column, code)!, count: byCode[code]! })),
    others: sum(named.slice(MAX_VALUES)),
    missing: byCode[0]!,
    total,
  };
}

function ofFlags(values: Uint8Array, counts: Counts): Facet {
  const numbers = [0, 0];
  for (let row = 0; row < values.length; row++) if (counts(row)) numbers[values[row]!]!++;
  const [no = 0, yes = 0] = numbers;
  return {
    kind: 'values',
    values: [
      { value: true, count: yes },
      { value: false, count: no },
    ],
    others: 0,
    missing: 0,
    total: yes + no,
  };
}

/** How many rows hold each element. */
export function elementFacet({ ids, elements, symbols }: ScaledIndex, counts: Counts): Facet {
  const numbers = new Uint32Array(32 * WORDS);
  let total = 0;
  for (let row = 0; row < ids.length; row++) {
    if (!counts(row)) continue;
    total++;
    for (let word = 0; word < WORDS; word++) {
      let bits = elements[WORDS * row + word]!;
      while (bits !== 0) {
        const lowest = 31 - Math.clz32(bits & -bits);
        numbers[32 * word + lowest]!++;
        bits &= bits - 1;
      }
    }
  }
  const byElement = Object.fromEntries(symbols.map((symbol, place) => [symbol, numbers[place]!]));
  return { kind: 'elements', counts: byElement, total };
}

export function facetOf(column: Column | undefined, counts: Counts): Facet {
  if (!column) return { kind: 'values', values: [], others: 0, missing: 0, total: 0 };
  if (column.kind === 'number') return histogram(column, counts);
  return column.kind === 'text' ? ofTexts(column, counts) : ofFlags(column.values, counts);
}
