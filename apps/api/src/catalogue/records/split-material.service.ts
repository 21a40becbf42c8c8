/** `unitcell catalogue split`: each record of a material becomes a material of its own again. */
import { sql } from 'kysely';
import { announceCatalogueChange } from '../../infra/catalogue-cache.ts';
import type { Database } from '../../infra/database.ts';
import { run } from '../../infra/sql.ts';
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
        .orderBy(sql`own_id = struct_id`, (order) => order.desc().nullsLast())
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
      await run(tx, 'DELETE FROM retired_id WHERE struct_id = ANY($1::int[])', [ids]);
      await replaceMaterials(tx, numbered.slice(0, 1), defaultFunctional);
      // The line a record is known by is the one it came with, not what it was rounded to.
      const hashes = await tx
        .selectFrom('material_record')
        .select(['id', 'content_hash as hash'])
        .where('struct_id', '=', structId)
        .execute();
      const hashOf = new Map(hashes.map(({ id, hash }) => [id, hash]));
      await run(tx, 'DELETE FROM material_record WHERE struct_id = $1', [structId]);
      await run(tx, 'UPDATE material SET content_hash = $2 WHERE struct_id = $1', [
        structId,
        hashOf.get(rows[0]!.id),
      ]);
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
      await run(tx, 'INSERT INTO kept_apart (struct_id) SELECT unnest($1::int[]) ON CONFLICT DO NOTHING', [
        ids,
      ]);
      await markSystemsOf(tx, ids);
      await announceCatalogueChange(tx);
      return ids;
    });
}
