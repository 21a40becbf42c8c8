/** Writes the arrangements of materials and replaces older ones. */
import { sql } from 'kysely';
import type { Db } from '../../infra/database.ts';
import { batch } from '../../infra/sql.ts';
import type { StoredArrangement } from './migrate-cells.ts';

/** @returns the number of arrangements that are new or different */
export async function storeArrangements(
  db: Db,
  arrangements: readonly (readonly [structId: number, arrangement: StoredArrangement])[],
): Promise<number> {
  const rows = arrangements.map(([struct_id, { prototype, vector, landmarks }]) => ({
    struct_id,
    prototype,
    vector: Buffer.from(vector),
    to_close: landmarks[0],
    to_diamond: landmarks[1],
    to_salt: landmarks[2],
  }));
  const columns = ['struct_id', 'prototype', 'vector', 'to_close', 'to_diamond', 'to_salt'] as const;
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('structure_arrangement')
    .columns(columns)
    .expression(({ selectFrom }) => selectFrom(batch('made', 'structure_arrangement', rows)).select(columns))
    .onConflict((conflict) =>
      conflict
        .column('struct_id')
        .doUpdateSet(({ ref }) => ({
          prototype: ref('excluded.prototype'),
          vector: ref('excluded.vector'),
          to_close: ref('excluded.to_close'),
          to_diamond: ref('excluded.to_diamond'),
          to_salt: ref('excluded.to_salt'),
        }))
        .where(sql<boolean>`(structure_arrangement.*) IS DISTINCT FROM (excluded.*)`),
    )
    .executeTakeFirst();
  return Number(numInsertedOrUpdatedRows ?? 0);
}
