/** `unitcell catalogue remove`: everything one source said is taken out of the catalogue. */
import { sql } from 'kysely';
import { announceCatalogueChange } from '../../infra/catalogue-cache.ts';
import type { Database, Db } from '../../infra/database.ts';
import { run } from '../../infra/sql.ts';
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
async function affected(tx: Db, source: string) {
  const rows = await tx
    .selectFrom('material_record')
    .select('struct_id as id')
    .select(sql<boolean>`bool_or(source_name <> ${source})`.as('kept'))
    .groupBy('struct_id')
    .having(sql<boolean>`bool_or(source_name = ${source})`)
    .unionAll(
      tx
        .selectFrom('material')
        .select(['struct_id as id', sql<boolean>`false`.as('kept')])
        .where('source_name', '=', source)
        .where(({ not, exists, selectFrom }) =>
          not(
            exists(
              selectFrom('material_record')
                .whereRef('material_record.struct_id', '=', 'material.struct_id')
                .select('material_record.id'),
            ),
          ),
        ),
    )
    .execute();
  const ids = (kept: boolean) => rows.filter((row) => row.kept === kept).map(({ id }) => id);
  return { gone: ids(false), kept: ids(true) };
}

/** Their ids, and those of what was merged into them, are nobody's from now on. */
async function retire(tx: Db, ids: readonly number[]): Promise<void> {
  await run(
    tx,
    `INSERT INTO retired_id (struct_id, formula_reduced, source_name, source_id)
     SELECT struct_id, formula_reduced, source_name, source_id FROM material WHERE struct_id = ANY($1::int[])`,
    [ids],
  );
  await run(tx, 'UPDATE retired_id SET target_id = NULL WHERE target_id = ANY($1::int[])', [ids]);
  await run(tx, 'DELETE FROM material WHERE struct_id = ANY($1::int[])', [ids]);
}

/** In one transaction: the whole source or nothing of it. */
export function removeSource({ db }: Pick<Database, 'db'>, composition: Composition) {
  return (source: string): Promise<RemovalReport> =>
    db.transaction().execute(async (tx) => {
      const { gone, kept } = await affected(tx, source);
      await markAround(tx, [...gone, ...kept]);
      await retire(tx, gone);
      await run(
        tx,
        `UPDATE retired_id SET target_id = NULL, formula_reduced = material.formula_reduced,
           source_name = record.source_name, source_id = record.source_id
         FROM material_record AS record JOIN material USING (struct_id)
         WHERE record.source_name = $1 AND record.own_id = retired_id.struct_id AND retired_id.target_id = record.struct_id`,
        [source],
      );
      await run(tx, 'DELETE FROM material_record WHERE source_name = $1', [source]);
      await recompose(tx, kept, composition);
      await announceCatalogueChange(tx);
      return { source, removed: gone.length, recomposed: kept.length };
    });
}
