/**
 * The model used for predictions: the shipped one, one from the operator's folder, or none. Every use reads
 * the stored choice, so a switch needs no restart.
 */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { manifestInNode, nameOfModel } from '@unitcell/prediction/node';
import { announceCatalogueChange } from '../../infra/catalogue-cache.ts';
import type { Database, Db } from '../../infra/database.ts';
import { now } from '../../infra/sql.ts';
import { AppError } from '../../messages/app-error.ts';

export interface ModelPlace {
  /** First 12 hexadecimal digits of the SHA-256 of the weights. */
  readonly name: string;
  /** Folder of `model.json` and `model.bin`; null: in the package. */
  readonly folder: string | null;
}

export interface KnownModel extends ModelPlace {
  readonly members: number;
  /** Error on its test systems according to its manifest, eV/atom; null if not stated. */
  readonly energyError: number | null;
}

const CONTROL = 1;

let shipped: ModelPlace | undefined;
/** The model in the package. */
export function shippedModel(): ModelPlace {
  shipped ??= { name: nameOfModel(manifestInNode()), folder: null };
  return shipped;
}

const modelsFolder = (home: string): string => join(home, 'models');

function describe(folder: string | null): KnownModel {
  const manifest = manifestInNode(folder === null ? undefined : pathToFileURL(`${folder}/`));
  const { formationEnergy } = manifest.metrics as {
    readonly formationEnergy?: { readonly test?: { readonly mae?: number } };
  };
  return {
    name: nameOfModel(manifest),
    folder,
    members: manifest.architecture.members,
    energyError: formationEnergy?.test?.mae ?? null,
  };
}

/** The shipped model, then the models in the folder; invalid models are skipped. */
export function knownModels(home: string): readonly KnownModel[] {
  const folder = modelsFolder(home);
  const names = existsSync(folder) ? readdirSync(folder).sort() : [];
  return [
    describe(null),
    ...names.flatMap((name) => {
      try {
        return [describe(join(folder, name))];
      } catch {
        return [];
      }
    }),
  ];
}

/** Returns null if predictions are switched off. @throws AppError prediction.model-missing */
export async function activeModel({ db }: { readonly db: Db }, home: string): Promise<ModelPlace | null> {
  const row = await db
    .selectFrom('prediction_control')
    .select(['is_off as isOff', 'model', 'folder'])
    .where('id', '=', CONTROL)
    .executeTakeFirst();
  if (row?.isOff) return null;
  if (!row?.model || !row.folder) return shippedModel();
  const folder = join(modelsFolder(home), row.folder);
  if (!existsSync(join(folder, 'model.json')))
    throw new AppError('prediction.model-missing', { model: row.model });
  return { name: row.model, folder };
}

/** @throws AppError prediction.off, prediction.model-missing */
export async function requireModel(database: { readonly db: Db }, home: string): Promise<ModelPlace> {
  const model = await activeModel(database, home);
  if (model === null) throw new AppError('prediction.off');
  return model;
}

/**
 * Chooses a model, or switches predictions off with null. Processes that follow the catalogue then derive the
 * stored predictions again.
 */
export async function chooseModel(
  { db }: Pick<Database, 'db'>,
  choice: { readonly model: string; readonly folder: string } | 'shipped' | 'off',
): Promise<void> {
  const values = {
    is_off: choice === 'off',
    model: typeof choice === 'string' ? null : choice.model,
    folder: typeof choice === 'string' ? null : choice.folder,
    changed_at: now,
  };
  await db.transaction().execute(async (tx) => {
    await tx
      .insertInto('prediction_control')
      .values({ id: CONTROL, ...values })
      .onConflict((conflict) => conflict.column('id').doUpdateSet(values))
      .execute();
    await announceCatalogueChange(tx);
  });
}
