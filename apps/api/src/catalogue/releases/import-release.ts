/**
 * An import that ends in a release: it imports files, derives the dependent data, and stores a report. With a
 * gate, either everything is stored or nothing.
 */
import { FIELD_NAMES, fields } from '@unitcell/material';
import { Kysely, PostgresDialect, sql } from 'kysely';
import type pg from 'pg';
import type { DB } from '../../generated/tables/tables.ts';
import type { Database, Db } from '../../infra/database.ts';
import { columnsOf } from '../../infra/sql.ts';
import type { Distribute } from '../derive/derive-in-parallel.ts';
import { hullRepository } from '../derive/hull.repository.ts';
import { predictMaterials } from '../derive/predict-materials.ts';
import { type DisagreementReport, predictionDisagreements } from '../derive/prediction-disagreements.ts';
import { type CatalogueReport, rederiveAll, workInThreads } from '../derive/rederive-catalogue.ts';
import {
  type FileReport,
  importFiles,
  type ImportOptions,
  type ImportProgress,
} from '../import/import-files.service.ts';
import type { HullChanges } from './hull-changes.ts';

/** Counts, extremes and quantiles of a number over all materials, for the report of a release. */
export interface ColumnStatistics {
  readonly column: string;
  readonly unit: string;
  /** Materials that have the value. */
  readonly count: number;
  readonly min: number | null;
  readonly max: number | null;
  /** Values at `QUANTILES`. */
  readonly quantiles: readonly number[] | null;
}

const QUANTILES = [0.01, 0.25, 0.5, 0.75, 0.99] as const;

const NUMBERS = FIELD_NAMES.flatMap((name) => {
  const field = fields[name];
  if (field.kind !== 'number' && field.kind !== 'count') return [];
  return [{ column: field.column, unit: field.kind === 'number' ? (field.unit ?? '') : '' }];
});

async function columnStatistics(db: Db): Promise<ColumnStatistics[]> {
  const figures = ({ column }: (typeof NUMBERS)[number]) => {
    const number = columnsOf('material')(column);
    return sql<Omit<ColumnStatistics, 'column' | 'unit'>>`jsonb_build_object('count', count(${number}),
      'min', min(${number}), 'max', max(${number}),
      'quantiles', percentile_cont(${sql.lit(`{${QUANTILES.join(',')}}`)}::float8[]) WITHIN GROUP (ORDER BY ${number}))`;
  };
  const row = await db
    .selectFrom('material')
    .select(NUMBERS.map((number) => figures(number).as(number.column)))
    .executeTakeFirstOrThrow();
  return NUMBERS.map(({ column, unit }) => ({ column, unit, ...row[column] }));
}

/**
 * A database with one connection in one transaction. Code written for a pool works with it, and everything is
 * kept or rolled back together. Nested transactions become savepoints, one at a time.
 */
type TransactionDatabase = Pick<Database, 'db' | 'readDb' | 'pool' | 'readPool'>;

/** Statements that begin and end a transaction, in any notation. */
const WORDS: readonly (readonly [RegExp, string])[] = [
  [/^\s*(?:begin|start transaction)\b/i, 'SAVEPOINT inner_transaction'],
  [/^\s*commit\b/i, 'RELEASE SAVEPOINT inner_transaction'],
  [/^\s*rollback\b/i, 'ROLLBACK TO SAVEPOINT inner_transaction'],
];

type Query = (...given: readonly unknown[]) => Promise<unknown>;

/** @param work rolls everything back if it throws or returns `false` */
async function inOneTransaction(
  pool: pg.Pool,
  work: (database: TransactionDatabase) => Promise<boolean>,
): Promise<void> {
  const client = await pool.connect();
  const send: Query = client.query.bind(client) as Query;
  /** Resolves when the current savepoint is released; the next caller waits for it. */
  let savepoint: Promise<void> = Promise.resolve();

  function borrowed(): pg.PoolClient {
    let end: (() => void) | null = null;
    const finish = (): void => {
      end?.();
      end = null;
    };
    const query: Query = async (given, ...rest) => {
      const text = typeof given === 'string' ? given : (given as { readonly text?: string }).text;
      const word = text === undefined ? -1 : WORDS.findIndex(([pattern]) => pattern.test(text));
      if (word === -1) return send(given, ...rest);
      if (word === 0) {
        const before = savepoint;
        savepoint = new Promise((resolve) => {
          end = resolve;
        });
        await before;
      }
      try {
        return await send(WORDS[word]![1]);
      } finally {
        if (word !== 0) finish();
      }
    };
    return Object.assign(Object.create(client) as pg.PoolClient, { query, release: finish });
  }

  const facade = {
    connect: async () => borrowed(),
    query: send,
    end: async () => undefined,
  } as unknown as pg.Pool;
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool: facade }) });
  try {
    await client.query('BEGIN');
    const isKept = await work({ db, readDb: db, pool: facade, readPool: facade });
    await client.query(isKept ? 'COMMIT' : 'ROLLBACK');
    client.release();
  } catch (error) {
    // Closing the connection rolls back in any state.
    client.release(true);
    throw error;
  }
}

export interface ReleaseReport {
  /** Id of the release; null: nothing was stored. */
  readonly release: number | null;
  readonly files: readonly FileReport[];
  /** Hull changes by energy scale; empty if hulls are derived later. */
  readonly hulls: readonly HullChanges[];
  readonly columns: readonly ColumnStatistics[];
  /**
   * Predictions for the imported materials; null if predictions are off, or if there are too many materials,
   * which the worker predicts later.
   */
  readonly predictions: DisagreementReport | null;
  /** Why the gate refused; empty if it did not. */
  readonly surprises: readonly string[];
}

