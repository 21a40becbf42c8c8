/** The SQL of a filter as text. A test of the API checks that PostgreSQL evaluates it like `evaluateFilter`. */
import { seededRandom } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import {
  type Constant,
  type Filter,
  type FilterFields,
  materialFilterFields,
  nearestOf,
  parseFilter,
  propertiesOf,
  sqlOfFilter,
} from './index.ts';
import { randomFilter } from './testing/random-filter.ts';

const FIELDS: FilterFields = new Map([...materialFilterFields(), ['_other_x', { type: 'unknown' } as const]]);
const sql = (text: string): string => {
  let parameter = 0;
  return sqlOfFilter(parseFilter(text).tree, FIELDS)
    .map((piece) =>
      typeof piece === 'string'
        ? piece
        : 'property' in piece
          ? piece.property
          : `$${++parameter}::${piece.type}`,
    )
    .join('');
};

/** Constants of a tree from left to right. */
function constantsOf(tree: Filter): readonly Constant[] {
  if (tree.kind === 'and' || tree.kind === 'or') return tree.terms.flatMap(constantsOf);
  if (tree.kind === 'not') return constantsOf(tree.term);
  if (tree.kind === 'has') return tree.tests.flat().map(({ value }) => value);
  if (tree.kind === 'length') return [tree.value];
  return tree.kind === 'known' || 'property' in tree.to ? [] : [tree.to.value];
}

