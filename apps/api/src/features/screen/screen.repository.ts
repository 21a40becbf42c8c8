/** Rows of a page of results: only SQL. */
import type { Database } from '../../infra/database.ts';
import { selectOf } from './screen-fields.ts';

export type ScreenRepository = ReturnType<typeof screenRepository>;

export function screenRepository({ readPool }: Pick<Database, 'readPool'>) {
  return {
    /** These fields of the materials, energies on the scale, in the order of the ids; what is gone meanwhile is left out. */
    async rows(
      ids: readonly number[],
      fields: readonly string[],
      scale: string,
    ): Promise<readonly (readonly unknown[])[]> {
      if (ids.length === 0) return [];
      const { rows } = await readPool.query<unknown[]>({
        text: `SELECT ${selectOf(fields)} FROM unnest($1::int[]) WITH ORDINALITY AS page (id, place)
          JOIN material ON material.struct_id = page.id
          LEFT JOIN material_energy energies
            ON energies.struct_id = page.id AND energies.functional = $2
          ORDER BY page.place`,
        values: [ids, scale],
        rowMode: 'array',
      });
      return rows;
    },
  };
}
