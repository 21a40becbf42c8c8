/** Compares byte-wise tests of texts and lists with the filter evaluated per row. */
import { type Constant, evaluateFilter, type Filter, type Operator } from '@unitcell/filter';
import { seededRandom } from '@unitcell/numerics';
import { expect, it } from 'vitest';
import { type ScaledIndex, sortRows, textColumn, withLists } from '../index/screen-index.ts';
import { verdictsOf } from './verdicts.ts';
import { rounded } from '../screen.thread.ts';

const random = seededRandom(20);
const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
const times = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);

/** Rows of a column with few distinct values, null where unknown. */
function columnOf<T>(make: () => T) {
  const rows = times(60, () => (random() < 0.1 ? null : make()));
  const texts = [...new Set(rows.flatMap((row) => (row === null ? [] : [JSON.stringify(row)])))];
  const codes = Uint32Array.from(rows, (row) => texts.indexOf(JSON.stringify(row)) + 1);
  return { rows, texts, codes };
}

const verdictsIn = (column: ScaledIndex['columns'][string], rows: number, filter: Filter) => [
  ...verdictsOf(
    {
      made: 1,
      ids: new Int32Array(rows),
      symbols: [],
      elements: new Uint32Array(4 * rows),
      columns: { held: column },
    },
    filter,
  ),
];

/** Expected verdicts: 0 false, 1 unknown, 2 true. */
const expected = (rows: readonly (Constant | readonly Constant[] | null)[], filter: Filter) =>
  rows.map((row) => {
    const answer = evaluateFilter(filter, () => row);
    return answer === null ? 1 : answer ? 2 : 0;
  });

it('a text column is searched by parts with the same results as string functions', () => {
  const text = (longest: number) =>
    times(Math.floor(random() * longest), () => pick(['a', 'b', 'Å', '相'])).join('');
  let found = 0;
  for (let round = 0; round < 200; round++) {
    const { rows, texts, codes } = columnOf(() => text(6));
    const column = textColumn(
      texts.map((json) => JSON.parse(json) as string),
      codes,
    );
    const match = pick(['contains', 'starts', 'ends'] as const);
    const filter: Filter = { kind: 'text', property: 'held', match, to: { value: text(4) } };
    const verdicts = verdictsIn(column, rows.length, filter);
    expect([filter, verdicts]).toEqual([filter, expected(rows, filter)]);
    if (verdicts.includes(2) && verdicts.includes(0)) found++;
  }
  expect(found).toBeGreaterThan(100);
});

it('a list column is searched by entries with the same results as list functions', () => {
  const entry = () => pick([0.1, 0.25, 1 / 3, 0.5, 1]);
  const operators: readonly Operator[] = ['<', '<=', '>', '>=', '=', '!='];
  let found = 0;
  for (let round = 0; round < 200; round++) {
    const { rows, texts, codes } = columnOf(() => times(Math.floor(random() * 4), entry));
    const match = pick(['one', 'all', 'any', 'only'] as const);
    const tests = times(match === 'one' ? 1 : 1 + Math.floor(random() * 3), () => [
      { operator: pick(operators), value: entry() },
    ]);
    const filter: Filter = { kind: 'has', properties: ['held'], match, tests };
    const verdicts = verdictsIn(withLists(textColumn(texts, codes)), rows.length, filter);
    expect([filter, verdicts]).toEqual([filter, expected(rows, filter)]);
    if (verdicts.includes(2) && verdicts.includes(0)) found++;
  }
  expect(found).toBeGreaterThan(100);
});

it('a number is rounded to five digits and needs no more characters than its five-digit decimal', () => {
  const next = seededRandom(5);
  for (let round = 0; round < 5000; round++) {
    const value = (next() - 0.5) * 10 ** (30 * next() - 15);
    const shown = rounded(value);
    expect(Math.abs(shown - value)).toBeLessThanOrEqual(Math.abs(value) * 5.0001e-5);
    // The shortest text of the number is at most as long as its five-digit decimal.
    expect(shown).toBe(Number(shown.toPrecision(Math.abs(value) < 1e5 ? 5 : 16)));
  }
  expect([0, 7, -0.1, 1.23456, 99_999.6].map(rounded)).toEqual([0, 7, -0.1, 1.2346, 100_000]);
});

// Compares the radix sort with a comparison sort, on random and special numbers.

const ODD = [
  0,
  -0,
  1,
  -1,
  5e-324,
  -5e-324,
  Number.MAX_VALUE,
  -Number.MAX_VALUE,
  Infinity,
  -Infinity,
  0.1,
  -0.1,
];

const compared = (rows: Uint32Array, values: Float64Array | Int32Array): number[] =>
  [...rows].sort((a, b) => (values[a]! < values[b]! ? -1 : values[a]! > values[b]! ? 1 : 0));

it('sortRows sorts like a stable comparison sort', () => {
  const next = seededRandom(16);
  for (let round = 0; round < 50; round++) {
    const length = Math.floor(400 * next());
    const number = (): number =>
      next() < 0.3 ? ODD[Math.floor(ODD.length * next())]! : (next() - 0.5) * 10 ** (20 * next() - 10);
    const floats = Float64Array.from({ length }, number);
    const ints = Int32Array.from({ length }, () => (next() - 0.5) * 2 ** (32 * next()));
    for (const values of [floats, ints]) {
      const rows = Uint32Array.from({ length }, (_, row) => row).filter(() => next() < 0.8);
      const wanted = compared(rows, values);
      sortRows(rows, values);
      expect([...rows]).toEqual(wanted);
    }
  }
});
