/** `unitcell catalogue remove`: everything one source said is taken out of the catalogue. */
import { sql } from 'kysely';
import { announceCatalogueChange } from '../../infra/catalogue-cache.ts';
import type { Database, Db } from '../../infra/database.ts';
import { run } from '../../infra/sql.ts';
import { markAround } from '../write-materials.ts';
import { type Composition, hasNoRecord, recompose } from './records.repository.ts';

export interface RemovalReport {
  readonly source: string;
  /** Materials that nothing else speaks of: they are gone, their ids say so. */
  readonly removed: number;
  /** Materials that are composed of their other records now. */
  readonly recomposed: number;
}

/** A row that stays although its source goes: by the id it came with, and its id there. */
export interface SparedRow {
  readonly structId: number;
  readonly sourceId: string;
}

/** @param own column of the id a row came with */
const isSpared = (spared: readonly SparedRow[], own: string) =>
  sql<boolean>`coalesce((${sql.ref(own)}, source_id) IN (SELECT * FROM unnest(
    ${spared.map(({ structId }) => structId)}::int[], ${spared.map(({ sourceId }) => sourceId)}::text[])), false)`;

/** Materials all of whose records are this source's, and those that keep some. */
async function affected(tx: Db, source: string, spared: readonly SparedRow[]) {
  const stays = isSpared(spared, 'own_id');
  const rows = await tx
    .selectFrom('material_record')
    .select('struct_id as id')
    .select(sql<boolean>`bool_or(source_name <> ${source} OR ${stays})`.as('kept'))
    .groupBy('struct_id')
    .having(sql<boolean>`bool_or(source_name = ${source} AND NOT ${stays})`)
    .unionAll(
      tx
        .selectFrom('material')
        .select(['struct_id as id', sql<boolean>`false`.as('kept')])
        .where('source_name', '=', source)
        .where(({ not }) => not(isSpared(spared, 'struct_id')))
        .where(hasNoRecord),
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

const SPARED_RECORD = `coalesce((record.own_id, record.source_id) IN (SELECT * FROM unnest($2::int[], $3::text[])), false)`;

/** In one transaction: the whole source or nothing of it. */
export function removeSource({ db }: Pick<Database, 'db'>, composition: Composition) {
  return (source: string, spared: readonly SparedRow[] = []): Promise<RemovalReport> =>
    db.transaction().execute(async (tx) => {
      const { gone, kept } = await affected(tx, source, spared);
      const parameters = [
        source,
        spared.map(({ structId }) => structId),
        spared.map(({ sourceId }) => sourceId),
      ];
      await markAround(tx, [...gone, ...kept]);
      await retire(tx, gone);
      await run(
        tx,
        `UPDATE retired_id SET target_id = NULL, formula_reduced = material.formula_reduced,
           source_name = record.source_name, source_id = record.source_id
         FROM material_record AS record JOIN material USING (struct_id)
         WHERE record.source_name = $1 AND NOT ${SPARED_RECORD} AND record.own_id = retired_id.struct_id AND retired_id.target_id = record.struct_id`,
        parameters,
      );
      await run(
        tx,
        `DELETE FROM material_record record WHERE source_name = $1 AND NOT ${SPARED_RECORD}`,
        parameters,
      );
      await recompose(tx, kept, composition);
      await announceCatalogueChange(tx);
      return { source, removed: gone.length, recomposed: kept.length };
    });
}
