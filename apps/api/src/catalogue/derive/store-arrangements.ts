/** Writes how the atoms of materials stand, over what was written of them before. */
import type pg from 'pg';
import type { StoredArrangement } from './arrange-cell.ts';

/** A material that was deleted meanwhile gets none. */
const STORE_SQL = `
  INSERT INTO structure_arrangement (struct_id, prototype, vector, to_close, to_diamond, to_salt)
  SELECT made.* FROM jsonb_to_recordset($1::jsonb)
    AS made (struct_id int, prototype text, vector bytea, to_close float8, to_diamond float8, to_salt float8)
    JOIN material USING (struct_id)
  ON CONFLICT (struct_id) DO UPDATE SET prototype = excluded.prototype, vector = excluded.vector,
    to_close = excluded.to_close, to_diamond = excluded.to_diamond, to_salt = excluded.to_salt`;

export async function storeArrangements(
  client: Pick<pg.ClientBase, 'query'>,
  arrangements: readonly (readonly [structId: number, arrangement: StoredArrangement])[],
): Promise<void> {
  const rows = arrangements.map(([struct_id, { prototype, vector, landmarks }]) => ({
    struct_id,
    prototype,
    vector: `\\x${Buffer.from(vector).toString('hex')}`,
    to_close: landmarks[0],
    to_diamond: landmarks[1],
    to_salt: landmarks[2],
  }));
  await client.query(STORE_SQL, [JSON.stringify(rows)]);
}
