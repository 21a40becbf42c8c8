/**
 * Data migrations: after an upgrade they recompute the stored results that depend on a material's cell. They
 * work page by page, each page in its own transaction, so a run can stop at any time and resume. A material
 * that cannot be migrated is reported, left unchanged and not retried automatically. Every run is recorded as
 * a release of the migration's kind.
 */
import { ScienceError } from '@unitcell/errors';
import { type ExpressionBuilder, type RawBuilder, sql } from 'kysely';
import type { DB } from '../../generated/tables/tables.ts';
import { announceCatalogueChange } from '../../infra/catalogue-cache.ts';
import type { Database, Db } from '../../infra/database.ts';
import { columnsOf, json } from '../../infra/sql.ts';
import { hullRepository } from '../derive/hull.repository.ts';
import type { CatalogueThreads } from '../open-catalogue-threads.ts';

/** One kind of stored result. */
export interface DataMigration {
  /** The name that operators use. It is also the kind of the migration's releases. */
  readonly kind: string;
  /** Condition on a row of `material_structure`: the result is missing or was stored by an older version. */
  readonly isOld: RawBuilder<boolean>;
  /** Condition on a row of `material_structure`: the result is migrated only on an operator's demand. */
  readonly isMadeOnDemand: RawBuilder<boolean>;
  /** Materials read and written at a time; about one or two seconds of work. */
  readonly page: number;
  /** Makes the results of these materials and stores the results that are new or changed. */
  readonly migrate: (
    tx: Db,
    threads: CatalogueThreads,
    structIds: readonly number[],
  ) => Promise<MigrationOutcome>;
}

export interface MigrationOutcome {
  /** Materials for which something new or different was stored. */
  readonly changed: number;
  /** Materials that could not be migrated and stay unchanged. */
  readonly left: readonly number[];
}

export interface DataMigrationReport extends MigrationOutcome {
  readonly kind: string;
  /** Materials examined. */
  readonly materials: number;
}

export interface DataMigrationStatus {
  readonly kind: string;
  /** Materials that still have to be migrated. */
  readonly old: number;
  /** The last run; its report includes the work done before an interruption. Null if no run was needed. */
  readonly last: (DataMigrationReport & { readonly doneOn: string | null }) | null;
}

export interface DataMigrationOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
  readonly page?: number;
  /** On an operator's demand: also migrate results that look current, and retry failed materials. */
  readonly isOnDemand?: boolean;
}

/** Distributes the work of a page over the threads. The results keep the order of the page. */
export async function shareOut<T, R>(
  { size }: Pick<CatalogueThreads, 'size'>,
  page: readonly T[],
  work: (part: readonly T[]) => Promise<readonly R[]>,
): Promise<R[]> {
  const share = Math.ceil(page.length / size);
  const parts = Array.from({ length: size }, (_, i) => page.slice(i * share, (i + 1) * share));
  return (await Promise.all(parts.map(work))).flat();
}

/** Materials that failed in the last run and are therefore not retried automatically. */
const hasFailed = ({ selectFrom, eb }: ExpressionBuilder<DB, 'material_structure'>, kind: string) =>
  eb('material_structure.struct_id', 'in', () =>
    selectFrom((last) =>
      last
        .selectFrom('release')
        .select('summary')
        .where('kind', '=', kind)
        .orderBy('id', 'desc')
        .limit(1)
        .as('last'),
    ).select(({ ref }) =>
      sql<number>`jsonb_array_elements_text(${ref('last.summary')} -> 'left')::int`.as('id'),
    ),
  );

function waiting(db: Db, { kind, isOld, isMadeOnDemand }: DataMigration, isOnDemand = false) {
  const rows = db.selectFrom('material_structure');
  return isOnDemand
    ? rows.where(isMadeOnDemand)
    : rows.where(isOld).where((is) => is.not(hasFailed(is, kind)));
}

const countOf = async (rows: ReturnType<typeof waiting>): Promise<number> =>
  (await rows.select(sql<number>`count(*)::int`.as('count')).executeTakeFirstOrThrow()).count;

