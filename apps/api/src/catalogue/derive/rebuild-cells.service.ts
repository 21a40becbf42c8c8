/**
 * Brings the cells of materials that an older version stored to the settings of today, with their patterns. Page by page, each
 * in a transaction of its own: it can be stopped at any time and goes on where it stopped.
 */
import { sql } from 'kysely';
import { announceCatalogueChange } from '../../infra/catalogue-cache.ts';
import type { Database, Db } from '../../infra/database.ts';
import { json } from '../../infra/sql.ts';
import type { CatalogueThreads } from '../open-catalogue-threads.ts';
import { hullRepository } from './hull.repository.ts';
import { shareOut, storePatterns } from './rebuild-patterns.service.ts';
import type { RenewedCells } from './renew-cells.ts';

/** Materials read and written at a time: a second or two of work. */
const PAGE = 100;

/** The release that says that it was done. */
const KIND = 'cells';

export interface CellsReport {
  /** Materials of an older version whose cells are those of today now, in this run and before. */
  readonly renewed: number;
  /** Materials whose cell would be another one: they stay as they are. */
  readonly left: readonly number[];
}

export interface CellsOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
  readonly page?: number;
}

/** What an older version stored, and of that what has the old cells still: the symmetry was not stated then. */
const ofOlderVersions = (db: Db) => db.selectFrom('material_structure').where('is_given_kept', '=', false);
const withOldCells = (db: Db) => ofOlderVersions(db).where(sql<boolean>`stated = '[]'`);

async function storeCells(tx: Db, structId: number, cells: RenewedCells): Promise<void> {
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

/** How far the cells are, and when they were done. */
export async function cellsStatus({ db }: Pick<Database, 'db'>) {
  const count = sql<number>`count(*)::int`.as('count');
  const { count: all } = await ofOlderVersions(db).select(count).executeTakeFirstOrThrow();
  const { count: old } = await withOldCells(db).select(count).executeTakeFirstOrThrow();
  const done = await db
    .selectFrom('release')
    .select(sql<string>`to_char(finished_at AT TIME ZONE 'UTC', 'YYYY-MM-DD')`.as('date'))
    .where('kind', '=', KIND)
    .where('finished_at', 'is not', null)
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return { renewed: all - old, old, doneOn: done?.date ?? null };
}

/** Whether an upgrade left cells that nobody has looked at yet. */
export async function isCellUpgradeDue(database: Pick<Database, 'db'>): Promise<boolean> {
  const { old, doneOn } = await cellsStatus(database);
  return old > 0 && doneOn === null;
}

export async function rebuildCells(
  database: Pick<Database, 'db' | 'pool'>,
  threads: CatalogueThreads,
  { signal, onProgress, page: size = PAGE }: CellsOptions = {},
): Promise<CellsReport> {
  const { db } = database;
  const releases = hullRepository(database);
  const pageAfter = (structId: number) =>
    withOldCells(db)
      .select(['struct_id', 'primitive', 'given'])
      .where('struct_id', '>', structId)
      .orderBy('struct_id')
      .limit(size)
      .execute();
  const { old: total } = await cellsStatus(database);
  const release = total > 0 ? await releases.openRelease(KIND) : null;
  const left: number[] = [];
  let done = 0;
  for (let page = await pageAfter(-1); page.length > 0; page = await pageAfter(page.at(-1)!.struct_id)) {
    signal?.throwIfAborted();
    const cells = await shareOut(threads, page, (part) =>
      threads.run(
        'renewCells',
        part.map(({ primitive }) => primitive),
      ),
    );
    const renewed = page.map(({ struct_id, given }, i) => ({ struct_id, given: cells[i]?.given ?? given }));
    await db.transaction().execute(async (tx) => {
      for (const [i, { struct_id }] of renewed.entries())
        if (cells[i]) await storeCells(tx, struct_id, cells[i]);
      await storePatterns(tx, threads, renewed);
      await announceCatalogueChange(tx);
    });
    left.push(...page.flatMap(({ struct_id }, i) => (cells[i] ? [] : [struct_id])));
    onProgress?.((done += page.length), total);
  }
  const { renewed } = await cellsStatus(database);
  if (release !== null) await releases.closeRelease(release, { renewed, left });
  return { renewed, left };
}
