/** Writes how the atoms of materials stand, over what was written of them before. */
import { sql } from 'kysely';
import type { Db } from '../../infra/database.ts';
import type { StoredArrangement } from './renew-cells.ts';

/** @returns how many are new or different */
export async function storeArrangements(
  db: Db,
  arrangements: readonly (readonly [structId: number, arrangement: StoredArrangement])[],
): Promise<number> {
  const rows = arrangements.map(([struct_id, { prototype, vector, landmarks }]) => ({
    struct_id,
    prototype,
    vector: `\\x${Buffer.from(vector).toString('hex')}`,
    to_close: landmarks[0],
    to_diamond: landmarks[1],
    to_salt: landmarks[2],
  }));
  const { numAffectedRows } = await sql`
  INSERT INTO structure_arrangement AS stored (struct_id, prototype, vector, to_close, to_diamond, to_salt)
  SELECT * FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
    AS made (struct_id int, prototype text, vector bytea, to_close float8, to_diamond float8, to_salt float8)
  ON CONFLICT (struct_id) DO UPDATE SET prototype = excluded.prototype, vector = excluded.vector,
    to_close = excluded.to_close, to_diamond = excluded.to_diamond, to_salt = excluded.to_salt
  WHERE (stored.*) IS DISTINCT FROM (excluded.*)`.execute(db);
  return Number(numAffectedRows ?? 0);
}
