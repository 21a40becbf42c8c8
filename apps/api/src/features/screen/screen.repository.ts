/** Rows of a page of results: only SQL. */
import type { CompactCell } from '@unitcell/crystal';
import type { Scalars } from '@unitcell/material';
import { sql } from 'kysely';
import type { Database } from '../../infra/database.ts';
import { arrays } from '../../infra/sql.ts';
import { sqlOf } from './screen-fields.ts';

/** The data for a CIF of a material. */
export interface StoredCrystal
  extends Pick<
    Scalars,
    'structId' | 'formulaReduced' | 'hall' | 'sourceName' | 'sourceId' | 'sourceLicence'
  > {
  readonly conventional: CompactCell;
  readonly wyckoffs: readonly string[];
  readonly isGivenKept: boolean;
}

export type ScreenRepository = ReturnType<typeof screenRepository>;

export function screenRepository({ readDb, readPool }: Pick<Database, 'readDb' | 'readPool'>) {
  const page = (ids: readonly number[]) =>
    readDb
      .selectFrom(
        sql<{ id: number; place: number }>`unnest(${[...ids]}::int[]) WITH ORDINALITY`.as<'page'>(
          sql`page (id, place)`,
        ),
      )
      .innerJoin('material', 'material.struct_id', 'page.id')
      .orderBy('page.place');
  return {
    /**
     * These fields of the materials, energies on the scale, in the order of the ids; deleted materials are
     * left out.
     */
    async rows(
      ids: readonly number[],
      fields: readonly string[],
      scale: string,
    ): Promise<readonly (readonly unknown[])[]> {
      if (ids.length === 0) return [];
      return arrays(
        readPool,
        page(ids)
          .leftJoin('material_energy as energies', (join) =>
            join.onRef('energies.struct_id', '=', 'page.id').on('energies.functional', '=', scale),
          )
          .select(fields.map((name, place) => sql`${sqlOf(name, scale)}`.as(String(place)))),
      );
    },

    /** Conventional cells in the order of the ids. */
    async crystals(ids: readonly number[]): Promise<readonly StoredCrystal[]> {
      return page(ids)
        .innerJoin('material_structure', 'material_structure.struct_id', 'page.id')
        .select(['material.struct_id as structId', 'formula_reduced as formulaReduced', 'hall'])
        .select(['source_name as sourceName', 'source_id as sourceId', 'source_licence as sourceLicence'])
        .select(['conventional', 'wyckoffs', 'is_given_kept as isGivenKept'])
        .execute();
    },
  };
}