describe('SQL', () => {
  // Functions and operators of the manual of PostgreSQL: §9.4 strings, §9.19 arrays, §9.2 IS NULL, §24.2 collations.
  it.each([
    ['formula CONTAINS "x"', '(strpos(formula, $1::text) > 0)'],
    ['formula ENDS WITH "x"', '(right(formula, length($1::text)) = $2::text)'],
    ['formula STARTS WITH "x"', 'starts_with(formula, $1::text)'],
    ['formula != "x"', '(formula <> $1::text)'],
    ['formula < "x"', '(formula COLLATE "C" < $1::text)'],
    ['band_gap >= 2', '(band_gap >= $1::float8)'],
    ['formula = "x" OR band_gap <= 2', '((formula = $1::text) OR (band_gap <= $2::float8))'],
    ['band_gap < volume', '(band_gap < volume)'],
    ['band_gap IS KNOWN', '(band_gap IS NOT NULL)'],
    ['band_gap IS UNKNOWN', '(band_gap IS NULL)'],
    ['elements HAS "O"', '(elements @> $1::text[])'],
    ['elements HAS ALL "O","Ti"', '(elements @> $1::text[])'],
    ['elements HAS ANY "O","Ti"', '(elements && $1::text[])'],
    ['elements HAS ONLY "O","Ti"', '(elements <@ $1::text[])'],
    ['elements LENGTH > 2', '(cardinality(elements) > $1::float8)'],
    [
      'has_elastic = TRUE AND NOT nsites = 2',
      '((has_elastic = $1::boolean) AND (NOT (nsites = $2::float8)))',
    ],
  ])('%s: %s', (text, expected) => expect(sql(text)).toBe(expected));

  // Each entry of correlated lists is a row of unnest (§9.19). `only` means that no entry fails all tests. A missing
  // list is unknown.
  const ENTRY = 'SELECT FROM unnest(elements) AS e(v0) WHERE ';
  const PAIR = 'SELECT FROM unnest(elements, elements) AS e(v0, v1) WHERE ';
  it.each([
    ['elements HAS > "O"', `EXISTS (${ENTRY}(e.v0 COLLATE "C" > $1::text))`],
    ['elements HAS != "O"', `EXISTS (${ENTRY}(e.v0 <> $1::text))`],
    [
      'elements HAS ALL "O", > "S"',
      `EXISTS (${ENTRY}(e.v0 = $1::text)) AND EXISTS (${ENTRY}(e.v0 COLLATE "C" > $2::text))`,
    ],
    [
      'elements HAS ANY "O", > "S"',
      `EXISTS (${ENTRY}(e.v0 = $1::text)) OR EXISTS (${ENTRY}(e.v0 COLLATE "C" > $2::text))`,
    ],
    [
      'elements HAS ONLY "O", > "S"',
      `NOT EXISTS (${ENTRY}NOT ((e.v0 = $1::text) OR (e.v0 COLLATE "C" > $2::text)))`,
    ],
  ])('%s tests one entry at a time', (text, expected) =>
    expect(sql(text)).toBe(`(CASE WHEN elements IS NOT NULL THEN (${expected}) END)`),
  );

  it('compares correlated lists (a:b) entry by entry, and gives null if a list is unknown', () => {
    expect(sql('elements:elements HAS "O":!= "S"')).toBe(
      `(CASE WHEN elements IS NOT NULL AND elements IS NOT NULL THEN (EXISTS (${PAIR}(e.v0 = $1::text AND e.v1 <> $2::text))) END)`,
    );
  });

  it.each([
    ['_other_x = 2', 'NULL::boolean'],
    ['nsites = _other_x', 'NULL::boolean'],
    ['_other_x CONTAINS "a"', 'NULL::boolean'],
    ['_other_x HAS "a"', 'NULL::boolean'],
    ['_other_x LENGTH 2', 'NULL::boolean'],
    ['_other_x IS KNOWN', 'FALSE'],
    ['_other_x IS UNKNOWN', 'TRUE'],
  ])('a property of another provider is unknown everywhere: %s', (text, expected) =>
    expect(sql(text)).toBe(expected),
  );

  it('contains every value once as a typed parameter, and its parentheses are balanced', () => {
    const random = seededRandom(51);
    const values = new Map([['elements', ['O', 'Ti']]]);
    const known = materialFilterFields();
    const TYPE = { number: 'float8', string: 'text', boolean: 'boolean' } as Readonly<Record<string, string>>;
    for (let round = 0; round < 800; round++) {
      const tree = randomFilter({ fields: known, values }, random);
      const pieces = sqlOfFilter(tree, known);
      const sent = pieces.flatMap((piece) =>
        typeof piece === 'object' && 'value' in piece
          ? [piece.value].flat().map((value) => ({ value, type: piece.type.replace('[]', '') }))
          : [],
      );
      // ENDS WITH uses its text twice: for the length and for the comparison.
      const ends = JSON.stringify(tree).split('"ends"').length > 1;
      expect(ends ? constantsOf(tree) : sent.map(({ value }) => value)).toEqual(constantsOf(tree));
      for (const { value, type } of sent) expect(type).toBe(TYPE[typeof value]);
      const named = pieces.flatMap((piece) =>
        typeof piece === 'object' && 'property' in piece ? [piece.property] : [],
      );
      expect([...new Set(named)].sort()).toEqual([...propertiesOf(tree)].sort());
      const depths = [0];
      for (const sign of pieces.filter((piece) => typeof piece === 'string').join(''))
        depths.push(depths.at(-1)! + (sign === '(' ? 1 : sign === ')' ? -1 : 0));
      expect(Math.min(...depths)).toBe(0);
      expect(depths.at(-1)).toBe(0);
    }
  });
});

describe('nearestOf', () => {
  it('finds the word with a given beginning, or with one letter lost, inserted or exchanged', () => {
    const names = [...materialFilterFields().keys()].filter((name) => name.length > 5 && name !== 'elements');
    const random = seededRandom(52);
    for (const name of names) {
      for (const at of [0, Math.floor(random() * name.length), name.length - 1]) {
        const [before, after] = [name.slice(0, at), name.slice(at + 1)];
        expect(nearestOf(`${before}#${after}`, names)).toBe(name);
        expect(nearestOf(`${before}#${name[at]}${after}`, names)).toBe(name);
      }
      expect(nearestOf(`${name}#`, names)).toBe(name);
      expect(nearestOf(name.toUpperCase(), [`${name}_`, name])).toBe(`${name}_`);
    }
  });

  it('counts edits like V. I. Levenshtein (Sov. Phys. Dokl. 10 (1966) 707): kitten → sitting 3', () => {
    expect(nearestOf('sitting', ['kitten', 'sibling'])).toBe('sibling');
    expect(nearestOf('sitting', ['sxxxxng', 'kitten'])).toBe('kitten');
    expect(nearestOf('abc', ['bca', 'cab', 'abd'])).toBe('abd');
    expect(nearestOf('', ['long', 'ab'])).toBe('ab');
    expect(nearestOf('x', [])).toBe('');
  });
});
