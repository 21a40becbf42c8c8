/** Records are stored as complete lines of the import format without derived values. */
import { type ExpressionBuilder, sql } from 'kysely';
import type { DB } from '../../generated/tables/tables.ts';
import type { Db } from '../../infra/database.ts';
import { anyOf, batch, insertRows } from '../../infra/sql.ts';
import { toImportLine } from '../export/export-materials.ts';
import type { StandardMaterial } from '../standardise.ts';
import { type StoredMaterial, storedMaterials } from '../stored-material.ts';
import { markSystemsOf, type Numbered, replaceMaterials } from '../write-materials.ts';
import type { CrystalWork } from './assign-crystals.ts';
import type { RecordFigures } from '../../infra/stored-json.ts';
import type { SourceOrder } from './source-order.ts';

const RECORDS_LOCK = 190_004;

/** Imports may compose materials from records at the same time, but not during a correction. */
export const lockRecordsForImport = (tx: Db) =>
  sql`SELECT pg_advisory_xact_lock_shared(${RECORDS_LOCK})`.execute(tx);

/** A correction moves records between materials while no import adds any. */
export const lockRecordsForCorrection = (tx: Db) =>
  sql`SELECT pg_advisory_xact_lock(${RECORDS_LOCK})`.execute(tx);

const NOT_DERIVED = {
  energyAboveHull: null,
  decomposition: [],
  releaseId: null,
  oxygenPotentialMin: null,
  oxygenPotentialMax: null,
  decompositionEnergyInWater: null,
};

function withoutDerived({
  derived: _derived,
  struct_id: _id,
  ...line
}: Readonly<Record<string, unknown>>): object {
  return line;
}

/** @param stored a material with one source */
const lineOfStored = (stored: StoredMaterial): object => withoutDerived(toImportLine(stored, true));

function lineOfRecord(record: StandardMaterial): object {
  const { properties, energies } = record;
  const { topology } = properties;
  return lineOfStored({
    ...record,
    ...properties,
    topology: topology && { labels: [...topology.labels], rows: topology.rows.map((row) => ({ ...row })) },
    structId: 0,
    functional: energies[0]?.functional ?? null,
    energy: null,
    energyPerAtom: null,
    formationEnergyPerAtom: null,
    energyAboveHull: null,
    energies: energies.map((energy) => ({
      ...NOT_DERIVED,
      ...energy,
      givenFormationEnergy: energy.formationEnergyPerAtom,
    })),
  });
}

// ── Records of materials with several sources, and the materials composed from them ──

export interface Composition {
  readonly work: CrystalWork;
  readonly order: SourceOrder;
  /** The scale on which a material is listed if it has an energy on that scale. */
  readonly defaultFunctional: string;
}

/** A record to be added to an existing material. */
interface AddedRecord {
  readonly structId: number;
  /** The id with which the record was imported, if no other material uses this id. */
  readonly ownId: number | null;
  readonly record: StandardMaterial;
}

const NOT_COMPOSED: RecordFigures = { spaceGroup: '', values: {}, shown: [] };

/** True for a material with a single source: it has no row in `material_record`. */
export const hasNoRecord = ({ not, exists, selectFrom }: ExpressionBuilder<DB, 'material'>) =>
  not(
    exists(
      selectFrom('material_record')
        .whereRef('material_record.struct_id', '=', 'material.struct_id')
        .select('material_record.id'),
    ),
  );

/**
 * Stores the record of materials that had one source, so that this record can be combined with records of
 * other sources.
 */
export async function recordTheFirst(tx: Db, ids: readonly number[]): Promise<void> {
  const rows = await storedMaterials(tx)
    .select('material.content_hash as hash')
    .where('material.struct_id', '=', anyOf(ids, 'int'))
    .where(hasNoRecord)
    .execute();
  await insertRows(
    tx,
    'material_record',
    rows.map((row) => ({
      struct_id: row.structId,
      own_id: row.structId,
      source_name: row.sourceName,
      source_id: row.sourceId,
      source_licence: row.sourceLicence,
      source_url: row.sourceUrl,
      content_hash: row.hash,
      line: lineOfStored(row),
      figures: NOT_COMPOSED,
    })),
  );
  await tx
    .updateTable('material_record as record')
    .from('material')
    .set(({ ref }) => ({ created_at: ref('material.created_at') }))
    .whereRef('material.struct_id', '=', 'record.struct_id')
    .whereRef('record.own_id', '=', 'material.struct_id')
    .where('record.own_id', '=', anyOf(ids, 'int'))
    .execute();
}

