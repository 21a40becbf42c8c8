/** Reads a filter tree from JSON. */
import { FilterError } from './filter-error.ts';
import { FILTER_LIMITS, type ParsedFilter, parseFilter } from './parse-filter.ts';
import {
  type Constant,
  type EntryTest,
  type Filter,
  type Operand,
  type Operator,
  printFilter,
} from './tree.ts';

type Json = Readonly<Record<string, unknown>>;

const OPERATORS: readonly string[] = ['<', '<=', '>', '>=', '=', '!='];
const PROPERTY = /^(?:[a-z_][a-z_0-9]*(\.[a-z_][a-z_0-9]*)*|\[[^[\]]*\])$/;

/**
 * What is expected at each position, for error messages; where there is a choice of words, all are listed.
 */
const EXPECTED = {
  object: 'an object',
  list: 'a non-empty list',
  property: 'the name of a property',
  constant: 'a number, a text, true or false',
} as const;

const bad = (where: string, expected: string): FilterError => {
  const said = Object.entries(EXPECTED).find(([name]) => name === expected)?.[1] ?? expected;
  return new FilterError('bad-tree', `${where}: ${said} is expected`, { where, expected });
};

function record(value: unknown, where: string): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw bad(where, 'object');
  return value as Json;
}

function list(value: unknown, where: string): readonly unknown[] {
  if (!Array.isArray(value) || value.length === 0) throw bad(where, 'list');
  return value;
}

function oneOf<Word extends string>(value: unknown, words: readonly Word[], where: string): Word {
  const word = words.find((known) => known === value);
  if (word === undefined) throw bad(where, words.join(' | '));
  return word;
}

const operatorOf = (value: unknown, where: string): Operator =>
  oneOf(value, OPERATORS as readonly Operator[], where);

function property(value: unknown, where: string): string {
  if (typeof value !== 'string' || value.length > 200 || !PROPERTY.test(value)) throw bad(where, 'property');
  return value;
}

function constant(value: unknown, where: string): Constant {
  if (
    typeof value === 'number'
      ? !Number.isFinite(value)
      : typeof value !== 'string' && typeof value !== 'boolean'
  )
    throw bad(where, 'constant');
  return value as Constant;
}

function operand(value: unknown, where: string): Operand {
  const { value: own, property: name } = record(value, where);
  return name === undefined
    ? { value: constant(own, `${where}.value`) }
    : { property: property(name, `${where}.property`) };
}

const test = (value: unknown, where: string): EntryTest => {
  const { operator, value: own } = record(value, where);
  return { operator: operatorOf(operator, `${where}.operator`), value: constant(own, `${where}.value`) };
};

const KINDS = ['and', 'or', 'not', 'compare', 'known', 'text', 'has', 'length'] as const;

function read(value: unknown, where: string, depth: number): Filter {
  if (depth > FILTER_LIMITS.depth)
    throw new FilterError('too-deep', `at most ${FILTER_LIMITS.depth} levels are read`, {
      limit: FILTER_LIMITS.depth,
      at: 0,
      drawn: where.slice(0, 80),
    });
  const node = record(value, where);
  const kind = oneOf(node['kind'], KINDS, `${where}.kind`);
  const own = () => property(node['property'], `${where}.property`);
  const items = (key: string): readonly unknown[] => list(node[key], `${where}.${key}`);
  switch (kind) {
    case 'and':
    case 'or': {
      const terms = items('terms').map((term, index) => read(term, `${where}.terms[${index}]`, depth + 1));
      return terms.length === 1 ? terms[0]! : { kind, terms };
    }
    case 'not':
      return { kind, term: read(node['term'], `${where}.term`, depth + 1) };
    case 'known':
      return { kind, property: own(), isKnown: node['isKnown'] !== false };
    case 'compare':
      return {
        kind,
        property: own(),
        operator: operatorOf(node['operator'], `${where}.operator`),
        to: operand(node['to'], `${where}.to`),
      };
    case 'text':
      return {
        kind,
        property: own(),
        match: oneOf(node['match'], ['contains', 'starts', 'ends'], `${where}.match`),
        to: operand(node['to'], `${where}.to`),
      };
    case 'length':
      return {
        kind,
        property: own(),
        operator: operatorOf(node['operator'], `${where}.operator`),
        value: Number(constant(node['value'], `${where}.value`)),
      };
    default:
      return {
        kind,
        properties: items('properties').map((name, index) => property(name, `${where}.properties[${index}]`)),
        match: oneOf(node['match'], ['one', 'all', 'any', 'only'], `${where}.match`),
        tests: items('tests').map((parts, row) =>
          list(parts, `${where}.tests[${row}]`).map((part, column) =>
            test(part, `${where}.tests[${row}][${column}]`),
          ),
        ),
      };
  }
}

/**
 * Validates a tree by printing and parsing it, so that limits and positions are the same as for text.
 * @throws FilterError
 */
export const readTree = (json: unknown): ParsedFilter => parseFilter(printFilter(read(json, 'filter', 0)));
