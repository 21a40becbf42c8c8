/** A filter as the conditions that all have to hold, for controls that each set one of them, and for counts without one. */
import type { Constant, Filter, Operator } from './tree.ts';

/** The terms that all have to hold: none for a filter that lets everything pass. */
export function conditionsOf(tree: Filter | null): readonly Filter[] {
  if (tree === null) return [];
  return tree.kind === 'and' ? tree.terms.flatMap(conditionsOf) : [tree];
}

/** The filter of these conditions. */
export const allOf = (terms: readonly Filter[]): Filter | null =>
  terms.length === 0 ? null : terms.length === 1 ? terms[0]! : { kind: 'and', terms };

/** Names of the properties a filter speaks of, each once. */
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

interface Slip {
  readonly term: Filter;
  readonly property: string;
  readonly from: number;
  readonly to: number;
}

/** A lower end above an upper end of one property, among conditions that all have to hold. */
export function upsideDown(terms: readonly Filter[]): Slip | null {
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