interface StoredRecord {
  readonly id: number;
  readonly structId: number;
  readonly line: object;
}

/** Composes these materials from their records in order of arrival and marks their systems. */
export async function composeStored(
  tx: Db,
  ids: readonly number[],
  { work, order, defaultFunctional }: Composition,
): Promise<void> {
  if (ids.length === 0) return;
  const rows: StoredRecord[] = await tx
    .selectFrom('material_record')
    .select(['id', 'struct_id as structId', 'line'])
    .where('struct_id', '=', anyOf(ids, 'int'))
    .orderBy('id')
    .execute();
  const byMaterial = new Map<number, StoredRecord[]>();
  for (const row of rows) byMaterial.set(row.structId, [...(byMaterial.get(row.structId) ?? []), row]);
  const requests = [...byMaterial.values()].map((records) => ({
    lines: records.map(({ line }) => line),
    order,
  }));
  const merged = await work.mergeRecords(requests);
  const composed = [...byMaterial.keys()].map(
    (structId, index): Numbered => [structId, merged[index]!.material],
  );
  await markSystemsOf(tx, ids);
  await replaceMaterials(tx, composed, defaultFunctional);
  await markSystemsOf(tx, ids);
  const figures = [...byMaterial.values()].flatMap((records, index) =>
    records.map(({ id }, at) => ({ id, figures: merged[index]!.figures[at]! })),
  );
  await tx
    .updateTable('material_record as record')
    .from(batch('composed', 'material_record', figures))
    .set(({ ref }) => ({ figures: ref('composed.figures') }))
    .whereRef('record.id', '=', 'composed.id')
    .execute();
}

/**
 * Materials that lost records are composed from the remaining ones. If a single record remains, its row is
 * deleted and the material consists of this record. The hash of its first line still identifies it.
 */
export async function recompose(tx: Db, ids: readonly number[], composition: Composition): Promise<void> {
  await composeStored(tx, ids, composition);
  await tx
    .updateTable('material')
    .from(({ selectFrom }) =>
      selectFrom('material_record')
        .distinctOn('struct_id')
        .select(['struct_id', 'content_hash'])
        .where('struct_id', '=', anyOf(ids, 'int'))
        .orderBy('struct_id')
        .orderBy('id')
        .as('record'),
    )
    .set(({ ref }) => ({ content_hash: ref('record.content_hash') }))
    .whereRef('record.struct_id', '=', 'material.struct_id')
    .execute();
  await tx
    .deleteFrom('material_record')
    .where('struct_id', 'in', ({ selectFrom }) =>
      selectFrom('material_record')
        .select('struct_id')
        .where('struct_id', '=', anyOf(ids, 'int'))
        .groupBy('struct_id')
        .having(({ fn, eb }) => eb(fn.countAll(), '=', 1)),
    )
    .execute();
}

/** Adds records to materials and composes each of these materials again. */
export async function addRecords(
  tx: Db,
  added: readonly AddedRecord[],
  composition: Composition,
): Promise<void> {
  if (added.length === 0) return;
  const ids = [...new Set(added.map(({ structId }) => structId))];
  await recordTheFirst(tx, ids);
  await insertRows(
    tx,
    'material_record',
    added.map(({ structId, ownId, record }) => ({
      struct_id: structId,
      own_id: ownId,
      source_name: record.sourceName,
      source_id: record.sourceId,
      source_licence: record.sourceLicence,
      source_url: record.sourceUrl,
      content_hash: Buffer.from(record.contentHash),
      line: lineOfRecord(record),
      figures: NOT_COMPOSED,
    })),
  );
  const retired = added.flatMap(({ ownId, structId }) =>
    ownId === null ? [] : [{ struct_id: ownId, target_id: structId }],
  );
  await tx
    .insertInto('retired_id')
    .columns(['struct_id', 'target_id'])
    .expression(({ selectFrom }) =>
      selectFrom(batch('merged', 'retired_id', retired)).select(['struct_id', 'target_id']),
    )
    .onConflict((conflict) =>
      conflict.column('struct_id').doUpdateSet(({ ref }) => ({ target_id: ref('excluded.target_id') })),
    )
    .execute();
  await composeStored(tx, ids, composition);
}
