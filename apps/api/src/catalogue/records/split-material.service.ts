/** `unitcell catalogue split`: each record of a material becomes a material of its own again. */
import { sql } from 'kysely';
import { announceCatalogueChange } from '../../infra/catalogue-cache.ts';
import type { Database } from '../../infra/database.ts';
import { anyOf } from '../../infra/sql.ts';
import {
  insertMaterials,
  markAround,
  markSystemsOf,
  type Numbered,
  replaceMaterials,
} from '../write-materials.ts';
import type { Composition } from './records.repository.ts';

interface SplitRecord {
  readonly id: number;
  readonly ownId: number | null;
  readonly line: object;
}

/** Under its own id where it had one; the first record keeps the material's. */
export function splitMaterial({ db }: Pick<Database, 'db'>, composition: Composition) {
  /** @returns the ids of the materials it is now, the one it was first; null: it has one source */
  return (structId: number): Promise<readonly number[] | null> =>
    db.transaction().execute(async (tx) => {
      const rows: SplitRecord[] = await tx
        .selectFrom('material_record')
        .select(['id', 'own_id as ownId', 'line'])
        .where('struct_id', '=', structId)
        .orderBy(
          ({ eb, ref }) => eb('own_id', '=', ref('struct_id')),
          (order) => order.desc().nullsLast(),
        )
        .orderBy('id')
        .forUpdate()
        .execute();
      if (rows.length < 2) return null;
      const { work, order, defaultFunctional } = composition;
      const merged = await work.mergeRecords(rows.map(({ line }) => ({ lines: [line], order })));
      const unnumbered = rows.slice(1).filter(({ ownId }) => ownId === null).length;
      const free = await tx
        .selectFrom(sql`generate_series(1, ${unnumbered}::int)`.as('wanted'))
        .select(sql<number>`nextval('material_struct_id')::int`.as('id'))
        .execute();
      const fresh = free.map(({ id }) => id);
      const ids = rows.map(({ ownId }, index) => (index === 0 ? structId : (ownId ?? fresh.pop()!)));
      const numbered = ids.map((id, index): Numbered => [id, merged[index]!.material]);
      await markAround(tx, [structId]);
      await tx.deleteFrom('retired_id').where('struct_id', '=', anyOf(ids, 'int')).execute();
      await replaceMaterials(tx, numbered.slice(0, 1), defaultFunctional);
      // The line a record is known by is the one it came with, not what it was rounded to.
      const hashes = await tx
        .selectFrom('material_record')
        .select(['id', 'content_hash as hash'])
        .where('struct_id', '=', structId)
        .execute();
      const hashOf = new Map(hashes.map(({ id, hash }) => [id, hash]));
      await tx.deleteFrom('material_record').where('struct_id', '=', structId).execute();
      await tx
        .updateTable('material')
        .set({ content_hash: hashOf.get(rows[0]!.id)! })
        .where('struct_id', '=', structId)
        .execute();
      await insertMaterials(
        tx,
        numbered
          .slice(1)
          .map(
            ([id, material], at): Numbered => [
              id,
              { ...material, contentHash: hashOf.get(rows[at + 1]!.id)! },
            ],
          ),
        defaultFunctional,
      );
      await tx
        .insertInto('kept_apart')
        .values(ids.map((id) => ({ struct_id: id })))
        .onConflict((conflict) => conflict.doNothing())
        .execute();
      await markSystemsOf(tx, ids);
      await announceCatalogueChange(tx);
      return ids;
    });
}
