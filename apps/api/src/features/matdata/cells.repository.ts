/** The cells of a material: only SQL. */
import type { CompactCell } from '@unitcell/crystal';
import type { Database } from '../../plugins/database.ts';

export interface StoredCells {
  readonly formula: string;
  readonly primitive: CompactCell;
  readonly conventional: CompactCell;
  readonly symprec: number;
}

export type CellsRepository = ReturnType<typeof cellsRepository>;

export function cellsRepository({ readPool }: Pick<Database, 'readPool'>) {
  return {
    async byStructId(structId: number): Promise<StoredCells | null> {
      const { rows } = await readPool.query<StoredCells>({
        name: 'material-cells',
        text: `SELECT formula, primitive, conventional, symprec FROM material JOIN material_structure USING (struct_id)
               WHERE struct_id = $1`,
        values: [structId],
      });
      return rows[0] ?? null;
    },
  };
}
