/** What filters and sorting of structures may name, and what that is in SQL. */
import { type Filter, sqlOfFilter, type SqlPiece } from '@unitcell/filter';
import { type Expression, type RawBuilder, sql } from 'kysely';
import { columnsOf } from '../../infra/sql.ts';
import { type Asked, type AskedFields, filterFieldsFor } from './read-query.ts';
import { STRUCTURE_FIELDS } from './structure-fields.ts';

/** What filters and sorting may name; `id` is the number of the material as text. */
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

/** @param columnOf a property as SQL */
export function filterSql(
  pieces: readonly SqlPiece[],
  columnOf: (property: string) => Expression<unknown>,
): RawBuilder<boolean> {
  const parts = pieces.map((piece) => {
    if (typeof piece === 'string') return sql.raw(piece);
    if ('property' in piece) return columnOf(piece.property);
    return sql`${piece.value}::${sql.raw(piece.type)}`;
  });
  return sql<boolean>`${sql.join(parts, sql.raw(''))}`;
}
