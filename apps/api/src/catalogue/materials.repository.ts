/** Writing materials: a batch per transaction, with the progress of its file, so that both are there or neither. */
import { columnTypes, type EnergyFieldName, rowOf, type Scalars } from '@unitcell/material';
import { sql } from 'kysely';
import { announceCatalogueChange } from '../infra/catalogue-cache.ts';
import type { Database, Db } from '../infra/database.ts';
import { anyOf, now } from '../infra/sql.ts';
import { storeArrangements } from './derive/store-arrangements.ts';
import type { StandardMaterial } from './standardise.ts';

export interface StoredBatch {
  readonly accepted: number;
  readonly duplicates: number;
  /** Materials whose struct_id belongs to another material already. */
  readonly taken: readonly number[];
  readonly structIds: readonly number[];
}

export interface FileProgress {
  readonly id: number;
  readonly unitsDone: number;
  readonly accepted: number;
  readonly refused: number;
  readonly duplicates: number;
  readonly isFinished: boolean;
}

export type MaterialsRepository = ReturnType<typeof materialsRepository>;

/** Inserts objects as rows: the column list comes from SQL types, the values travel as one JSON parameter. */
async function insertRows(tx: Db, table: string, columns: string, rows: readonly object[]): Promise<void> {
  if (rows.length === 0) return;
  const names = columns
    .split(',')
    .map((column) => column.trim().split(' ')[0])
    .join(', ');
  await sql`INSERT INTO ${sql.table(table)} (${sql.raw(names)}) SELECT ${sql.raw(names)}
    FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS row (${sql.raw(columns)})`.execute(tx);
}

const hex = (bytes: Uint8Array): string => `\\x${Buffer.from(bytes).toString('hex')}`;

/** The energies a material is shown with: those of one of its scales. Those of the hull are derived later. */
function shownEnergies(
  { energies, nAtoms }: StandardMaterial,
  defaultFunctional: string,
): Pick<Scalars, EnergyFieldName> {
  const own = energies.find((energy) => energy.functional === defaultFunctional) ?? energies[0];
  const energyPerAtom = own?.energyPerAtom ?? null;
  return {
    functional: own?.functional ?? null,
    energy: energyPerAtom === null ? null : energyPerAtom * nAtoms,
    energyPerAtom,
    formationEnergyPerAtom: own?.formationEnergyPerAtom ?? null,
    energyAboveHull: null,
  };
}

type Numbered = readonly [structId: number, material: StandardMaterial];

async function insertDetails(tx: Db, materials: readonly Numbered[]): Promise<void> {
  await insertRows(
    tx,
    'material_structure',
    `struct_id int, given jsonb, rotation jsonb, primitive jsonb, conventional jsonb, wyckoffs text[], symprec float8,
     stated jsonb, is_given_kept boolean`,
    materials.map(([struct_id, { given, rotation, primitive, conventional, wyckoffs, symprec, stated }]) => ({
      struct_id,
      given,
      rotation,
      primitive,
      conventional,
      wyckoffs,
      symprec,
      stated,
      is_given_kept: true,
    })),
  );
  await insertRows(
    tx,
    'powder_pattern',
    'struct_id int, pattern bytea',
    materials.map(([struct_id, { pattern }]) => ({ struct_id, pattern: hex(pattern) })),
  );
  await storeArrangements(
    tx,
    materials.map(([structId, { arrangement }]) => [structId, arrangement]),
  );
  await insertRows(
    tx,
    'material_energy',
    `struct_id int, functional text, chemical_system text, energy_per_atom float8, given_formation_energy float8,
     formation_energy_per_atom float8, source jsonb`,
    materials.flatMap(([struct_id, material]) =>
      material.energies.map((energy) => ({
        struct_id,
        functional: energy.functional,
        chemical_system: material.chemicalSystem,
        energy_per_atom: energy.energyPerAtom,
        given_formation_energy: energy.formationEnergyPerAtom,
        formation_energy_per_atom: energy.formationEnergyPerAtom,
        source: energy.source,
      })),
    ),
  );
  await insertProperties(tx, materials);
}

async function insertProperties(tx: Db, materials: readonly Numbered[]): Promise<void> {
  const insert = <T>(
    table: string,
    columns: string,
    resultsOf: (properties: StandardMaterial['properties']) => readonly (T | null)[],
    row: (result: T) => object,
  ): Promise<void> => {
    const rows = materials.flatMap(([struct_id, { properties }]) =>
      resultsOf(properties).flatMap((result) => (result === null ? [] : [{ struct_id, ...row(result) }])),
    );
    return insertRows(tx, table, `struct_id int, ${columns}`, rows);
  };
  const byFunctional = (result: { readonly functional: string }) => ({
    functional: result.functional,
    data: result,
  });
  await insert('band_structure', 'functional text, data jsonb', ({ bands }) => bands, byFunctional);
  await insert('density_of_states', 'functional text, data jsonb', ({ dos }) => dos, byFunctional);
  await insert(
    'elastic_tensor',
    'tensor jsonb',
    ({ tensors }) => [tensors.elastic],
    (tensor) => ({ tensor }),
  );
  await insert(
    'dielectric_tensor',
    'electronic jsonb, total jsonb',
    ({ tensors }) => [tensors.dielectric],
    (tensors) => tensors,
  );
  await insert(
    'piezoelectric_tensor',
    'total jsonb',
    ({ tensors }) => [tensors.piezoelectric],
    (total) => ({ total }),
  );
  await insert(
    'topology',
    'labels text[], rows jsonb',
    ({ topology }) => [topology],
    (table) => table,
  );
}

