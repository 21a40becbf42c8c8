/** Laws of the logic and of the order of values, tested on random filters and rows. */
import { seededRandom } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import {
  allOf,
  compareConstants,
  conditionsOf,
  evaluateFilter,
  type Filter,
  holds,
  materialFilterFields,
  parseFilter,
  printFilter,
  type PropertyValue,
  propertiesOf,
  findEmptyRange,
} from './index.ts';
import { randomFilter, type Values } from './testing/random-filter.ts';

const FIELDS = materialFilterFields();
type Row = Readonly<Record<string, PropertyValue>>;
const OPERATORS = ['<', '<=', '>', '>=', '=', '!='] as const;

const values: Values = new Map<string, readonly (string | number)[]>([
  ['elements', ['O', 'Ti', 'Fe']],
  ['formula', ['TiO2', 'Fe2O3']],
  ['band_gap', [0, 1.5, 3]],
  ['nsites', [2, 6]],
]);
const isAsked = new Set([...values.keys(), 'has_elastic', 'volume']);
const fields = new Map([...FIELDS].filter(([name]) => isAsked.has(name)));

function randomRow(random: () => number): Row {
  const known = <T>(value: T): T | null => (random() < 0.3 ? null : value);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)];
  return {
    elements: known(['O', 'Ti', 'Fe'].filter(() => random() < 0.5)),
    formula: known(pick(['TiO2', 'Fe2O3', 'O', ''])),
    band_gap: known(pick([0, 1.5, 3, -1.5])),
    nsites: known(pick([2, 3, 6])),
    has_elastic: known(random() < 0.5),
    volume: known(pick([0, 1.5, 3])),
  };
}
const ask = (tree: Filter, row: Row): boolean | null => evaluateFilter(tree, (name) => row[name] ?? null);
const treeOf = (text: string): Filter => parseFilter(text).tree;

/** Calls `law` with random filters and rows, generated from one seed. */
function everywhere(
  seed: number,
  rounds: number,
  law: (trees: [Filter, Filter], row: Row, random: () => number) => void,
): void {
  const random = seededRandom(seed);
  const tree = () => randomFilter({ fields, values }, random, 3);
  for (let round = 0; round < rounds; round++) law([tree(), tree()], randomRow(random), random);
}

describe('evaluateFilter follows three-valued logic (S. C. Kleene, Introduction to Metamathematics, 1952, §64)', () => {
  const not = (term: Filter): Filter => ({ kind: 'not', term });
  const both = (...terms: Filter[]): Filter => ({ kind: 'and', terms });
  const either = (...terms: Filter[]): Filter => ({ kind: 'or', terms });

  it("De Morgan's laws, commutativity and double negation hold", () => {
    const seen = new Set<boolean | null>();
    everywhere(41, 1500, ([a, b], row) => {
      seen.add(ask(a, row));
      expect(ask(not(both(a, b)), row)).toBe(ask(either(not(a), not(b)), row));
      expect(ask(not(either(a, b)), row)).toBe(ask(both(not(a), not(b)), row));
      expect(ask(both(a, b), row)).toBe(ask(both(b, a), row));
      expect(ask(either(a, b), row)).toBe(ask(either(b, a), row));
      expect(ask(not(not(a)), row)).toBe(ask(a, row));
      expect(ask(both(a, either(a, b)), row)).toBe(ask(a, row));
    });
    expect(seen).toEqual(new Set([true, false, null]));
  });

  it('a result that is true or false does not change if an unknown value becomes known', () => {
    const hasKnown = (tree: Filter): boolean => printFilter(tree).includes(' IS ');
    everywhere(42, 2000, ([tree], row, random) => {
      const before = ask(tree, row);
      if (before === null || hasKnown(tree)) return;
      const full = randomRow(() => 0.3 + 0.7 * random());
      expect(
        ask(
          tree,
          Object.fromEntries(Object.entries(full).map(([name, value]) => [name, row[name] ?? value])),
        ),
      ).toBe(before);
    });
  });

  it('IS KNOWN and IS UNKNOWN are true or false for every property', () => {
    everywhere(43, 200, (_, row) => {
      for (const [name, value] of Object.entries(row)) {
        expect(ask(treeOf(`${name} IS KNOWN`), row)).toBe(value !== null);
        expect(ask(treeOf(`${name} IS UNKNOWN`), row)).toBe(value === null);
      }
    });
  });
});

