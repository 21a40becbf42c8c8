/** Writes materials: one batch per transaction, together with the progress of its file. */
import type { CompactCell } from '@unitcell/crystal';
import { sql } from 'kysely';
import { announceCatalogueChange } from '../infra/catalogue-cache.ts';
import type { Database, Db } from '../infra/database.ts';
import { anyOf, now } from '../infra/sql.ts';
import { toImportLine } from './export/export-materials.ts';
import { draftFromImportLine } from './import/draft/draft-from-import-line.ts';
import { type Assignment, crystalKey, type CrystalWork, IN_THIS_THREAD } from './records/assign-crystals.ts';
import { addRecords, lockRecordsForImport } from './records/records.repository.ts';
import { DEFAULT_SOURCE_ORDER, type SourceOrder } from './records/source-order.ts';
import { contentHashOf, type StandardMaterial } from './standardise.ts';
import { storedMaterials } from './stored-material.ts';
import { insertMaterials, markSystemsOf, type Numbered } from './write-materials.ts';

/**
 * Decides where new materials belong: to an existing material, to an earlier material of the batch, or to a
 * new material.
 */
const keyOf = ({ formulaReduced, spaceGroupNumber }: StandardMaterial): string =>
  crystalKey(formulaReduced, spaceGroupNumber);

