/** Tests the position of an error, how much of the text the error repeats, and the limits of filters. */
import { seededRandom } from '@unitcell/numerics';
import { describe, expect, it } from 'vitest';
import {
  checkFilter,
  drawPlace,
  FILTER_LIMITS,
  FilterError,
  materialFilterFields,
  parseFilter,
  printFilter,
  readTree,
} from './index.ts';
import { randomFilter } from './testing/random-filter.ts';

const FIELDS = materialFilterFields();

/** The error of a filter, or undefined; errors other than FilterError are thrown again. */
function errorOf(text: string): FilterError | undefined {
  try {
    checkFilter(parseFilter(text), FIELDS);
    return undefined;
  } catch (error) {
    if (error instanceof FilterError) return error;
    throw error;
  }
}

describe('a semantic error', () => {
  // The third column is the faulty part of the text; the mark must point at it.
  it.each([
    ['nsites < 3 AND band_gap > "2"', 'needs-number', '"2"'],
    ['nsites < 3 AND "2" < band_gap', 'needs-number', '"2"'],
    ['elements HAS ANY "O","Xx"', 'unknown-option', '"Xx"'],
    ['nsites = 2 OR elements HAS ALL "O","Ti",7', 'needs-text', '7'],
    ['elements:elements HAS ANY "O":"Ti","O":"Qq","Zz":"O"', 'unknown-option', '"Qq"'],
    ['band_gap > 1 OR NOT bandgap > 2', 'unknown-property', 'bandgap'],
    ['band_gap > 1 AND NOT (nsites < 2 OR elements = "O")', 'is-list', 'elements'],
    ['nsites > 1 AND formula CONTAINS 2', 'needs-text', '2'],
    ['nsites > 1 AND formula ENDS WITH volume', 'different-types', 'volume'],
    ['nsites > 1 AND has_elastic < has_piezo', 'no-order', 'has_piezo'],
    ['nsites > 1 AND has_elastic >= TRUE', 'no-order', 'TRUE'],
    ['nsites > 1 AND elements > formula', 'is-list', 'elements'],
    ['nsites > 1 AND formula = elements', 'is-list', 'elements'],
    ['nsites > 1 AND volume LENGTH 2', 'needs-list', 'volume'],
    ['nsites > 1 AND ehul IS KNOWN', 'unknown-property', 'ehul'],
    ['nsites > 9 AND NOT band_gap = TRUE', 'needs-number', 'TRUE'],
    ['formula = "a" AND nsites >= 9 AND 3 >= nsites', 'upside-down', '3'],
  ])('%s: %s at %s', (text, code, part) => {
    const error = errorOf(text);
    expect(error?.code).toBe(code);
    expect(error?.parameters['at']).toBe(text.lastIndexOf(part) + 1);
  });

  it.each([
    'has_elastic != has_piezo',
    'nsites >= 4 AND nsites <= 4',
    'nsites > 9 OR nsites < 3',
    'formation_energy_per_atom > energy_above_hull OR formula CONTAINS chemical_system',
    'elements HAS > "O" AND formula >= "A" AND crystal_system < "q"',
    'has_elastic = TRUE AND FALSE != has_piezo',
    'NOT (band_gap IS KNOWN OR elements IS UNKNOWN)',
  ])('is not raised for %s', (text) => expect(errorOf(text)).toBeUndefined());

  it('is not raised for properties of another provider', () => {
    const fields = new Map([...FIELDS, ['_other_x', { type: 'unknown' } as const]]);
    for (const text of [
      '_other_x > 2',
      '_other_x CONTAINS "a"',
      '_other_x HAS 1',
      '_other_x LENGTH 2',
      'nsites < _other_x',
    ])
      expect(() => checkFilter(parseFilter(text), fields)).not.toThrow();
  });

  it('quotes a limited part of the text', () => {
    const long = 'x'.repeat(500);
    expect(errorOf(`${long} > 1`)?.parameters['name']).toBe(long.slice(0, 60));
    expect(errorOf(`crystal_system = "${long}"`)?.parameters['value']).toBe(long.slice(0, 40));
    expect(errorOf(`volume = "${long}"`)?.parameters['found']).toBe(long.slice(0, 40));
    expect(errorOf(`volume = X${long}`)?.parameters['found']).toBe(`X${long.slice(0, 19)}`);
  });
});

describe('drawPlace', () => {
  it('has a mark below the faulty character, and an ellipsis exactly where the text is cut', () => {
    const random = seededRandom(31);
    for (let round = 0; round < 300; round++) {
      const text = Array.from(
        { length: 1 + Math.floor(120 * random()) },
        () => 'ab c\n\t"'[Math.floor(7 * random())],
      ).join('');
      const offset = Math.floor(random() * (text.length + 1));
      const { at, drawn } = drawPlace(text, offset);
      const [line = '', mark = ''] = drawn.split('\n');
      const blank = text.replace(/\s/g, ' ');
      expect(at).toBe(offset + 1);
      expect(mark.trim()).toBe('^');
      expect(line[mark.indexOf('^')] ?? '').toBe(blank[offset] ?? '');
      const shown = line.replace(/^…|…$/gu, '');
      expect(blank).toContain(shown);
      expect(line.startsWith('…')).toBe(!blank.startsWith(shown) || offset > 30);
      expect(line.startsWith('…')).toBe(offset > 30);
      expect(line.endsWith('…')).toBe(offset + 30 < text.length);
      // Shows thirty characters on either side, or all if there are fewer.
      expect(shown.length).toBe(Math.min(offset, 30) + Math.min(text.length - offset, 30));
    }
  });
});

