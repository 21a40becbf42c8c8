/** How the atoms of materials stand, for the search of similar structures. */
import { sql } from 'kysely';
import { anyOf } from '../../infra/sql.ts';
import { ARRANGEMENT_BYTES } from './arrange-cell.ts';
import { type Renewal, shareOut } from './renewal.ts';
import { storeArrangements } from './store-arrangements.ts';

export const arrangementsRenewal: Renewal = {
  kind: 'arrangements',
  isOld: sql<boolean>`NOT EXISTS (
    SELECT FROM structure_arrangement WHERE structure_arrangement.struct_id = material_structure.struct_id
      AND length(vector) = ${ARRANGEMENT_BYTES}::int)`,
  isMadeOnDemand: sql<boolean>`true`,
  page: 400,
  async renew(tx, threads, structIds) {
    const cells = await tx
      .selectFrom('material_structure')
      .innerJoin('material', 'material.struct_id', 'material_structure.struct_id')
      .select(['material.struct_id', 'primitive', 'conventional', 'wyckoffs'])
      .select('space_group_number as spaceGroupNumber')
      .where('material.struct_id', '=', anyOf(structIds, 'int'))
      .forKeyShare()
      .execute();
    const made = await shareOut(threads, cells, (part) => threads.run('arrangeCells', part));
    const changed = await storeArrangements(
      tx,
      made.map((arrangement, index) => [cells[index]!.struct_id, arrangement]),
    );
    return { changed, left: [] };
  },
};
