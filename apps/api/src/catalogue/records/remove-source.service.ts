/** `unitcell catalogue remove`: everything one source said is taken out of the catalogue. */
import { type Expression, sql } from 'kysely';
import { announceCatalogueChange } from '../../infra/catalogue-cache.ts';
import type { Database, Db } from '../../infra/database.ts';
import { anyOf } from '../../infra/sql.ts';
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

/** @param own the id a row came with */
const isSpared = (spared: readonly SparedRow[], own: Expression<number | null>, source: Expression<string>) =>
  sql<boolean>`coalesce((${own}, ${source}) IN (SELECT * FROM unnest(
    ${spared.map(({ structId }) => structId)}::int[], ${spared.map(({ sourceId }) => sourceId)}::text[])), false)`;

/** Materials all of whose records are this source's, and those that keep some. */
async function affected(tx: Db, source: string, spared: readonly SparedRow[]) {
  const rows = await tx
    .selectFrom('material_record')
    .select('struct_id as id')
    .select(({ ref, eb, or }) => {
      const stays = isSpared(spared, ref('own_id'), ref('source_id'));
      return sql<boolean>`bool_or(${or([eb('source_name', '<>', source), stays])})`.as('kept');
    })
    .groupBy('struct_id')
    .having(({ ref, eb, and, not }) => {
      const stays = isSpared(spared, ref('own_id'), ref('source_id'));
      return sql<boolean>`bool_or(${and([eb('source_name', '=', source), not(stays)])})`;
    })
    .unionAll(
      tx
        .selectFrom('material')
        .select(['struct_id as id', sql<boolean>`false`.as('kept')])
        .where('source_name', '=', source)
        .where(({ not, ref }) => not(isSpared(spared, ref('struct_id'), ref('source_id'))))
        .where(hasNoRecord),
    )
    .execute();
  const ids = (kept: boolean) => rows.filter((row) => row.kept === kept).map(({ id }) => id);
  return { gone: ids(false), kept: ids(true) };
}

/** Their ids, and those of what was merged into them, are nobody's from now on. */
async function retire(tx: Db, ids: readonly number[]): Promise<void> {
  const columns = ['struct_id', 'formula_reduced', 'source_name', 'source_id'] as const;
  await tx
    .insertInto('retired_id')
    .columns(columns)
    .expression(({ selectFrom }) =>
      selectFrom('material').select(columns).where('struct_id', '=', anyOf(ids, 'int')),
    )
    .execute();
  await tx
    .updateTable('retired_id')
    .set({ target_id: null })
    .where('target_id', '=', anyOf(ids, 'int'))
    .execute();
  await tx.deleteFrom('material').where('struct_id', '=', anyOf(ids, 'int')).execute();
}

/** In one transaction: the whole source or nothing of it. */
export function removeSource({ db }: Pick<Database, 'db'>, composition: Composition) {
  return (source: string, spared: readonly SparedRow[] = []): Promise<RemovalReport> =>
    db.transaction().execute(async (tx) => {
      const { gone, kept } = await affected(tx, source, spared);
      await markAround(tx, [...gone, ...kept]);
      await retire(tx, gone);
      await tx
        .updateTable('retired_id')
        .from('material_record as record')
        .innerJoin('material', 'material.struct_id', 'record.struct_id')
        .set(({ ref }) => ({
          target_id: null,
          formula_reduced: ref('material.formula_reduced'),
          source_name: ref('record.source_name'),
          source_id: ref('record.source_id'),
        }))
        .where('record.source_name', '=', source)
        .where(({ not, ref }) => not(isSpared(spared, ref('record.own_id'), ref('record.source_id'))))
        .whereRef('record.own_id', '=', 'retired_id.struct_id')
        .whereRef('retired_id.target_id', '=', 'record.struct_id')
        .execute();
      await tx
        .deleteFrom('material_record')
        .where('source_name', '=', source)
        .where(({ not, ref }) => not(isSpared(spared, ref('own_id'), ref('source_id'))))
        .execute();
      await recompose(tx, kept, composition);
      await announceCatalogueChange(tx);
      return { source, removed: gone.length, recomposed: kept.length };
    });
}
