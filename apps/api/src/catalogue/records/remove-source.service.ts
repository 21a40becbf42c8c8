/** `unitcell catalogue remove`: everything one source said is taken out of the catalogue. */
import type pg from 'pg';
import { ANNOUNCE_CATALOGUE_CHANGE } from '../../infra/catalogue-cache.ts';
import { type Database, inTransaction } from '../../infra/database.ts';
import { markAround } from '../write-materials.ts';
import { type Composition, recompose } from './records.repository.ts';

export interface RemovalReport {
  readonly source: string;
  /** Materials that nothing else speaks of: they are gone, their ids say so. */
  readonly removed: number;
  /** Materials that are composed of their other records now. */
  readonly recomposed: number;
}

/** Materials all of whose records are this source's, and those that keep some. */
async function affected(client: pg.PoolClient, source: string) {
  const { rows } = await client.query<{ id: number; kept: boolean }>(
    `SELECT struct_id AS id, bool_or(source_name <> $1) AS kept FROM material_record GROUP BY 1
       HAVING bool_or(source_name = $1)
     UNION ALL
     SELECT struct_id, false FROM material WHERE source_name = $1
       AND NOT EXISTS (SELECT FROM material_record WHERE material_record.struct_id = material.struct_id)`,
    [source],
  );
  const ids = (kept: boolean) => rows.filter((row) => row.kept === kept).map(({ id }) => id);
  return { gone: ids(false), kept: ids(true) };
}

/** Their ids, and those of what was merged into them, are nobody's from now on. */
async function retire(client: pg.PoolClient, ids: readonly number[]): Promise<void> {
  await client.query(
    `INSERT INTO retired_id (struct_id, formula_reduced, source_name, source_id)
     SELECT struct_id, formula_reduced, source_name, source_id FROM material WHERE struct_id = ANY($1::int[])`,
    [ids],
  );
  await client.query('UPDATE retired_id SET target_id = NULL WHERE target_id = ANY($1::int[])', [ids]);
  await client.query('DELETE FROM material WHERE struct_id = ANY($1::int[])', [ids]);
}

/** In one transaction: the whole source or nothing of it. */
export function removeSource({ pool }: Pick<Database, 'pool'>, composition: Composition) {
  return (source: string): Promise<RemovalReport> =>
    inTransaction(pool, async (client) => {
      const { gone, kept } = await affected(client, source);
      await markAround(client, [...gone, ...kept]);
      await retire(client, gone);
      await client.query(
        `UPDATE retired_id SET target_id = NULL, formula_reduced = material.formula_reduced,
           source_name = record.source_name, source_id = record.source_id
         FROM material_record AS record JOIN material USING (struct_id)
         WHERE record.source_name = $1 AND record.own_id = retired_id.struct_id AND retired_id.target_id = record.struct_id`,
        [source],
      );
      await client.query('DELETE FROM material_record WHERE source_name = $1', [source]);
      await recompose(client, kept, composition);
      await client.query(ANNOUNCE_CATALOGUE_CHANGE);
      return { source, removed: gone.length, recomposed: kept.length };
    });
}
