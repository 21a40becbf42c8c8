/** `unitcell catalogue merge`: materials an older version stored twice become one. Those an operator split stay apart. */
import type { CompactCell } from '@unitcell/crystal';
import type pg from 'pg';
import { ANNOUNCE_CATALOGUE_CHANGE } from '../../infra/catalogue-cache.ts';
import { type Database, inTransaction } from '../../infra/database.ts';
import { markAround } from '../write-materials.ts';
import { crystalKey } from './crystal-key.ts';
import { type Composition, composeStored, recordTheFirst } from './records.repository.ts';

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

async function doublesOf(
  client: pg.PoolClient,
  formulas: readonly string[],
  { work }: Composition,
): Promise<Double[]> {
  const { rows } = await client.query<Row>(
    `SELECT material.struct_id AS "structId", formula_reduced AS "formulaReduced",
       space_group_number AS "spaceGroupNumber", given AS cell
     FROM material JOIN material_structure USING (struct_id)
     WHERE formula_reduced = ANY($1::text[]) AND NOT EXISTS (SELECT FROM kept_apart WHERE kept_apart.struct_id = material.struct_id)
     ORDER BY material.struct_id`,
    [formulas],
  );
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

async function mergeAll(
  client: pg.PoolClient,
  doubles: readonly Double[],
  composition: Composition,
): Promise<void> {
  if (doubles.length === 0) return;
  const targets = [...new Set(doubles.map(({ target }) => target))];
  const gone = doubles.map(({ structId }) => structId);
  const into = [gone, doubles.map(({ target }) => target)];
  await recordTheFirst(client, [...targets, ...gone]);
  await markAround(client, [...targets, ...gone]);
  await client.query(
    `UPDATE material_record SET struct_id = merged.target
     FROM unnest($1::int[], $2::int[]) AS merged (struct_id, target) WHERE merged.struct_id = material_record.struct_id`,
    into,
  );
  await client.query('DELETE FROM material WHERE struct_id = ANY($1::int[])', [gone]);
  await client.query(
    `UPDATE retired_id SET target_id = merged.target
     FROM unnest($1::int[], $2::int[]) AS merged (struct_id, target) WHERE merged.struct_id = target_id`,
    into,
  );
  await client.query(
    'INSERT INTO retired_id (struct_id, target_id) SELECT * FROM unnest($1::int[], $2::int[])',
    into,
  );
  await composeStored(client, targets, composition);
  await client.query(ANNOUNCE_CATALOGUE_CHANGE);
}

export function mergeDoubles({ pool }: Pick<Database, 'pool'>, composition: Composition) {
  /** @param isDryRun only say which */
  return async (isDryRun: boolean, onFound: (double: Double) => void): Promise<number> => {
    const { rows } = await pool.query<{ formula: string }>(
      'SELECT formula_reduced AS formula FROM material GROUP BY 1 HAVING count(*) > 1 ORDER BY 1',
    );
    let count = 0;
    for (let start = 0; start < rows.length; start += BATCH_FORMULAS) {
      const formulas = rows.slice(start, start + BATCH_FORMULAS).map(({ formula }) => formula);
      const doubles = await inTransaction(pool, async (client) => {
        const found = await doublesOf(client, formulas, composition);
        if (!isDryRun) await mergeAll(client, found, composition);
        return found;
      });
      for (const double of doubles) onFound(double);
      count += doubles.length;
    }
    return count;
  };
}
