/**
 * The terms that must all hold; empty if there is no filter. Used by controls that each set one term, and by counts
 * that leave one term out.
 */
export function conditionsOf(tree: Filter | null): readonly Filter[] {
  if (tree === null) return [];
  return tree.kind === 'and' ? tree.terms.flatMap(conditionsOf) : [tree];
}

/** The filter that requires all these conditions. */
export const allOf = (terms: readonly Filter[]): Filter | null =>
  terms.length === 0 ? null : terms.length === 1 ? terms[0]! : { kind: 'and', terms };

/** Names of the properties that a filter uses, each once. */
export function propertiesOf(tree: Filter): readonly string[] {
  const names = (): readonly string[] => {
    switch (tree.kind) {
      case 'and':
      case 'or':
        return tree.terms.flatMap(propertiesOf);
      case 'not':
        return propertiesOf(tree.term);
      case 'has':
        return tree.properties;
      case 'compare':
      case 'text':
        return 'property' in tree.to ? [tree.property, tree.to.property] : [tree.property];
      default:
        return [tree.property];
    }
  };
  return [...new Set(names())];
}

export const comparison = (property: string, operator: Operator, value: Constant): Filter => ({
  kind: 'compare',
  property,
  operator,
  to: { value },
});

interface EmptyRange {
  readonly term: Filter;
  readonly property: string;
  readonly from: number;
  readonly to: number;
}

/** Finds a property whose lower limit is above its upper limit, among conditions that must all hold. */
export function findEmptyRange(terms: readonly Filter[]): EmptyRange | null {
  const lowest = new Map<string, number>();
  const highest = new Map<string, number>();
  for (const term of terms) {
    if (term.kind !== 'compare' || !('value' in term.to) || typeof term.to.value !== 'number') continue;
    const { property, operator } = term;
    const { value } = term.to;
    if (operator.startsWith('>')) lowest.set(property, Math.max(value, lowest.get(property) ?? value));
    if (operator.startsWith('<')) highest.set(property, Math.min(value, highest.get(property) ?? value));
    const [from, to] = [lowest.get(property), highest.get(property)];
    if (from !== undefined && to !== undefined && from > to) return { term, property, from, to };
  }
  return null;
}

/** A constant as it is written in a filter. */
export function printConstant(value: Constant): string {
  if (typeof value === 'boolean') return value ? 'TRUE' : 'FALSE';
  return typeof value === 'number' ? String(value) : `"${value.replace(/["\\]/g, '\\$&')}"`;
}

const printOperand = (operand: Operand): string =>
  'property' in operand ? operand.property : printConstant(operand.value);

const printTest = (parts: readonly EntryTest[]): string =>
  parts
    .map(({ operator, value }) => (operator === '=' ? '' : `${operator} `) + printConstant(value))
    .join(':');

const isJoined = ({ kind }: Filter): boolean => kind === 'and' || kind === 'or';
const bracketed = (tree: Filter): string => `(${printFilter(tree)})`;

const MATCH = { one: '', all: 'ALL ', any: 'ANY ', only: 'ONLY ' } as const;
const TEXT_MATCH = { contains: 'CONTAINS', starts: 'STARTS WITH', ends: 'ENDS WITH' } as const;

export function printFilter(tree: Filter): string {
  switch (tree.kind) {
    case 'and':
      return tree.terms.map((term) => (isJoined(term) ? bracketed(term) : printFilter(term))).join(' AND ');
    case 'or':
      return tree.terms
        .map((term) => (term.kind === 'or' ? bracketed(term) : printFilter(term)))
        .join(' OR ');
    case 'not':
      return `NOT ${isJoined(tree.term) || tree.term.kind === 'not' ? bracketed(tree.term) : printFilter(tree.term)}`;
    case 'compare':
      return `${tree.property} ${tree.operator} ${printOperand(tree.to)}`;
    case 'known':
      return `${tree.property} IS ${tree.isKnown ? 'KNOWN' : 'UNKNOWN'}`;
    case 'text':
      return `${tree.property} ${TEXT_MATCH[tree.match]} ${printOperand(tree.to)}`;
    case 'has':
      return `${tree.properties.join(':')} HAS ${MATCH[tree.match]}${tree.tests.map(printTest).join(', ')}`;
    default:
      return `${tree.property} LENGTH ${tree.operator === '=' ? '' : `${tree.operator} `}${tree.value}`;
  }
}

/** The content of a filter as plain JSON data. */

export type Operator = '<' | '<=' | '>' | '>=' | '=' | '!=';
export type Constant = string | number | boolean;

/** The other side of a comparison: a constant, or another property of the same row. */
export type Operand = { readonly value: Constant } | { readonly property: string };

/** The test applied to one entry of a list, such as `= "O"` or `> 0.5`. */
export interface EntryTest {
  readonly operator: Operator;
  readonly value: Constant;
}

export type Filter =
  /** A list with at least two terms. */
  | { readonly kind: 'and'; readonly terms: readonly Filter[] }
  | { readonly kind: 'or'; readonly terms: readonly Filter[] }
  | { readonly kind: 'not'; readonly term: Filter }
  | {
      readonly kind: 'compare';
      readonly property: string;
      readonly operator: Operator;
      readonly to: Operand;
    }
  | { readonly kind: 'known'; readonly property: string; readonly isKnown: boolean }
  | {
      readonly kind: 'text';
      readonly property: string;
      readonly match: 'contains' | 'starts' | 'ends';
      readonly to: Operand;
    }
  /**
   * Correlated lists, tested entry by entry; usually one list. Each test has one part per list. `one`: some entry
   * passes the (only) test; `all`: every test is passed by some entry; `any`: at least one test is passed by some
   * entry; `only`: every entry passes some test.
   */
  | {
      readonly kind: 'has';
      readonly properties: readonly string[];
      readonly match: 'one' | 'all' | 'any' | 'only';
      readonly tests: readonly (readonly EntryTest[])[];
    }
  | {
      readonly kind: 'length';
      readonly property: string;
      readonly operator: Operator;
      readonly value: number;
    };

export type Comparison = Exclude<Filter, { readonly kind: 'and' | 'or' | 'not' }>;
