/** Tree → text that parses to the same tree. */
import type { Constant, EntryTest, Filter, Operand } from './tree.ts';

/** A constant as a filter writes it. */
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
