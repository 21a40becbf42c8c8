/**
 * Predicts the materials that have no prediction of the chosen model: new materials, or all of them after
 * another model was chosen. Each page is one statement, so a run can stop at any time and resume.
 */
import { sql } from 'kysely';
import { activeModel, type ModelPlace } from '../../domain/prediction/models.ts';
import type { PredictedCell } from '../../domain/prediction/predict-cells.ts';
import { announceCatalogueChange } from '../../infra/catalogue-cache.ts';
import type { Database, Db } from '../../infra/database.ts';
import { anyOf, batch, now, rowVersion } from '../../infra/sql.ts';
import type { CatalogueThreads } from '../open-catalogue-threads.ts';
import { piecesOf } from './rederive-hulls.ts';

/** Materials per thread task; about a second of work. */
const SHARE = 100;
/**
 * Pages between two notifications. After each notification all processes reload the catalogue that they keep
 * in memory.
 */
const ANNOUNCED_PAGES = 25;

export interface PredictionReport {
  /** Name of the model; null: predictions are switched off. */
  readonly model: string | null;
  readonly predicted: number;
  /** The number of these materials for which the model gives no prediction. */
  readonly refused: number;
}

export interface PredictMaterialsOptions {
  readonly database: Pick<Database, 'db'>;
  readonly threads: Pick<CatalogueThreads, 'run' | 'size'>;
  /** Folder of the operator's models. */
  readonly home: string;
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: number, total: number) => void;
  /** Restricts the run to these materials. */
  readonly ids?: readonly number[];
}

const withoutPrediction = (db: Db, model: string, ids: readonly number[] | undefined) =>
  db
    .selectFrom('material_structure as structure')
    .leftJoin('material_prediction as prediction', (join) =>
      join.onRef('prediction.struct_id', '=', 'structure.struct_id').on('prediction.model', '=', model),
    )
    .where('prediction.struct_id', 'is', null)
    .$if(ids !== undefined, (query) => query.where('structure.struct_id', '=', anyOf(ids ?? [], 'int')));

const COLUMNS = [
  'struct_id',
  'model',
  'formation_energy_per_atom',
  'band_gap',
  'bulk_modulus',
  'shear_modulus',
  'values',
  'refusal',
] as const;

async function store(
  db: Db,
  model: string,
  page: readonly { readonly structId: number; readonly version: string }[],
  made: readonly PredictedCell[],
): Promise<void> {
  const rows = page.map(({ structId }, index) => {
    const { values, refusal } = made[index]!;
    return {
      struct_id: structId,
      model,
      formation_energy_per_atom: values?.formation_energy_per_atom.value ?? null,
      band_gap: values?.band_gap.value ?? null,
      bulk_modulus: values?.bulk_modulus.value ?? null,
      shear_modulus: values?.shear_modulus.value ?? null,
      values,
      refusal,
    };
  });
  const read = sql<{ id: number; version: string }>`unnest(
    ${page.map(({ structId }) => structId)}::int[], ${page.map((row) => row.version)}::text[])`;
  await db
    .insertInto('material_prediction')
    .columns(COLUMNS)
    .expression(({ selectFrom }) =>
      selectFrom(batch('made', 'material_prediction', rows))
        .innerJoin(read.as<'read'>(sql`read (id, version)`), 'read.id', 'made.struct_id')
        .innerJoin('material_structure as structure', (join) =>
          join
            .onRef('structure.struct_id', '=', 'made.struct_id')
            .on(rowVersion('structure'), '=', sql.ref<string>('read.version')),
        )
        .select(COLUMNS.map((column) => `made.${column}` as const)),
    )
    .onConflict((conflict) =>
      conflict.column('struct_id').doUpdateSet(({ ref }) => ({
        model: ref('excluded.model'),
        formation_energy_per_atom: ref('excluded.formation_energy_per_atom'),
        band_gap: ref('excluded.band_gap'),
        bulk_modulus: ref('excluded.bulk_modulus'),
        shear_modulus: ref('excluded.shear_modulus'),
        values: ref('excluded.values'),
        refusal: ref('excluded.refusal'),
        made_at: now,
      })),
    )
    .execute();
}

/** Deletes all predictions when predictions are switched off. Switching them on again makes new ones. */
async function forget(db: Db): Promise<void> {
  const { numDeletedRows } = await db.deleteFrom('material_prediction').executeTakeFirst();
  if (numDeletedRows > 0n) await announceCatalogueChange(db);
}

/** @throws PredictionError, AppError when the chosen model cannot be used */
export async function predictMaterials(options: PredictMaterialsOptions): Promise<PredictionReport> {
  const { database, threads, home, signal, onProgress, ids } = options;
  const { db } = database;
  let [predicted, refused, unannounced] = [0, 0, 0];
  const announce = async (): Promise<void> => {
    if (unannounced > 0) await announceCatalogueChange(db);
    unannounced = 0;
  };
  const predictPage = (model: ModelPlace, after: number) =>
    withoutPrediction(db, model.name, ids)
      .where('structure.struct_id', '>', after)
      .select([
        'structure.struct_id as structId',
        'structure.given as cell',
        rowVersion('structure').as('version'),
      ])
      .orderBy('structure.struct_id')
      .limit(SHARE * threads.size)
      .execute();

  let model = await activeModel(database, home);
  let after = -1;
  let total = 0;
  for (;;) {
    signal?.throwIfAborted();
    if (model === null) {
      if (ids === undefined) await forget(db);
      return { model: null, predicted, refused };
    }
    if (after === -1 && onProgress)
      total =
        predicted +
        Number(
          (
            await withoutPrediction(db, model.name, ids)
              .select(({ fn }) => fn.countAll().as('count'))
              .executeTakeFirstOrThrow()
          ).count,
        );
    const { name } = model;
    const page = await predictPage(model, after);
    if (page.length === 0 && after === -1) break;
    // Start over once: materials added during the run may have smaller ids.
    after = page.at(-1)?.structId ?? -1;
    const cells = page.map(({ cell }) => cell);
    const shares = piecesOf(cells, SHARE).map((share) =>
      threads.run('predictCells', { model: model!, cells: share }),
    );
    const made = (await Promise.all(shares)).flat();
    if (made.length > 0) await store(db, name, page, made);
    predicted += made.length;
    refused += made.filter(({ values }) => values === null).length;
    if (made.length > 0 && ++unannounced === ANNOUNCED_PAGES) await announce();
    onProgress?.(predicted, Math.max(total, predicted));
    const chosen = await activeModel(database, home);
    // Another model was chosen, so start over.
    if (chosen?.name !== name) after = -1;
    model = chosen;
  }
  await announce();
  return { model: model.name, predicted, refused };
}
