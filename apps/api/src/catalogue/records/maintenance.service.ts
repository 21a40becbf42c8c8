/**
 * Corrections by the operator: `unitcell catalogue merge` merges materials that an older version stored twice
 * (unless an operator split them), `split` separates the records of a material, `remove` removes a source.
 */
import type { CompactCell } from '@unitcell/crystal';
import { type Expression, sql } from 'kysely';
import { announceCatalogueChange } from '../../infra/catalogue-cache.ts';
import type { Database, Db } from '../../infra/database.ts';
import { anyOf, batch, currentStructId } from '../../infra/sql.ts';
import {
  insertMaterials,
  markAround,
  markSystemsOf,
  type Numbered,
  replaceMaterials,
} from '../write-materials.ts';
import { crystalKey } from './assign-crystals.ts';
import {
  composeStored,
  type Composition,
  hasNoRecord,
  lockRecordsForCorrection,
  recompose,
  recordTheFirst,
} from './records.repository.ts';
import { RUN4U_NAME } from './source-order.ts';

/** `unitcell catalogue remove`: removes everything that came from one source. */
interface RemovalReport {
  readonly source: string;
  /** Materials that had no other source: they were deleted and their ids retired. */
  readonly removed: number;
  /** Materials composed again from their other records. */
  readonly recomposed: number;
}

/** A row that is kept although its source is removed, identified by its own id and the id in its source. */
export interface SparedRow {
  readonly structId: number;
  readonly sourceId: string;
}

/** @param own the id with which a row was imported */
const isSpared = (spared: readonly SparedRow[], own: Expression<number | null>, source: Expression<string>) =>
  sql<boolean>`coalesce((${own}, ${source}) IN (SELECT * FROM unnest(
    ${spared.map(({ structId }) => structId)}::int[], ${spared.map(({ sourceId }) => sourceId)}::text[])), false)`;

/**
 * Finds materials whose records all come from this source, and materials that also have records of other
 * sources.
 */
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

/** Retires these ids and the ids merged into them, so that none is ever used again. */
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

/** Removes the whole source in one transaction. */
export function removeSource({ db }: Pick<Database, 'db'>, composition: Composition) {
  return (source: string, spared: readonly SparedRow[] = []): Promise<RemovalReport> =>
    db.transaction().execute(async (tx) => {
      await lockRecordsForCorrection(tx);
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
      // Changes the keys of all files, so that a new import reads them again. Otherwise they would count as
      // imported although their rows are gone.
      await tx
        .updateTable('import_run')
        .set(({ ref }) => ({ file_key: sql`${ref('file_key')} || ' ' || ${ref('id')}` }))
        .execute();
      await announceCatalogueChange(tx);
      return { source, removed: gone.length, recomposed: kept.length };
    });
}

interface Double {
  readonly formula: string;
  /** Id of the material into which this material is merged. */
  readonly target: number;
  readonly structId: number;
}

interface Row {
  readonly structId: number;
  readonly formulaReduced: string;
  readonly spaceGroupNumber: number;
  readonly cell: CompactCell;
}

/** Formulas examined per transaction. */
const BATCH_FORMULAS = 200;

async function doublesOf(tx: Db, formulas: readonly string[], { work }: Composition): Promise<Double[]> {
  const rows: Row[] = await tx
    .selectFrom('material')
    .innerJoin('material_structure', 'material_structure.struct_id', 'material.struct_id')
    .select(['material.struct_id as structId', 'formula_reduced as formulaReduced'])
    .select(['space_group_number as spaceGroupNumber', 'given as cell'])
    .where('formula_reduced', '=', anyOf(formulas, 'text'))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('kept_apart')
            .whereRef('kept_apart.struct_id', '=', 'material.struct_id')
            .select('kept_apart.struct_id'),
        ),
      ),
    )
    .orderBy('material.struct_id')
    .execute();
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const key = crystalKey(row.formulaReduced, row.spaceGroupNumber);
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  const several = [...groups.values()].filter((group) => group.length > 1);
  const assigned = await work.assignCrystals(
    several.map((group) => ({ stored: [], fresh: group.map(({ cell }) => cell) })),
  );
  return several.flatMap((group, index) =>
    group.flatMap(({ structId, formulaReduced }, at) => {
      const place = assigned[index]?.[at];
      return place && 'fresh' in place
        ? [{ formula: formulaReduced, target: group[place.fresh]!.structId, structId }]
        : [];
    }),
  );
}

