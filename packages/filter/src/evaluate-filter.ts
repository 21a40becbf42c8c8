/**
 * Evaluates a filter for one row. Unknown values make a comparison unknown, also under NOT (three-valued logic, as in
 * SQL): a row passes only if the result is true.
 */
import type { Constant, EntryTest, Filter, Operand, Operator } from './tree.ts';

export type PropertyValue = Constant | null | readonly Constant[];

/** Returns the value of a property of the row; null if it is unknown. */
export type ReadProperty = (name: string) => PropertyValue;

/** Returns −1, 0 or 1; texts are compared by code points, like PostgreSQL's collation "C". */
export function compareConstants(a: Constant, b: Constant): number {
  if (typeof a !== 'string' || typeof b !== 'string') return Number(a) - Number(b);
  const [left, right] = [Array.from(a), Array.from(b)];
  for (const [index, character] of left.entries()) {
    const other = right[index];
    if (other === undefined) return 1;
    if (character !== other) return character.codePointAt(0)! - other.codePointAt(0)!;
  }
  return left.length - right.length;
}

/** Whether the sign `order` of a comparison satisfies the operator. */
export function holds(operator: Operator, order: number): boolean {
  switch (operator) {
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
    case '=':
      return order === 0;
    default:
      return order !== 0;
  }
}

const passes = (value: Constant, test: EntryTest): boolean =>
  holds(test.operator, compareConstants(value, test.value));

/** Tests of a text, by their names in the tree. */
const TEXT_TESTS = {
  contains: (text: string, part: string) => text.includes(part),
  starts: (text: string, part: string) => text.startsWith(part),
  ends: (text: string, part: string) => text.endsWith(part),
} as const;

function hasEntries(
  tree: Extract<Filter, { kind: 'has' }>,
  lists: readonly (readonly Constant[])[],
): boolean {
  const entries = Array.from({ length: Math.min(...lists.map(({ length }) => length)) }, (_, index) => index);
  const passesAt = (index: number, parts: readonly EntryTest[]): boolean =>
    parts.every((part, column) => passes(lists[column]![index]!, part));
  const isMet = (parts: readonly EntryTest[]): boolean => entries.some((index) => passesAt(index, parts));
  if (tree.match === 'only')
    return entries.every((index) => tree.tests.some((parts) => passesAt(index, parts)));
  return tree.match === 'all' ? tree.tests.every(isMet) : tree.tests.some(isMet);
}

/** Returns true or false, or null if the result depends on an unknown value. */
export function evaluateFilter(tree: Filter, read: ReadProperty): boolean | null {
  const scalar = (name: string): Constant | null => {
    const value = read(name);
    return typeof value === 'object' ? null : value;
  };
  const operand = (to: Operand): Constant | null => ('value' in to ? to.value : scalar(to.property));
  switch (tree.kind) {
    case 'and':
    case 'or': {
      const decisive = tree.kind === 'or';
      let isUnknown = false;
      for (const term of tree.terms) {
        const answer = evaluateFilter(term, read);
        if (answer === decisive) return decisive;
        isUnknown ||= answer === null;
      }
      return isUnknown ? null : !decisive;
    }
    case 'not': {
      const answer = evaluateFilter(tree.term, read);
      return answer === null ? null : !answer;
    }
    case 'known':
      return (read(tree.property) !== null) === tree.isKnown;
    case 'compare': {
      const [value, to] = [scalar(tree.property), operand(tree.to)];
      return value === null || to === null ? null : holds(tree.operator, compareConstants(value, to));
    }
    case 'text': {
      const [value, to] = [scalar(tree.property), operand(tree.to)];
      return value === null || to === null ? null : TEXT_TESTS[tree.match](String(value), String(to));
    }
    case 'length': {
      const list = read(tree.property);
      return Array.isArray(list) ? holds(tree.operator, list.length - tree.value) : null;
    }
    default: {
      const lists = tree.properties.map(read);
      return lists.every((list) => Array.isArray(list)) ? hasEntries(tree, lists) : null;
    }
  }
}
