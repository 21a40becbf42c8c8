/** `unitcell catalogue merge`: materials an older version stored twice become one. Those an operator split stay apart. */
import type { CompactCell } from '@unitcell/crystal';
import { announceCatalogueChange } from '../../infra/catalogue-cache.ts';
import type { Database, Db } from '../../infra/database.ts';
import { anyOf, batch } from '../../infra/sql.ts';
import { markAround } from '../write-materials.ts';
import { crystalKey } from './assign-crystals.ts';
import { composeStored, type Composition, recordTheFirst } from './records.repository.ts';

export interface Double {
  readonly formula: string;
  /** What it becomes part of. */
  readonly target: number;
  readonly structId: number;
}

interface Row {
  readonly structId: number;
  readonly formulaReduced: string;
  readonly spaceGroupNumber: number;
  readonly cell: CompactCell;
}

/** Formulas looked at in one transaction. */
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
  /** @param isDryRun only say which */
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
