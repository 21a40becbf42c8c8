/** SQL of the material data used by the matcher. */
import type { CompactCell } from '@unitcell/crystal';
import type { ElementFilter } from '@unitcell/diffraction';
import { sql } from 'kysely';
import type { Database } from '../../infra/database.ts';
import { anyOf, columnsOf, currentStructId } from '../../infra/sql.ts';

export interface MatchedMaterial {
  readonly structId: number;
  readonly formula: string;
  readonly spaceGroup: string;
  readonly nSites: number;
  /** eV/atom on the site's scale; null for a material without an energy on this scale. */
  readonly energyAboveHull: number | null;
  /** The stored pattern (packPattern). */
  readonly pattern: Buffer;
}

export interface ReferenceMaterial {
  readonly structId: number;
  readonly formula: string;
  readonly spaceGroup: string;
  readonly conventional: CompactCell;
}

const material = columnsOf('material');

export type XrdRepository = ReturnType<typeof xrdRepository>;

/** @param functional energy scale of the site, so that all energies of a list are comparable */
export function xrdRepository({ readDb }: Pick<Database, 'readDb'>, functional: string) {
  const withStructure = () =>
    readDb
      .selectFrom('material')
      .innerJoin('material_structure', 'material_structure.struct_id', 'material.struct_id')
      .select(['material.struct_id as structId', 'formula', 'space_group as spaceGroup', 'conventional']);

  return {
    /**
     * Ids of the materials that pass the filter, in ascending order. They are returned as one array instead of
     * rows, because `include: O *` selects half of all materials.
     */
    async structIds({ elements, others }: ElementFilter): Promise<Uint32Array> {
      const sorted = [...elements].sort();
      const { ids } = await readDb
        .selectFrom('material')
        .select(
          sql<Buffer | null>`string_agg(int4send(${material('struct_id')}), ''::bytea ORDER BY ${material('struct_id')})`.as(
            'ids',
          ),
        )
        .where((is) =>
          others
            ? sql<boolean>`${material('elements')} @> ${sorted}::text[]`
            : is('chemical_system', '=', sorted.join('-')),
        )
        .executeTakeFirstOrThrow();
      const bytes = ids ?? Buffer.alloc(0);
      return Uint32Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readUInt32BE(4 * i));
    },

    /** Materials in any order, without deleted ones. */
    async materials(structIds: readonly number[]): Promise<MatchedMaterial[]> {
      return readDb
        .selectFrom('material')
        .innerJoin('powder_pattern', 'powder_pattern.struct_id', 'material.struct_id')
        .leftJoin('material_energy', (join) =>
          join
            .onRef('material_energy.struct_id', '=', 'material.struct_id')
            .on('material_energy.functional', '=', functional),
        )
        .select(['material.struct_id as structId', 'formula', 'space_group as spaceGroup'])
        .select(['nsites as nSites', 'material_energy.energy_above_hull as energyAboveHull', 'pattern'])
        .where('material.struct_id', '=', anyOf(structIds, 'int'))
        .execute();
    },

    /** Materials in any order, without deleted ones. */
    async references(structIds: readonly number[]): Promise<ReferenceMaterial[]> {
      return withStructure().where('material.struct_id', '=', anyOf(structIds, 'int')).execute();
    },

    async reference(structId: number): Promise<ReferenceMaterial | null> {
      const found = await withStructure()
        .where('material.struct_id', '=', currentStructId(structId))
        .executeTakeFirst();
      return found ?? null;
    },
  };
}