describe('texts with one typing error', () => {
  it('are parsed or refused at a position inside the text, whichever letter is lost, doubled or exchanged', () => {
    const random = seededRandom(32);
    const values = new Map([['elements', ['O', 'Ti']]]);
    let refused = 0;
    for (let round = 0; round < 1500; round++) {
      const good = printFilter(randomFilter({ fields: FIELDS, values }, random, 2));
      const at = Math.floor(random() * good.length);
      const put = ['', good[at] + good[at], '"', '(', ')', ':', ',', 'Ω', '\\', ' NOT '][
        Math.floor(10 * random())
      ];
      const text = good.slice(0, at) + put + good.slice(at + 1);
      const error = errorOf(text);
      if (!error) continue;
      refused++;
      const place = Number(error.parameters['at']);
      expect(place).toBeGreaterThanOrEqual(1);
      expect(place).toBeLessThanOrEqual(text.length + 1);
      for (const value of Object.values(error.parameters))
        expect(JSON.stringify(value).length).toBeLessThan(160);
    }
    expect(refused).toBeGreaterThan(500);
  });
});

describe('limits', () => {
  const codeOf = (text: string): string | undefined => errorOf(text)?.code;
  const { characters, depth, terms } = FILTER_LIMITS;

  it('accept the largest filter, and refuse one beyond each limit', () => {
    const conditions = (count: number) => Array.from({ length: count }, () => 'nsites>1').join(' OR ');
    // A condition counts as one term, and its value as another.
    expect(codeOf(conditions(terms / 2))).toBeUndefined();
    expect(codeOf(conditions(terms / 2 + 1))).toBe('too-many-terms');
    const padded = (length: number) => 'nsites > 1'.padEnd(length);
    expect(codeOf(padded(characters))).toBeUndefined();
    expect(codeOf(padded(characters + 1))).toBe('too-long');
    const nested = (count: number) => `${'('.repeat(count)}nsites > 1${')'.repeat(count)}`;
    expect(codeOf(nested(depth))).toBeUndefined();
    expect(codeOf(nested(depth + 1))).toBe('too-deep');
  });

  it('count nested parentheses, but not adjacent ones', () => {
    expect(codeOf(Array.from({ length: depth + 50 }, () => '(nsites > 1)').join(' OR '))).toBeUndefined();
  });

  it('refuse a deep tree before the stack overflows, and report the path that was reached', () => {
    let tree: unknown = parseFilter('a > 1').tree;
    for (let level = 0; level < 50_000; level++)
      tree = { kind: level % 2 ? 'and' : 'not', term: tree, terms: [tree] };
    let error: unknown;
    try {
      readTree(tree);
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(FilterError);
    expect((error as FilterError).code).toBe('too-deep');
    expect((error as FilterError).parameters['drawn']).toMatch(/^filter\.term/);
  });

  it('allow names of up to 200 characters in a tree', () => {
    const named = (length: number) => ({ kind: 'known', property: 'a'.repeat(length) });
    expect(readTree(named(200)).tree).toEqual({ ...named(200), isKnown: true });
    expect(() => readTree(named(201))).toThrow('filter.property');
  });
});

describe('trees with one wrong part', () => {
  const random = seededRandom(33);
  const values = new Map([['elements', ['O', 'Ti']]]);
  const JUNK: readonly unknown[] = [
    null,
    undefined,
    0,
    -1,
    '',
    'and',
    'a b',
    [],
    [[]],
    {},
    { kind: 'or' },
    { value: {} },
    true,
  ];

  /** A copy of `tree` with one part replaced, and the path of this part. */
  function withSlip(tree: unknown): { readonly slipped: unknown; readonly path: string } {
    const copy = JSON.parse(JSON.stringify({ filter: tree })) as Record<string, unknown>;
    const places: { readonly owner: Record<string, unknown>; readonly key: string; readonly path: string }[] =
      [];
    const visit = (owner: Record<string, unknown>, path: string): void => {
      for (const [key, inner] of Object.entries(owner)) {
        const own = Array.isArray(owner) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`;
        places.push({ owner, key, path: own });
        if (typeof inner === 'object' && inner !== null) visit(inner as Record<string, unknown>, own);
      }
    };
    visit(copy, '');
    const { owner, key, path } = places[Math.floor(random() * places.length)];
    owner[key] = JUNK[Math.floor(random() * JUNK.length)];
    return { slipped: copy['filter'], path };
  }

  /** The result of reading a tree, or its FilterError; other errors are thrown again. */
  function outcomeOf(tree: unknown): ReturnType<typeof readTree> | FilterError {
    try {
      return readTree(tree);
    } catch (error) {
      if (error instanceof FilterError) return error;
      throw error;
    }
  }

  it('are read, or refused with a path inside the wrong part', () => {
    const counts = { read: 0, refused: 0 };
    const elsewhere: string[] = [];
    for (let round = 0; round < 3000; round++) {
      const { slipped, path } = withSlip(randomFilter({ fields: FIELDS, values }, random, 3));
      const outcome = outcomeOf(slipped);
      if (!(outcome instanceof FilterError)) {
        counts.read += Number(printFilter(parseFilter(outcome.text).tree) === printFilter(outcome.tree));
        continue;
      }
      counts.refused++;
      const where = outcome.parameters['where'];
      if (outcome.code !== 'bad-tree' || typeof where !== 'string') continue;
      // The path may name the parent: a removed key may be reported under another name (`to.value` when
      // `to.property` is missing).
      const owner = path.replace(/\.\w+$|\[\d+\]$/, '');
      if (!where.startsWith(owner) && !path.startsWith(where)) elsewhere.push(`${path}: ${where}`);
    }
    expect(elsewhere).toEqual([]);
    expect(counts.read + counts.refused).toBe(3000);
    expect(counts.refused).toBeGreaterThan(1500);
  });
});
