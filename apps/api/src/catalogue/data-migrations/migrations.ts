/** The data migrations, in order of dependence: cells, then patterns and arrangements. */
import { PACKED_PATTERN_VERSION } from '@unitcell/diffraction';
import { type Expression, expressionBuilder, sql } from 'kysely';
import type { DB } from '../../generated/tables/tables.ts';
import type { Db } from '../../infra/database.ts';
import { anyOf, columnsOf, json } from '../../infra/sql.ts';
import { ARRANGEMENT_BYTES, type MigratedCells } from './migrate-cells.ts';
import { type DataMigration, shareOut } from './migrate.ts';
import { storeArrangements } from '../write-materials.ts';

const { selectFrom } = expressionBuilder<DB, 'material_structure'>();
const lacks = (results: Expression<unknown>) => sql<boolean>`NOT EXISTS ${results}`;

// ── Cells, with the patterns and arrangements made from them ──

/** Rows stored before the original structure was kept. Those versions did not store the symmetry. */
const cell = columnsOf('material_structure');
const isOld = sql<boolean>`(NOT ${cell('is_given_kept')} AND ${cell('stated')} = '[]')`;

async function storeCells(tx: Db, structId: number, cells: MigratedCells): Promise<void> {
  await tx
    .updateTable('material_structure')
    .set({
      given: json(cells.given),
      rotation: json(cells.rotation),
      primitive: json(cells.primitive),
      conventional: json(cells.conventional),
      stated: json(cells.stated),
      wyckoffs: [...cells.wyckoffs],
      symprec: cells.symprec,
    })
    .where('struct_id', '=', structId)
    .execute();
  await tx
    .updateTable('material')
    .set({
      space_group_number: cells.spaceGroupNumber,
      space_group: cells.spaceGroup,
      hall: cells.hall,
      point_group: cells.pointGroup,
      crystal_system: cells.crystalSystem,
      lattice_type: cells.latticeType,
      volume: cells.volume,
    })
    .where('struct_id', '=', structId)
    .execute();
}

export const cellsMigration: DataMigration = {
  kind: 'cells',
  isOld,
  isMadeOnDemand: isOld,
  page: 100,
  async migrate(tx, threads, structIds) {
    const rows = await tx
      .selectFrom('material_structure')
      .select(['struct_id', 'primitive'])
      .where('struct_id', '=', anyOf(structIds, 'int'))
      .execute();
    const cells = await shareOut(threads, rows, (part) =>
      threads.run(
        'migrateCells',
        part.map(({ primitive }) => primitive),
      ),
    );
    const left: number[] = [];
    const changed: number[] = [];
    for (const [i, { struct_id }] of rows.entries()) {
      const migrated = cells[i];
      if (migrated) await storeCells(tx, struct_id, migrated);
      (migrated ? changed : left).push(struct_id);
    }
    await patternsMigration.migrate(tx, threads, changed);
    await arrangementsMigration.migrate(tx, threads, changed);
    return { changed: changed.length, left };
  },
};

// ── Arrangements of atoms, for the search of similar structures ──

export const arrangementsMigration: DataMigration = {
  kind: 'arrangements',
  isOld: lacks(
    selectFrom('structure_arrangement as made')
      .select('made.struct_id')
      .whereRef('made.struct_id', '=', 'material_structure.struct_id')
      .where(({ fn, eb }) => eb(fn<number>('length', ['made.vector']), '=', ARRANGEMENT_BYTES)),
  ),
  isMadeOnDemand: sql<boolean>`true`,
  page: 400,
  async migrate(tx, threads, structIds) {
    const cells = await tx
      .selectFrom('material_structure')
      .innerJoin('material', 'material.struct_id', 'material_structure.struct_id')
      .select(['material.struct_id', 'primitive', 'conventional', 'wyckoffs'])
      .select('space_group_number as spaceGroupNumber')
      .where('material.struct_id', '=', anyOf(structIds, 'int'))
      .forKeyShare()
      .execute();
    const made = await shareOut(threads, cells, (part) => threads.run('arrangeCells', part));
    const changed = await storeArrangements(
      tx,
      made.map((arrangement, index) => [cells[index]!.struct_id, arrangement]),
    );
    return { changed, left: [] };
  },
};

// ── Stored powder patterns, made from the original structures ──

/** Locks the existing rows until the transaction ends. Materials deleted before the lock are skipped. */
const cellsOf = (tx: Db, structIds: readonly number[]) =>
  tx
    .selectFrom('material_structure')
    .innerJoin('material', 'material.struct_id', 'material_structure.struct_id')
    .select(['material.struct_id', 'given'])
    .where('material.struct_id', '=', anyOf(structIds, 'int'))
    .forKeyShare()
    .execute();

export const patternsMigration: DataMigration = {
  kind: 'patterns',
  isOld: lacks(
    selectFrom('powder_pattern as made')
      .select('made.struct_id')
      .whereRef('made.struct_id', '=', 'material_structure.struct_id')
      .where(
        ({ ref }) =>
          sql<boolean>`substring(${ref('made.pattern')} FROM 1 FOR 1) = ${Buffer.of(PACKED_PATTERN_VERSION)}`,
      ),
  ),
  isMadeOnDemand: sql<boolean>`true`,
  page: 400,
  async migrate(tx, threads, structIds) {
    const cells = await cellsOf(tx, structIds);
    if (cells.length === 0) return { changed: 0, left: [] };
    const patterns = await shareOut(threads, cells, (part) =>
      threads.run(
        'packCells',
        part.map(({ given }) => given),
      ),
    );
    const stored = await tx
      .insertInto('powder_pattern')
      .values(cells.map(({ struct_id }, i) => ({ struct_id, pattern: Buffer.from(patterns[i]!) })))
      .onConflict((conflict) =>
        conflict
          .column('struct_id')
          .doUpdateSet(({ ref }) => ({ pattern: ref('excluded.pattern') }))
          .whereRef('powder_pattern.pattern', 'is distinct from', 'excluded.pattern'),
      )
      .returning('powder_pattern.struct_id')
      .execute();
    return { changed: stored.length, left: [] };
  },
};

export const DATA_MIGRATIONS: readonly DataMigration[] = [
  cellsMigration,
  patternsMigration,
  arrangementsMigration,
];
