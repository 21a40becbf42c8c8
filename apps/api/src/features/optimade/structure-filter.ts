/**
 * Filters of structures in SQL and, where possible, on the in-memory columns of screening (docs/contributing/adr/0016).
 */
import {
  evaluateFilter,
  type Filter,
  type PropertyValue,
  sqlOfFilter,
  type SqlPiece,
} from '@unitcell/filter';
import { type Expression, type RawBuilder, sql } from 'kysely';
import { columnsOf } from '../../infra/sql.ts';
import { type Asked, type AskedFields, filterFieldsFor } from './read-query.ts';
import { STRUCTURE_FIELDS } from './structure-fields.ts';

/** Properties for filters and sorting; `id` is the number of the material as text. */
export const STRUCTURE_QUERY: AskedFields = new Map<string, Asked>([
  ...STRUCTURE_FIELDS,
  ['id', { sql: sql`${columnsOf('material')('struct_id')}::text`, filter: { type: 'text' } }],
  ['type', { sql: sql`'structures'::text`, filter: { type: 'text' } }],
]);

export const sqlOf = (name: string): Expression<unknown> => STRUCTURE_QUERY.get(name)?.sql ?? sql`NULL`;

export const conditionOf = (filter: Filter | null): RawBuilder<boolean> =>
  filter === null
    ? sql<boolean>`TRUE`
    : filterSql(sqlOfFilter(filter, filterFieldsFor(STRUCTURE_QUERY, [])), sqlOf);

/** @param columnFor the SQL expression of a property */
export function filterSql(
  pieces: readonly SqlPiece[],
  columnFor: (property: string) => Expression<unknown>,
): RawBuilder<boolean> {
  const parts = pieces.map((piece) => {
    if (typeof piece === 'string') return sql.raw(piece);
    if ('property' in piece) return columnFor(piece.property);
    return sql`${piece.value}::${sql.raw(piece.type)}`;
  });
  return sql<boolean>`${sql.join(parts, sql.raw(''))}`;
}

/** Properties with the same value for every structure. */
const CONSTANTS: Readonly<Record<string, PropertyValue>> = {
  type: 'structures',
  nperiodic_dimensions: 3,
  dimension_types: [1, 1, 1],
  site_coordinate_span: 'unit_cell',
};

const COLUMNS: Readonly<Record<string, string>> = {
  id: 'optimade:id',
  last_modified: 'optimade:modified',
  elements: 'elements',
  nelements: 'nelements',
  nsites: 'nsites',
  elements_ratios: 'optimade:ratios',
  chemical_formula_descriptive: 'formula',
  chemical_formula_reduced: 'optimade:reduced',
  chemical_formula_anonymous: 'optimade:anonymous',
  space_group_it_number: 'space_group_number',
  space_group_symbol_hall: 'hall',
};

/** Provider fields that depend on an energy scale. */
const OF_A_SCALE = new Set(['energy', 'energy_per_atom', 'formation_energy_per_atom', 'energy_above_hull']);
const OWN = '_unitcell_';

type Leaf = Exclude<Filter, { readonly kind: 'and' | 'or' | 'not' }>;

const propertiesOf = (leaf: Leaf): readonly string[] => {
  if (leaf.kind === 'has') return leaf.properties;
  return 'to' in leaf && 'property' in leaf.to ? [leaf.property, leaf.to.property] : [leaf.property];
};

const isUnknown = (name: string): boolean =>
  (STRUCTURE_QUERY.get(name)?.filter?.type ?? 'unknown') === 'unknown';

/** The in-memory column of a property; null where there is none. */
export function columnOf(name: string): string | null {
  if (!name.startsWith(OWN)) return COLUMNS[name] ?? null;
  const column = name.slice(OWN.length);
  return OF_A_SCALE.has(column) ? null : column;
}

/** Always unknown, because no column has this name. */
const UNKNOWN: Filter = { kind: 'compare', property: 'optimade:none', operator: '=', to: { value: 0 } };
/** Always true or false, because every structure has sites. */
const always = (isSo: boolean): Filter => ({ kind: 'known', property: 'nsites', isKnown: isSo });

function leafInMemory(leaf: Leaf): Filter | null {
  const names = propertiesOf(leaf);
  if (names.some(isUnknown)) return leaf.kind === 'known' ? always(!leaf.isKnown) : UNKNOWN;
  if (names.every((name) => name in CONSTANTS)) {
    const answer = evaluateFilter(leaf, (name) => CONSTANTS[name] ?? null);
    return answer === null ? UNKNOWN : always(answer);
  }
  const columns = names.map(columnOf);
  const [column = null, other = null] = columns;
  if (column === null || columns.includes(null)) return null;
  if (leaf.kind === 'has') return columns.length === 1 ? { ...leaf, properties: [column] } : null;
  // `elements` and `elements_ratios` have one entry per element, so their length is `nelements`.
  if (leaf.kind === 'length')
    return ['elements', 'elements_ratios'].includes(leaf.property)
      ? { kind: 'compare', property: 'nelements', operator: leaf.operator, to: { value: leaf.value } }
      : null;
  if (leaf.kind === 'known' || other === null) return { ...leaf, property: column };
  return { ...leaf, property: column, to: { property: other } };
}

/** Translates a filter to columns in memory; null when a condition needs a property without a column. */
export function inMemory(tree: Filter): Filter | null {
  if (tree.kind === 'not') {
    const term = inMemory(tree.term);
    return term && { kind: 'not', term };
  }
  if (tree.kind !== 'and' && tree.kind !== 'or') return leafInMemory(tree);
  const terms = tree.terms.map(inMemory).filter((term) => term !== null);
  return terms.length === tree.terms.length ? { kind: tree.kind, terms } : null;
}
