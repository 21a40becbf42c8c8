/**
 * Parses text into a tree by the grammar of OPTIMADE 1.2 (appendix "The Filter Language EBNF Grammar"). AND binds
 * tighter than OR.
 */
import { errorAt, FilterError, type FilterErrorCode } from './filter-error.ts';
import type { Comparison, Constant, EntryTest, Filter, Operand, Operator } from './tree.ts';

/** Limits of a filter. Correlated lists are compared entry by entry, so their number multiplies the work. */
export const FILTER_LIMITS = { characters: 10_000, depth: 200, terms: 1000, sideBySide: 4 } as const;

/** Offsets of the parts of a comparison in the text. */
export interface Place {
  readonly at: number;
  /** Offsets of the values, in order. */
  readonly values: readonly number[];
}

export interface ParsedFilter {
  readonly text: string;
  readonly tree: Filter;
  readonly places: ReadonlyMap<Filter, Place>;
}

const FLIPPED: Readonly<Record<Operator, Operator>> = {
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
  '=': '=',
  '!=': '!=',
};

class Parser {
  private readonly tokens: readonly Token[];
  private next = 0;
  private depth = 0;
  private terms = 0;
  private values: number[] = [];
  readonly places = new Map<Filter, Place>();

  constructor(private readonly text: string) {
    this.tokens = tokensOf(text);
  }

  filter(): Filter {
    const tree = this.either();
    if (this.token.kind !== 'end')
      throw this.unexpected('expected-end', 'here AND, OR or the end is expected');
    return tree;
  }

  private get token(): Token {
    return this.tokens[this.next]!;
  }

  private unexpected(code: FilterErrorCode, what: string): FilterError {
    return errorAt(this.text, this.token.at, code, what);
  }

  private takes(word: Keyword): boolean {
    const { token } = this;
    const isIt = token.kind === 'keyword' && token.word === word;
    if (isIt) this.next++;
    return isIt;
  }

  private takesSign(sign: Sign): boolean {
    const { token } = this;
    const isIt = token.kind === 'sign' && token.sign === sign;
    if (isIt) this.next++;
    return isIt;
  }

  private takesOperator(): Operator | undefined {
    const { token } = this;
    if (token.kind !== 'operator') return undefined;
    this.next++;
    return token.operator;
  }

  private joined(kind: 'and' | 'or', part: () => Filter): Filter {
    const terms = [part()];
    while (this.takes(kind === 'and' ? 'AND' : 'OR')) terms.push(part());
    return terms.length === 1 ? terms[0]! : { kind, terms };
  }

  private either = (): Filter => this.joined('or', this.both);
  private both = (): Filter => this.joined('and', this.phrase);

  private phrase = (): Filter => {
    if (this.takes('NOT')) return { kind: 'not', term: this.inner() };
    return this.inner();
  };

  private inner(): Filter {
    if (!this.takesSign('(')) return this.comparison();
    if (++this.depth > FILTER_LIMITS.depth)
      throw this.error('too-deep', `at most ${FILTER_LIMITS.depth} parentheses may stand in each other`, {
        limit: FILTER_LIMITS.depth,
      });
    const tree = this.either();
    this.depth--;
    if (!this.takesSign(')'))
      throw this.unexpected('expected-parenthesis', 'here ")", AND or OR is expected');
    return tree;
  }

  private error(
    code: FilterErrorCode,
    what: string,
    parameters: Readonly<Record<string, number>>,
  ): FilterError {
    return errorAt(this.text, this.token.at, code, what, parameters);
  }

  private count(): void {
    if (++this.terms > FILTER_LIMITS.terms)
      throw this.error(
        'too-many-terms',
        `a filter may have at most ${FILTER_LIMITS.terms} conditions and values`,
        {
          limit: FILTER_LIMITS.terms,
        },
      );
  }

  private comparison(): Comparison {
    this.count();
    const { at } = this.token;
    this.values = [];
    const comparison = this.token.kind === 'property' ? this.propertyFirst() : this.constantFirst();
    this.places.set(comparison, { at, values: this.values });
    return comparison;
  }

