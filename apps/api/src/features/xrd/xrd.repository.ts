/** What the matcher reads of materials: only SQL. */
import type { CompactCell } from '@unitcell/crystal';
import type { ElementFilter } from '@unitcell/diffraction';
import type { Database } from '../../plugins/database.ts';

export interface MatchedMaterial {
  readonly structId: number;
  readonly formula: string;
  readonly spaceGroup: string;
  readonly nSites: number;
  /** eV/atom */
  readonly energyAboveHull: number | null;
  /** The stored pattern (packPattern). */
  readonly pattern: Buffer;
}

export interface ReferenceMaterial {
  readonly formula: string;
  readonly spaceGroup: string;
  readonly conventional: CompactCell;
}

export type XrdRepository = ReturnType<typeof xrdRepository>;

export function xrdRepository({ readPool }: Pick<Database, 'readPool'>) {
  return {
    /** Ids of the materials that pass the filter, rising. One value, not rows: `include: O *` passes half of all. */
    async structIds({ elements, others }: ElementFilter): Promise<Uint32Array> {
      const sorted = [...elements].sort();
      const { rows } = await readPool.query<{ ids: Buffer | null }>({
        name: others ? 'xrd-at-least' : 'xrd-exactly',
        text: `SELECT string_agg(int4send(struct_id), ''::bytea ORDER BY struct_id) AS ids FROM material
               WHERE ${others ? 'elements @> $1::text[]' : 'chemical_system = $1'}`,
        values: [others ? sorted : sorted.join('-')],
      });
      const bytes = rows[0]?.ids ?? Buffer.alloc(0);
      return Uint32Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readUInt32BE(4 * i));
    },

    /** In no order; materials that are gone are missing. */
    async materials(structIds: readonly number[]): Promise<MatchedMaterial[]> {
      const { rows } = await readPool.query<MatchedMaterial>({
        name: 'xrd-materials',
        text: `SELECT struct_id AS "structId", formula, space_group AS "spaceGroup", nsites AS "nSites",
                 energy_above_hull AS "energyAboveHull", pattern
               FROM material JOIN powder_pattern USING (struct_id) WHERE struct_id = ANY($1::int[])`,
        values: [structIds],
      });
      return rows;
    },

    async reference(structId: number): Promise<ReferenceMaterial | null> {
      const { rows } = await readPool.query<ReferenceMaterial>({
        name: 'xrd-reference',
        text: `SELECT formula, space_group AS "spaceGroup", conventional
               FROM material JOIN material_structure USING (struct_id) WHERE struct_id = $1`,
        values: [structId],
      });
      return rows[0] ?? null;
    },
  };
}
