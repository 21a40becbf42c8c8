/** A filter as a condition of Kysely's: values are parameters, columns are named by the caller. */
import type { SqlPiece } from '@unitcell/filter';
import { type RawBuilder, sql } from 'kysely';

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
