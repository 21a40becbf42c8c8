/**
 * Converts a filter into pieces of an SQL expression (PostgreSQL). Text, columns and parameters are separate, so that
 * no value becomes part of the text. The caller decides how a property is written, and numbers the parameters.
 */
import type { FilterField, FilterFields } from './filter-fields.ts';
import type { Constant, EntryTest, Filter, Operand, Operator } from './tree.ts';

export type SqlPiece =
  | string
  | { readonly property: string }
  | { readonly value: Constant | readonly Constant[]; readonly type: string };

const TYPES = { number: 'float8', text: 'text', flag: 'boolean', unknown: 'text' } as const;
const OPERATORS: Readonly<Record<Operator, string>> = {
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
  '=': '=',
  '!=': '<>',
};

const separated = (parts: readonly (readonly SqlPiece[])[], separator: string): readonly SqlPiece[] =>
  parts.flatMap((part, index) => (index === 0 ? part : [separator, ...part]));

const UNKNOWN: readonly SqlPiece[] = ['NULL::boolean'];

/**
 * Pieces of a boolean expression that is true, false or null, like the result of `evaluateFilter`. The filter must have
 * been checked.
 */
export function sqlOfFilter(tree: Filter, fields: FilterFields): readonly SqlPiece[] {
  const fieldOf = (name: string): FilterField => fields.get(name) ?? { type: 'unknown' };
  const constant = (field: FilterField, value: Constant): SqlPiece => ({ value, type: TYPES[field.type] });
  const operand = (field: FilterField, to: Operand): SqlPiece =>
    'value' in to ? constant(field, to.value) : { property: to.property };
  const isForeign = (names: readonly string[]): boolean =>
    names.some((name) => fieldOf(name).type === 'unknown');
  // Texts are ordered by their bytes, for any locale of the database.
  const collated = (field: FilterField, operator: Operator): string =>
    field.type === 'text' && operator !== '=' && operator !== '!=' ? ' COLLATE "C"' : '';
  const inner = (term: Filter): readonly SqlPiece[] => sqlOfFilter(term, fields);

  const testOf =
    (list: Extract<Filter, { kind: 'has' }>) =>
    (parts: readonly EntryTest[]): readonly SqlPiece[] => [
      '(',
      ...separated(
        parts.map(({ operator, value }, column): readonly SqlPiece[] => {
          const field = fieldOf(list.properties[column]!);
          return [`e.v${column}${collated(field, operator)} ${OPERATORS[operator]} `, constant(field, value)];
        }),
        ' AND ',
      ),
      ')',
    ];

  function hasEntries(list: Extract<Filter, { kind: 'has' }>): readonly SqlPiece[] {
    const [property] = list.properties;
    const isPlain =
      list.properties.length === 1 &&
      list.tests.every((parts) => parts.every(({ operator }) => operator === '='));
    if (isPlain && property !== undefined) {
      const operator = list.match === 'any' ? '&&' : list.match === 'only' ? '<@' : '@>';
      const value = list.tests.map((parts) => parts[0]!.value);
      return ['(', { property }, ` ${operator} `, { value, type: `${TYPES[fieldOf(property).type]}[]` }, ')'];
    }
    const columns = list.properties.map((_, index) => `v${index}`).join(', ');
    const entries: readonly SqlPiece[] = [
      'FROM unnest(',
      ...separated(
        list.properties.map((name) => [{ property: name }]),
        ', ',
      ),
      `) AS e(${columns}) WHERE `,
    ];
    const tests = list.tests.map(testOf(list));
    const exists = (test: readonly SqlPiece[]): readonly SqlPiece[] => [
      'EXISTS (SELECT ',
      ...entries,
      ...test,
      ')',
    ];
    const answer =
      list.match === 'only'
        ? (['NOT EXISTS (SELECT ', ...entries, 'NOT (', ...separated(tests, ' OR '), '))'] as const)
        : separated(tests.map(exists), list.match === 'all' ? ' AND ' : ' OR ');
    const known = separated(
      list.properties.map((name) => [{ property: name }, ' IS NOT NULL']),
      ' AND ',
    );
    return ['(CASE WHEN ', ...known, ' THEN (', ...answer, ') END)'];
  }

  switch (tree.kind) {
    case 'and':
    case 'or':
      return ['(', ...separated(tree.terms.map(inner), tree.kind === 'and' ? ' AND ' : ' OR '), ')'];
    case 'not':
      return ['(NOT ', ...inner(tree.term), ')'];
    case 'known':
      if (isForeign([tree.property])) return [tree.isKnown ? 'FALSE' : 'TRUE'];
      return ['(', { property: tree.property }, ` IS ${tree.isKnown ? 'NOT ' : ''}NULL)`];
    case 'compare':
    case 'text': {
      if (isForeign('property' in tree.to ? [tree.property, tree.to.property] : [tree.property]))
        return UNKNOWN;
      const field = fieldOf(tree.property);
      const [left, right] = [{ property: tree.property }, operand(field, tree.to)];
      if (tree.kind === 'compare')
        return ['(', left, `${collated(field, tree.operator)} ${OPERATORS[tree.operator]} `, right, ')'];
      if (tree.match === 'contains') return ['(strpos(', left, ', ', right, ') > 0)'];
      if (tree.match === 'starts') return ['starts_with(', left, ', ', right, ')'];
      return ['(right(', left, ', length(', right, ')) = ', right, ')'];
    }
    case 'length':
      if (isForeign([tree.property])) return UNKNOWN;
      return [
        '(cardinality(',
        { property: tree.property },
        `) ${OPERATORS[tree.operator]} `,
        { value: tree.value, type: 'float8' },
        ')',
      ];
    default:
      return isForeign(tree.properties) ? UNKNOWN : hasEntries(tree);
  }
}
