/** The structure of a material as it was given: only SQL. */
import type { CompactCell } from '@unitcell/crystal';
import type { Database } from '../../infra/database.ts';

export type PredictionRepository = ReturnType<typeof predictionRepository>;

export function predictionRepository({ readDb }: Pick<Database, 'readDb'>) {
  return {
    async givenCell(structId: number): Promise<CompactCell | null> {
      const found = await readDb
        .selectFrom('material_structure')
        .select('given')
        .where('struct_id', '=', structId)
        .executeTakeFirst();
      return found?.given ?? null;
    },
  };
}