  private constantFirst(): Comparison {
    const value = this.takesConstant();
    if (value === undefined)
      throw this.unexpected('expected-property', 'here the name of a property is expected');
    const operator = this.takesOperator();
    if (!operator)
      throw this.unexpected('expected-condition', 'here a comparison such as < or = is expected');
    const { token } = this;
    if (token.kind !== 'property')
      throw this.unexpected(
        'two-constants',
        'here the name of a property is expected: a value is compared with a property',
      );
    this.next++;
    return { kind: 'compare', property: token.name, operator: FLIPPED[operator], to: { value } };
  }

  private property(): string {
    const { token } = this;
    if (token.kind !== 'property')
      throw this.unexpected('expected-property', 'here the name of a property is expected');
    this.next++;
    return token.name;
  }

  private propertyFirst(): Comparison {
    const property = this.property();
    const operator = this.takesOperator();
    if (operator) return { kind: 'compare', property, operator, to: this.operand() };
    if (this.takes('IS')) return this.known(property);
    if (this.takes('CONTAINS')) return { kind: 'text', property, match: 'contains', to: this.operand() };
    for (const [word, match] of [
      ['STARTS', 'starts'],
      ['ENDS', 'ends'],
    ] as const)
      if (this.takes(word)) {
        this.takes('WITH');
        return { kind: 'text', property, match, to: this.operand() };
      }
    if (this.takes('LENGTH')) return this.length(property);
    const properties = [property];
    while (this.takesSign(':')) {
      properties.push(this.property());
      const limit = FILTER_LIMITS.sideBySide;
      if (properties.length > limit)
        throw this.error('too-many-lists', `at most ${limit} lists can be compared side by side`, { limit });
    }
    if (this.takes('HAS')) return this.has(properties);
    throw this.unexpected(
      'expected-condition',
      'here a comparison is expected: <, <=, >, >=, =, !=, IS, CONTAINS, STARTS, ENDS, HAS or LENGTH',
    );
  }

  private known(property: string): Comparison {
    if (this.takes('KNOWN')) return { kind: 'known', property, isKnown: true };
    if (this.takes('UNKNOWN')) return { kind: 'known', property, isKnown: false };
    throw this.unexpected('expected-condition', 'after IS either KNOWN or UNKNOWN is expected');
  }

  private length(property: string): Comparison {
    const operator = this.takesOperator() ?? '=';
    const { token } = this;
    if (token.kind !== 'number') throw this.unexpected('expected-number', 'here a number is expected');
    return { kind: 'length', property, operator, value: this.constant() as number };
  }

  private has(properties: readonly string[]): Comparison {
    const match = this.takes('ALL') ? 'all' : this.takes('ANY') ? 'any' : this.takes('ONLY') ? 'only' : 'one';
    const tests = [this.entry(properties.length)];
    if (match !== 'one') while (this.takesSign(',')) tests.push(this.entry(properties.length));
    return { kind: 'has', properties, match, tests };
  }

  /** One test of an entry of correlated lists: `"O" : > 0.5`. */
  private entry(width: number): readonly EntryTest[] {
    const parts = [this.part()];
    while (this.takesSign(':')) parts.push(this.part());
    if (parts.length !== width)
      throw this.error(
        'list-lengths',
        `${width} properties need ${width} values, joined by ":"; here are ${parts.length}`,
        {
          width,
          found: parts.length,
        },
      );
    return parts;
  }

  private part(): EntryTest {
    const operator = this.takesOperator() ?? '=';
    return { operator, value: this.constant() };
  }

  private operand(): Operand {
    const { token } = this;
    if (token.kind !== 'property') return { value: this.constant() };
    this.values.push(token.at);
    this.next++;
    return { property: token.name };
  }

  private constant(): Constant {
    this.count();
    const value = this.takesConstant();
    if (value === undefined)
      throw this.unexpected('expected-value', 'here a value is expected: a number, a "text", TRUE or FALSE');
    return value;
  }

  private takesConstant(): Constant | undefined {
    const { token } = this;
    this.values.push(token.at);
    if (this.takes('TRUE')) return true;
    if (this.takes('FALSE')) return false;
    if (token.kind !== 'text' && token.kind !== 'number') return undefined;
    this.next++;
    return token.value;
  }
}

/** @throws FilterError with the position */
export function parseFilter(text: string): ParsedFilter {
  const { characters } = FILTER_LIMITS;
  if (text.length > characters)
    throw new FilterError(
      'too-long',
      `the filter has ${text.length} characters, at most ${characters} are read`,
      {
        length: text.length,
        limit: characters,
      },
    );
  const parser = new Parser(text);
  const tree = parser.filter();
  return { text, tree, places: parser.places };
}