describe('compareConstants', () => {
  // By UTF-16 units U+1F600 precedes U+FF5E; by code points, as in PostgreSQL's collation "C", it follows it.
  const constants = ['', 'O', 'O2', 'Ti', 'a', '\uff5e', '\u{1f600}', '\u{1f600}a'];

  it('orders texts by their UTF-8 bytes', () => {
    for (const a of constants)
      for (const b of constants)
        expect(Math.sign(compareConstants(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    for (const [a, b] of [
      [1, 2],
      [-1, 0],
      [false, true],
      [3, 3],
    ] as const)
      expect(Math.sign(compareConstants(a, b))).toBe(Math.sign(Number(a) - Number(b)));
  });

  it('negating an operator negates the result; swapping operands and mirroring the operator keeps the result', () => {
    const opposite = { '<': '>=', '<=': '>', '>': '<=', '>=': '<', '=': '!=', '!=': '=' } as const;
    const mirror = { '<': '>', '<=': '>=', '>': '<', '>=': '<=', '=': '=', '!=': '!=' } as const;
    for (const operator of OPERATORS)
      for (const order of [-2, -1, 0, 1, 2]) {
        expect(holds(operator, order)).toBe(!holds(opposite[operator], order));
        expect(holds(operator, order)).toBe(holds(mirror[operator], -order));
      }
  });

  it('a comparison written in reverse has the same result: 2 < a equals a > 2', () => {
    const random = seededRandom(44);
    for (const operator of OPERATORS)
      for (let round = 0; round < 20; round++) {
        const [value, own] = [Math.floor(3 * random()), Math.floor(3 * random())];
        expect(ask(treeOf(`${value} ${operator} a`), { a: own })).toBe(holds(operator, value - own));
        expect(ask(treeOf(`a ${operator} ${value}`), { a: own })).toBe(holds(operator, own - value));
        expect(ask(treeOf(`a ${operator} b`), { a: own, b: value })).toBe(holds(operator, own - value));
      }
  });
});

describe('list filters', () => {
  it('HAS ALL, ANY and ONLY behave as set operations', () => {
    const random = seededRandom(45);
    const subset = () => ['O', 'Ti', 'Fe', 'Cu'].filter(() => random() < 0.5);
    for (let round = 0; round < 300; round++) {
      const [own, asked] = [subset(), subset()];
      if (asked.length === 0) continue;
      const words = asked.map((word) => `"${word}"`).join(',');
      const answer = (match: string) => ask(treeOf(`e HAS ${match} ${words}`), { e: own });
      expect(answer('ALL')).toBe(asked.every((word) => own.includes(word)));
      expect(answer('ANY')).toBe(own.some((word) => asked.includes(word)));
      expect(answer('ONLY')).toBe(own.every((word) => asked.includes(word)));
      expect(ask(treeOf(`e LENGTH ${own.length} AND e LENGTH < ${own.length + 1}`), { e: own })).toBe(true);
    }
  });

  it('correlated lists are compared entry by entry and end with the shortest list', () => {
    const row = { a: ['x', 'y', 'z'], b: [1, 2] };
    expect(ask(treeOf('a:b HAS "y":2'), row)).toBe(true);
    expect(ask(treeOf('a:b HAS "x":2'), row)).toBe(false);
    // The third entry of `a` has no counterpart.
    expect(ask(treeOf('a:b HAS "z":!= 0'), row)).toBe(false);
    expect(ask(treeOf('a:b HAS ONLY "x":1,"y":2'), row)).toBe(true);
    expect(ask(treeOf('a:c HAS "x":1'), { ...row, c: null })).toBeNull();
    // An empty list has no entries, so HAS is false and HAS ONLY true.
    expect(ask(treeOf('a HAS "x"'), { a: [] })).toBe(false);
    expect(ask(treeOf('a HAS ONLY "x"'), { a: [] })).toBe(true);
  });
});

describe('conditionsOf and propertiesOf', () => {
  it('conditionsOf returns the terms that must all be true, and no terms for an empty filter', () => {
    expect(conditionsOf(null)).toEqual([]);
    expect(allOf([])).toBeNull();
    expect(conditionsOf(treeOf('a > 1 AND (b > 1 AND c > 1) AND (d > 1 OR e > 1)'))).toHaveLength(4);
    everywhere(46, 500, ([a, b], row) => {
      const together = allOf([a, b])!;
      expect(conditionsOf(together).every((term) => term.kind !== 'and')).toBe(true);
      expect(ask(allOf(conditionsOf(together))!, row)).toBe(ask(together, row));
    });
  });

  it('propertiesOf returns the properties that occur in the text, and no other property affects the result', () => {
    everywhere(47, 500, ([tree], row) => {
      const words =
        printFilter(tree)
          .replace(/"(?:[^"\\]|\\.)*"/g, '')
          .match(/(?<![\w.+-])[a-z_]\w*/g) ?? [];
      const names = propertiesOf(tree);
      expect([...names].sort()).toEqual([...new Set(words)].sort());
      const others = Object.fromEntries(Object.entries(row).filter(([name]) => names.includes(name)));
      expect(ask(tree, others)).toBe(ask(tree, row));
    });
  });

  it('a lower limit above an upper limit is found, and no row passes both', () => {
    const random = seededRandom(48);
    let emptyRanges = 0;
    for (let round = 0; round < 500; round++) {
      const terms = Array.from({ length: 4 }, () => {
        const operator = OPERATORS[Math.floor(6 * random())];
        return treeOf(`${'ab'[Math.floor(2 * random())]} ${operator} ${Math.floor(6 * random())}`);
      });
      const empty = findEmptyRange(terms);
      if (!empty) continue;
      emptyRanges++;
      expect(empty.from).toBeGreaterThan(empty.to);
      for (let a = -1; a < 7; a += 0.5) expect(ask(allOf(terms)!, { a, b: a })).toBe(false);
    }
    expect(emptyRanges).toBeGreaterThan(50);
    expect(findEmptyRange([treeOf('a >= 2'), treeOf('a <= 2')])).toBeNull();
    expect(findEmptyRange([treeOf('a >= 3'), treeOf('b <= 2')])).toBeNull();
    expect(findEmptyRange([treeOf('a >= 3'), treeOf('a >= 1'), treeOf('a <= 2')])).toMatchObject({
      from: 3,
      to: 2,
    });
    expect(findEmptyRange([treeOf('a <= 2'), treeOf('a <= 5'), treeOf('a >= 3')])).toMatchObject({
      from: 3,
      to: 2,
    });
  });
});
