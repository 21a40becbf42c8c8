/** The cells of a material: only SQL. */
import type { CompactCell } from '@unitcell/crystal';
import type { Database } from '../../infra/database.ts';
import { currentStructId } from '../../infra/sql.ts';

export interface StoredCells {
  readonly formula: string;
  readonly primitive: CompactCell;
  readonly conventional: CompactCell;
  readonly symprec: number;
}

export type CellsRepository = ReturnType<typeof cellsRepository>;

export function cellsRepository({ readDb }: Pick<Database, 'readDb'>) {
  return {
    async byStructId(structId: number): Promise<StoredCells | null> {
      const found = await readDb
        .selectFrom('material')
        .innerJoin('material_structure', 'material_structure.struct_id', 'material.struct_id')
        .select(['formula', 'primitive', 'conventional', 'symprec'])
        .where('material.struct_id', '=', currentStructId(structId))
        .executeTakeFirst();
      return found ?? null;
    },
  };
}
