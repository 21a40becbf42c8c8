/** Counts of the rows that would remain with a further condition: by value, in bins, by element. */
import type { Facet } from '@unitcell/contract/matdata';
import { type Filter, holds, type Operator } from '@unitcell/filter';
import {
  type Column,
  type NumberColumn,
  type ScaledIndex,
  type TextColumn,
  textOf,
} from '../index/screen-index.ts';
import { firstCode, TRUE, verdictsOf } from './verdicts.ts';

// For each row, the conditions that exclude it, one bit each. A range is a contiguous part of the sorted rows,
// and all rows outside the range get the bit. Branches per row would be slow, because the processor
// mispredicts them.

/** Largest number of separate conditions, each of which needs one bit of a word. */
export const MAX_GROUPS = 16;

/** Positions in the sorted rows, including `from` and excluding `to`. */
interface Stretch {
  readonly from: number;
  readonly to: number;
}

/** Number of known values below a bound, or up to and including it. */
function below(column: Column, bound: number, upTo: boolean): number {
  const keys = column.kind === 'text' ? column.codes : column.values;
  let [low, high] = [0, column.known];
  while (low < high) {
    const middle = (low + high) >> 1;
    const key = keys[column.order[middle]!]!;
    if (key < bound || (upTo && key === bound)) low = middle + 1;
    else high = middle;
  }
  return low;
}

function stretchBetween(column: Column, operator: Operator, before: number, upTo: number): Stretch | null {
  if (operator === '!=') return null;
  return {
    from: operator === '>' ? upTo : holds(operator, 1) || operator === '=' ? before : 0,
    to: operator === '<' ? before : holds(operator, -1) || operator === '=' ? upTo : column.known,
  };
}

/**
 * The contiguous part in which a comparison holds; null if the condition is not a comparison of a column with
 * a value.
 */
function stretchOf(index: ScaledIndex, term: Filter): Stretch | null {
  if (term.kind !== 'compare' || !('value' in term.to)) return null;
  const column = index.columns[term.property];
  if (!column) return null;
  const { value } = term.to;
  if (column.kind !== 'text')
    return stretchBetween(
      column,
      term.operator,
      below(column, Number(value), false),
      below(column, Number(value), true),
    );
  const [code, behind] = [firstCode(column, String(value), false), firstCode(column, String(value), true)];
  return stretchBetween(column, term.operator, below(column, code, false), below(column, behind, false));
}

/** The contiguous part for several comparisons of one column. */
function stretchOfAll(index: ScaledIndex, terms: readonly Filter[]): Stretch | null {
  let all: Stretch | null = null;
  for (const term of terms) {
    const stretch = stretchOf(index, term);
    if (!stretch) return null;
    all = all ? { from: Math.max(all.from, stretch.from), to: Math.min(all.to, stretch.to) } : stretch;
  }
  return all && { from: all.from, to: Math.max(all.from, all.to) };
}

/** The failure bit for each verdict. */
const bitsOf = (bit: number): Uint16Array =>
  Uint16Array.from([0, 1, 2], (verdict) => (verdict === TRUE ? 0 : bit));

function markFailures(index: ScaledIndex, filter: Filter, bit: number, failures: Uint16Array): void {
  const terms = filter.kind === 'and' ? filter.terms : [filter];
  const [first] = terms;
  const column = first?.kind === 'compare' ? index.columns[first.property] : undefined;
  const isOneColumn = terms.every(
    (term) => term.kind === 'compare' && first?.kind === 'compare' && term.property === first.property,
  );
  const stretch = isOneColumn ? stretchOfAll(index, terms) : null;
  if (!column || !stretch) {
    const verdicts = verdictsOf(index, filter);
    const bits = bitsOf(bit);
    for (let row = 0; row < verdicts.length; row++) failures[row]! |= bits[verdicts[row]!]!;
    return;
  }
  const { order } = column;
  for (let place = 0; place < stretch.from; place++) failures[order[place]!]! |= bit;
  for (let place = stretch.to; place < order.length; place++) failures[order[place]!]! |= bit;
}

/** The bits of the failed conditions of each row, for at most MAX_GROUPS conditions. */
export function failuresOf(index: ScaledIndex, conditions: readonly Filter[]): Uint16Array {
  const failures = new Uint16Array(index.ids.length);
  for (const [place, condition] of conditions.entries()) markFailures(index, condition, 1 << place, failures);
  return failures;
}

/** Rows that pass, then for each condition the rows that only it excludes. */
export function rowLists(failures: Uint16Array, conditions: number): readonly Uint32Array[] {
  const several = conditions + 1;
  const classes = new Uint8Array(1 << conditions).fill(several);
  classes[0] = 0;
  for (let place = 0; place < conditions; place++) classes[1 << place] = place + 1;
  const lengths = new Uint32Array(several + 1);
  for (let row = 0; row < failures.length; row++) lengths[classes[failures[row]!]!]!++;
  const starts = new Uint32Array(several + 1);
  for (let each = 1; each <= several; each++) starts[each] = starts[each - 1]! + lengths[each - 1]!;
  const rows = new Uint32Array(failures.length);
  const next = starts.slice();
  for (let row = 0; row < failures.length; row++) rows[next[classes[failures[row]!]!]!++] = row;
  return Array.from({ length: several }, (_, each) =>
    rows.subarray(starts[each], starts[each]! + lengths[each]!),
  );
}

/** Text values counted individually; the others are counted together. */
const MAX_VALUES = 100;
const WORDS = 4;

/** Disjoint lists of rows to count. */
type RowLists = readonly Uint32Array[];

const lengthOf = (lists: RowLists): number => lists.reduce((sum, { length }) => sum + length, 0);

function histogram({ values, axis }: NumberColumn, lists: RowLists): Facet {
  const { from, step, bins } = axis;
  const numbers = new Uint32Array(bins);
  let missing = 0;
  for (const rows of lists)
    for (let place = 0; place < rows.length; place++) {
      const value = values[rows[place]!]!;
      // Unknown values are NaN, which fails every comparison. A value below an edge only by rounding counts in
      // the bin above the edge.
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