const release = columnsOf('release');
const figures = sql<Partial<DataMigrationReport>>`${release('summary')}`.as('summary');
const nothingDone = (kind: string): DataMigrationReport => ({ kind, materials: 0, changed: 0, left: [] });

export async function migrationStatus(
  { db }: Pick<Database, 'db'>,
  migration: DataMigration,
): Promise<DataMigrationStatus> {
  const last = await db
    .selectFrom('release')
    .select(figures)
    .select(
      sql<string | null>`to_char(${release('finished_at')} AT TIME ZONE 'UTC', 'YYYY-MM-DD')`.as('doneOn'),
    )
    .where('kind', '=', migration.kind)
    .orderBy('id', 'desc')
    .executeTakeFirst();
  return {
    kind: migration.kind,
    old: await countOf(waiting(db, migration)),
    last: last ? { ...nothingDone(migration.kind), ...last.summary, doneOn: last.doneOn } : null,
  };
}

/** Returns the interrupted run with its progress, or opens a new run. */
async function openRun(database: Pick<Database, 'db' | 'pool'>, kind: string) {
  const stopped = await database.db
    .selectFrom('release')
    .select(['id', figures])
    .where('kind', '=', kind)
    .where('finished_at', 'is', null)
    .orderBy('id', 'desc')
    .executeTakeFirst();
  const report = { ...nothingDone(kind), ...stopped?.summary };
  return { id: stopped?.id ?? (await hullRepository(database).openRelease(kind)), report };
}

/** If the cell of one material is invalid, the others are still migrated. */
async function renewPage(
  db: Db,
  threads: CatalogueThreads,
  migration: DataMigration,
  structIds: readonly number[],
): Promise<MigrationOutcome> {
  try {
    return await db.transaction().execute((tx) => migration.migrate(tx, threads, structIds));
  } catch (error) {
    if (!(error instanceof ScienceError)) throw error;
    if (structIds.length === 1) return { changed: 0, left: structIds };
    const half = Math.ceil(structIds.length / 2);
    const first = await renewPage(db, threads, migration, structIds.slice(0, half));
    const second = await renewPage(db, threads, migration, structIds.slice(half));
    return { changed: first.changed + second.changed, left: [...first.left, ...second.left] };
  }
}

/** @returns the report, including the work of an interrupted run; null when there is nothing to migrate */
export async function migrateMaterials(
  database: Pick<Database, 'db' | 'pool'>,
  threads: CatalogueThreads,
  migration: DataMigration,
  { signal, onProgress, page = migration.page, isOnDemand }: DataMigrationOptions = {},
): Promise<DataMigrationReport | null> {
  const { db } = database;
  const total = await countOf(waiting(db, migration, isOnDemand));
  if (total === 0) return null;
  const run = await openRun(database, migration.kind);
  let { report } = run;
  const pageAfter = async (structId: number): Promise<number[]> => {
    const rows = await waiting(db, migration, isOnDemand)
      .select('struct_id')
      .where('struct_id', '>', structId)
      .orderBy('struct_id')
      .limit(page)
      .execute();
    return rows.map(({ struct_id }) => struct_id);
  };
  let done = 0;
  for (let ids = await pageAfter(-1); ids.length > 0; ids = await pageAfter(ids.at(-1)!)) {
    signal?.throwIfAborted();
    const { changed, left } = await renewPage(db, threads, migration, ids);
    const wasLeftBefore = report.left.filter((structId) => !ids.includes(structId));
    report = {
      kind: migration.kind,
      materials: report.materials + ids.length,
      changed: report.changed + changed,
      left: [...wasLeftBefore, ...left],
    };
    await db
      .updateTable('release')
      .set({ summary: json(report) })
      .where('id', '=', run.id)
      .execute();
    if (changed > 0) await announceCatalogueChange(db);
    onProgress?.((done += ids.length), total);
  }
  await hullRepository(database).closeRelease(run.id, report);
  return report;
}