export function materialsRepository({ db }: Pick<Database, 'db'>) {
  /** Which of these hashes and ids are there already. */
  async function known(tx: Db, materials: readonly StandardMaterial[]) {
    const rows = await tx
      .selectFrom('material')
      .select(({ ref }) => ['struct_id', sql<string>`encode(${ref('content_hash')}, 'hex')`.as('hash')])
      .where(({ or, eb, ref }) =>
        or([
          sql<boolean>`${ref('content_hash')} = ANY(${materials.map(({ contentHash }) => Buffer.from(contentHash))}::bytea[])`,
          eb(
            'struct_id',
            '=',
            anyOf(
              materials.flatMap(({ structId }) => structId ?? []),
              'int',
            ),
          ),
        ]),
      )
      .execute();
    return { hashes: new Set(rows.map((row) => row.hash)), ids: new Set(rows.map((row) => row.struct_id)) };
  }

  async function numberNew(tx: Db, materials: readonly StandardMaterial[]) {
    const { hashes, ids } = await known(tx, materials);
    const fresh: StandardMaterial[] = [];
    const taken: number[] = [];
    let duplicates = 0;
    for (const material of materials) {
      const hash = Buffer.from(material.contentHash).toString('hex');
      if (hashes.has(hash)) duplicates++;
      else if (material.structId !== null && ids.has(material.structId)) taken.push(material.structId);
      else {
        hashes.add(hash);
        if (material.structId !== null) ids.add(material.structId);
        fresh.push(material);
      }
    }
    const missing = fresh.filter((material) => material.structId === null).length;
    const free: number[] = [];
    while (free.length < missing) {
      const made = await tx
        .selectFrom(sql`generate_series(1, ${missing - free.length}::int)`.as('wanted'))
        .select(sql<number>`nextval('material_struct_id')::int`.as('id'))
        .execute();
      // Ids given by hand may lie in the way of the sequence; those are stepped over.
      const used = await tx
        .selectFrom('material')
        .select('struct_id')
        .where(
          'struct_id',
          '=',
          anyOf(
            made.map(({ id }) => id),
            'int',
          ),
        )
        .execute();
      for (const { struct_id } of used) ids.add(struct_id);
      free.push(...made.map(({ id }) => id).filter((id) => !ids.has(id)));
    }
    const numbered = fresh.map((material): Numbered => [material.structId ?? free.pop()!, material]);
    return { numbered, duplicates, taken };
  }

  return {
    /** The progress of a file read before, or a new row for it. */
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

    /**
     * Stores new materials, marks their chemical systems dirty and moves the progress of the file on, in one
     * transaction. `defaultFunctional` is the scale a material shows when it has it.
     */
    storeBatch(
      materials: readonly StandardMaterial[],
      defaultFunctional: string,
      progress?: { readonly fileId: number; readonly units: number; readonly refused: number },
    ): Promise<StoredBatch> {
      return db.transaction().execute(async (tx) => {
        const { numbered, duplicates, taken } = await numberNew(tx, materials);
        await insertRows(
          tx,
          'material',
          `${columnTypes()}, provenance jsonb, content_hash bytea`,
          numbered.map(([structId, material]) => ({
            ...rowOf({ ...material, ...shownEnergies(material, defaultFunctional), structId }),
            provenance: material.provenance,
            content_hash: hex(material.contentHash),
          })),
        );
        await insertDetails(tx, numbered);
        await tx
          .insertInto('dirty_system')
          .columns(['chemical_system', 'functional'])
          .expression(({ selectFrom }) =>
            selectFrom('material_energy')
              .select(['chemical_system', 'functional'])
              .distinct()
              .where(
                'struct_id',
                '=',
                anyOf(
                  numbered.map(([id]) => id),
                  'int',
                ),
              ),
          )
          .onConflict((conflict) => conflict.doNothing())
          .execute();
        await announceCatalogueChange(tx);
        if (progress)
          await tx
            .updateTable('import_run')
            .set(({ eb }) => ({
              units_done: eb('units_done', '+', progress.units),
              refused: eb('refused', '+', progress.refused + taken.length),
              accepted: eb('accepted', '+', numbered.length),
              duplicates: eb('duplicates', '+', duplicates),
            }))
            .where('id', '=', progress.fileId)
            .execute();
        return { accepted: numbered.length, duplicates, taken, structIds: numbered.map(([id]) => id) };
      });
    },
  };
}
