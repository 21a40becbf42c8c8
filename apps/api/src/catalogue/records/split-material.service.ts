/** `unitcell catalogue split`: each record of a material becomes a material of its own again. */
import { ANNOUNCE_CATALOGUE_CHANGE } from '../../infra/catalogue-cache.ts';
import { type Database, inTransaction } from '../../infra/database.ts';
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
export function splitMaterial({ pool }: Pick<Database, 'pool'>, composition: Composition) {
  /** @returns the ids of the materials it is now, the one it was first; null: it has one source */
  return (structId: number): Promise<readonly number[] | null> =>
    inTransaction(pool, async (client) => {
      const { rows } = await client.query<SplitRecord>(
        `SELECT id, own_id AS "ownId", line FROM material_record WHERE struct_id = $1
         ORDER BY own_id = struct_id DESC NULLS LAST, id FOR UPDATE`,
        [structId],
      );
      if (rows.length < 2) return null;
      const { work, order, defaultFunctional } = composition;
      const merged = await work.mergeRecords(rows.map(({ line }) => ({ lines: [line], order })));
      const unnumbered = rows.slice(1).filter(({ ownId }) => ownId === null).length;
      const free = await client.query<{ id: number }>(
        "SELECT nextval('material_struct_id')::int AS id FROM generate_series(1, $1)",
        [unnumbered],
      );
      const fresh = free.rows.map(({ id }) => id);
      const ids = rows.map(({ ownId }, index) => (index === 0 ? structId : (ownId ?? fresh.pop()!)));
      const numbered = ids.map((id, index): Numbered => [id, merged[index]!.material]);
      await markAround(client, [structId]);
      await client.query('DELETE FROM retired_id WHERE struct_id = ANY($1::int[])', [ids]);
      await replaceMaterials(client, numbered.slice(0, 1), defaultFunctional);
      // The line a record is known by is the one it came with, not what it was rounded to.
      const hashes = await client.query<{ id: number; hash: Buffer }>(
        'SELECT id, content_hash AS hash FROM material_record WHERE struct_id = $1',
        [structId],
      );
      const hashOf = new Map(hashes.rows.map(({ id, hash }) => [id, hash]));
      await client.query('DELETE FROM material_record WHERE struct_id = $1', [structId]);
      await client.query('UPDATE material SET content_hash = $2 WHERE struct_id = $1', [
        structId,
        hashOf.get(rows[0]!.id),
      ]);
      await insertMaterials(
        client,
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
      await client.query(
        'INSERT INTO kept_apart (struct_id) SELECT unnest($1::int[]) ON CONFLICT DO NOTHING',
        [ids],
      );
      await markSystemsOf(client, ids);
      await client.query(ANNOUNCE_CATALOGUE_CHANGE);
      return ids;
    });
}