async function mergeAll(tx: Db, doubles: readonly Double[], composition: Composition): Promise<void> {
  if (doubles.length === 0) return;
  const targets = [...new Set(doubles.map(({ target }) => target))];
  const gone = doubles.map(({ structId }) => structId);
  const merged = batch(
    'merged',
    'retired_id',
    doubles.map(({ structId, target }) => ({ struct_id: structId, target_id: target })),
  );
  await recordTheFirst(tx, [...targets, ...gone]);
  await markAround(tx, [...targets, ...gone]);
  await tx
    .updateTable('material_record')
    .from(merged)
    .set(({ ref }) => ({ struct_id: ref('merged.target_id') }))
    .whereRef('merged.struct_id', '=', 'material_record.struct_id')
    .execute();
  await tx.deleteFrom('material').where('struct_id', '=', anyOf(gone, 'int')).execute();
  await tx
    .updateTable('retired_id')
    .from(merged)
    .set(({ ref }) => ({ target_id: ref('merged.target_id') }))
    .whereRef('merged.struct_id', '=', 'retired_id.target_id')
    .execute();
  await tx
    .insertInto('retired_id')
    .columns(['struct_id', 'target_id'])
    .expression(({ selectFrom }) => selectFrom(merged).select(['struct_id', 'target_id']))
    .execute();
  await composeStored(tx, targets, composition);
  await announceCatalogueChange(tx);
}

export function mergeDoubles({ db }: Pick<Database, 'db'>, composition: Composition) {
  /** @param isDryRun only report */
  return async (isDryRun: boolean, onFound: (double: Double) => void): Promise<number> => {
    const rows = await db
      .selectFrom('material')
      .select('formula_reduced as formula')
      .groupBy('formula_reduced')
      .having(({ fn, eb }) => eb(fn.countAll(), '>', 1))
      .orderBy('formula_reduced')
      .execute();
    let count = 0;
    for (let start = 0; start < rows.length; start += BATCH_FORMULAS) {
      const formulas = rows.slice(start, start + BATCH_FORMULAS).map(({ formula }) => formula);
      const doubles = await db.transaction().execute(async (tx) => {
        if (!isDryRun) await lockRecordsForCorrection(tx);
        const found = await doublesOf(tx, formulas, composition);
        if (!isDryRun) await mergeAll(tx, found, composition);
        return found;
      });
      for (const double of doubles) onFound(double);
      count += doubles.length;
    }
    return count;
  };
}

/** `unitcell catalogue split`: makes each record of a material a separate material again. */
interface SplitRecord {
  readonly id: number;
  readonly ownId: number | null;
  readonly sourceName: string;
  readonly sourceId: string;
  readonly line: object;
}

/** Points the submissions that calculated these records to the materials that the records become. */
async function moveSubmissions(
  tx: Db,
  structId: number,
  records: readonly SplitRecord[],
  ids: readonly number[],
): Promise<void> {
  for (const [index, { sourceName, sourceId }] of records.entries())
    if (sourceName === RUN4U_NAME)
      await tx
        .updateTable('submission')
        .set({ struct_id: ids[index]! })
        .where(({ ref }) => sql<boolean>`'run4u-' || ${ref('id')} = ${sourceId}`)
        .where(({ eb, ref }) => eb(currentStructId(sql`${ref('struct_id')}`), '=', structId))
        .execute();
}

/** Records get their own ids back; the first record keeps the material's id. */
export function splitMaterial({ db }: Pick<Database, 'db'>, composition: Composition) {
  /** @returns the ids of the resulting materials, the original first; null if the material has one source */
  return (structId: number): Promise<readonly number[] | null> =>
    db.transaction().execute(async (tx) => {
      await lockRecordsForCorrection(tx);
      const rows: SplitRecord[] = await tx
        .selectFrom('material_record')
        .select(['id', 'own_id as ownId', 'source_name as sourceName', 'source_id as sourceId', 'line'])
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
      await moveSubmissions(tx, structId, rows, ids);
      await tx.deleteFrom('retired_id').where('struct_id', '=', anyOf(ids, 'int')).execute();
      await replaceMaterials(tx, numbered.slice(0, 1), defaultFunctional);
      // The hash of a record comes from its imported line, not from the stored values, which are rounded.
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
