/** Rows of a page of results: only SQL. */
import type { CompactCell } from '@unitcell/crystal';
import type { Scalars } from '@unitcell/material';
import type { Database } from '../../infra/database.ts';
import { selectOf } from './screen-fields.ts';

/** What a CIF of a material is written from. */
export interface StoredCrystal
  extends Pick<
    Scalars,
    'structId' | 'formulaReduced' | 'hall' | 'sourceName' | 'sourceId' | 'sourceLicence'
  > {
  readonly conventional: CompactCell;
  readonly wyckoffs: readonly string[];
  readonly isGivenKept: boolean;
}

const CRYSTAL = `material.struct_id AS "structId", formula_reduced AS "formulaReduced", hall, source_name AS "sourceName",
  source_id AS "sourceId", source_licence AS "sourceLicence", conventional, wyckoffs, is_given_kept AS "isGivenKept"`;

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
        text: `SELECT ${selectOf(fields, '$2')} FROM unnest($1::int[]) WITH ORDINALITY AS page (id, place)
          JOIN material ON material.struct_id = page.id
          LEFT JOIN material_energy energies
            ON energies.struct_id = page.id AND energies.functional = $2
          ORDER BY page.place`,
        values: [ids, scale],
        rowMode: 'array',
      });
      return rows;
    },

    /** Conventional cells in the order of the ids. */
    async crystals(ids: readonly number[]): Promise<readonly StoredCrystal[]> {
      const { rows } = await readPool.query<StoredCrystal>(
        `SELECT ${CRYSTAL} FROM unnest($1::int[]) WITH ORDINALITY AS page (id, place)
          JOIN material ON material.struct_id = page.id
          JOIN material_structure ON material_structure.struct_id = page.id
          ORDER BY page.place`,
        [ids],
      );
      return rows;
    },
  };
}
