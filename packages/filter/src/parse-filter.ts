/**
 * Parses text into a tree by the grammar of OPTIMADE 1.2 (appendix "The Filter Language EBNF Grammar"). AND binds
 * tighter than OR.
 */
import { errorAt, FilterError, type FilterErrorCode } from './filter-error.ts';
import { type Keyword, type Sign, type Token, tokensOf } from './tokens.ts';
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
