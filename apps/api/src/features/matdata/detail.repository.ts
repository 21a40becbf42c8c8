/** Everything stored of one material, in one round trip: only SQL. */
import type { CompactCell } from '@unitcell/crystal';
import type { StatedGroup } from '@unitcell/material';
import type { Mat3 } from '@unitcell/numerics';
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
  /** The rebuild the energies shown come from. */
  readonly release: { id: number; date: string } | null;
}

const DETAIL_SQL = `
  SELECT ${STORED_MATERIAL}, is_given_kept AS "isGivenKept", rotation, primitive, conventional, wyckoffs, symprec, stated,
    (SELECT jsonb_build_object('id', release.id, 'date', release.finished_at)
       FROM material_energy AS scale JOIN release ON release.id = scale.release_id
       WHERE scale.struct_id = material.struct_id AND scale.functional = material.functional) AS release
  FROM material JOIN material_structure USING (struct_id)
  WHERE material.struct_id = $1`;

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