/** Locks crystals with these keys until the transaction ends, so that the compared crystals do not change. */
async function lockCrystals(tx: Db, materials: readonly StandardMaterial[]): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hash)
    FROM (SELECT DISTINCT hashtextextended(key, 17) AS hash FROM unnest(${materials.map(keyOf)}::text[]) AS key ORDER BY hash) AS keys`.execute(
    tx,
  );
}

async function cellsOf(tx: Db, ids: readonly number[]): Promise<Map<number, CompactCell>> {
  const rows = await tx
    .selectFrom('material_structure')
    .select(['struct_id as id', 'given as cell'])
    .where('struct_id', '=', anyOf(ids, 'int'))
    .execute();
  return new Map(rows.map(({ id, cell }) => [id, cell]));
}

/** Assigns each material to an existing or new material; positions are indices into the list. */
async function placeOf(tx: Db, fresh: readonly StandardMaterial[], work: CrystalWork): Promise<Assignment[]> {
  const formulas = [...new Set(fresh.map(({ formulaReduced }) => formulaReduced))];
  const rows = await tx
    .selectFrom('material')
    .select(['struct_id as structId', 'formula_reduced as formulaReduced'])
    .select('space_group_number as spaceGroupNumber')
    .where('formula_reduced', '=', anyOf(formulas, 'text'))
    .execute();
  const groups = new Map<string, { stored: number[]; fresh: number[] }>();
  fresh.forEach((material, position) => {
    const group = groups.get(keyOf(material)) ?? { stored: [], fresh: [] };
    group.fresh.push(position);
    groups.set(keyOf(material), group);
  });
  for (const { structId, formulaReduced, spaceGroupNumber } of rows)
    groups.get(crystalKey(formulaReduced, spaceGroupNumber))?.stored.push(structId);
  const places: Assignment[] = fresh.map(() => null);
  const compared = [...groups.values()].filter((group) => group.stored.length + group.fresh.length > 1);
  if (compared.length === 0) return places;
  const cells = await cellsOf(
    tx,
    compared.flatMap(({ stored }) => stored),
  );
  const assigned = await work.assignCrystals(
    compared.map((group) => ({
      stored: group.stored.flatMap((structId) => {
        const cell = cells.get(structId);
        return cell ? [{ structId, cell }] : [];
      }),
      fresh: group.fresh.map((position) => fresh[position]!.given),
    })),
  );
  compared.forEach((group, index) =>
    group.fresh.forEach((position, at) => {
      const place = assigned[index]?.[at] ?? null;
      places[position] = place && 'fresh' in place ? { fresh: group.fresh[place.fresh]! } : place;
    }),
  );
  return places;
}

interface StoredBatch {
  /** New materials and materials added as a further source. */
  readonly accepted: number;
  readonly duplicates: number;
  /** Accepted materials that were added to an existing one. */
  readonly merged: number;
  /** Ids of materials that were refused because their struct_id already belongs to another material. */
  readonly taken: readonly number[];
  /** The struct_id of each accepted material, in the same order. */
  readonly structIds: readonly number[];
}

interface FileProgress {
  readonly id: number;
  readonly unitsDone: number;
  readonly accepted: number;
  readonly refused: number;
  readonly duplicates: number;
  readonly isFinished: boolean;
}

export type MaterialsRepository = ReturnType<typeof materialsRepository>;

interface MaterialsOptions {
  readonly work?: CrystalWork;
  readonly order?: SourceOrder;
}

/**
 * For each of these ids that is in use: the material with this id, or the material that replaced the retired
 * id.
 */
async function holdersOf(tx: Db, ids: readonly number[]) {
  const rows = await tx
    .selectFrom('material')
    .select(({ ref }) => ['struct_id as id', ref('struct_id').$castTo<number | null>().as('target')])
    .where('struct_id', '=', anyOf(ids, 'int'))
    .unionAll(
      tx
        .selectFrom('retired_id')
        .select(['struct_id as id', 'target_id as target'])
        .where('struct_id', '=', anyOf(ids, 'int')),
    )
    .execute();
  return new Map(rows.map(({ id, target }) => [id, target]));
}

/** Returns the hashes that a stored record already has, in hexadecimal. */
async function storedAmong(on: Db, hashes: readonly Buffer[]): Promise<Set<string>> {
  const known = (table: 'material' | 'material_record') =>
    on
      .selectFrom(table)
      .select(({ ref }) => sql<string>`encode(${ref('content_hash')}, 'hex')`.as('hash'))
      .where(({ ref }) => sql<boolean>`${ref('content_hash')} = ANY(${hashes}::bytea[])`);
  const rows = await known('material').unionAll(known('material_record')).execute();
  return new Set(rows.map((row) => row.hash));
}

/** Materials that do not exist yet. Only the first of identical lines is included. */
async function withoutDuplicates(tx: Db, materials: readonly StandardMaterial[]) {
  const seen = await storedAmong(
    tx,
    materials.map(({ contentHash }) => Buffer.from(contentHash)),
  );
  return materials.filter(({ contentHash }) => {
    const hash = Buffer.from(contentHash).toString('hex');
    return !seen.has(hash) && seen.add(hash);
  });
}

/**
 * Positions of lines that our own export wrote for the material to which they are assigned. Cells are stored
 * with seven digits, so the hash of an exported line differs from that of the original line.
 */
async function exportedBefore(
  tx: Db,
  fresh: readonly StandardMaterial[],
  places: readonly Assignment[],
): Promise<ReadonlySet<number>> {
  const homes = places.flatMap((place) => (place && 'structId' in place ? [place.structId] : []));
  if (homes.length === 0) return new Set();
  const stored = await storedMaterials(tx).where('material.struct_id', '=', anyOf(homes, 'int')).execute();
  const hashes = new Map(
    stored.map((row) => {
      const line: unknown = JSON.parse(JSON.stringify(toImportLine(row)));
      return [row.structId, contentHashOf(draftFromImportLine(line))];
    }),
  );
  return new Set(
    fresh.flatMap(({ contentHash }, position) => {
      const place = places[position];
      const known = place && 'structId' in place ? hashes.get(place.structId) : undefined;
      return known?.equals(contentHash) ? [position] : [];
    }),
  );
}

/** Ids that were never used. Ids assigned by hand may be ahead of the sequence and are skipped. */
async function freeIds(tx: Db, count: number, given: ReadonlySet<number>): Promise<number[]> {
  const free: number[] = [];
  while (free.length < count) {
    const made = await tx
      .selectFrom(sql`generate_series(1, ${count - free.length}::int)`.as('wanted'))
      .select(sql<number>`nextval('material_struct_id')::int`.as('id'))
      .execute();
    const ids = made.map(({ id }) => id);
    const used = await holdersOf(tx, ids);
    free.push(...ids.filter((id) => !used.has(id) && !given.has(id)));
  }
  return free;
}

export function materialsRepository(
  { db }: Pick<Database, 'db'>,
  { work = IN_THIS_THREAD, order = DEFAULT_SOURCE_ORDER }: MaterialsOptions = {},
) {
  return {
    /** The stored progress of a file, or a new row if the file was never imported. */
    async openFile(fileKey: string, path: string): Promise<FileProgress> {
      return db
        .insertInto('import_run')
        .values({ file_key: fileKey, path })
        .onConflict((conflict) =>
          conflict.column('file_key').doUpdateSet(({ ref }) => ({ path: ref('excluded.path') })),
        )
        .returning(['id', 'units_done as unitsDone', 'accepted', 'refused', 'duplicates'])
        .returning(({ ref }) => sql<boolean>`${ref('finished_at')} IS NOT NULL`.as('isFinished'))
        .executeTakeFirstOrThrow();
    },

    async finishFile(id: number): Promise<void> {
      await db.updateTable('import_run').set({ finished_at: now }).where('id', '=', id).execute();
    },

    /** Returns the rows that are already stored. */
    async storedRows<Row extends { readonly hash: Uint8Array }>(rows: readonly Row[]): Promise<Row[]> {
      const keys = rows.map(({ hash }) => Buffer.from(hash));
      const stored = await storedAmong(db, keys);
      return rows.filter((_row, index) => stored.has(keys[index]!.toString('hex')));
    },

    /**
     * Stores materials as new crystals or as further sources of existing ones. It marks their chemical
     * systems dirty and advances the progress of the file in the same transaction. Concurrent imports wait
     * for each other only when both contain the same compound.
     * @param defaultFunctional the scale on which a material is listed if it has an energy on that scale
     */
    storeBatch(
      materials: readonly StandardMaterial[],
      defaultFunctional: string,
      progress?: { readonly fileId: number; readonly unitsDone: number; readonly refused: number },
    ): Promise<StoredBatch> {
      return db.transaction().execute(async (tx) => {
        await lockRecordsForImport(tx);
        await lockCrystals(tx, materials);
        const fresh = await withoutDuplicates(tx, materials);
        const places = await placeOf(tx, fresh, work);
        const repeated = await exportedBefore(tx, fresh, places);
        const ids = fresh.flatMap(({ structId }) => (structId === null ? [] : [structId]));
        const holders = await holdersOf(tx, ids);
        const given = new Set(ids);
        const free = await freeIds(tx, fresh.filter(({ structId }) => structId === null).length, given);
        const used = new Set<number>();
        const taken: number[] = [];
        /** The id under which each material is stored; null if its id belongs to another material. */
        const homes: (number | null)[] = [];
        const structIds: number[] = [];
        const created: Numbered[] = [];
        const added: { structId: number; ownId: number | null; record: StandardMaterial }[] = [];
        fresh.forEach((record, position) => {
          const place = places[position] ?? null;
          const home = place === null ? null : 'structId' in place ? place.structId : homes[place.fresh]!;
          const { structId } = record;
          if (repeated.has(position)) {
            homes.push(home);
            return;
          }
          const holder = structId === null ? undefined : holders.get(structId);
          const isTaken =
            structId !== null &&
            (used.has(structId) || (holder !== undefined && (home === null || holder !== home)));
          if (isTaken) {
            taken.push(structId);
            homes.push(null);
          } else if (home === null) {
            const id = structId ?? free.pop()!;
            used.add(id);
            created.push([id, record]);
            homes.push(id);
            structIds.push(id);
          } else {
            if (structId !== null) used.add(structId);
            added.push({ structId: home, ownId: holder === undefined ? structId : null, record });
            homes.push(home);
            structIds.push(home);
          }
        });
        await insertMaterials(tx, created, defaultFunctional);
        await addRecords(tx, added, { work, order, defaultFunctional });
        await markSystemsOf(tx, structIds);
        await announceCatalogueChange(tx);
        const duplicates = materials.length - fresh.length + repeated.size;
        if (progress)
          await tx
            .updateTable('import_run')
            .set(({ eb, ref }) => ({
              // The maximum, not a sum: if two processes import one file at once, a sum would count their
              // units twice, and a resumed import would skip units that are not stored.
              units_done: sql`greatest(${ref('units_done')}, ${progress.unitsDone})`,
              refused: eb('refused', '+', progress.refused + taken.length),
              accepted: eb('accepted', '+', structIds.length),
              duplicates: eb('duplicates', '+', duplicates),
            }))
            .where('id', '=', progress.fileId)
            .execute();
        return { accepted: structIds.length, duplicates, merged: added.length, taken, structIds };
      });
    },
  };
}
