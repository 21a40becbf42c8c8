/** Everything stored of one material, in one round trip: only SQL. */
import type { CompactCell } from '@unitcell/crystal';
import type { MaterialRecord } from '@unitcell/contract';
import type { StatedGroup } from '@unitcell/material';
import type { Mat3 } from '@unitcell/numerics';
import type { RecordFigures } from '../../catalogue/records/record-figures.ts';
import { STORED_MATERIAL, type StoredMaterial } from '../../catalogue/stored-material.ts';
import type { Database } from '../../infra/database.ts';

export interface StoredDetail extends StoredMaterial {
  /** The source's own cell was kept; else `given` is the primitive one. */
  readonly isGivenKept: boolean;
  readonly rotation: Mat3;
  readonly primitive: CompactCell;
  readonly conventional: CompactCell;
  readonly wyckoffs: readonly string[];
  readonly symprec: number;
  readonly stated: readonly StatedGroup[];
  /** What each source says; empty where there is one. */
  readonly records: readonly StoredRecord[];
  /** The rebuild the energies shown come from. */
  readonly release: { id: number; date: string } | null;
}

export interface StoredRecord extends Omit<MaterialRecord, 'space_group' | 'shown'> {
  readonly figures: RecordFigures;
}

const DETAIL_SQL = `
  SELECT ${STORED_MATERIAL}, is_given_kept AS "isGivenKept", rotation, primitive, conventional, wyckoffs, symprec, stated,
    (SELECT jsonb_build_object('id', release.id, 'date', release.finished_at)
       FROM material_energy AS scale JOIN release ON release.id = scale.release_id
       WHERE scale.struct_id = material.struct_id AND scale.functional = material.functional) AS release,
    (SELECT coalesce(jsonb_agg(jsonb_build_object('id', id, 'own_id', own_id, 'imported_at', created_at, 'figures', figures,
         'source', jsonb_build_object('name', source_name, 'id', source_id, 'licence', source_licence, 'url', source_url))
         ORDER BY id), '[]')
       FROM material_record WHERE material_record.struct_id = material.struct_id) AS records
  FROM material JOIN material_structure USING (struct_id)
  WHERE material.struct_id = current_struct_id($1)`;

export type DetailRepository = ReturnType<typeof detailRepository>;

export function detailRepository({ readPool }: Pick<Database, 'readPool'>) {
  return {
    async byStructId(structId: number): Promise<StoredDetail | null> {
      const { rows } = await readPool.query<StoredDetail>({
        name: 'material-detail',
        text: DETAIL_SQL,
        values: [structId],
      });
      return rows[0] ?? null;
    },
  };
}