// ── Splits a filter into tokens: names, keywords, texts, numbers, signs ──

const KEYWORDS = [
  'AND',
  'OR',
  'NOT',
  'IS',
  'KNOWN',
  'UNKNOWN',
  'CONTAINS',
  'STARTS',
  'ENDS',
  'WITH',
  'HAS',
  'ALL',
  'ANY',
  'ONLY',
  'LENGTH',
  'TRUE',
  'FALSE',
] as const;
export type Keyword = (typeof KEYWORDS)[number];
export type Sign = '(' | ')' | ',' | ':';

export type Token = { readonly at: number } & (
  | { readonly kind: 'property'; readonly name: string }
  | { readonly kind: 'keyword'; readonly word: Keyword }
  | { readonly kind: 'operator'; readonly operator: Operator }
  | { readonly kind: 'sign'; readonly sign: Sign }
  | { readonly kind: 'text' | 'number'; readonly value: string | number }
  | { readonly kind: 'end' }
);

const SPACE = /[ \t\n\r\f\v]+/y;
const WORD = /[A-Za-z_]\w*(?:\.\w+)*/y;
const PROPERTY = /^[a-z_][a-z_0-9]*(?:\.[a-z_][a-z_0-9]*)*$/;
const OPERATOR = /<=|>=|!=|<|>|=/y;
const NUMBER = /[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/y;
const TEXT = /"((?:[^"\\]|\\["\\])*)"/y;
/** A calculated number in place of a property: `[bulk_modulus / density] > 20`. */
const EXPRESSION = /\[[^[\]]*\]/y;

const isKeyword = (word: string): word is Keyword => KEYWORDS.some((keyword) => keyword === word);

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function tokenAt(text: string, at: number): { readonly token: Token; readonly end: number } {
  const first = text[at]!;
  if ('(),:'.includes(first)) return { token: { kind: 'sign', sign: first as Sign, at }, end: at + 1 };
  const operator = matchAt(OPERATOR, text, at);
  if (operator)
    return {
      token: { kind: 'operator', operator: operator[0] as Operator, at },
      end: OPERATOR.lastIndex,
    };
  const word = matchAt(WORD, text, at)?.[0];
  if (word !== undefined && PROPERTY.test(word))
    return { token: { kind: 'property', name: word, at }, end: WORD.lastIndex };
  if (word !== undefined && isKeyword(word))
    return { token: { kind: 'keyword', word, at }, end: WORD.lastIndex };
  const expression = matchAt(EXPRESSION, text, at)?.[0];
  if (expression !== undefined)
    return { token: { kind: 'property', name: expression, at }, end: EXPRESSION.lastIndex };
  if (first === '[')
    throw errorAt(text, at, 'unclosed-expression', 'this expression does not end: close it with ]');
  const quoted = matchAt(TEXT, text, at);
  if (quoted)
    return {
      token: { kind: 'text', value: quoted[1]!.replace(/\\(.)/gs, '$1'), at },
      end: TEXT.lastIndex,
    };
  if (first === '"')
    throw errorAt(
      text,
      at,
      'unclosed-text',
      'this text does not end: close it with ", and write \\" and \\\\ for " and \\ in it',
    );
  const number = matchAt(NUMBER, text, at);
  if (number) {
    const value = Number(number[0]);
    if (!Number.isFinite(value))
      throw errorAt(text, at, 'number-range', `${number[0].slice(0, 20)} is too large a number`);
    return { token: { kind: 'number', value, at }, end: NUMBER.lastIndex };
  }
  const found = word?.slice(0, 20) ?? String.fromCodePoint(text.codePointAt(at)!);
  throw errorAt(
    text,
    at,
    'unexpected-character',
    `"${found}" is not part of the filter language: properties are written in small letters, texts in double quotes, numbers without a unit`,
    { found },
  );
}

/** @throws FilterError */
export function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  while (true) {
    if (matchAt(SPACE, text, at)) at = SPACE.lastIndex;
    if (at >= text.length) break;
    const { token, end } = tokenAt(text, at);
    tokens.push(token);
    at = end;
  }
  tokens.push({ kind: 'end', at });
  return tokens;
}
