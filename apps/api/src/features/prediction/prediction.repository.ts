/** The structure of a material as it was given: only SQL. */
import type { CompactCell } from '@unitcell/crystal';
import type { Database } from '../../infra/database.ts';
import { currentStructId } from '../../infra/sql.ts';

export type PredictionRepository = ReturnType<typeof predictionRepository>;

export function predictionRepository({ readDb }: Pick<Database, 'readDb'>) {
  return {
    /** With the id it has today: ids that were merged into another's still answer. */
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
  };
}
