/** What predictions are made of and held against: only SQL. */
import type { CompactCell } from '@unitcell/crystal';
import { sql } from 'kysely';
import type { Database } from '../../infra/database.ts';
import { anyOf, columnsOf, currentStructId } from '../../infra/sql.ts';

export type PredictionRepository = ReturnType<typeof predictionRepository>;

/** Calculations that are scored: the latest. */
const SCORED = 500;

export function predictionRepository({ readDb }: Pick<Database, 'readDb'>) {
  return {
    /** The structure of a material as it was given, with the id it has today: ids that were merged into another's still answer. */
    async givenCell(
      structId: number,
    ): Promise<{ readonly structId: number; readonly cell: CompactCell } | null> {
      const found = await readDb
        .selectFrom('material_structure')
        .select(['struct_id as structId', 'given as cell'])
        .where('struct_id', '=', currentStructId(structId))
        .executeTakeFirst();
      return found ?? null;
    },

    /** Materials of the catalogue by the names that models give what they were taught: ids of the Materials Project, or of this catalogue. */
    async byTaughtId(ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
      const own = ids.flatMap((id) => /^unitcell-(\d{1,9})$/.exec(id)?.[1] ?? []).map(Number);
      const from = (table: 'material' | 'material_record') =>
        readDb
          .selectFrom(table)
          .select(['source_id as id', 'struct_id as structId'])
          .where('source_name', '=', 'Materials Project')
          .where('source_id', '=', anyOf(ids, 'text'));
      const rows = await from('material').unionAll(from('material_record')).execute();
      const here = await readDb
        .selectFrom('material')
        .select('struct_id as structId')
        .where('struct_id', '=', anyOf(own, 'int'))
        .execute();
      return new Map([
        ...rows.map(({ id, structId }) => [id, structId] as const),
        ...here.map(({ structId }) => [`unitcell-${structId}`, structId] as const),
      ]);
    },

    /** What was predicted of finished submissions, beside the energy and the gap that their own calculation gave. Newest first. */
    scored() {
      const own = sql<string>`'run4u-' || ${columnsOf('submission')('id')}`;
      const source = columnsOf('material_energy', 'energy')('source');
      return readDb
        .selectFrom('submission_prediction as made')
        .innerJoin('submission', 'submission.id', 'made.submission_id')
        .innerJoin('material', 'material.struct_id', 'submission.struct_id')
        .innerJoin('material_energy as energy', (join) =>
          join.onRef('energy.struct_id', '=', 'material.struct_id').on(sql`${source} ->> 'id'`, '=', own),
        )
        .select(['material.struct_id as structId', 'material.formula', 'made.model', 'made.values'])
        .select(['energy.functional', 'energy.formation_energy_per_atom as formationEnergyPerAtom'])
        .select(({ ref }) =>
          sql<
            number | null
          >`CASE WHEN ${ref('material.source_id')} = ${own} THEN ${ref('material.band_gap')} END`.as(
            'bandGap',
          ),
        )
        .where('submission.status', '=', 'finished')
        .orderBy('submission.finished_at', 'desc')
        .limit(SCORED)
        .execute();
    },
  };
}
