/** What filters and sorting of structures may name, and what that is in SQL. */
import { type Filter, sqlOfFilter, type SqlPiece } from '@unitcell/filter';
import { type RawBuilder, sql } from 'kysely';
import { type Asked, type AskedFields, filterFieldsFor } from './read-query.ts';
import { STRUCTURE_FIELDS } from './structure-fields.ts';

/** `id` is the number of the material as text. */
const ID_SQL = 'material.struct_id::text';
const TYPE_SQL = "'structures'::text";

/** What filters and sorting may name. */
export const STRUCTURE_QUERY: AskedFields = new Map<string, Asked>([
  ...STRUCTURE_FIELDS,
  ['id', { sql: ID_SQL, filter: { type: 'text' } }],
  ['type', { sql: TYPE_SQL, filter: { type: 'text' } }],
]);

export const sqlOf = (name: string): string => STRUCTURE_QUERY.get(name)?.sql ?? 'NULL';

export const conditionOf = (filter: Filter | null): RawBuilder<boolean> =>
  filter === null
    ? sql<boolean>`TRUE`
    : filterSql(sqlOfFilter(filter, filterFieldsFor(STRUCTURE_QUERY, [])), sqlOf);

/** @param columnOf a property as SQL, such as `material.band_gap`; never made of what a visitor wrote */
export function filterSql(
  pieces: readonly SqlPiece[],
  columnOf: (property: string) => string,
): RawBuilder<boolean> {
  const parts = pieces.map((piece) => {
    if (typeof piece === 'string') return sql.raw(piece);
    if ('property' in piece) return sql.raw(columnOf(piece.property));
    return sql`${piece.value}::${sql.raw(piece.type)}`;
  });
  return sql<boolean>`${sql.join(parts, sql.raw(''))}`;
}