export interface ReleaseOptions extends Omit<ImportOptions, 'database'> {
  readonly paths: readonly string[];
  readonly hulls: boolean;
  /** Folder of the operator's models. */
  readonly home: string;
  /** Imports and reports, then rolls everything back. */
  readonly isDryRun?: boolean;
  /**
   * Largest share of a scale's entries that may change by more than 1 meV/atom; if more change, nothing is
   * stored.
   */
  readonly maxChanged?: number;
  readonly onFile?: (report: FileReport) => void;
  readonly onBytes?: (path: string, progress: ImportProgress) => void;
  readonly onSystems?: (done: number, total: number) => void;
  readonly onDerived?: (derived: CatalogueReport | null) => void;
  /**
   * Distributes the derivation. All-or-nothing imports do not use it, because other processes cannot see the
   * data of the open transaction.
   */
  readonly distribute?: Distribute;
}

/** Largest number of materials predicted during the import; predicting this many takes minutes. */
const MAX_PREDICTED = 20_000;

/**
 * Materials stored or changed since a release began, or, if it resumed an import, since that import began.
 */
const changedSince = async ({ db }: Pick<TransactionDatabase, 'db'>, release: number): Promise<number[]> => {
  const rows = await db
    .selectFrom('material')
    .select('struct_id')
    .where(({ eb, selectFrom }) =>
      eb(
        'updated_at',
        '>=',
        selectFrom('release')
          .leftJoin('import_run', (join) => join.onRef('import_run.finished_at', '>=', 'release.started_at'))
          .select(sql<Date>`least(min(release.started_at), min(import_run.started_at))`.as('since'))
          .where('release.id', '=', release),
      ),
    )
    .limit(MAX_PREDICTED + 1)
    .execute();
  return rows.map(({ struct_id }) => struct_id);
};

/** Refusals kept in the stored report. All refusals are in the file that the command writes. */
const KEPT_REFUSALS = 100;

const NOT_COMPARED =
  'another process is deriving the catalogue, so the changes are not known: run this again when it has finished';

function surprisesOf(hulls: readonly HullChanges[], maxChanged: number): string[] {
  return hulls.flatMap(({ functional, compared, changed, implausible }) => [
    ...(compared > 0 && changed / compared > maxChanged
      ? [
          `${changed} of ${compared} energies above hull on the scale ${functional} moved by more than 1 meV/atom (${((100 * changed) / compared).toFixed(1)} %): at most ${100 * maxChanged} % were allowed`,
        ]
      : []),
    ...implausible.map(
      ({ structId, formula, formationEnergyPerAtom }) =>
        `${formula} (${structId}) would have a formation energy of ${formationEnergyPerAtom.toFixed(2)} eV/atom on the scale ${functional}: check the unit of its energy`,
    ),
  ]);
}

async function run(
  database: TransactionDatabase,
  {
    paths,
    hulls,
    maxChanged = 1,
    onFile,
    onBytes,
    onSystems,
    onDerived,
    distribute,
    ...options
  }: ReleaseOptions,
): Promise<ReleaseReport> {
  const releases = hullRepository(database);
  const release = await releases.openRelease('import');
  const importer = importFiles({ ...options, database });
  const files: FileReport[] = [];
  for (const path of paths) {
    const report = await importer.importPath(path, (progress) => onBytes?.(path, progress));
    onFile?.(report);
    files.push(report);
  }
  const changed = await changedSince(database, release);
  const { threads, home } = options;
  const derived = hulls
    ? await rederiveAll(database, {
        ...workInThreads(threads),
        ...(onSystems ? { onProgress: onSystems } : {}),
        ...(distribute ? { distribute } : {}),
      })
    : null;
  if (hulls) onDerived?.(derived);
  const changes = (derived?.hulls ?? []).map((report) => report.changes);
  const columns = await columnStatistics(database.db);
  const isPredicted =
    changed.length <= MAX_PREDICTED &&
    (await predictMaterials({ database, threads, home, ids: changed })).model !== null;
  const predictions = isPredicted ? await predictionDisagreements(database, changed) : null;
  await releases.closeRelease(release, {
    files: files.map((file) => ({ ...file, refusals: file.refusals.slice(0, KEPT_REFUSALS) })),
    hulls: changes,
    columns,
    predictions,
  });
  return {
    release,
    files,
    hulls: changes,
    columns,
    predictions,
    surprises: hulls && derived === null ? [NOT_COMPARED] : surprisesOf(changes, maxChanged),
  };
}

/** @throws UnreadableSource */
export async function importRelease(database: Database, options: ReleaseOptions): Promise<ReleaseReport> {
  const { isDryRun = false, maxChanged } = options;
  if (!isDryRun && maxChanged === undefined) return { ...(await run(database, options)), surprises: [] };
  let report: ReleaseReport | null = null;
  const { distribute: _, ...unseen } = options;
  await inOneTransaction(database.pool, async (transaction) => {
    report = await run(transaction, unseen);
    return !isDryRun && report.surprises.length === 0;
  });
  const made = report as ReleaseReport | null;
  if (made === null) throw new Error('the import ended without a report');
  return isDryRun || made.surprises.length > 0 ? { ...made, release: null } : made;
}
